"""Plays: the stakes and decisions of a round, and the prompt that asks for one."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The rule that a refused play would have broken."""

    ROUND_OVER = "round_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_THIS_HOUSE = "not_in_this_house"
    NOT_A_PAIR = "not_a_pair"
    ALREADY_SPLIT = "already_split"
    TOO_MANY_HANDS = "too_many_hands"
    NOT_THE_FIRST_DECISION = "not_the_first_decision"
    NOT_AFTER_A_SPLIT = "not_after_a_split"
    NOT_ON_THIS_TOTAL = "not_on_this_total"
    ONE_CARD_ON_SPLIT_ACES = "one_card_on_split_aces"
    SPLIT_UNDECIDED = "split_undecided"
    OFFER_UNDECIDED = "offer_undecided"
    INSURANCE_NOT_OFFERED = "insurance_not_offered"
    NOT_A_NATURAL = "not_a_natural"
    ACES_UNVALUED = "aces_unvalued"
    ACES_NOT_ASKED = "aces_not_asked"
    NOTHING_TO_DECLINE = "nothing_to_decline"
    NOT_ENOUGH_FUNDS = "not_enough_funds"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_A_WHOLE_STEP = "not_a_whole_step"


class IllegalPlayError(Exception):
    """A play that the rules do not allow now; everything is as it was before."""

    def __init__(self, reason: Reason) -> None:
        """Refuse for ``reason``."""
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRange:
    """The amounts that a wager may take, all in cents."""

    minimum: int
    maximum: int
    step: int
    """A wager is a whole multiple of this."""

    @classmethod
    def within(cls, *, minimum: int, funds: int, step: int) -> "WagerRange":
        """Return the range of a player who has ``funds`` free.

        >>> WagerRange.within(minimum=100, funds=1050, step=100).maximum
        1000
        """
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


_LEAST = {"seat": 1, "amount": 1, "spots": 1, "funds": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """The bet and the free money that a seat brings into a round.

    ``amount`` is the main wager on each of ``spots``, and ``funds`` what the player is
    still free to wager, both in cents. Seats are numbered from 1.
    """

    seat: int
    amount: int
    funds: int
    spots: int = 1

    def __post_init__(self) -> None:
        """Check what is given.

        Raises:
            TypeError: if something is no whole number.
            ValueError: if it is less than 1, or the funds less than nothing.
        """
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if type(value) is not int or value < least:
                require_whole(name, value, least)


class Play(StrEnum):
    """One way to go on with a hand."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    """Give the hand up for half of its stake."""
    GIVE_UP = "give_up"
    """Lose the hand at once, and be dealt a new one."""
    INSURE = "insure"
    EVEN_MONEY = "even_money"
    """Settle a natural at even money, whatever the dealer has."""
    ACE_HIGH = "ace_high"
    """Count every ace of the hand 11."""
    ACE_LOW = "ace_low"
    """Count every ace of the hand 1."""
    DECLINE = "decline"
    """Say no to what is offered before the play of the hand."""


class By(StrEnum):
    """The one who decided."""

    PLAYER = "player"
    CLOCK = "clock"
    """The time was up."""
    ABSENCE = "absence"
    """The player was away or had left."""
    RULES = "rules"
    """There was nothing to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer to a prompt; ``amount`` is the cents of an insurance."""

    play: Play
    amount: int = 0
    by: By = By.PLAYER

    def __post_init__(self) -> None:
        """Check what is given.

        Raises:
            TypeError: if it is no ``Play``, no whole number of cents or no ``By``.
        """
        require_kind("play", self.play, Play)
        require_kind("by", self.by, By)
        require_whole("amount", self.amount, least=None)  # a prompt has the limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A question to one seat, with exactly the legal answers.

    This is the only source of legality: the round checks replies against it, and
    screens, bots and hints take the choices from it.
    """

    seat: int
    hand: int
    """The hand of the seat, from 0."""
    plays: tuple[Play, ...]
    """The legal plays; the first is taken for a player who does not answer, unless one
    may stand or decline."""
    denials: Mapping[Play, Reason]
    """Why each of the other plays is not."""
    insurance: WagerRange | None = None
    """The cents that ``INSURE`` may cost, where it is legal."""

    @property
    def default(self) -> Play:
        """The play that is taken for a player who does not answer."""
        passive = (Play.STAND, Play.DECLINE)
        return next((play for play in passive if play in self.plays), self.plays[0])

    def check(self, reply: Reply) -> None:
        """Do nothing if ``reply`` is legal.

        Raises:
            IllegalPlayError: with the reason, if it is not.
        """
        if reply.play not in self.plays:
            raise IllegalPlayError(self.denials[reply.play])
        if self.insurance is not None and reply.play is Play.INSURE:
            reason = self.insurance.why_not(reply.amount)
            if reason is not None:
                raise IllegalPlayError(reason)
