"""The ladder: line mode where the house sets every bet, and asks for none.

The first bet is placed by sitting down, and each other by a yes to ``Play again``. Who
lets that question pass is asked it again, and nothing is staked meanwhile. A yes that
came too late for its round is one to the next.
"""

from collections.abc import Iterable

from bj_client.follow import TOO_LATE
from bj_client.line import LineSession
from bj_client.narrator import Narrator
from bj_client.party import Heard, Party
from bj_client.question import Word
from bj_client.source import Source
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

    def __init__(
        self,
        party: Party,
        narrator: Narrator,
        source: Source,
        rounds: int | None = None,
    ) -> None:
        """Play until the player leaves, or for a number of ``rounds``."""
        super().__init__(party, narrator, source, rounds)
        self._is_in = True
        """Whether the player has said yes to the coming round."""
        self._placed = 0
        """The prompt of the last bet that was placed."""
        self._in_flight = False
        """Whether what became of that bet is still to be heard."""
        self._offered = 0
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
