"""Kinds of questions: what a player is asked, as far as keys and hints differ."""

from enum import Enum, auto

from bj_client.question import Question
from bj_protocol.action import Action


class Kind(Enum):
    """What a question is about."""

    BET = auto()
    GIFT = auto()
    ACES = auto()
    INSURANCE = auto()
    PAIR = auto()
    OFFER = auto()
    PLAY = auto()
    AGAIN = auto()
    """Whether to play on; the client's own question."""


def kind_of(question: Question) -> Kind:
    """Return the kind of a question, by what may be answered to it."""
    if question.ask is None:
        return Kind.AGAIN
    actions = set(question.ask.actions)
    if actions & {Action.HIT, Action.STAND}:
        return Kind.PLAY
    for action, kind in _KINDS:
        if action in actions:
            return kind
    return Kind.PLAY


_KINDS = (
    (Action.PLACE_BET, Kind.BET),
    (Action.ACCEPT_GIFT, Kind.GIFT),
    (Action.ACE_HIGH, Kind.ACES),
    (Action.INSURE, Kind.INSURANCE),
    (Action.SPLIT, Kind.PAIR),
    (Action.EVEN_MONEY, Kind.OFFER),
    (Action.SURRENDER, Kind.OFFER),
)
