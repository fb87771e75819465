"""Handles that are paths, commands to a terminal, look-alikes or noise."""

import json
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.net.limits import Limits
from support.door import Door
from support.rig import Rig
from support.serving import hello

PATHS = ["..", "../../x", "/etc/x", "a\\b", "C:x", "CON", "aux.txt", "ned21.", "", "."]
PATHS += [
    "ned21/",
    "~root",
    "$HOME",
    "%2e%2e",
    "x\x00",
    "ned\n21",
    " ned21",
    "nul",
    "-",
]
LOOKS = [
    "ned21\u200b",
    "n\u0435d21",
    "\uff4e\uff45\uff4421",
    "ned\u00b21",
    "\u202ened21",
]
LOOKS += [
    "ne\u0301d",
    "n\u00e9d",
    "\u0130x",
    "\u212aelvin",
    "na\u00efve",
    "ned21\ufeff",
]
SCREENS = ["\x1b[2J", "\x1b]0;x\x07", "\x07", "\x9b31m", "\r", "\x7f", "\u2028", "\x08"]
WORDS = ["ned21", "Lia9", "a", "x" * 64, "x" * 65, "lia9@example.org", "e-v.e_+1"]
PIECES = [*PATHS, *LOOKS, *SCREENS, *WORDS, "'; drop", "{0}", "%s", "\ud800", "😀"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
DEVICES = {"con", "prn", "aux", "nul"}
DEVICES |= {f"{name}{n}" for name in ("com", "lpt") for n in range(10)}


def is_in_the_rule(text: str) -> bool:
    """Tell what docs/protocol.md says of handles, in other words than the server's."""
    small = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)
    if not 1 <= len(small) <= 64 or small.partition(".")[0] in DEVICES:
        return False
    if small[0] not in LETTERS or small[-1] not in LETTERS:
        return False
    return all(letter in LETTERS + "._@+-" for letter in small)


def hostile(random_: random.Random) -> str:
    """Return a handle: one of the bad ones, some of them together, or noise."""
    match random_.randrange(4):
        case 0:
            return random_.choice(PIECES)
        case 1:
            return "".join(random_.choices(PIECES, k=random_.randint(2, 3)))
        case 2:
            size = random_.randint(1, 70)
            return "".join(chr(random_.randrange(1, 0x3000)) for _ in range(size))
        case _:
            name = list(random_.choice(WORDS))
            name.insert(random_.randrange(len(name) + 1), chr(random_.randrange(128)))
            return "".join(name)


def is_printable(text: str) -> bool:
    """Whether a terminal shows a text and does nothing else."""
    return all(unicodedata.category(letter)[0] not in "C" for letter in text)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Rig(tmp_path / "home" / "bank") as rig:
        yield Door(rig, Limits(rate=0, new_handles=0))


async def greet(door: Door, line: int, handle: str) -> tuple[bool, list[str]]:
    """Say hello and leave again; return whether it was let in, and all it was told."""
    session, transport = door.connect(line)
    text = json.dumps(json.loads(hello("x")) | {"handle": handle})
    session.received(text)
    is_in = session.dealer is not None
    if is_in:
        await door.work()
        session.received('{"type":"leave"}')
        await door.work()
    reasons = [transport.closed[1]] if transport.closed else []
    return is_in, [*transport.sent, *reasons]


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "number", [1_000, pytest.param(5_000, marks=pytest.mark.torture)]
)
async def test_Q16_S3_S4_hostile_handles_leave_no_trace(
    door: Door, tmp_path: Path, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    caplog.set_level("DEBUG")
    random_ = random.Random(16)
    before, accepted = files(tmp_path), set()
    for line in range(1, number + 1):
        handle = hostile(random_)
        is_in, told = await greet(door, line, handle)
        assert is_in == is_in_the_rule(handle), handle
        if is_in:
            accepted.add(handle.lower())
        else:
            assert not any(handle in text for text in told if len(handle) > 8), handle
        assert all(map(is_printable, told)), handle
        assert told, handle
    assert all(is_printable(record.getMessage()) for record in caplog.records)
    bank = door.rig.settings.bank
    assert not {path for path in files(tmp_path) - before if bank not in path.parents}
    known = {h for h in accepted if f"player:{h}" in door.rig.bank.books.ledger}
    assert known == accepted
    print(
        f"Q16: {number} hostile handles, {len(accepted)} names within the rule, 0 "
        f"outside it; 0 files outside the bank, 0 control bytes told or logged"
    )


@pytest.mark.parametrize("handle", [*PATHS, *LOOKS, *SCREENS])
async def test_S3_S4_what_is_no_handle_is_refused_with_the_rule(
    door: Door, handle: str
) -> None:
    is_in, told = await greet(door, 1, handle)
    assert not is_in
    assert "A handle is 1 to 64 characters" in told[0]


async def test_S4_spellings_that_differ_in_case_are_one_account(door: Door) -> None:
    for line, handle in enumerate(("Ned21", "NED21", "ned21"), 1):
        session, _ = door.connect(line)
        session.received(hello(handle))
        await door.work()
    assert [seat.handle for seat in door.rig.picture.seats] == ["ned21"]
