"""Wagers: the amounts that a bet or an insurance may take."""

from dataclasses import dataclass

from bj_game.illegal import Reason

__all__ = ["WagerLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLimits:
    """The smallest and largest wager and the step between, all in cents.

    >>> limits = WagerLimits.within(minimum=100, funds=1050, step=100)
    >>> limits.maximum
    1000
    >>> limits.why_not(550)
    <Reason.NOT_A_WHOLE_STEP: 'not_a_whole_step'>
    """

    minimum: int
    maximum: int
    step: int

    @classmethod
    def within(cls, *, minimum: int, funds: int, step: int) -> "WagerLimits":
        """Return the limits of a player who has ``funds`` free."""
        return cls(minimum=minimum, maximum=funds - funds % step, step=step)

    @property
    def is_possible(self) -> bool:
        """Whether there is any legal amount at all."""
        return self.maximum >= self.minimum

    def why_not(self, amount: int) -> Reason | None:
        """Return why ``amount`` is not legal, or None if it is."""
        if amount < self.minimum:
            return Reason.BELOW_MINIMUM
        if amount > self.maximum:
            return Reason.ABOVE_MAXIMUM
        if amount % self.step:
            return Reason.NOT_A_WHOLE_STEP
        return None
