"""Cutting: the phase in which server and players fix the stream of the next shoes.

Theory of operation. The server has told the SHA-256 of its seed. In the first step each
player whose client offers to cut commits to a nonce; in the second, once all of these
commitments were shown to everyone, they reveal. A step is over when all have spoken,
or when its time is up; whoever has not spoken by then is left out and named, and is not
asked again before the next hello. Nobody, the server included, can choose a secret in
the knowledge of another's. ``docs/fairness.md`` says what this proves.
"""

import secrets
from typing import Self

from bj_game.cut import SECRET_BYTES, commitment
from bj_protocol.commands import AnyAnswer, CommitCut, RevealCut
from bj_protocol.cut import CommittedCut, Cut, CutStep, StreamView
from bj_protocol.refusal import RefusalCode
from bj_protocol.shoe_events import CutsCommitted, SeedCommitted, ShoeCut
from bj_server.table.felt import Felt
from bj_server.table.refusal import Refusal
from bj_server.table.seat import Seat
from bj_server.table.stream import Stream

__all__ = ["Cutting"]


class Cutting:
    """One cut, from the commitment of the server to the shuffled shoe."""

    def __init__(self, felt: Felt) -> None:
        """Draw a seed; callers use ``call``."""
        self._felt = felt
        self._stream = Stream(secrets.token_bytes(SECRET_BYTES))
        self._step = CutStep.COMMIT
        self._awaited: set[int] = set()
        self._committed: dict[int, CommittedCut] = {}
        self._cuts: dict[int, Cut] = {}
        self.deadline = self._next_deadline()

    @classmethod
    def call(cls, felt: Felt) -> Self:
        """Commit to a seed, and ask everyone here who cuts for a commitment."""
        cutting = cls(felt)
        seats = [seat for seat in felt.seats.here if seat.cuts]
        cutting._awaited = {seat.number for seat in seats}
        cutting._stream.asked = frozenset(seat.handle for seat in seats)
        felt.bound = cutting._stream
        numbers = tuple(seat.number for seat in seats)
        sha256 = cutting._stream.sha256
        felt.bulletin.post(SeedCommitted(seed_sha256=sha256, seats=numbers))
        cutting._go_on()
        return cutting

    @property
    def is_over(self) -> bool:
        """Whether the shoe is on the table."""
        return self._step is CutStep.CUT

    @property
    def at_stake(self) -> dict[str, int]:
        """Nothing: there are no bets before the cut."""
        return {}

    @property
    def view(self) -> StreamView:
        """What everyone may see of the cut now."""
        is_shown = self._step is not CutStep.COMMIT
        return StreamView(
            step=self._step,
            seed_sha256=self._stream.sha256,
            committed=tuple(self._committed.values()) if is_shown else (),
        )

    def hear(self, seat: Seat, command: CommitCut | RevealCut) -> None:
        """Take the commitment or the nonce of a player.

        Raises:
            Refusal: if it was not asked for, or not now.
        """
        if command.seed_sha256 != self._stream.sha256:
            raise Refusal(RefusalCode.CUT_OVER)
        match command:
            case CommitCut(sha256=sha256):
                self._commit(seat, sha256)
            case RevealCut(nonce=nonce):
                self._reveal(seat, nonce)
        self._go_on()

    def answer(self, seat: Seat, answer: AnyAnswer) -> None:
        """Refuse, since nothing else is asked during a cut."""
        raise Refusal(RefusalCode.NOT_ASKED)

    def invite(self, seat: Seat) -> None:
        """Wait for a player who comes while there is something left to say.

        Who was not asked for a commitment can still give one in the first step.
        """
        if not seat.cuts:
            return
        if self._step is CutStep.COMMIT:
            self._stream.asked |= {seat.handle}
        if self._may_commit(seat) or self._may_reveal(seat):
            self._awaited.add(seat.number)

    def excuse(self, seat: Seat) -> None:
        """Wait no longer for a player who cannot be reached.

        With nobody left the cut is called off, not finished.
        """
        self._awaited.discard(seat.number)
        if self._felt.seats.here:
            self._go_on()

    def give_up_on(self, seat: Seat) -> None:
        """Do nothing: nobody has an open question."""

    def time_up(self) -> None:
        """Go on without those who are late."""
        for seat in self._felt.seats:
            if seat.number in self._awaited:
                seat.cuts = False
        self._awaited.clear()
        self._go_on()

    def _commit(self, seat: Seat, sha256: str) -> None:
        if not self._may_commit(seat):
            raise Refusal(RefusalCode.CUT_OVER)
        self._awaited.discard(seat.number)
        self._committed[seat.number] = CommittedCut(
            seat=seat.number, handle=seat.handle, sha256=sha256
        )

    def _reveal(self, seat: Seat, nonce: str) -> None:
        if not self._may_reveal(seat):
            raise Refusal(RefusalCode.CUT_OVER)
        if commitment(bytes.fromhex(nonce)) != self._committed[seat.number].sha256:
            raise Refusal(RefusalCode.NOT_YOUR_CUT)
        self._awaited.discard(seat.number)
        self._cuts[seat.number] = Cut(seat=seat.number, handle=seat.handle, nonce=nonce)

    def _may_commit(self, seat: Seat) -> bool:
        is_asked = seat.handle in self._stream.asked
        is_early = self._step is CutStep.COMMIT
        return is_early and is_asked and seat.number not in self._committed

    def _may_reveal(self, seat: Seat) -> bool:
        committed = self._committed.get(seat.number)
        is_his = committed is not None and committed.handle == seat.handle
        is_late = self._step is CutStep.REVEAL
        return is_late and is_his and seat.number not in self._cuts

    def _go_on(self) -> None:
        if self._step is CutStep.COMMIT and not self._awaited:
            self._show_commitments()
        if self._step is CutStep.REVEAL and not self._awaited:
            self._shuffle()

    def _show_commitments(self) -> None:
        self._step = CutStep.REVEAL
        self._committed = dict(sorted(self._committed.items()))
        seats = self._felt.seats
        asked = {s.number for s in seats if s.handle in self._stream.asked}
        self._felt.bulletin.post(
            CutsCommitted(
                seed_sha256=self._stream.sha256,
                committed=tuple(self._committed.values()),
                missing=tuple(sorted(asked - set(self._committed))),
            )
        )
        here = {seat.number for seat in seats.here}
        self._awaited = set(self._committed) & here
        self.deadline = self._next_deadline()

    def _shuffle(self) -> None:
        self._step = CutStep.CUT
        self._stream.cuts = tuple(cut for _, cut in sorted(self._cuts.items()))
        # Who is not back since the server was, say, can cut the next stream at once.
        absent = {seat.handle for seat in self._felt.seats if seat.line is None}
        self._stream.asked -= absent
        self._felt.bulletin.post(
            ShoeCut(
                seed_sha256=self._stream.sha256,
                cuts=self._stream.cuts,
                missing=tuple(sorted(set(self._committed) - set(self._cuts))),
            )
        )
        self._felt.begin(self._stream)

    def _next_deadline(self) -> float:
        return self._felt.clock.now() + self._felt.pace.cut_seconds
