"""The last bet of each seat, which can be made again without typing it."""

from bj_client.money import plain
from bj_client.question import Question
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, PlaceBet

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
