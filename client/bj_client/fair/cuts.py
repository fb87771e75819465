"""The cuts: who was bound to what when, and whether all of them were kept to.

What the server says of a cut is followed step by step. Nothing may change between the
step in which it is bound and the one in which it is told, no step may come twice or in
another order, and nobody's cut may be left out without being named. That our own came
too late is believed only if our command was refused.
"""

from bj_client.fair.finding import Finding, Remark
from bj_client.fair.secret import sha256_of, short
from bj_client.fair.stream import Span, Stream
from bj_game.house import House
from bj_protocol import events
from bj_protocol.commands import Command, CommitCut, RevealCut
from bj_protocol.cut import CommittedCut, Cut, CutStep, StreamView

__all__ = ["Cuts"]

_KEPT = 64
"""Cuts that are remembered, by whoever may speak of them again."""
_SPANS = 1024
_TOLD = 8192

_CutEvent = (
    events.SeedCommitted | events.CutsCommitted | events.ShoeCut | events.SeedRevealed
)


class Cuts:
    """All streams of a table that one line has heard of."""

    def __init__(self) -> None:
        """Start before the first cut."""
        self.own_handle: str | None = None
        """Whose line this is; None for one who watches."""
        self.seats: dict[int, str] = {}
        """The handles at the table."""
        self.streams: dict[str, Stream] = {}
        self.current: Stream | None = None
        """Where shoes come from, or will; None without a cut."""
        self._told: dict[str, None] = {}
        """The commitments of the seeds that were told, of the last thousands."""
        self._commits: dict[str, str] = {}
        self._reveals: set[str] = set()
        self._doubts: dict[str, Finding] = {}
        """That our own part of a cut was left out; until it is known to be late."""
        self._late: set[tuple[str, str]] = set()
        """Our parts of cuts that were refused, by the commitments of the server."""
        self._is_doubtful = False
        """Whether the server may have been started anew since the last shoe."""

    @property
    def own_seat(self) -> int | None:
        """Our seat at this point of the story, if we have one."""
        own = self.own_handle
        return next((s for s, handle in self.seats.items() if handle == own), None)

    def send(self, command: Command) -> None:
        """Note what is sent."""
        match command:
            case CommitCut(seed_sha256=seed, sha256=sha256):
                self._commits.setdefault(seed, sha256)
                for old in list(self._commits)[:-_KEPT]:
                    self._forget(old)
            case RevealCut(seed_sha256=seed) if seed in self._commits:
                self._reveals.add(seed)
            case _:
                pass

    def _forget(self, seed: str) -> None:
        """Forget our part of a cut that is long over."""
        del self._commits[seed]
        self._reveals.discard(seed)
        self._late -= {("reveal", seed), ("commit", seed)}

    def check_reveal(self, command: RevealCut, number: int) -> list[Finding]:
        """See that a nonce which is sent is the one that we had committed to."""
        bound = self._commits.get(command.seed_sha256)
        if bound in (None, sha256_of(command.nonce)):
            return []
        return [_finding(number, "our nonce is not the one that we had committed to")]

    def lose(self) -> None:
        """Note that the line is lost: the server may be another when it is back."""
        self.excuse()
        self._is_doubtful = True

    def excuse(self) -> None:
        """Note that a part of ours in a cut came too late, or may have."""
        self._doubts.clear()
        seeds = set(self._commits)
        self._late |= {("reveal" if s in self._reveals else "commit", s) for s in seeds}

    def release(self) -> list[Finding]:
        """Return the doubts that no refusal has explained, now that one would have."""
        doubts, self._doubts = list(self._doubts.values()), {}
        return doubts

    def agrees(self, view: StreamView | None) -> bool:
        """Whether a picture has the stream that is known."""
        stream = self.current
        if stream is None or stream.is_over:
            return view is None
        if view is None or (stream.sha256, stream.step) != (
            view.seed_sha256,
            view.step,
        ):
            return False
        match view.step:
            case CutStep.COMMIT:
                return True
            case CutStep.REVEAL:
                return stream.committed == view.committed
            case CutStep.CUT:
                return stream.cuts == view.cuts and stream.has_shoe_of(view)

    def join(self, view: StreamView | None, number: int) -> list[Finding]:
        """Go on from a picture of the table."""
        if view is None:
            self.current = None
            return []
        known = self.streams.get(view.seed_sha256)
        stream = known or Stream(sha256=view.seed_sha256, is_joined=True)
        self.current = self.streams[view.seed_sha256] = stream
        found = []
        if stream.sha256 in self._told:
            found.append(_finding(number, _used(stream.sha256)))
        if known is not None and known.step is CutStep.CUT != view.step:
            found.append(_finding(number, "a cut that was over goes on"))
        if view.step is CutStep.REVEAL:
            if known and known.committed not in (None, view.committed):
                found.append(_finding(number, _CHANGED))
            stream.committed = view.committed
        if view.step is CutStep.CUT:
            if known and known.step is CutStep.CUT and known.cuts != view.cuts:
                found.append(_finding(number, "the nonces of the shoe have changed"))
            found += self._check_nonces(stream, view.cuts, number)
            stream.cuts = view.cuts
        stream.step = view.step
        return found

    def fold(self, event: _CutEvent, number: int, house: House | None) -> list[Remark]:
        """Fold in an event of a cut, before round ``number``."""
        match event:
            case events.SeedCommitted():
                return [*self._begin(event, number)]
            case events.CutsCommitted():
                return [*self._show(event, number)]
            case events.ShoeCut():
                return [*self._cut(event, number)]
            case events.SeedRevealed(seed_sha256=sha256):
                found: list[Remark] = []
                is_known = sha256 in self.streams or sha256 in self._told
                if house is not None and not is_known and not self._is_doubtful:
                    what = f"a seed is told that nobody was bound to, {short(sha256)}"
                    found.append(_finding(number, what))
                return found + self.reveal(event, number, house)

    def shuffle(
        self, event: events.ShoeShuffled, number: int
    ) -> tuple[Span | None, list[Finding]]:
        """Put a shoe on the table; return where its rounds are to be kept."""
        stream = self.current
        if event.words is None:
            found = []
            if stream is not None and not self._is_doubtful:
                found.append(_finding(number, "nobody was asked to cut the new shoe"))
            self.current = None
            return None, found
        if stream is None or stream.is_over or stream.step is not CutStep.CUT:
            return None, [_finding(number, "a shoe is shuffled that was not cut")]
        span = Span(
            round=number, words=event.words, left=event.cards, until_cut=event.until_cut
        )
        if event.by_hand:
            before = stream.spans[-1] if stream.spans else None
            most = before.lefts[-1] if before and before.lefts else 53
            if before is None or event.cards is None or event.cards >= most:
                return None, [_finding(number, "there is nothing to shuffle by hand")]
            span.words, span.words_by_hand = before.words, event.words
            span.lefts = (*before.lefts, event.cards)
            span.is_joined = before.is_joined
        stream.spans.append(span)
        if len(stream.spans) > _SPANS:  # a stream that does not end
            del stream.spans[0]
            stream.is_joined = True
        self._is_doubtful = False
        return span, []

    def _begin(self, event: events.SeedCommitted, number: int) -> list[Finding]:
        found = []
        before = self.current
        if before is not None and not before.is_over and not self._is_doubtful:
            what = "a cut begins, and the seed before it was not told"
            found.append(_finding(number, what))
        if event.seed_sha256 in self.streams or event.seed_sha256 in self._told:
            found.append(_finding(number, _used(event.seed_sha256)))
        asked = frozenset((s, self.seats[s]) for s in event.seats if s in self.seats)
        stream = Stream(sha256=event.seed_sha256, asked=asked)
        self.current = self.streams[event.seed_sha256] = stream
        for old in list(self.streams)[:-_KEPT]:
            del self.streams[old]
        return found

    def _expect(
        self, event: events.CutsCommitted | events.ShoeCut, step: CutStep, number: int
    ) -> tuple[Stream, list[Finding]]:
        """Return the stream of a step, and what is wrong with the step as such."""
        stream = self.current
        if stream is None or stream.sha256 != event.seed_sha256:
            known = self.streams.get(event.seed_sha256)
            stream = known or Stream(sha256=event.seed_sha256, is_joined=True)
            what = "the cut goes on with another seed than the server was bound to"
            return stream, [_finding(number, what)]
        if stream.is_over or stream.step is not step:
            what = f"{event.type} comes at the wrong time: the cut is at {stream.step}"
            return stream, [_finding(number, what)]
        return stream, []

    def _show(self, event: events.CutsCommitted, number: int) -> list[Finding]:
        stream, found = self._expect(event, CutStep.COMMIT, number)
        if found:
            return found
        stream.committed, stream.step = event.committed, CutStep.REVEAL
        shown = {cut.seat for cut in event.committed}
        named = shown | set(event.missing)
        for seat, handle in sorted(stream.asked):
            if self.seats.get(seat) == handle and seat not in named:
                what = f"seat {seat} was asked to cut, and is not named as missing"
                found.append(_finding(number, what))
        if len(shown) < len(event.committed) or shown & set(event.missing):
            found.append(_finding(number, "a seat is named twice in the cut"))
        return found + self._check_own_commitment(stream, event, number)

    def _check_own_commitment(
        self, stream: Stream, event: events.CutsCommitted, number: int
    ) -> list[Finding]:
        own = self._commits.get(stream.sha256)
        if own is None:
            return []
        # By handle: the seat may have been another's who has committed and left.
        shown = {cut.handle: cut.sha256 for cut in event.committed}
        told = shown.get(self.own_handle or "")
        if told is None and ("commit", stream.sha256) not in self._late:
            what = "our commitment is not among those of the cut"
            self._doubts["commit"] = _finding(number, what)
        elif told not in (None, own):
            what = "our commitment is not shown as we have sent it"
            return [_finding(number, what, told, own)]
        return []

    def _cut(self, event: events.ShoeCut, number: int) -> list[Finding]:
        stream, found = self._expect(event, CutStep.REVEAL, number)
        if found:
            return found
        stream.cuts, stream.step = event.cuts, CutStep.CUT
        found = self._check_nonces(stream, event.cuts, number)
        committed = {cut.seat for cut in stream.committed or ()}
        revealed = {cut.seat for cut in event.cuts}
        if revealed | set(event.missing) != committed or revealed & set(event.missing):
            what = "those who cut, and who are missing, are not those who had committed"
            found.append(_finding(number, what))
        handles = {cut.handle for cut in event.cuts}
        is_late = ("reveal", stream.sha256) in self._late
        is_told = stream.sha256 in self._reveals and not is_late
        if is_told and self.own_handle not in handles:
            what = "our nonce is not in the shoe, though we had told it"
            self._doubts["reveal"] = _finding(number, what)
        return found

    def _check_nonces(
        self, stream: Stream, cuts: tuple[Cut, ...], number: int
    ) -> list[Finding]:
        if stream.committed is None:
            return []
        bound = {cut.seat: cut for cut in stream.committed}
        found = []
        for cut in cuts:
            sha256 = sha256_of(cut.nonce)
            commitment = CommittedCut(seat=cut.seat, handle=cut.handle, sha256=sha256)
            if bound.get(cut.seat) != commitment:
                what = f"the nonce of seat {cut.seat} is not the one committed to"
                found.append(_finding(number, what))
        return found

    def reveal(
        self, event: events.SeedRevealed, number: int, house: House | None
    ) -> list[Remark]:
        """Check the stream of a seed that is told, unless that was done."""
        if event.seed_sha256 in self._told:
            return []
        self._told[event.seed_sha256] = None
        if len(self._told) > _TOLD:
            del self._told[next(iter(self._told))]
        stream = self.streams.get(event.seed_sha256)
        if stream is None:
            if sha256_of(event.seed) == event.seed_sha256:
                return []
            what = f"the seed that is told is not {short(event.seed_sha256)}"
            return [_finding(number, what)]
        stream.is_over = True
        remarks = list(stream.prove(event.seed, house))
        stream.spans.clear()  # a visit may be long
        return remarks


_CHANGED = "the commitments of a cut have changed"


def _used(sha256: str) -> str:
    return f"the seed {short(sha256)} is used once more"


def _finding(number: int, what: str, told: str = "", due: str = "") -> Finding:
    return Finding(round=number, what=what, told=told, due=due)
