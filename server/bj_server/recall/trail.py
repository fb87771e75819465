"""The trail: from which shoe and by which rules the rounds of one table were dealt.

It is followed backwards. What the books say at the bookmark holds for every deal down
to the last line that changed it; deals before that wait for the line before them.
"""

from bj_game.cut import commitment
from bj_server.bank.docket import Docket, Record
from bj_server.bank.line import Line
from bj_server.recall.found import Found

__all__ = ["TRAIL_KINDS", "Trail"]

TRAIL_KINDS = frozenset({"house", "shoe", "reveal", "shuffle"})


class Trail:
    """One table's, from the bookmark as far back as was read."""

    def __init__(self, docket: Docket, synced: int) -> None:
        """Begin at a bookmark; what comes after line ``synced`` was told to nobody."""
        self._house = docket.house
        self._shoe = docket.shoe
        self._shuffles = docket.shuffles
        self._synced = synced
        self._over: set[str] = set()
        """The commitments of the streams whose seeds were told."""
        self._later: set[object] = set()
        """The secrets of the shoes that came later."""
        self._homeless: list[Found] = []
        self._shoeless: list[Found] = []

    def deal(self, found: Found) -> None:
        """Note that a round was dealt here."""
        if self._house is None:
            self._homeless.append(found)
        found.house = self._house
        if self._shoe is None:
            self._shoeless.append(found)
            found.shuffles = []
            return
        found.shoe, found.shuffles = self._shoe, list(self._shuffles)

    def pass_by(self, line: Line) -> None:
        """Go back over a line of one of the ``TRAIL_KINDS``."""
        match line.kind:
            case "house":
                for found in self._homeless:
                    found.house = Record.of(line)
                self._homeless, self._house = [], None
            case "shuffle":
                self._shuffles = self._shuffles[:-1]
                for found in self._shoeless:
                    found.shuffles.insert(0, Record.of(line))
            case "reveal":
                self._shoe, self._shuffles = None, ()
                if line.seq <= self._synced:
                    self._over.add(str(line.data.get("seed_sha256")))
            case _:
                self._pass_shoe(line)

    def _pass_shoe(self, line: Line) -> None:
        for found in self._shoeless:
            found.shoe, found.is_shoe_over = Record.of(line), self._is_over(line)
        self._shoeless, self._shoe, self._shuffles = [], None, ()
        if line.seq <= self._synced:
            self._later.add(line.data.get("secret"))

    def _is_over(self, line: Line) -> bool:
        """Whether nothing is dealt any more from the stream of a shoe."""
        secret = line.data.get("secret")
        try:
            sha256 = commitment(bytes.fromhex(str(secret)))
        except ValueError:  # it has none, or none that can be read
            return False
        return sha256 in self._over or bool(self._later - {secret})
