"""The admin port: plain HTTP for programs of the same machine, and what it tells.

It answers ``GET`` and ``HEAD`` of ``/healthz`` and ``/metrics`` through the websocket
library, which bounds what it reads of a request, and here never opens a websocket. A
web page in a browser of this machine could reach the port too. A request with an
Origin, and one with the name of another host, is refused. The status is how the server
is just now, in numbers and in sentences.
"""

import asyncio
import contextlib
import json
import logging
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bj_server.bank.bank import Bank
from bj_server.bank.disk import why
from bj_server.net.app import App
from bj_server.net.listening import ListenError, end_of
from bj_server.net.lobby import Lobby

if TYPE_CHECKING:
    from bj_server.admin.metrics import Metrics
    from bj_server.fleet.cage import Cage


_log = logging.getLogger(__name__)

_EVERY_SECONDS = 30.0
_MARGIN = 1.1
"""How much more than the least has to be free before another warning."""


@dataclass(eq=False)
class Space:
    """The disk of one bank; it may warn that little is left."""

    _folder: Path
    _least: int
    """The bytes of which fewer are a reason to warn; 0 for never."""
    free: int | None = None
    """The bytes that may still be written; None until somebody looked."""
    journal: int = 0
    """The bytes of all segments of the journal."""
    _is_warned: bool = False

    @property
    def is_low(self) -> bool:
        """Whether fewer bytes are free than the host wants."""
        return self.free is not None and self.free < self._least

    def look(self) -> None:
        """Look at the disk, which may take its time."""
        self.free = shutil.disk_usage(self._folder).free
        segments = self._folder.glob("journal-*")
        self.journal = sum(segment.stat().st_size for segment in segments)

    def warn(self) -> None:
        """Log that little is left, once until there is enough again."""
        if self.is_low and not self._is_warned:
            self._is_warned = True
            _log.warning(
                "the disk of the bank in %s has %d MiB left: free some space, or the "
                "tables pause when it is full",
                self._folder,
                (self.free or 0) >> 20,
            )
        elif self._is_warned and (self.free or 0) >= self._least * _MARGIN:
            self._is_warned = False
            _log.info("the disk of the bank has space again")


async def watch_space(space: Space, seconds: float = _EVERY_SECONDS) -> None:
    """Look at the disk now and then, beside the event loop, and warn."""
    while True:
        try:
            await asyncio.to_thread(space.look)
            space.warn()
        except OSError as error:  # a segment is packed, or the folder is gone
            _log.debug("the disk of the bank tells nothing: %s", why(error))
        await asyncio.sleep(seconds)


@dataclass(eq=False)
class Status:
    """Looks at the parts of a running server; it changes nothing."""

    _app: App
    _lobby: Lobby
    bank: Bank
    space: Space
    cage: "Cage | None" = None
    """The half of a fleet's bank that is here; None for a server alone."""

    def faults(self) -> list[str]:
        """Return a sentence for each reason not to send players here; none is well."""
        found = []
        if self.bank.journal.stalled is not None:
            found.append(
                f"The bank cannot write to its disk: {self.bank.journal.stalled}."
            )
        if not self.bank.is_sound:
            found.append("The books of the bank contradict themselves.")
        gone = [p.dealer.name for p in self._lobby if p.dealer.is_gone]
        found += [f"The dealer of table {name} is gone." for name in gone]
        return found

    def connections(self) -> dict[str, int]:
        """Return how many connections are in each state."""
        # Without a hello yet; at a table; and not reading what it is sent.
        counts = Counter(new=0, joined=0, behind=0)
        for session in self._app.sessions.values():
            is_behind = session.outbox.behind_since is not None
            state = "new" if session.dealer is None else "joined"
            counts["behind" if is_behind else state] += 1
        return dict(counts)

    def deepest_outbox(self) -> int:
        """Return the most bytes that wait for one connection."""
        waiting = (session.outbox.waiting for session in self._app.sessions.values())
        return max(waiting, default=0)

    def seats(self) -> dict[str, int]:
        """Return how many seats are taken at each table."""
        views = (place.dealer.view(is_private=True) for place in self._lobby)
        return {view.name: view.seats_taken for view in views}

    def turned_away(self) -> dict[str, int]:
        """Return how many connections found no room, since the start, by reason."""
        return dict(self._app.accepting.connections.turned_away)

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
            "accounts": self.bank.books.ledger.players,
            "journal_bytes": self.space.journal,
            "is_sound": self.bank.is_sound,
            "checked_seconds_ago": round(self.bank.audit_age, 1),
            "is_stalled": self.bank.journal.stalled is not None,
        }
        return json.dumps(said) + "\n"


