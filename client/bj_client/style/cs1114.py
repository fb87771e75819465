"""The style ``cs1114``: the transcripts of ``specs/cs1114.txt`` to the letter.

The text has one player, no money and no clock. So bets are the table's minimum and the
donor's gift is taken, both in silence. Notices of the house, such as that the shoe is
stacked, are left out. A hand whose time is up goes on as if the player had stayed.
"""

from collections.abc import Iterable

from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.play.hotseat import Hotseat
from bj_client.play.input import Input
from bj_client.play.narrator import Narrator, Pace
from bj_client.play.output import PlainOutput, Tone
from bj_client.style.game import Game
from bj_client.style.style import Style
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.views import HandState, Outcome

_LABELS = {"A": "1", "T": "10"}
"""The text's transcripts show an ace by its value."""
_VALUES = {"?": 0, "A": 1, **dict.fromkeys("TJQK", 10)}
_VALUES |= {str(number): number for number in range(2, 10)}


def label(card: str) -> str:
    """Return a card of the wire as the text shows it.

    >>> label("As"), label("Td"), label("Jh"), label("7c")
    ('1', '10', 'J', '7')
    """
    return _LABELS.get(card[0], card[0])


def story(table: Table) -> list[str]:
    """Return the lines of the running game, as far as it has come."""
    if not table.me.hands:
        return []
    hand = table.me.hands[0]
    lines = _cards(hand.cards, "Player drew", "Player")
    if hand.state is not HandState.BUSTED:
        lines += _cards(table.dealer.cards, "The dealer has", "Dealer")
    if hand.outcome is not None:
        won = hand.outcome is Outcome.WIN
        lines += ["YOU WIN!" if won else "YOU LOSE!", ""]
    return lines


def _cards(cards: list[str], first: str, who: str) -> list[str]:
    """Tell the first two cards together, then one by one, each with the total."""
    lines = []
    for count in range(2, len(cards) + 1):
        drawn = f"{first} {label(cards[0])} and {label(cards[1])}."
        if count > 2:
            drawn = f"{who} drew {label(cards[count - 1])}."
        total = sum(_VALUES[card[0]] for card in cards[:count])
        lines += [drawn, f"{who}'s total is {total}.", ""]
    return lines


class _Transcript(Narrator):
    """Prints each game as it goes on, and nothing else."""

    def __init__(self, output: PlainOutput, faces: Faces, pace: Pace) -> None:
        super().__init__(output, faces, pace)
        self._plain = output
        self._round = 0
        self._told = 0
        """The lines of the round's story that have been printed."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        await self._print(["Let's Play Blackjack!", ""])
        await self._go_on(table)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        table.apply(snapshot)
        await self._go_on(table)

    async def event(self, event: events.Event, table: Table) -> None:
        await self._go_on(table)
        if isinstance(event, events.RoundVoided | events.Announced):
            await self.notice(quoted(event.text))

    async def notice(self, sentence: str) -> None:
        """Say a sentence that the text does not have, in a paragraph of its own."""
        await self._print([sentence, ""])

    async def farewell(self, table: Table) -> None:
        await self._print(["Goodbye."])

    async def _go_on(self, table: Table) -> None:
        lines = story(table)
        if table.round != self._round or not lines:
            self._round, self._told = table.round, 0
        await self._print(lines[self._told :])
        self._told = max(self._told, len(lines))

    async def _print(self, lines: list[str]) -> None:
        """Print lines; a prompt that was left open gets its blank line first."""
        if lines and not self._plain.is_broken:
            await self._plain.line("")
        for line in lines:
            await self._plain.line(line, Tone.PLAIN)


_BABY = "cs1114-baby"


def play(
    hotseat: Hotseat, narrator: Narrator, typed: Input, rounds: int | None
) -> Game:
    """Return the game; that of the baby house ends after one."""
    is_baby = hotseat.table.house.name == _BABY
    return Game(hotseat, narrator, typed, 1 if is_baby else rounds)


CS1114 = Style(
    name="cs1114",
    houses=("cs1114", _BABY),
    narrator=_Transcript,
    session=play,
    alone=True,
    inline=True,
)
