"""Proof: the hashes and signatures by which players check a round.

The functions are pure; ``docs/fairness.md`` tells what they prove. The input of each
hash, key and signature is a list of parts. A part is written as its length in 4 bytes
and then itself; a number is a part of 8 bytes. Both are big-endian. The first part is a
tag, so that no two purposes ever share an input. All results are in hexadecimal.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

SECRET_BYTES = 32
"""The length of a secret, a link, a run and a key: 256 bits."""

NO_HEAD = "0" * 64
"""In the place of the head of the call, for a round without one."""

_TAG = "blackjack table 2, "


class StatementKind(StrEnum):
    """The kinds of statement that a server signs."""

    START = "start"
    """A run of the server begins; the note has the head that it goes on from."""
    CALL = "call"
    """The bets are closed."""
    END = "end"
    """A round is settled."""
    VOID = "void"
    """A round is void."""
    GOODBYE = "goodbye"
    """A player goes; the note has the handle and the balance in cents."""


def seal_of(
    *, key: str, run: str, table: str, round: int, terms: str, secret: str
) -> str:
    """Return the seal of a round, which binds a server to ``secret``.

    ``key`` is the server's public key, ``run`` what it drew when it was started, and
    ``terms`` the ``terms_hash`` of the rules.
    """
    parts = (_raw(key), _raw(run), table, round, _raw(terms), _raw(secret))
    return _digest("seal", *parts)


def terms_hash(terms: Mapping[str, object]) -> str:
    """Return the hash of the rules of a table, as its pictures have them.

    The input is the JSON object with its names in order, without blanks, and with every
    character that is not ASCII escaped.
    """
    return _digest("terms", json.dumps(terms, sort_keys=True, separators=(",", ":")))


def bet_commitment(*, seal: str, seat: int, handle: str, link: str) -> str:
    """Return the commitment of a player to ``link``, for the round of ``seal`` only."""
    return _digest("commitment", _raw(seal), seat, handle, _raw(link))


def run_in_fleet(*, name: str, journal: str, epoch: int, salt: str) -> str:
    """Return the run of a server of a fleet, which names it in all that it signs."""
    return _digest("run", name, journal, epoch, _raw(salt))


def first_head(*, key: str, run: str, table: str) -> str:
    """Return the head of a table's story before the first update of a run."""
    return _digest("story", _raw(key), _raw(run), table)


def next_head(head: str, update: bytes) -> str:
    """Return the head after the exact bytes of one more update."""
    return _digest("update", _raw(head), update)


def draw_key(secret: str, head: str, links: Sequence[tuple[int, str]]) -> bytes:
    """Return the key of the numbers of a round.

    ``head`` is the head after the update that called the round. ``links`` are pairs of
    seat and link, in the order of the seats.
    """
    message = _packed("draw", _raw(head), *_flat(links))
    return hmac.digest(_raw(secret), message, hashlib.sha256)


def round_digits(head: str, links: Sequence[tuple[int, str]]) -> str:
    """Return eight digits by which players can see that they had the same round."""
    number = int(_digest("digits", _raw(head), *_flat(links))[:16], 16)
    digits = f"{number % 10**8:08}"
    return f"{digits[:4]} {digits[4:]}"


def statement(
    *,
    key: str,
    run: str,
    table: str,
    seq: int,
    kind: StatementKind,
    round: int,
    head: str,
    note: str = "",
) -> bytes:
    """Return the bytes that a server signs of its story after an update."""
    parts = (_raw(key), _raw(run), table, seq, kind.value, round, _raw(head), note)
    return _packed("statement", *parts)


def successor(*, key: str, heir: str) -> bytes:
    """Return the bytes that a server signs with ``key``: ``heir`` takes its place."""
    return _packed("successor", _raw(key), _raw(heir))


def member(
    *, fleet: str, key: str, name: str, address: str, doors: Sequence[str]
) -> bytes:
    """Return the bytes that a fleet signs: the server with ``key`` is one of its own.

    The addresses are signed, so that no other place can pass itself off as the fleet.
    """
    return _packed("member", _raw(fleet), _raw(key), name, address, *doors)


_Part = bytes | str | int


_raw = bytes.fromhex


def _flat(links: Sequence[tuple[int, str]]) -> list[_Part]:
    return [part for seat, link in links for part in (seat, _raw(link))]


def _packed(tag: str, *parts: _Part) -> bytes:
    packed = [_tagged(tag)]
    for part in parts:
        if isinstance(part, int):
            packed += (_EIGHT, part.to_bytes(8, "big"))
            continue
        raw = part if isinstance(part, bytes) else part.encode()
        packed += (len(raw).to_bytes(4, "big"), raw)
    return b"".join(packed)


_EIGHT = (8).to_bytes(4, "big")


@cache
def _tagged(tag: str) -> bytes:
    raw = f"{_TAG}{tag}".encode()
    return len(raw).to_bytes(4, "big") + raw


def _digest(tag: str, *parts: _Part) -> str:
    return hashlib.sha256(_packed(tag, *parts)).hexdigest()
