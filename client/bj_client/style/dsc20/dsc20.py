"""The style ``dsc20``: the log, the drawings and the files of ``specs/dsc20.txt``.

Of a bot nothing is printed but the log, and it stops when the text does: at the end of
the deck, or of the money. People see their cards drawn at each decision, and are asked
to play again. For both, each game writes its own file.
"""

from collections.abc import Iterable
from pathlib import Path

from bj_client.model.card import Faces
from bj_client.net.follow import TOO_LATE
from bj_client.play.hotseat import Heard, Hotseat
from bj_client.play.input import Input
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator, Pace
from bj_client.play.output import PlainPaper
from bj_client.play.visit import Session
from bj_client.question.question import Word
from bj_client.style.dsc20.folder import Folder
from bj_client.style.dsc20.teller import Logger, Teller
from bj_client.style.style import Style
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Refused, Update
from bj_protocol.views import Ask


def set_bet(asks: Iterable[Ask]) -> PlaceBet | None:
    """Return the one bet that the house takes, if it asks for one."""
    for ask in asks:
        limits = ask.wager if Action.PLACE_BET in ask.actions else None
        if limits is not None and limits.minimum == limits.maximum:
            return PlaceBet(prompt=ask.prompt, amount=limits.minimum)
    return None


class LadderSession(LineSession):
    """A player's visit to a table whose house sets the bets."""

    _is_in = True
    """Whether the player has said yes to the coming round."""
    _placed = 0
    """The prompt of the last bet that was placed."""
    _in_flight = False
    """Whether the result of that bet is still to be heard."""
    _offered = 0
    """The prompt of the last bet that was made to wait for a yes."""

    async def _hear(self, heard: Heard) -> None:
        await super()._hear(heard)
        match heard.message:
            case Refused(code=code, prompt=self._placed):
                self._in_flight = False
                if code in TOO_LATE:
                    self._is_in = True  # the yes holds for the next round
            case Update(events=happened):
                self._in_flight &= self._may_be_late(happened)
            case _:
                self._in_flight = False

    def _may_be_late(self, happened: Iterable[events.Event]) -> bool:
        """Whether the bets were closed without ours, as far as these events tell."""
        kinds = {type(event) for event in happened}
        return events.BettingOpened in kinds and events.BetPlaced not in kinds

    async def _open(self) -> None:
        if self._in_flight:
            return
        bet = set_bet(self._table.my_asks)
        if bet is not None and not self._left:
            if self._is_in and bet.prompt != self._placed:
                await self._place(bet)
            elif bet.prompt > max(self._placed, self._offered):
                self._offered = bet.prompt
                self._agenda.ask_again()
        await super()._open()

    async def _place(self, bet: PlaceBet) -> None:
        self._is_in, self._placed, self._in_flight = False, bet.prompt, True
        self._agenda.play_on()
        self._agenda.answer(bet.prompt)
        for ask in self._table.my_asks:
            if ask.prompt == bet.prompt:
                await self._party.answer(ask, bet)

    async def _do(self, word: Word) -> None:
        if word is Word.GO_ON:
            self._is_in = True
        await super()._do(word)


_FOLDER = Path("game_summaries")


class Dsc20(Style):
    """The log for bots, and the game with its log for people."""

    name = "dsc20"
    houses = ("dsc20",)

    def narrator(
        self, paper: PlainPaper, faces: Faces, pace: Pace, *, is_bot: bool
    ) -> Narrator:
        """Return the narrator that prints the log and writes the summaries."""
        kind = Logger if is_bot else Teller
        return kind(paper, faces, pace, Folder(_FOLDER))

    def session(
        self, hotseat: Hotseat, narrator: Narrator, source: Input, rounds: int | None
    ) -> Session:
        """Return the line mode in which the house sets the bets."""
        return LadderSession(hotseat, narrator, source, rounds)
