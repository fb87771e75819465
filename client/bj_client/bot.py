"""The bot: answers every ask by itself, by basic strategy.

The only module of the client that knows the game; it sees no more than a person.
"""

from collections.abc import Collection

from bj_client.card import HIDDEN
from bj_client.table import Table
from bj_game.strategy import basic_play
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    AnyAnswer,
    Decline,
    Double,
    Hit,
    PlaceBet,
    SitOut,
    Split,
    Stand,
)
from bj_protocol.views import Ask, WagerRange

__all__ = ["Bot"]


class Bot:
    """A steady player: one bet, basic strategy, no insurance, gifts accepted."""

    def __init__(self, bet: int) -> None:
        """Bet ``bet`` cents each round, or as near to it as the ask allows."""
        self._bet = bet

    def answer(self, ask: Ask, table: Table) -> AnyAnswer:
        """Return the answer to an ask."""
        actions = frozenset(ask.actions)
        if Action.PLACE_BET in actions:
            return self._stake(ask)
        if Action.ACCEPT_GIFT in actions:
            return AcceptGift(prompt=ask.prompt)
        legal = actions & _COMMANDS.keys()
        if not legal:
            return SitOut(prompt=ask.prompt)
        return _COMMANDS[_play(ask, table, legal)](prompt=ask.prompt)

    def _stake(self, ask: Ask) -> PlaceBet | SitOut:
        amount = _nearest(self._bet, ask.wager) if ask.wager else 0
        if not amount:
            return SitOut(prompt=ask.prompt)
        return PlaceBet(prompt=ask.prompt, amount=amount)


_COMMANDS: dict[
    Action, type[Hit] | type[Stand] | type[Double] | type[Split] | type[Decline]
] = {
    Action.HIT: Hit,
    Action.STAND: Stand,
    Action.DOUBLE: Double,
    Action.SPLIT: Split,
    Action.DECLINE: Decline,
}


def _play(ask: Ask, table: Table, legal: Collection[Action]) -> Action:
    cards = table.hand(ask.seat, ask.hand).cards
    upcard = next((card for card in table.dealer.cards if card != HIDDEN), "")
    if not cards or not upcard:
        return Action.STAND if Action.STAND in legal else min(legal)
    return Action(basic_play(cards, upcard, {action.value for action in legal}))


def _nearest(bet: int, limits: WagerRange) -> int:
    """Return the wager nearest to ``bet`` from below, at least the minimum."""
    most = min(bet, limits.maximum)
    amount = max(most - most % limits.step, limits.minimum)
    return amount if amount <= limits.maximum else 0
