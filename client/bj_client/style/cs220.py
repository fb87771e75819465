"""The style ``cs220``: the game summary of ``specs/cs220.txt`` after each round.

People play by the usual lines, with the summary above the question whether to play
again. Of a bot nothing is printed but the summaries, with a blank line between them.
"""

from collections.abc import Iterable

from bj_client.model.seat import Faces, Hand, rank
from bj_client.model.table import Table
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.style import Style
from bj_client.words.money import plain
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN
from bj_protocol.views import HandState, Outcome

_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def summary(table: Table) -> list[str]:
    """Return the lines that sum up a round which is settled and still on the table."""
    lines = ["$$$$$ Game Summary  $$$$$$", "Dealer:", *_hand(table.dealer)]
    for seat in table.seats.values():
        for hand in seat.hands:
            lines += ["", f"Player: {seat.handle}", *_hand(hand)]
            amounts = f"bet {plain(hand.stake)} balance {plain(seat.balance)}"
            lines += ["Player assets:", f"{amounts} {_fate(hand)}"]
    return lines


def cards(dealt: list[str]) -> str:
    """Return cards of the wire as the text's ``Card`` tuples print themselves.

    >>> cards(["6c", "Th"])
    "Card(rank='6', suit='clubs') Card(rank='10', suit='hearts')"
    """
    return " ".join(
        f"Card(rank='{rank(card)}', suit='{_SUITS[card[1]]}')"
        for card in dealt
        if card != HIDDEN
    )


def _hand(hand: Hand) -> list[str]:
    return [f"score: {hand.total}", cards(hand.cards)]


def _fate(hand: Hand) -> str:
    """Say how a hand has ended; the text has no example of a loss without a bust."""
    if hand.outcome is Outcome.WIN:
        return "winner!"
    return "bust." if hand.state is HandState.BUSTED else "loses."


class _SummingUp(Narrator):
    """Tells the story as usual, and sums each round up."""

    async def event(self, event: events.Event, table: Table) -> None:
        await super().event(event, table)
        if isinstance(event, events.RoundEnded):
            await self._lines(summary(table))


class _Summaries(Narrator):
    """Prints the summaries, faults, and nothing else."""

    _is_first = True

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        pass

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        table.apply(snapshot)

    async def event(self, event: events.Event, table: Table) -> None:
        if isinstance(event, events.RoundEnded):
            lines = summary(table)
            await self._lines(lines if self._is_first else ["", *lines])
            self._is_first = False

    async def farewell(self, table: Table) -> None:
        pass


STYLE = Style(
    name="cs220",
    houses=("cs220",),
    narrator=_SummingUp,
    bot_narrator=lambda output, *_: _Summaries(output, Faces(symbols=False)),
    session=LineSession,
)
