"""The status: how the server is just now, in numbers and in sentences."""

import json
from collections import Counter

from bj_server.admin.space import Space
from bj_server.bank.bank import Bank
from bj_server.net.app import App
from bj_server.net.lobby import Lobby

CONNECTION_STATES = ("new", "joined", "behind")
"""Has said no hello yet; plays or watches; does not read what it is sent."""


class Status:
    """Looks at the parts of a running server; it changes nothing."""

    def __init__(self, app: App, lobby: Lobby, bank: Bank, space: Space) -> None:
        """Look at ``app``, which serves ``lobby``, whose money is in ``bank``.

        ``space`` is that of the bank.
        """
        self.space = space
        self._app = app
        self._lobby = lobby
        self._bank = bank

    def faults(self) -> list[str]:
        """Return a sentence for each reason not to send players here; none is well."""
        found = []
        if self._bank.stalled is not None:
            found.append(f"The bank cannot write to its disk: {self._bank.stalled}.")
        if not self._bank.is_sound:
            found.append("The books of the bank contradict themselves.")
        gone = [p.dealer.name for p in self._lobby if p.dealer.is_gone]
        found += [f"The dealer of table {name} is gone." for name in gone]
        return found

    def connections(self) -> dict[str, int]:
        """Return how many connections are in each state."""
        counts = Counter(dict.fromkeys(CONNECTION_STATES, 0))
        for session in self._app.sessions:
            is_behind = session.outbox.behind_since is not None
            state = "new" if session.dealer is None else "joined"
            counts["behind" if is_behind else state] += 1
        return dict(counts)

    def deepest_outbox(self) -> int:
        """Return the most bytes that wait for one connection."""
        waiting = (session.outbox.waiting for session in self._app.sessions)
        return max(waiting, default=0)

    def seats(self) -> dict[str, int]:
        """Return how many seats are taken at each table."""
        return {p.dealer.name: p.dealer.seats_taken for p in self._lobby}

    def turned_away(self) -> dict[str, int]:
        """Return how many connections found no room, since the start, by reason."""
        return dict(self._app.turned_away)

    @property
    def accounts(self) -> int:
        """How many players have an account."""
        return self._bank.accounts

    @property
    def is_stalled(self) -> bool:
        """Whether the bank cannot write just now."""
        return self._bank.stalled is not None

    @property
    def is_sound(self) -> bool:
        """Whether the last check of the books found nothing."""
        return self._bank.is_sound

    @property
    def check_age(self) -> float:
        """How many seconds ago the books were checked."""
        return self._bank.check_age

    def sentence(self) -> str:
        """Return one line for people."""
        seats, lines = self.seats(), len(self._app.sessions)
        counts = f"Tables: {len(seats)}, seats taken: {sum(seats.values())}"
        return " ".join((f"{counts}, connections: {lines}.", *self.faults()))

    def as_json(self) -> str:
        """Return all that says whether the server is well."""
        faults = self.faults()
        said: dict[str, object] = {"status": "failing" if faults else "ok"}
        if faults:
            said["reasons"] = faults
        said["tables"] = self.seats()
        said["connections"] = self.connections()
        said["disk"] = {"free_bytes": self.space.free, "is_low": self.space.is_low}
        said["bank"] = {
            "accounts": self.accounts,
            "journal_bytes": self.space.journal,
            "is_sound": self.is_sound,
            "checked_seconds_ago": round(self.check_age, 1),
            "is_stalled": self.is_stalled,
        }
        return json.dumps(said) + "\n"
