"""Streams: what was dealt from a seed that is yet to be told, and its check.

A stream is cut by the players, then gives one shoe or many. Of each the cards that were
told are kept, round by round. Once the seed is known, the shoes are shuffled again and
every card must lie where it was told, beginning with the first word of the stream and
leaving none out. That a round follows from its cards was seen while it was played.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding, Proof
from bj_game.cut import commitment, stream_key
from bj_game.house import House
from bj_game.shoe import EndlessShoe, HomemadeShoe, Shoe, ShoeEmpty, fill_shoe
from bj_game.shuffle import KeyedStream
from bj_protocol.cut import CommittedCut, Cut, CutStep, StreamView

__all__ = ["Dealt", "Span", "Stream"]

_MOST_WORDS = 2**48


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The cards of one round, in the order in which they were dealt."""

    round: int
    cards: tuple[str | None, ...]
    """None is one that lay face down and was never turned."""
    left: int | None
    """The cards in the shoe before; None for a shoe without end."""
    on_table: int
    """The cards of the round that were out before the first of these."""
    is_whole: bool


@dataclass(slots=True, kw_only=True)
class Span:
    """What was told between two shuffles, or from a picture on to a shuffle."""

    round: int
    """The round that was next."""
    words: int
    """The words of the stream that were used up before the shoe was shuffled; for a
    shoe without end that was joined, before the next card."""
    lefts: tuple[int, ...] = ()
    """The cards that were left at each shuffle by hand."""
    left: int | None
    until_cut: int | None
    """Both as they were told at the beginning."""
    words_by_hand: int | None = None
    """The words that were said to be used up before the last shuffle by hand."""
    discards: int | None = None
    """The discards that had been shuffled when the shoe was empty, before we came."""
    is_joined: bool = False
    """Whether it begins in the middle of a shoe."""
    is_broken: bool = False
    """Whether cards may have been dealt unseen, since a round was void."""
    dealt: list[Dealt] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Stream:
    """All that is known of one stream."""

    sha256: str
    """The commitment of the server, by which it goes."""
    step: CutStep = CutStep.COMMIT
    asked: frozenset[tuple[int, str]] = frozenset()
    """Seat and handle of those who were to commit."""
    committed: tuple[CommittedCut, ...] | None = None
    cuts: tuple[Cut, ...] = ()
    is_joined: bool = False
    """Whether it was known before the first shoe that we heard of."""
    is_over: bool = False
    spans: list[Span] = field(default_factory=list)

    def prove(self, seed: str, house: House | None) -> Iterator[Finding | Proof]:
        """Check everything against the seed, as it is told."""
        number = self.spans[0].round if self.spans else 0
        if commitment(bytes.fromhex(seed)) != self.sha256:
            yield Finding(
                round=self._last_round,
                what="the seed of the shoe is not the one that the server was bound to",
                told=commitment(bytes.fromhex(seed)),
                due=self.sha256,
            )
            return
        if not self.spans:
            return
        if house is None:  # nobody knows how its shoes are shuffled
            yield self._proof(set(), set())
            return
        try:
            nonces = [(cut.seat, bytes.fromhex(cut.nonce)) for cut in self.cuts]
            key = stream_key(bytes.fromhex(seed), nonces)
        except ValueError as error:
            yield Finding(round=number, what=f"no shoe can be cut so: {error}")
            return
        yield from self._prove_spans(house, key)

    def has_shoe_of(self, view: StreamView) -> bool:
        """Whether a picture has the place in the stream of the shoe on the table."""
        if not self.spans or self.spans[-1].left is None:
            return True  # an endless shoe moves on with every card
        return (view.words, view.lefts) == (self.spans[-1].words, self.spans[-1].lefts)

    @property
    def rounds(self) -> list[Dealt]:
        """The rounds of all shoes, each once, as whole as it was heard."""
        return [dealt for span in self.spans for dealt in span.dealt]

    @property
    def _last_round(self) -> int:
        return max((dealt.round for dealt in self.rounds), default=0)

    def _prove_spans(self, house: House, key: bytes) -> Iterator[Finding | Proof]:
        failed: set[int] = set()
        words: int | None = None if self.is_joined else 0
        for span in self.spans:
            if span.words > _MOST_WORDS or not _are_lefts_possible(span):
                yield Finding(round=span.round, what="there is no such shoe")
                return
            if (
                not span.lefts
                and not span.is_joined
                and words not in (None, span.words)
            ):
                yield Finding(
                    round=span.round,
                    what="the shoe does not begin where the stream had come to",
                    told=f"{short_number(span.words)} words",
                    due=f"{words} words",
                )
            source = KeyedStream(key, span.words)
            for finding in _prove_span(span, house, source):
                failed.add(finding.round)
                yield finding
            words = None if span.is_broken and house.shoe == "endless" else source.words
        whole = {dealt.round for dealt in self.rounds if dealt.is_whole} - failed
        if self.rounds:
            yield self._proof(whole, failed)

    def _proof(self, whole: set[int], failed: set[int]) -> Proof:
        partial = {dealt.round for dealt in self.rounds} - whole - failed
        return Proof(
            seed_sha256=self.sha256,
            proven=len(whole),
            partial=len(partial),
            failed=len(failed),
        )


