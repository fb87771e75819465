"""The admin port: plain HTTP for programs of the same machine.

It answers ``GET`` and ``HEAD`` of ``/healthz`` and ``/metrics`` through the websocket
library, which bounds what it reads of a request, and here never opens a websocket. A
web page in a browser of this machine could reach the port too. A request with an
Origin, and one with the name of another host, is refused.
"""

import contextlib
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from importlib.util import find_spec
from typing import TYPE_CHECKING

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bj_server.admin.status import Status

if TYPE_CHECKING:
    from bj_server.admin.metrics import Metrics

_LOOPBACK = "127.0.0.1"
_NAMES = frozenset({"localhost", "127.0.0.1"})
_REQUEST_SECONDS = 5.0
_CLOSE_SECONDS = 1.0

_JSON = "application/json"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The type of metrics as Prometheus reads them."""
_NO_METRICS = (
    "This server was installed without metrics: "
    "pip install 'blackjack-table[metrics]', and start it again.\n"
)

MetricsText = Callable[[], bytes]


def new_metrics() -> "Metrics | None":
    """Return metrics at zero; None where the extra ``[metrics]`` is not installed."""
    if find_spec("prometheus_client") is None:
        return None
    from bj_server.admin.metrics import Metrics

    return Metrics()


class AdminPortTakenError(Exception):
    """The admin port cannot be listened on; the message says why and what to do."""


@contextlib.asynccontextmanager
async def serving_admin(
    port: int, status: Status, metrics: MetricsText | None
) -> AsyncIterator[int]:
    """Answer on the loopback ``port`` for as long as the block lasts; give the port.

    0 is any free port. Without ``metrics`` their page says how to get them.

    Raises:
        AdminPortTakenError: if the port cannot be listened on.
    """

    def answer(connection: ServerConnection, request: Request) -> Response:
        response = _answer(connection, request, status, metrics)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
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
        raise AdminPortTakenError(
            f"Cannot listen on {_LOOPBACK}:{port} for the admin port: "
            f"{error.strerror or error}. Choose another --admin-port."
        ) from None
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _never(connection: ServerConnection) -> None:
    """Hold no conversation: each request has had its answer."""


def _answer(
    connection: ServerConnection,
    request: Request,
    status: Status,
    metrics: MetricsText | None,
) -> Response:
    refused = _refused(request)
    if refused is not None:
        return connection.respond(*refused)
    match request.path.partition("?")[0]:
        case "/healthz":
            is_well = not status.faults()
            code = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
            return _typed(connection.respond(code, status.as_json()), _JSON)
        case "/metrics":
            if metrics is None:
                return connection.respond(HTTPStatus.NOT_IMPLEMENTED, _NO_METRICS)
            text = metrics().decode()
            return _typed(connection.respond(HTTPStatus.OK, text), CONTENT_TYPE)
        case _:
            sentence = "There is /healthz here, and /metrics.\n"
            return connection.respond(HTTPStatus.NOT_FOUND, sentence)


def _refused(request: Request) -> tuple[HTTPStatus, str] | None:
    """Return why a request is not answered, if it is not."""
    if request.headers.get_all("Origin"):
        return HTTPStatus.FORBIDDEN, "This port is not for web pages.\n"
    hosts = request.headers.get_all("Host")
    if len(hosts) != 1 or not _is_of_this_machine(hosts[0]):
        sentence = "Ask for this port as localhost or 127.0.0.1.\n"
        return HTTPStatus.FORBIDDEN, sentence
    if request.method not in ("GET", "HEAD"):
        return HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n"
    return None


def _is_of_this_machine(host: str) -> bool:
    name, _, port = host.rpartition(":")
    if not port.isdecimal():
        name = host
    return name.lower() in _NAMES


def _typed(response: Response, content_type: str) -> Response:
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = content_type
    response.headers["Cache-Control"] = "no-store"
    return response
