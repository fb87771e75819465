"""The felt: what all phases of one table share, from its rules to its seats."""

import contextlib
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from bj_game.house import House
from bj_game.shoe import HomemadeShoe, Shoe, UncutShoe
from bj_protocol.shoe_events import SeedRevealed, ShoeShuffled
from bj_server.bank.docket import Docket
from bj_server.bank.till import Till
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.table.bulletin import Bulletin
from bj_server.table.clock import Clock
from bj_server.table.records import (
    DealRecord,
    ShoeRecord,
    ShuffleRecord,
    TableState,
)
from bj_server.table.seat import Seats
from bj_server.table.shoes import Shoes
from bj_server.table.stream import STREAM_ROUNDS, Stream

__all__ = ["LONGEST", "SHORTEST", "Felt", "Pace"]

_KEPT_SEEDS = 8
"""The seeds of the last streams that are shown to who comes."""

SHORTEST, LONGEST = 0.05, 86400.0
"""The seconds that may be set for anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long a table waits, in seconds."""

    bet_seconds: float = 30.0
    """For the bets on a round."""
    insurance_seconds: float = 20.0
    """For an offer of insurance or even money."""
    turn_seconds: float = 30.0
    """For any other decision in a round."""
    hold_seconds: float = 60.0
    """For a player who dropped off the line, before the seat is free again."""
    cut_seconds: float = 2.0
    """For each of the two steps of a cut."""
    has_clock: bool = True
    """Whether players who are here have to decide in time; without, none is hurried."""

    def end(self, now: float, seconds: float) -> float:
        """Return when ``seconds`` from ``now`` are over: never, without a clock."""
        return now + seconds if self.has_clock else math.inf


