"""The hint: the play of basic strategy in answer to an ask.

There is none where its table does not apply: for money, for insurance and the like,
where no upcard is shown, and where the house counts an ace otherwise.
"""

from bj_client.card import HIDDEN
from bj_client.table import Table
from bj_game.strategies import Card, Hand
from bj_game.strategy import basic_play
from bj_protocol.action import Action
from bj_protocol.views import Ask

__all__ = ["PLAYS", "advice", "hint"]

PLAYS = frozenset({Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT})
"""The answers that play a hand, as opposed to those about money."""
_WORDS = {
    Action.HIT: "hit",
    Action.STAND: "stand",
    Action.DOUBLE: "double",
    Action.SPLIT: "split",
    Action.DECLINE: "keep the pair together",
}


def advice(ask: Ask, table: Table) -> Action | None:
    """Return what basic strategy would answer; None where it has nothing to say."""
    plays = [action.value for action in ask.actions if action in PLAYS]
    if not plays:
        return None
    if Action.STAND not in ask.actions:
        plays.append(Action.DECLINE)
    hand = table.hand(ask.seat, ask.hand)
    shown = [card for card in table.dealer.cards if card != HIDDEN]
    if len(hand.cards) < 2 or not shown:
        return None
    if Hand(map(Card.read, hand.cards)).get_score() != hand.total:
        return None
    return Action(basic_play(hand.cards, shown[0], plays))


def hint(ask: Ask, table: Table) -> str:
    """Return the advice as a sentence; empty where there is none."""
    action = advice(ask, table)
    return "" if action is None else f"Basic strategy: {_WORDS[action]}."