def _are_lefts_possible(span: Span) -> bool:
    return all(0 <= left <= 52 for left in span.lefts)


def _prove_span(span: Span, house: House, source: KeyedStream) -> Iterator[Finding]:
    shoe = fill_shoe(house, source)
    if isinstance(shoe, HomemadeShoe):
        yield from _shuffle_by_hand(shoe, span, source)
    if isinstance(shoe, EndlessShoe):
        yield from _prove_endless(span, shoe)
        return
    if span.discards is not None:
        shoe.refill(len(shoe.order) - span.discards)
    if span.left is not None:
        shoe.dealt = len(shoe.order) - span.left
        if (shoe.left, shoe.until_cut) != (span.left, span.until_cut):
            yield Finding(
                round=span.round,
                what="the cut card is not where the stream has put it",
                told=f"{_cards(span.until_cut)} before it",
                due=_cards(shoe.until_cut),
            )
    for dealt in span.dealt:
        if dealt.left is not None:
            place = len(shoe.order) - dealt.left
            shoe.dealt = min(max(place, 0), len(shoe.order))
            yield from _compare(dealt, _due(shoe, dealt))


def _due(shoe: Shoe, dealt: Dealt) -> list[str]:
    """Return the cards of a round, the discards shuffled once the shoe is empty."""
    due: list[str] = []
    with contextlib.suppress(ShoeEmpty):
        for count in range(len(dealt.cards)):
            if shoe.left == 0:
                shoe.refill(dealt.on_table + count)
            due.append(str(shoe.draw()))
    return due


def _shuffle_by_hand(
    shoe: HomemadeShoe, span: Span, source: KeyedStream
) -> Iterator[Finding]:
    words = source.words
    for left in span.lefts:
        words = source.words
        shoe.dealt = len(shoe.order) - left
        shoe.shuffle(source)
    if span.words_by_hand not in (None, words):
        yield Finding(
            round=span.round,
            what="the shuffle by hand does not begin where the stream had come to",
            told=f"{short_number(span.words_by_hand)} words",
            due=f"{words} words",
        )


def _prove_endless(span: Span, shoe: Shoe) -> Iterator[Finding]:
    is_first = span.is_joined
    for dealt in span.dealt:
        if span.is_broken and dealt is span.dealt[-1] and not dealt.cards:
            return
        if is_first and dealt.cards and dealt.cards[0] is not None:
            # The suits take turns, and it is not known whose was the last.
            shoe.dealt = "shdc".index(dealt.cards[0][1])
        is_first = is_first and not dealt.cards
        yield from _compare(dealt, [str(shoe.draw()) for _ in dealt.cards])


def _compare(dealt: Dealt, due: list[str]) -> Iterator[Finding]:
    for number, told in enumerate(dealt.cards):
        wanted = due[number] if number < len(due) else "none"
        if told is not None and told != wanted:
            yield Finding(
                round=dealt.round,
                what=f"card {number + 1} of the round is not the one that was cut",
                told=told,
                due=wanted,
            )
            return


def _cards(count: int | None) -> str:
    return f"{short_number(count)} {'card' if count == 1 else 'cards'}"
