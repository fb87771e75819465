"""Q4: damaged files of every kind: no start in silence, and nothing overwritten."""

import asyncio
import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import (
    BankDamagedError,
    BankUnusableError,
    JournalDamagedError,
    LineError,
)
from bj_server.bank.line import decode
from bj_server.bank.move import Payment, Reason
from support.banks import with_checksum

pytestmark = pytest.mark.no_cover  # the same lines, over and over


class Damage(Protocol):
    """Damages a file; None deletes it."""

    def __call__(self, content: bytes, chance: random.Random, /) -> bytes | None: ...


"""Returns the damaged bytes, or None for a file that is gone."""


def cut(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.randrange(len(whole))]


def zeroed(whole: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(whole) - 1)
    end = min(len(whole), start + chance.choice([1, 40, 512, 4096]))
    return whole[:start] + bytes(end - start) + whole[end:]


def flipped(whole: bytes, chance: random.Random) -> bytes:
    broken = bytearray(whole)
    broken[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return bytes(broken)


def noise(whole: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.choice([0, 1, 300, 5000]))


def gone(whole: bytes, chance: random.Random) -> None:
    return None


def unpacked(change: Callable[[list[bytes], random.Random], list[bytes]]) -> Damage:
    """Damage the lines of a file, packed or not."""

    def damage(whole: bytes, chance: random.Random) -> bytes:
        is_packed = whole[:2] == b"\x1f\x8b"
        text = gzip.decompress(whole) if is_packed else whole
        changed = b"".join(change(text.splitlines(keepends=True), chance))
        return gzip.compress(changed, mtime=0) if is_packed else changed

    return damage


def doubled(lines: list[bytes], chance: random.Random) -> list[bytes]:
    at = chance.randrange(len(lines))
    return [*lines[:at], lines[at], *lines[at:]]


def swapped(lines: list[bytes], chance: random.Random) -> list[bytes]:
    if len(lines) < 2:
        return []
    one, two = chance.sample(range(len(lines)), 2)
    lines[one], lines[two] = lines[two], lines[one]
    return lines


def dropped(lines: list[bytes], chance: random.Random) -> list[bytes]:
    del lines[chance.randrange(len(lines))]
    return lines


def newer(lines: list[bytes], chance: random.Random) -> list[bytes]:
    at = next((n for n, line in enumerate(lines) if b"format" in line), 0)
    lines[at] = lines[at].replace(b'"format":', b'"format":1')
    return lines


def wrong_types(lines: list[bytes], chance: random.Random) -> list[bytes]:
    """Give a line another type and a checksum that is right."""
    at = chance.randrange(len(lines))
    try:
        decode(lines[at].rstrip(b"\n"))
    except LineError:
        return lines[:at] + [b"null\n"] + lines[at + 1 :]
    wrong = with_checksum({**json.loads(lines[at]), "synced": "true"})
    return [*lines[:at], wrong + b"\n", *lines[at + 1 :]]


DAMAGES: list[Damage] = [
    cut,
    zeroed,
    flipped,
    noise,
    gone,
    unpacked(doubled),
    unpacked(swapped),
    unpacked(dropped),
    unpacked(newer),
    unpacked(wrong_types),
]


async def play(bank: Bank) -> None:
    till = bank.till("main")
    till.open("ned21", 1000_00)
    for round in range(1, 31):
        till.stake(round, "ned21", 5_00)
        till.seal({})
        await till.commit()
        won = Payment(handle="ned21", reason=Reason.PUSH, stake=5_00, payout=5_00)
        till.settle(round, [won], {})
        till.seal({})
        await till.commit()


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.iterdir() if path.name != "lock")
    return {path.name: path.read_bytes() for path in files}


def run_damages(tmp_path: Path, count: int) -> str:
    whole = tmp_path / "whole"
    bank = Bank.open(whole, segment_bytes=6000)
    asyncio.run(play(bank))
    bank.close()
    names = sorted(contents(whole))
    refused = harmless = 0
    for number in range(count):
        chance = random.Random(number)
        name = names[number % len(names)]
        folder = tmp_path / "damaged"
        shutil.copytree(whole, folder)
        path = folder / name
        before = path.read_bytes()
        after = DAMAGES[number // len(names) % len(DAMAGES)](before, chance)
        if after is None:
            os.unlink(path)
        else:
            path.write_bytes(after)
        damaged = contents(folder)
        if name == "bank.json" and after is None:
            # The journal has everything: it is rebuilt, and nothing is lost.
            bank = Bank.open(folder)
            assert bank.balance("ned21") == 1000_00
            bank.close()
            harmless += 1
        elif after == before:
            harmless += 1
        else:
            with pytest.raises(
                (JournalDamagedError, BankDamagedError, BankUnusableError)
            ) as caught:
                Bank.open(folder).close()
            assert str(path).removesuffix(".gz") in str(caught.value), (number, name)
            assert "bj-bank audit" in str(caught.value)
            assert contents(folder) == damaged, (number, name)
            refused += 1
        shutil.rmtree(folder)
    return f"{count} damages: {refused} refused, {harmless} without effect, 0 silent"


def test_Q4_of_100_damages_none_starts_in_silence(tmp_path: Path) -> None:
    print(run_damages(tmp_path, 100))


@pytest.mark.torture
def test_Q4_of_500_damages_none_starts_in_silence(tmp_path: Path) -> None:
    print(run_damages(tmp_path, 500))
