"""Usage: when players were seen last, and whose money was never used."""

from bj_server.bank.line import Line
from bj_server.bank.move import handle_of
from bj_server.bank.posting import Kind


class Usage:
    """Takes the lines of a journal in their order."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.seen: dict[str, str] = {}
        """The time of the last line that names a handle which has an account."""
        self.unused: set[str] = set()
        """The handles whose money has not moved since their account was opened."""

    def visit(self, line: Line) -> None:
        """Take down who is in the next line."""
        for move in line.moves:
            for handle in (handle_of(move.source), handle_of(move.target)):
                if handle is not None:
                    self.seen[handle] = line.time
                    self.unused.discard(handle)
                    if line.kind == Kind.OPEN:
                        self.unused.add(handle)
        named = str(line.data.get("handle"))
        if line.kind in (Kind.KEY, Kind.TOLD):
            self.seen[named] = line.time
        elif line.kind == Kind.CLOSE:
            self.seen.pop(named, None)
        elif line.kind == Kind.SEAL:
            self._sit(line)

    def _sit(self, line: Line) -> None:
        seats = line.data.get("seats")
        for seat in seats if isinstance(seats, list) else ():
            self.seen[str(seat["handle"])] = line.time
