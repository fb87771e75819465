"""Seeds: from which secrets the shoes of a table come, and which of them were told.

A seed is told once nothing is dealt from it any more, so no shoe may come from it after
that. While it is kept, all its shoes have the same cuts.
"""

from typing import TYPE_CHECKING

from bj_server.bank.line import Line
from bj_server.recall.difference import Differs
from bj_server.table.records import ShoeRecord

if TYPE_CHECKING:
    from bj_server.table.stream import Stream

__all__ = ["Seeds"]

_KEPT = 4096


class Seeds:
    """The commitments of one table, as its journal has them."""

    def __init__(self) -> None:
        """Begin with a table that has bound itself to nothing."""
        self._stream: Stream | None = None
        """What the shoe on the table comes from; None without one."""
        self._told: dict[str, None] = {}

    def put(self, record: ShoeRecord) -> None:
        """Note that a shoe is put on the table.

        Raises:
            Differs: if its seed was told, or its cuts are not those of the seed.
        """
        before, self._stream = self._stream, record.stream
        stream = self._stream
        if stream is None:
            return
        if stream.sha256 in self._told:
            raise Differs("A shoe is put on the table whose seed was told before")
        if before is not None and before.seed == stream.seed:
            if before.cuts != stream.cuts:
                raise Differs("The cuts of a shoe are not those of the one before")
        elif record.words:
            raise Differs("The words before the first shoe", str(record.words), "0")

    def resume(self, record: ShoeRecord) -> None:
        """Begin with a shoe that was on the table before."""
        self._stream = record.stream

    def take_off(self) -> None:
        """Note that no shoe is on the table, since another house is played."""
        self._stream = None

    def tell(self, line: Line) -> None:
        """Note that a seed is told, of the shoe on the table or of a cut without one.

        Raises:
            Differs: if it is another than that of the shoe.
        """
        sha256 = str(line.data.get("seed_sha256"))
        stream, self._stream = self._stream, None
        self._told[sha256] = None
        if len(self._told) > _KEPT:
            del self._told[next(iter(self._told))]
        if stream is not None and stream.sha256 != sha256:
            raise Differs(
                "The seed that is told, by its SHA-256,", sha256, stream.sha256
            )