@dataclass(slots=True, kw_only=True)
class Felt:
    """The state of a table apart from what the running phase keeps for itself."""

    name: str
    house: House
    pace: Pace
    till: Till
    clock: Clock
    shoes: Shoes
    seats: Seats
    gauges: Gauges = NO_GAUGES
    bulletin: Bulletin = field(default_factory=Bulletin)
    shoe: Shoe = field(init=False)
    round: int = field(init=False)
    """The number of the round that is bet on or played."""
    watchers: set[int] = field(default_factory=set)
    """The lines that look on without a seat."""
    muted: set[str] = field(default_factory=set)
    """The handles that the host lets chat no more, at all tables of the server."""
    notice: str = ""
    """What the host wants everybody to know; empty for nothing."""
    draining: str = ""
    """Why no round begins any more; empty while rounds are played."""
    rested: Callable[[], None] | None = None
    """Who wants to hear that no round is on."""
    seq: int = 0
    """The number of the last update."""
    last_prompt: int = 0
    """The id of the last question that was asked."""
    is_shoe_over: bool = False
    """Whether a shoe must be cut before anything is dealt."""
    bound: Stream | None = None
    """A stream from which nothing is dealt, and whose seed is still to be told."""
    is_shuffle_wanted: bool = False
    """Whether the host wants another shoe after the round."""
    revealed: list[SeedRevealed] = field(default_factory=list)
    """The seeds of the last streams that have ended, the oldest first."""

    def __post_init__(self) -> None:
        """Go on counting rounds where the journal stopped."""
        self.round = self.till.last_round + 1

    def open(self) -> None:
        """Begin with a new shoe, and name the rules that are played from now on."""
        rules, known = asdict(self.house), self.till.docket.house
        if known is None or known.data.get("rules") != rules:
            self.till.record("house", None, {"rules": rules})
        if self.till.docket.shoe is not None:
            with contextlib.suppress(ValueError):
                last = ShoeRecord.model_validate(self.till.docket.shoe.data)
                self._tell_seed(last)
        self._replace_shoe()

    def resume(self, docket: Docket, state: TableState) -> None:
        """Go on with the numbers and the shoe of the server before.

        Between rounds a host who asks for another seed or stack gets a new shoe.

        Raises:
            ValueError: if its records do not make a shoe.
        """
        self.seq, self.last_prompt, self.round = state.seq, state.prompt, state.round
        if docket.shoe is None:
            if docket.deal is not None:
                raise ValueError("it has no shoe")
            self._replace_shoe()
            return
        dealt, words = state.dealt, state.words
        shoe = ShoeRecord.model_validate(docket.shoe.data)
        if docket.deal is None and not self.shoes.fits(shoe):
            self._tell_seed(shoe)
            self._replace_shoe()
            return
        if docket.deal is not None:  # the cards of the round are dealt once more
            deal = DealRecord.model_validate(docket.deal.data)
            dealt, words = deal.dealt, deal.words
        lefts = [ShuffleRecord.model_validate(s.data).left for s in docket.shuffles]
        self.shoe = self.shoes.again(shoe, lefts, dealt, words)
        if docket.deal is None and self._is_deck_too_small:  # there are more seats now
            self._replace_shoe()

    def mute(self, handle: str, *, is_muted: bool) -> None:
        """Let a player chat no more, or again."""
        (self.muted.add if is_muted else self.muted.discard)(handle)

    def next_prompt(self) -> int:
        """Return an id that no question at this table has had."""
        self.last_prompt += 1
        return self.last_prompt

    def freshen(self) -> None:
        """Do with the shoe what the house does after a round."""
        shoe = self.shoe
        if self.is_shuffle_wanted or self._is_shoe_used_up:
            self._replace_shoe()
        elif isinstance(shoe, HomemadeShoe):
            self._shuffle_by_hand(shoe)
        elif shoe.left is None and self._is_stream_stale:
            self._replace_shoe()

    def void(self) -> None:
        """Do with the shoe what must be done once a round was void."""
        if self.bound is not None:  # a fault of ours has ended the cut, or the stream
            self.end_stream()
        elif self.is_shuffle_wanted or self._is_shoe_used_up:
            self._replace_shoe()

    def begin(self, stream: Stream) -> None:
        """Put the first shoe of a stream on the table, which is complete."""
        self.shoes.begin(stream)
        self._shuffle()
        self.is_shoe_over = False
        self.bound = None

    def end_stream(self) -> None:
        """Take the shoe off the table, if it was cut or is to be, and tell the seed.

        Nothing can be dealt any more before the seed is written down, and one that a
        fault has kept from being told is still there to be told.
        """
        self.bound = self.bound or self.shoes.stream
        if self.bound is not None:
            self._await_cut()
            self.shoes.end()
            self._reveal(self.bound)
            self.bound = None

    def put_away(self) -> None:
        """Do with the shoe what must be done once everyone has left.

        A deck that is never refilled makes a game: who comes next begins another one,
        unless cards are stacked for that player.
        """
        self.end_stream()
        if isinstance(self.shoe, HomemadeShoe) and self.shoe.is_begun:
            self._replace_shoe()

    def _tell_seed(self, shoe: ShoeRecord) -> None:
        """Tell the seed of a shoe of another server, which is not put on the table."""
        if shoe.stream is not None and not shoe.stack:
            self._reveal(shoe.stream)

    def _reveal(self, stream: Stream) -> None:
        """Tell the seed of a stream from which nothing is dealt any more."""
        told = SeedRevealed(seed_sha256=stream.sha256, seed=stream.seed.hex())
        data = {"seed_sha256": stream.sha256}
        self.till.record("reveal", self.round, data, durable=True)
        self.revealed = [*self.revealed, told][-_KEPT_SEEDS:]
        self.bulletin.post(told)

    def _replace_shoe(self) -> None:
        """Put a new shoe on the table at once, or have it cut first."""
        is_wanted, self.is_shuffle_wanted = self.is_shuffle_wanted, False
        has_one_shoe = self.house.shoe == "cut_card"
        if not self.shoes.is_cut:
            self._shuffle()
        elif self.shoes.stream is None:
            self._await_cut()
        elif is_wanted or has_one_shoe or self._is_stream_stale:
            self.end_stream()
        else:
            self._shuffle()

    def _await_cut(self) -> None:
        self.shoe, self.is_shoe_over = UncutShoe(self.house), True

    @property
    def _is_shoe_used_up(self) -> bool:
        """Whether no other round is dealt from the shoe."""
        is_for_one = self.house.shoe == "every_round" and self.shoe.dealt > 0
        is_over = is_for_one or self.shoe.is_cut_card_out
        return is_over or self._is_deck_too_small

    @property
    def _is_deck_too_small(self) -> bool:
        """Whether a deck that is never refilled may lack cards to be dealt."""
        left = self.shoe.left
        if self.house.shoe != "never_refilled" or left is None:
            return False
        return left < 2 * (self.seats.count + 1)  # whoever is away may be back by then

    @property
    def _is_stream_stale(self) -> bool:
        """Whether a stream that covers many rounds has covered enough of them."""
        stream = self.shoes.stream
        if stream is None:
            return False
        here = {seat.handle for seat in self.seats.here if seat.cuts}
        return stream.rounds >= STREAM_ROUNDS or not here <= stream.asked

    def _shuffle(self) -> None:
        """Put a new shoe on the table.

        Where a game is a deck, the ladder of bets begins at its foot again.
        """
        self.shoe, data = self.shoes.next()
        self.till.record("shoe", self.round, data)
        if self.house.shoe == "never_refilled":
            for seat in self.seats:
                seat.rung = 0
        self._post_shoe(self.shoes.words_before)

    def _shuffle_by_hand(self, shoe: HomemadeShoe) -> None:
        words = self.shoes.words
        self.shoes.shuffle(shoe)
        self.till.record("shuffle", self.round, {"left": shoe.left})
        self._post_shoe(words, by_hand=True)

    def _post_shoe(self, words: int, *, by_hand: bool = False) -> None:
        self.bulletin.post(
            ShoeShuffled(
                decks=self.house.decks,
                cards=self.shoe.left,
                until_cut=self.shoe.until_cut,
                words=None if self.shoes.stream is None else words,
                by_hand=by_hand,
            )
        )
