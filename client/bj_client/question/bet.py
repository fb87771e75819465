"""The bet: how much on the coming round, and on how many spots."""

import re
from dataclasses import dataclass, field

from bj_client.model.decision import DECISIONS
from bj_client.question.question import Question, Reading, decisions
from bj_client.words.money import (
    ANY_WAGER,
    WagerError,
    amounts,
    plain,
    read_wager,
    span,
)
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, PlaceBet
from bj_protocol.views import Ask

_OUT = DECISIONS[Action.SIT_OUT].key
_spread = re.compile(r"(?P<amount>.*[^ ]) *x *(?P<spots>[0-9]{1,2})")


def ask_bet(ask: Ask) -> Question:
    """Return the question for the bet, typed as ``50``, or ``50 x 2`` for two spots."""
    wager = ask.wager or ANY_WAGER
    most = {1: "", 2: "2"}.get(ask.spots, f"2 to x{ask.spots}")
    spots = f" a spot, x{most} for more" if most else ""
    behind = f", with x{most} behind it for so many spots" if most else ""
    can_sit_out = Action.SIT_OUT in ask.actions
    out = f", {_OUT} to sit out" if can_sit_out else ""
    sits = f", or {_OUT} to sit this round out" if can_sit_out else ""
    return Bet(
        f"Bet ({span(wager)}{spots}{out})?",
        f"bet {amounts(wager)}{behind}{sits}",
        ask,
        decisions(ask),
    )


class Bet(Question):
    """The question how much to bet, and on how many spots."""

    def answer(self, text: str) -> Reading:
        """Read a bet, or the wish to sit out."""
        if text in _TIMES:
            return self.complaint("You have not bet here yet")
        return self.words.get(text) or self.amount(text)

    def amount(self, typed: str) -> Reading:
        """Read an amount, and the number of spots behind it."""
        ask = self.ask
        assert ask is not None
        wager = ask.wager or ANY_WAGER
        if typed in {"all", "all in"}:
            most = wager.maximum // wager.step * wager.step
            return PlaceBet(prompt=ask.prompt, amount=most)
        spread = _spread.fullmatch(typed)
        spots = 1 if spread is None else int(spread["spots"])
        if not 1 <= spots <= ask.spots:
            return self.complaint("That is not a number of spots to bet on here")
        try:
            amount = read_wager(spread["amount"] if spread else typed, wager)
        except WagerError as bad:
            return self.complaint(str(bad))
        return PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)


_TIMES = {"again": 1, "twice": 2}


@dataclass
class LastBet:
    """Remembers bets, and spells out those that are made again."""

    _bets: dict[int, PlaceBet] = field(default_factory=dict)
    """By seat."""

    def note(self, seat: int, answer: AnyAnswer) -> None:
        """Remember an answer of a seat, if it is a bet."""
        if isinstance(answer, PlaceBet):
            self._bets[seat] = answer

    def spell(self, text: str, question: Question) -> str:
        """Return a bet for ``again`` or ``twice``, and any other text as it is."""
        times = _TIMES.get(text.strip().casefold())
        ask = question.ask
        if times is None or ask is None or Action.PLACE_BET not in ask.actions:
            return text
        bet = self._bets.get(ask.seat)
        if bet is None:
            return text
        spots = f" x {bet.spots}" if bet.spots > 1 else ""
        return f"{plain(bet.amount * times)}{spots}"
