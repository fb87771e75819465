"""Wagers: the amounts that a bet or an insurance may take."""

from dataclasses import dataclass

from bj_game.illegal import Reason


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


def require_kind(name: str, value: object, kind: type) -> None:
    """Check that a value is of a kind; a text is no member of an enumeration.

    Raises:
        TypeError: if it is not.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}; it must be a {kind.__name__}.")


def require_whole(name: str, value: object, least: int | None = 0) -> None:
    """Check that a value is an int, and at least so much where that is said.

    >>> require_whole("amount", 12.5)
    Traceback (most recent call last):
    TypeError: amount is 12.5; it must be a whole number, an int.

    Raises:
        TypeError: if it is no int; a bool is none.
        ValueError: if it is less.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; it must be a whole number, an int.")
    if least is not None and value < least:
        raise ValueError(f"{name} is {value}; it must be at least {least}.")
