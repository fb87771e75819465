"""The greeting: the lines that a server prints once its tables are open.

What the rules of each table are worth is told some time later, table by table. What is
not kept is computed beside, by a process of its own with what time others leave; the
server waits for none of it, and takes the process with it when it ends.
"""

import asyncio
import contextlib
import fcntl
import json
import socket
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

from bj_game.house import House, rules_of
from bj_protocol.views import FleetView
from bj_server.net.listening import EVERYWHERE, end_of
from bj_server.settings import Settings, TablePlan, seats_of

_SIOCGIFADDR = 0x8915
_IF_INET6 = Path("/proc/net/if_inet6")
_NAME_BYTES = 15


def addresses() -> list[str]:
    """Return those that others may reach, of IPv4 first, as far as the system tells."""
    found: list[IPv4Address | IPv6Address] = [*_of_ipv4(), *_of_ipv6()]
    return [str(ip) for ip in found if not (ip.is_loopback or ip.is_link_local)]


def _of_ipv4() -> Iterator[IPv4Address]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            question = struct.pack("256s", name.encode()[:_NAME_BYTES])
            try:
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, question)
            except OSError:
                continue  # it has none
            yield IPv4Address(answer[20:24])


def _of_ipv6() -> Iterator[IPv6Address]:
    try:
        lines = _IF_INET6.read_text(encoding="ascii").splitlines()
    except OSError:
        return
    for line in lines:
        yield IPv6Address(bytes.fromhex(line.split()[0]))


_MOST_NAMED = 100
"""Tables that are told of: nobody reads the names of more."""
_UNKNOWN = "ADDRESS-OF-THIS-MACHINE"
# Compared with, not listened on.
_EVERY_IPV4 = "0.0.0.0"  # noqa: S104


def greeting(
    settings: Settings, port: int, key: str, fleet: FleetView | None = None
) -> list[str]:
    """Return the lines: the address, how to join, and how safe the line is.

    ``key`` is the server's public key; players know a server of a ``fleet`` by that of
    the fleet, and come through its doors.
    """
    scheme = "ws" if settings.encryption is None else "wss"
    places = [end_of(host, port) for host in _reached(settings.hosts)]
    # Elsewhere players come to bet by asking for no proof, and not by the key.
    is_known = settings.seed is not None or bool(settings.stack)
    is_proven = settings.tables[0].is_proven and not is_known
    known = key if fleet is None else fleet.key
    trust = f"--server-key {known}" if is_proven else "--unproven"
    where = f"--server {places[0]}"
    if fleet is not None:
        where = f"--server {(*fleet.doors, fleet.address)[0]}"
    elif settings.encryption is not None:
        pin = settings.encryption.fingerprint
        where = f"--server wss://{places[0]} --tls-pin {pin}"
    server, more = f"{where} {trust}", len(settings.tables) - _MOST_NAMED
    return [
        f"Blackjack is open at {', '.join(f'{scheme}://{each}' for each in places)}.",
        *map(_table, settings.tables[:_MOST_NAMED]),
        *([f"There are {more:,} more tables."] if more > 0 else []),
        f"Join with: bj-client {server} --handle YOUR_HANDLE",
        *_newcomers(settings),
        *([] if is_proven else [f"The key of this server is {key}."]),
        *([] if fleet is None else [f"It is {fleet.name} of the fleet {fleet.key}."]),
        *_bank_and_line(settings),
    ]


def _reached(hosts: Iterable[str]) -> list[str]:
    """Return the addresses by which a server on ``hosts`` is reached, at least one."""
    found: list[str] = []
    for host in hosts:
        if host in EVERYWHERE:
            found += addresses() or [_UNKNOWN]
        elif host == _EVERY_IPV4:
            found += [each for each in addresses() if ":" not in each] or [_UNKNOWN]
        else:
            found.append(host)
    return list(dict.fromkeys(found))


def _newcomers(settings: Settings) -> list[str]:
    if settings.is_invite_only:
        return ["New handles are let in that are invited: bj-host invite HANDLE."]
    if settings.code is not None:
        return ["New handles are asked for the code."]
    return []


def _table(plan: TablePlan) -> str:
    private = "" if plan.code is None else ", private"
    return (
        f"Table {plan.name}: house {plan.house.name}, {seats_of(plan.seats)}{private}."
    )


def _bank_and_line(settings: Settings) -> list[str]:
    bank = f"The bank is in {settings.bank}."
    if settings.encryption is not None:
        pin = settings.encryption.fingerprint
        line = f"The line is encrypted. The fingerprint of its certificate is {pin}."
    elif settings.is_insecure:
        line = (
            "The line is not encrypted: let in only a network that you trust, or a "
            "proxy that encrypts, since the players' keys travel in the clear."
        )
    else:
        return [f"{bank} The line is not encrypted. Ctrl-C stops."]
    return [f"{bank} Ctrl-C stops.", line]


@dataclass(eq=False)
class EdgeTeller:
    """Says the edge of each table that is opened, in the order of opening.

    Of many tables only the first ones are told.
    """

    say: Callable[[str], None]
    _opened: asyncio.Queue[TablePlan] = field(default_factory=asyncio.Queue)
    _room: int = _MOST_NAMED

    def note(self, plan: TablePlan) -> None:
        """Note that a table is opened."""
        if self._room:
            self._room -= 1
            self._opened.put_nowait(plan)

    async def run(self, serving: asyncio.Event) -> None:
        """Say the edges, from when the server serves on, until cancelled."""
        await serving.wait()
        while True:
            plan = await self._opened.get()
            edge = await _edge_of(plan)
            if edge is not None:
                self.say(f"Table {plan.name}: {edge}.")


async def _edge_of(plan: TablePlan) -> str | None:
    """Return who has the edge, in words; None if that cannot be computed."""
    # In a thread, since the figures are many, and nobody's line waits for them.
    kept = await asyncio.to_thread(_kept_edge_of, plan.house)
    if kept is not None:
        return kept
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bj_server.odds_cli.sheet"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,  # Ctrl-C is for the server
    )
    try:
        rules = json.dumps(rules_of(plan.house)).encode()
        said, _ = await process.communicate(rules)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    text = said.decode("ascii", "replace").strip()
    return text or None


def _kept_edge_of(house: House) -> str | None:
    # Here, since the figures of all houses are more than a server needs to start.
    from bj_server.odds_cli.report import edge_sentence
    from bj_server.odds_cli.sheet import find

    sheet = find(house)
    return None if sheet is None else edge_sentence(sheet.edge)
