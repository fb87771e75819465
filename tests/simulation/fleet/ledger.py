"""The ledger of a fleet in a world: SQL and all folders, held against each other.

It reads SQL by statements of its own, and the files of the journals by the words of
``docs/bank.md``: what the servers know of each other is not asked.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg

from simulation.failure import hold

if TYPE_CHECKING:
    from simulation.fleet.site import FleetSite

_WRONG = """
SELECT p.handle, p.cents
  - coalesce((SELECT sum(cents) FROM gifts g WHERE g.handle = p.handle), 0)
  + coalesce((SELECT sum(cents_in - coalesce(cents_out, 0)) FROM visits v
              WHERE v.handle = p.handle), 0) AS wrong
FROM players p
"""
_TWICE_SEATED = """
SELECT handle FROM visits WHERE cents_out IS NULL AND stranded IS NULL
GROUP BY handle HAVING count(*) > 1
"""
_TWICE_OPENED = """
SELECT handle FROM gifts WHERE id LIKE 'opening/%'
GROUP BY handle HAVING count(*) > 1
"""
_VISITS = "SELECT id, server, cents_in, cents_out FROM visits ORDER BY id"


class Half(NamedTuple):
    """What one folder has of a visit, in cents."""

    came: int
    goes: int | None


class Ledger:
    """Looks at SQL on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._sql = psycopg.connect(url, autocommit=True)
        self._known: dict[Path, tuple[bytes, list[Any]]] = {}

    def close(self) -> None:
        self._sql.close()

    def _rows(self, query: str) -> list[Any]:
        return self._sql.execute(query.encode()).fetchall()

    def check_sums(self) -> None:
        """See that every cent in SQL comes from somewhere, and nobody sits twice."""
        wrong = [f"{who}: {cents}" for who, cents in self._rows(_WRONG) if cents]
        hold(not wrong, "a visit is paid once", wrong)
        (total,) = self._rows("SELECT coalesce(sum(cents), 0) FROM accounts")
        hold(total[0] == 0, "the fleet's money sums to zero", total)
        below = self._rows("SELECT handle FROM players WHERE cents < 0")
        hold(not below, "nobody is below zero", below)
        twice = self._rows(_TWICE_SEATED)
        hold(not twice, "nobody is seated twice", twice)
        opened = self._rows(_TWICE_OPENED)
        hold(not opened, "an opening balance is given once", opened)

    def check_halves(self, sites: "Iterable[FleetSite]") -> list[str]:
        """See that both halves of each visit agree; return what is on its way."""
        left = []
        visits = {row[0]: row[1:] for row in self._rows(_VISITS)}
        for site in sites:
            stays = self._stays(site.settings.bank)
            for id, (server, came, goes) in visits.items():
                if server != site.name:
                    continue
                half = stays.pop(id, None)
                if half is None:
                    hold(goes is None, "only the journal ends a visit", id)
                    left.append(f"{id} is on its way to {server}")
                    continue
                name = "both halves of a visit agree"
                hold(half.came == came, name, (id, half, came))
                if goes is not None:
                    hold(half.goes == goes, name, (id, half, goes))
                elif half.goes is not None:
                    left.append(f"{id} is on its way home from {server}")
            hold(not stays, "SQL knows each visit", [*stays])
        return left

    def _stays(self, folder: Path) -> dict[str, Half]:
        """Return what the journal of a folder has of visits."""
        stays: dict[str, Half] = {}
        for kind, id, cents in self._acts(folder):
            if kind == "arrive":
                stays[id] = Half(cents, None)
            else:
                stays[id] = stays[id]._replace(goes=cents)
        return stays

    def _acts(self, folder: Path) -> Iterator[tuple[str, str, int]]:
        paths = {path.name[:-3]: path for path in folder.glob("journal-*.gz")}
        paths |= {path.name: path for path in folder.glob("journal-*.jsonl")}
        for _, path in sorted(paths.items()):
            content = path.read_bytes()
            if path.suffix == ".gz":
                content = gzip.decompress(content)
            content = content[: content.rfind(b"\n") + 1]
            known, acts = self._known.get(path, (b"", []))
            if not content.startswith(known):
                known, acts = b"", []
            acts = [*acts, *_read(content[len(known) :])]
            self._known[path] = content, acts
            yield from acts


def _read(lines: bytes) -> Iterator[tuple[str, str, int]]:
    for raw in lines.split(b"\n")[:-1]:
        for act in json.loads(raw).get("acts", ()):
            if act["kind"] in ("arrive", "depart"):
                moves = [move for _, *some in act.get("entries", ()) for move in some]
                cents = sum(amount for _, _, amount in moves)
                yield act["kind"], act["data"]["visit"], cents
