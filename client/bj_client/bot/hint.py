"""The hint: the play that is worth most by the rules of the table.

There is none for money, for insurance and for the value of an ace, and none at a table
whose rules this client does not know in full.
"""

from bj_client.model.decision import DECISIONS
from bj_client.model.table import Table
from bj_game.house import known_house
from bj_game.strategy import PLAYS as _PLAYS
from bj_game.strategy import basic_play
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask

PLAYS = frozenset(map(Action, _PLAYS))
"""The answers that play a hand, as opposed to those about money."""


def advice(ask: Ask, table: Table) -> Action | None:
    """Return the answer of basic strategy; None where it has none."""
    house = known_house(table.house.terms)
    hand = table.hand(ask.seat, ask.hand)
    if house is None or len(hand.cards) < 2 or HIDDEN in hand.cards:
        return None
    shown = [card for card in table.dealer.cards if card != HIDDEN]
    if not shown and house.deal != "dealer_last":
        return None
    upcard = shown[0] if shown else None
    legal = [action.value for action in ask.actions]
    play = basic_play(house, hand.cards, upcard, legal, hand.total)
    return None if play is None else Action(play)


def agreement(answer: AnyAnswer, ask: Ask, table: Table) -> dict[int, bool | None]:
    """Return whether a play is that of basic strategy, by prompt; {} for no play."""
    if not PLAYS.intersection(ask.actions):
        return {}
    advised = advice(ask, table)
    return {ask.prompt: None if advised is None else answer.type is advised}


def hint(ask: Ask, table: Table) -> str:
    """Return the advice as a sentence; empty where there is none."""
    if not PLAYS.intersection(ask.actions):
        return ""
    house = known_house(table.house.terms)
    if house is not None and not house.hints:
        return "Hints are forbidden at this table."
    if house is None:
        return (
            f"No hints for this house: this client does not know all rules of "
            f"{table.house.name}, and does not judge your plays here."
        )
    action = advice(ask, table)
    if action is Action.DECLINE:
        kept = "keep the pair together" if Action.SPLIT in ask.actions else "play on"
        return f"Basic strategy: {kept}."
    return "" if action is None else f"Basic strategy: {DECISIONS[action].word}."
