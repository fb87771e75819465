"""The session of ``specs/iipp6.txt``: Deal is good at any time."""

from bj_client.question import Complaint, Question, Reading, Word
from bj_client.style.game import Game
from bj_client.style.iipp6.button import HitOrStand, NewDeal
from bj_protocol import events
from bj_protocol.commands import AnyAnswer, GiveUp
from bj_protocol.messages import Update
from bj_protocol.views import Ask


class DealSession(Game):
    """One player's rounds; the first is dealt at once."""

    _has_busted = False
    _deals_anew = False
    """Whether Deal was typed in the middle of the round, which is lost by it."""

    def _turn_question(self, ask: Ask) -> Question:
        return HitOrStand(ask)

    def _again_question(self) -> Question:
        return NewDeal(has_busted=self._has_busted)

    async def _acknowledge(self, reading: Reading) -> None:
        match reading:
            case Complaint():
                await self._narrator.notice(reading.sentence)
            case Word.HELP:
                await self._narrator.help(self._question)
            case Word.TABLE:
                await self._narrator.board(self._table)
            case Word.RULES:
                await self._narrator.rules(self._table)
            case Word.HINT:
                await self._narrator.hint(self._question, self._table)
            case Word.SCORE:
                await self._narrator.score(self._table)
            case _:
                pass  # what follows from it is told

    async def _update(self, update: Update) -> None:
        for event in update.events:
            if isinstance(event, events.RoundBegan):
                self._has_busted = False
            elif isinstance(event, events.HandBusted):
                self._has_busted = event.seat in self._table.ours
        await super()._update(update)

    async def _send(self, ask: Ask, answer: AnyAnswer) -> None:
        self._deals_anew = isinstance(answer, GiveUp)
        await super()._send(ask, answer)

    def _game_over(self) -> None:
        super()._game_over()
        if self._deals_anew:
            self._again = None
