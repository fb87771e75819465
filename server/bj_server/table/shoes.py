"""Shoes for a table: where their randomness comes from, and how they are recorded."""

import secrets
from collections.abc import Iterable, Sequence

from bj_game.card import Card, parse_cards
from bj_game.cut import SECRET_BYTES
from bj_game.house import House
from bj_game.shoe import EndlessShoe, HomemadeShoe, Shoe, fill_shoe
from bj_game.shuffle import KeyedStream, NumberedStream
from bj_server.table.records import ShoeRecord
from bj_server.table.stream import Stream

__all__ = ["Shoes"]


class Shoes:
    """Makes one shoe after another.

    They come from a stream that the server and the players have made together, unless
    the host asked for a numbered seed or stacked the first shoe, for teaching and
    tests; then ``remarks`` says so to everyone.
    """

    def __init__(
        self, house: House, *, seed: int | None = None, stack: Sequence[Card] = ()
    ) -> None:
        """Prepare shoes for ``house``; ``stack`` lies on top of the first of them."""
        self._house = house
        self._seed = seed
        self._numbered = None if seed is None else NumberedStream(seed)
        self._stack = tuple(stack)
        self._count = 0
        self._source: KeyedStream | NumberedStream | None = None
        self._record: ShoeRecord | None = None
        """The record of a shoe that another server had put on the table."""
        self.stream: Stream | None = None
        """What shoes come from now; None before a cut, and without one."""
        self.words_before = 0
        """The words that were used up before the last shoe."""
        self.lefts: list[int] = []
        """The cards that were left at each shuffle by hand of the last shoe."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the players must know of the cards."""
        said = []
        again = self._record
        seeds = {self._seed, again and again.seed} - {None}
        for seed in sorted(map(str, seeds)):
            said.append(
                f"The cards come from seed {seed}: for teaching and tests, "
                "since they can be known beforehand."
            )
        if self._stack or (again and again.stack):
            said.append("The first shoe is stacked, for teaching and tests.")
        return tuple(said)

    @property
    def is_cut(self) -> bool:
        """Whether the players cut the shoes, as they do unless the host chose cards."""
        return self._numbered is None and not self._stack

    @property
    def words(self) -> int:
        """The words that the source of the last shoe has used up."""
        return 0 if self._source is None else self._source.words

    def begin(self, stream: Stream) -> None:
        """Take the shoes that follow from ``stream``, which is complete."""
        self.stream, self._source = stream, stream.numbers()

    def end(self) -> None:
        """Take no more shoes from the stream, whose seed may be told now."""
        self.stream = None

    def fits(self, record: ShoeRecord) -> bool:
        """Whether a shoe of another server is one that the host asks for now."""
        stack = " ".join(str(card) for card in self._stack)
        return record.seed == self._seed and stack in ("", record.stack)

    def shuffle(self, shoe: HomemadeShoe) -> None:
        """Shuffle by hand what is left in the last shoe that was made here."""
        assert self._source is not None
        self.lefts.append(len(shoe.order) - shoe.dealt)
        shoe.shuffle(self._source)

    def next(self) -> tuple[Shoe, dict[str, object]]:
        """Return a new shoe, and the data from which it can be made again."""
        self._count += 1
        top = self._stack if self._count == 1 else ()
        data: dict[str, object] = {"shoe": self._count}
        if top:
            data["stack"] = " ".join(str(card) for card in top)
        source = self._next_source(data)
        self._source, self._record = source, None
        self.words_before, self.lefts = source.words, []
        if source.words:
            data["words"] = source.words
        return fill_shoe(self._house, source, top), data

    def _next_source(self, data: dict[str, object]) -> KeyedStream | NumberedStream:
        if self._numbered is not None:
            data["seed"] = self._seed
            return self._numbered
        stream, source = self.stream, self._source
        if stream is None or not isinstance(source, KeyedStream):
            stream = Stream(secrets.token_bytes(SECRET_BYTES))  # after a stack
            source = stream.numbers()
        data["secret"] = stream.seed.hex()
        if stream.cuts:
            data["cuts"] = [[cut.seat, cut.handle, cut.nonce] for cut in stream.cuts]
        return source

    def again(
        self, record: ShoeRecord, lefts: Iterable[int], dealt: int, words: int
    ) -> Shoe:
        """Make the shoe of a record again, as it was with ``dealt`` cards out.

        ``lefts`` are the cards that were left at each shuffle by hand since, and
        ``words`` is how far its source had come. The shoes that follow go on from
        there, if the seed is still the same.

        Raises:
            ValueError: if there is no such shoe.
        """
        source = _numbers(record, record.words)
        self.words_before, self.lefts = record.words, list(lefts)
        top = parse_cards(record.stack)
        shoe = fill_shoe(self._house, source, top)
        if isinstance(shoe, HomemadeShoe):
            for left in self.lefts:
                shoe.dealt = len(shoe.order) - left
                shoe.shuffle(source)
        if isinstance(shoe, EndlessShoe):
            source = _numbers(record, words)
            shoe = EndlessShoe(source, top)
        shoe.dealt = dealt
        self._count, self._source, self._record = record.shoe, source, record
        is_cut = self.is_cut and not record.stack
        self.stream = record.stream if is_cut else None
        if isinstance(source, NumberedStream) and record.seed == self._seed:
            self._numbered = source
        return shoe


def _numbers(record: ShoeRecord, words: int) -> KeyedStream | NumberedStream:
    stream = record.stream
    if stream is not None:
        return stream.numbers(words)
    if record.seed is None:
        raise ValueError("a shoe has neither a secret nor a seed")
    return NumberedStream(record.seed, words)
