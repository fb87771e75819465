"""Plays: what a person may decide in a round, and the prompt that asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bj_game.illegal import IllegalPlay, Reason
from bj_game.wager import WagerLimits, require_kind, require_whole


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


class Decider(StrEnum):
    """Who made a decision: the player, or something in the player's place."""

    PLAYER = "player"
    CLOCK = "clock"
    ABSENCE = "absence"
    RULES = "rules"
    """There was nothing to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer to a prompt; ``amount`` is the cents of an insurance."""

    play: Play
    amount: int = 0
    by: Decider = Decider.PLAYER

    def __post_init__(self) -> None:
        """Check what is given.

        Raises:
            TypeError: if it is no ``Play``, no whole number of cents or no ``Decider``.
        """
        require_kind("play", self.play, Play)
        require_kind("by", self.by, Decider)
        require_whole("amount", self.amount, least=None)  # a prompt has the limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What one seat must decide, and exactly what is legal.

    This is the only source of legality: the round checks replies against it, and
    whoever shows or makes choices takes them from it.
    """

    seat: int
    hand: int
    """The hand of the seat, from 0."""
    plays: tuple[Play, ...]
    """What is legal; the first is taken for a player who does not answer, unless one
    may stand or decline."""
    denials: Mapping[Play, Reason]
    """Why each of the other plays is not."""
    insurance: WagerLimits | None = None
    """What ``INSURE`` may cost, where it is legal."""

    @property
    def default(self) -> Play:
        """The play that is taken for a player who does not answer."""
        passive = (Play.STAND, Play.DECLINE)
        return next((play for play in passive if play in self.plays), self.plays[0])

    def check(self, reply: Reply) -> None:
        """Do nothing if ``reply`` is legal.

        Raises:
            IllegalPlay: with the reason, if it is not.
        """
        if reply.play not in self.plays:
            raise IllegalPlay(self.denials[reply.play])
        if reply.play is Play.INSURE and self.insurance is not None:
            reason = self.insurance.why_not(reply.amount)
            if reason is not None:
                raise IllegalPlay(reason)
