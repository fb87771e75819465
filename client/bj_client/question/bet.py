"""The bet: how much on the coming round, and on how many spots."""

import re
from dataclasses import dataclass

from bj_client.model.decision import DECISIONS
from bj_client.question.question import Asked, Question, Reading
from bj_client.words.money import WagerError, plain, read_wager
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, PlaceBet

_OUT = DECISIONS[Action.SIT_OUT].key
_spread = re.compile(r"(?P<amount>.*[^ ]) *x *(?P<spots>[0-9]{1,2})")


@dataclass(frozen=True)
class Bet(Asked):
    """The bet on the coming round, typed as ``50``, or ``50 x 2`` for two spots."""

    @property
    def prompt(self) -> str:
        """The line that asks."""
        spots = f" a spot, x{self._spots} for more" if self._spots else ""
        out = f", {_OUT} to sit out" if self._may_sit_out else ""
        return f"Bet ({self.span}{spots}{out})?"

    @property
    def choices(self) -> str:
        """The answers that may be typed."""
        spots = f", with x{self._spots} behind it for so many spots"
        out = f", or {_OUT} to sit this round out" if self._may_sit_out else ""
        return f"bet {self.amounts}{spots if self._spots else ''}{out}"

    @property
    def _spots(self) -> str:
        most = self.asked.spots
        return {1: "", 2: "2"}.get(most, f"2 to x{most}")

    @property
    def _may_sit_out(self) -> bool:
        return Action.SIT_OUT in self.asked.actions

    def answer(self, text: str) -> Reading:
        """Read a bet, or the wish to sit out."""
        if text in {"again", "twice"}:
            return self.complaint("You have not bet here yet")
        if text in {"all", "all in"}:
            most = self.wager.maximum // self.wager.step * self.wager.step
            return PlaceBet(prompt=self.asked.prompt, amount=most)
        return self.chosen(text) or self.amount(text)

    def amount(self, typed: str) -> Reading:
        """Read an amount, and the number of spots behind it."""
        spread = _spread.fullmatch(typed)
        spots = 1 if spread is None else int(spread["spots"])
        if not 1 <= spots <= self.asked.spots:
            return self.complaint("That is not a number of spots to bet on here")
        try:
            amount = read_wager(spread["amount"] if spread else typed, self.wager)
        except WagerError as bad:
            return self.complaint(str(bad))
        return PlaceBet(prompt=self.asked.prompt, amount=amount, spots=spots)


_TIMES = {"again": 1, "twice": 2}


class LastBet:
    """Remembers bets, and spells out those that are made again."""

    def __init__(self) -> None:
        """Remember none."""
        self._bets: dict[int, PlaceBet] = {}

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