_LOOPBACK = "127.0.0.1"
_NAMES = frozenset({"localhost", "127.0.0.1"})
_REQUEST_SECONDS = 5.0
_CLOSE_SECONDS = 1.0

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The type of metrics as Prometheus reads them."""
_NO_METRICS = (
    "This server was installed without metrics: "
    "pip install 'blackjack-table[metrics]', and start it again.\n"
)


def new_metrics() -> "Metrics | None":
    """Return metrics at zero; None where the extra ``[metrics]`` is not installed."""
    if find_spec("prometheus_client") is None:
        return None
    from bj_server.admin.metrics import Metrics

    return Metrics()


@contextlib.asynccontextmanager
async def serving_admin(
    port: int | None, status: Status, metrics: "Metrics | None"
) -> AsyncIterator[int | None]:
    """Answer on the loopback ``port`` for as long as the block lasts; give the port.

    0 is any free port, None no port at all. The ``metrics`` show the ``status``, too;
    without them their page says how to get them.

    Raises:
        ListenError: if the port cannot be listened on.
    """
    if port is None:
        yield None
        return
    if metrics is not None:
        metrics.show(status)

    def answer(connection: ServerConnection, request: Request) -> Response:
        code, text, kind = _answer(request, status, metrics)
        response = connection.respond(code, text)
        if kind is not None:
            del response.headers["Content-Type"]
            response.headers["Content-Type"] = kind
            response.headers["Cache-Control"] = "no-store"
        if code is HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["Allow"] = "GET, HEAD"
        if request.method == "HEAD":
            response.body = b""  # the headers are those of the whole answer
        return response

    try:
        server = await serve(
            _never,
            _LOOPBACK,
            port,
            process_request=answer,
            compression=None,
            open_timeout=_REQUEST_SECONDS,
            close_timeout=_CLOSE_SECONDS,
            ping_interval=None,
            server_header=None,
        )
    except OSError as error:
        place = f"{end_of(_LOOPBACK, port)} for the admin port"
        raise ListenError(place, why(error), "--admin-port") from None
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _never(connection: ServerConnection) -> None:
    """Hold no conversation: each request has had its answer."""


def _answer(
    request: Request, status: Status, metrics: "Metrics | None"
) -> tuple[HTTPStatus, str, str | None]:
    """Return the code and the text, and its type if it is more than a sentence."""
    if request.headers.get_all("Origin"):
        return HTTPStatus.FORBIDDEN, "This port is not for web pages.\n", None
    hosts = request.headers.get_all("Host")
    if len(hosts) != 1 or not _is_of_this_machine(hosts[0]):
        sentence = "Ask for this port as localhost or 127.0.0.1.\n"
        return HTTPStatus.FORBIDDEN, sentence, None
    if request.method not in ("GET", "HEAD"):
        sentence = "Only GET and HEAD are answered here.\n"
        return HTTPStatus.METHOD_NOT_ALLOWED, sentence, None
    match request.path.partition("?")[0]:
        case "/healthz":
            is_well = not status.faults()
            code = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
            return code, status.as_json(), "application/json"
        case "/metrics":
            if metrics is None:
                return HTTPStatus.NOT_IMPLEMENTED, _NO_METRICS, None
            return HTTPStatus.OK, metrics.text().decode(), CONTENT_TYPE
        case _:
            sentence = "There is /healthz here, and /metrics.\n"
            return HTTPStatus.NOT_FOUND, sentence, None


def _is_of_this_machine(host: str) -> bool:
    name, _, port = host.rpartition(":")
    if not port.isdecimal():
        name = host
    return name.lower() in _NAMES
