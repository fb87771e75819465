"""The cutter: answers the server's calls to cut the shoe, message by message.

It hears all that is said on one line, in the order of arrival, and says what must be
sent. A nonce is drawn when a commitment is asked for, revealed only once all have been
shown the commitments, with our own among them, and kept for the check of the shoe.
"""

import secrets

from bj_client.fair.secret import sha256_of
from bj_protocol import events
from bj_protocol.commands import CommitCut, RevealCut
from bj_protocol.cut import CommittedCut, CutStep
from bj_protocol.messages import Message, Refused, Snapshot, Update
from bj_protocol.refusal import RefusalCode

__all__ = ["Cutter"]

_BYTES = 32
_REFUSALS = {RefusalCode.CUT_OVER, RefusalCode.NOT_YOUR_CUT}


class Cutter:
    """One player's cuts, through one connection after the other."""

    def __init__(self) -> None:
        """Start without a nonce."""
        self.nonces: dict[str, str] = {}
        """Our nonces in hexadecimal, by the server's commitment; the last few."""
        self._seat: int | None = None
        self._seq = -1

    def hear(self, message: Message) -> list[CommitCut | RevealCut]:
        """Return what must be sent after ``message``."""
        match message:
            case Snapshot():
                self._seq = message.seq
                self._seat = None if message.you is None else message.you.seat
                return self._join(message)
            case Update() if message.seq > self._seq:
                self._seq = message.seq
                return [
                    command
                    for event in message.events
                    for command in self._follow(event)
                ]
            case _:
                return []

    @staticmethod
    def is_about_cut(message: Message) -> bool:
        """Whether a message answers a cut that came too late, and concerns no one."""
        return isinstance(message, Refused) and message.code in _REFUSALS

    def _join(self, snapshot: Snapshot) -> list[CommitCut | RevealCut]:
        stream = snapshot.shoe.stream
        if self._seat is None or stream is None:
            return []
        match stream.step:
            case CutStep.COMMIT:
                return [self._commit(stream.seed_sha256)]
            case CutStep.REVEAL:
                return self._reveal(stream.seed_sha256, stream.committed)
            case CutStep.CUT:
                return []

    def _follow(self, event: events.Event) -> list[CommitCut | RevealCut]:
        match event:
            case events.SeedCommitted(seats=seats) if self._seat in seats:
                return [self._commit(event.seed_sha256)]
            case events.CutsCommitted():
                return self._reveal(event.seed_sha256, event.committed)
            case _:
                return []

    def _commit(self, seed_sha256: str) -> CommitCut:
        nonce = self.nonces.setdefault(seed_sha256, secrets.token_bytes(_BYTES).hex())
        for old in list(self.nonces)[:-4]:
            del self.nonces[old]
        return CommitCut(seed_sha256=seed_sha256, sha256=sha256_of(nonce))

    def _reveal(
        self, seed_sha256: str, committed: tuple[CommittedCut, ...]
    ) -> list[CommitCut | RevealCut]:
        nonce = self.nonces.get(seed_sha256)
        shown = {cut.seat: cut.sha256 for cut in committed}
        if nonce is None or shown.get(self._seat or 0) != sha256_of(nonce):
            return []
        return [RevealCut(seed_sha256=seed_sha256, nonce=nonce)]
