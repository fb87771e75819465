"""Shuffles: when the rules of a house have a shoe shuffled, and when they do not.

Whoever knows the order of the cards has a choice if they may be shuffled sooner than is
due, or later, or twice. So what must come before the next deal is known from the end of
each round. After what was not heard nothing is due, and after a void round anything.
"""

from enum import Enum, auto

from bj_client.fair.finding import Finding
from bj_game.house import House
from bj_protocol import events

__all__ = ["STREAM_ROUNDS", "Shuffles"]

STREAM_ROUNDS = 100
"""The most rounds of one stream, in houses without a cut card."""

_OF_A_DECK = 26
"""The rounds for which a deck that is shuffled by hand may be kept beyond them."""


class _Due(Enum):
    ANYTHING = auto()
    CUT = auto()
    """Another cut, since the cut card is out."""
    WHOLE = auto()
    """A shoe of all the decks."""
    BY_HAND = auto()
    """A shuffle of what is left."""
    NOTHING = auto()
    """The next round, from the shoe that is there."""


class Shuffles:
    """What a table has to do with its shoe next, if that is cut."""

    def __init__(self) -> None:
        """Start before the first picture."""
        self._due = _Due.ANYTHING
        self._rounds = 0
        """Those that were heard from the stream, at one server."""
        self.seats = 7
        """How many the table has."""

    def forget(self) -> None:
        """Note that something was not heard, or that a round is void."""
        self._due = _Due.ANYTHING

    def lose(self) -> None:
        """Note that the server may be another one, which counts rounds anew."""
        self._due, self._rounds = _Due.ANYTHING, 0

    def cut(self) -> None:
        """Note that a stream is fixed, from which a shoe comes next."""
        self._due, self._rounds = _Due.WHOLE, 0

    def shuffle(self, event: events.ShoeShuffled, number: int) -> list[Finding]:
        """Compare a shuffle, before round ``number``, with what is due."""
        due, self._due = self._due, _Due.NOTHING
        if event.words is None:
            self._due = _Due.ANYTHING
            return []
        done = _Due.BY_HAND if event.by_hand else _Due.WHOLE
        if due in (_Due.ANYTHING, done):
            return []
        what = {
            _Due.CUT: "another shoe comes from a stream that has ended",
            _Due.WHOLE: "what is left is shuffled by hand, where a new shoe is due",
            _Due.BY_HAND: "a new shoe comes, where what is left is to be shuffled",
            _Due.NOTHING: "the shoe is shuffled sooner than is due",
        }[due]
        return [Finding(round=number, what=what)]

    def begin(self, number: int) -> list[Finding]:
        """See that nothing is left to be done before a round is dealt."""
        due, self._due = self._due, _Due.ANYTHING
        if due in (_Due.ANYTHING, _Due.NOTHING):
            return []
        what = "a round is dealt from a shoe that was to be shuffled before"
        if due is _Due.CUT:
            what = "a round is dealt after the cut card, from a stream that has ended"
        return [Finding(round=number, what=what)]

    def end(self, event: events.RoundEnded, house: House) -> list[Finding]:
        """Note that a round has ended; see that the stream should not have before."""
        self._rounds += 1
        match house.shoe:
            case "cut_card":
                is_out = event.until_cut == 0
                self._due = _Due.CUT if is_out else _Due.NOTHING
                return []
            case "every_round":
                self._due = _Due.WHOLE
            case "never_refilled":
                is_enough = (event.cards_left or 0) >= 2 * (self.seats + 1)
                self._due = _Due.BY_HAND if is_enough else _Due.WHOLE
            case "endless":
                self._due = _Due.NOTHING
        most = STREAM_ROUNDS + _OF_A_DECK * (house.shoe == "never_refilled")
        if self._rounds != most + 1:
            return []
        what = f"the seed of the stream was not told after {most} rounds"
        return [Finding(round=event.round, what=what)]
