"""The bot: answers every ask by itself, as a strategy decides."""

from bj_client.bot.adviser import Adviser
from bj_client.bot.situation import Observer, Situation
from bj_client.model.decision import DECISIONS
from bj_client.model.table import Table
from bj_game.strategies import Player
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    AceHigh,
    AceLow,
    AnyAnswer,
    Insure,
    PlaceBet,
    SitOut,
    Surrender,
)
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask


class Bot:
    """Translates between the table's asks and the questions of a strategy.

    Gifts are accepted. An ask that no strategy is asked about is declined.
    """

    def __init__(self, strategy: Player, *, is_loaded: bool = False) -> None:
        """Play by ``strategy``.

        ``is_loaded`` tells that it is somebody's own: it may think for ever, so it
        must not be asked where others wait.
        """
        self.adviser = Adviser(strategy)
        """Knows the faults of the strategy."""
        self._observer = Observer()
        self.is_loaded = is_loaded
        self.leaves = False
        """Whether the strategy wants to end its visit."""
        self.name = type(strategy).__name__

    def answer(self, ask: Ask, table: Table) -> AnyAnswer:
        """Return the answer to an ask; it is always a legal one."""
        actions = frozenset(ask.actions)
        if Action.ACCEPT_GIFT in actions:
            return AcceptGift(prompt=ask.prompt)
        self.adviser.observe(self._observer.view(table))
        if Action.PLACE_BET in actions:
            return self._stake(ask, table)
        situation = Situation.of(ask, table)
        if HIDDEN in situation.cards:
            self.adviser.tell("The server hides a card of the hand: it is not played.")
            return _safe(ask)
        if not situation.cards:
            return _safe(ask)
        if self._wants(Action.SURRENDER, ask, situation):
            return Surrender(prompt=ask.prompt)
        if Action.INSURE in actions:
            amount = self.adviser.insurance(situation, ask.wager) if ask.wager else 0
            return Insure(prompt=ask.prompt, amount=amount) if amount else _safe(ask)
        if Action.ACE_HIGH in actions:
            is_high = self.adviser.ace_high(situation)
            return (AceHigh if is_high else AceLow)(prompt=ask.prompt)
        for play in (Action.SPLIT, Action.DOUBLE, Action.HIT):
            if self._wants(play, ask, situation):
                return DECISIONS[play].command(prompt=ask.prompt)
        return _safe(ask)

    def _stake(self, ask: Ask, table: Table) -> AnyAnswer:
        balance = table.seat(ask.seat).balance // 100
        self.leaves = self.adviser.leaves(balance)
        if self.leaves:
            return SitOut(prompt=ask.prompt)
        amount = self.adviser.bet(balance, ask.wager) if ask.wager else 0
        if not amount:
            return SitOut(prompt=ask.prompt)
        return PlaceBet(prompt=ask.prompt, amount=amount)

    def _wants(self, play: Action, ask: Ask, situation: Situation) -> bool:
        return play in ask.actions and self.adviser.wants(play, situation)


def _safe(ask: Ask) -> AnyAnswer:
    """Return the answer that risks nothing more."""
    safe = (Action.STAND, Action.DECLINE, Action.ACE_LOW)
    action = next((each for each in safe if each in ask.actions), Action.SIT_OUT)
    return DECISIONS[action].command(prompt=ask.prompt)
