"""The stream: the secret of the server, the cuts of the players, and what they make."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bj_game.cut import commitment, stream_key
from bj_game.shuffle import KeyedStream
from bj_protocol.cut import Cut

__all__ = ["STREAM_ROUNDS", "Stream"]

STREAM_ROUNDS = 100
"""The rounds after which a stream ends, in houses without a cut card."""


@dataclass(slots=True)
class Stream:
    """Where shoes come from, from the commitment to the seed until that is told.

    There is no way from here to a log: neither the seed nor the key has a ``repr``.
    """

    seed: bytes = field(repr=False)
    asked: frozenset[str] = frozenset()
    """The handles that had the chance to cut."""
    cuts: tuple[Cut, ...] = ()
    rounds: int = 0
    """The rounds that were dealt from it."""

    @property
    def sha256(self) -> str:
        """The server's commitment, by which the stream is known to everyone."""
        return commitment(self.seed)

    def numbers(self, words: int = 0) -> KeyedStream:
        """Return its numbers from the place where ``words`` words are used up."""
        return KeyedStream(stream_key(self.seed, self._nonces()), words)

    def _nonces(self) -> Iterable[tuple[int, bytes]]:
        return ((cut.seat, bytes.fromhex(cut.nonce)) for cut in self.cuts)
