"""Banks for tests: played full of rounds at random, and tampered with."""

import copy
import hashlib
import json
import random
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_protocol import commands
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.views import Ask
from bj_server.bank.bank import Bank
from bj_server.bank.line import Line
from bj_server.bank.move import Clock
from bj_server.bank.pending import changed
from bj_server.bank.snapshot import SNAPSHOT_NAME
from bj_server.bank_cli.command import main
from bj_server.settings import load_house
from support.linked import LinkedRig
from support.rig import PLAYS, Rig

Lines = list[dict[str, Any]]
JOURNAL_NAME = "journal-000001.jsonl"


def play_bank(
    folder: Path,
    house: str = "cpsc386",
    *,
    rounds: int = 20,
    handles: Sequence[str] = ("ned21", "lia9"),
    **options: Any,
) -> None:
    """Fill a bank with rounds in which everybody does anything that is legal."""
    rules = load_house(house)
    options = {"seed": None, "seats": rules.max_seats, **options}
    with LinkedRig(folder, house=rules, **options) as rig:
        seated = handles[: rules.max_seats]
        for handle in seated:
            rig.join(handle)
        play(rig, rounds, seated)


def play(rig: Rig, rounds: int, handles: Sequence[str]) -> None:
    """Play on until so many rounds are over, or nobody can bet any more."""
    chance, context = random.Random(3), rig.table.context
    end = context.round + rounds
    for _ in range(40 * rounds):
        for handle in handles:
            seat = context.seats.of_handle(handle)
            if context.round < end and seat is not None and seat.ask is not None:
                answer = _answer(rig, chance, handle, seat.ask)
                assert rig.answer(handle, answer) is None


def _answer(rig: Rig, chance: random.Random, handle: str, ask: Ask) -> AnyAnswer:
    if ask.wager is not None and Action.PLACE_BET in ask.actions:
        wager = ask.wager
        most = min(wager.maximum, wager.minimum + 20 * wager.step)
        amount = chance.randrange(wager.minimum, most + 1, wager.step)
        spots = chance.randint(1, ask.spots)
        if amount * spots > rig.bank.balance(handle):
            spots = 1
        return commands.PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)
    action = chance.choice(ask.actions)
    if ask.wager is not None and action is Action.INSURE:
        return commands.Insure(prompt=ask.prompt, amount=ask.wager.minimum)
    return PLAYS[action.value](ask.prompt)


def read_lines(folder: Path) -> Lines:
    """Return the lines of a journal as they are."""
    text = (folder / JOURNAL_NAME).read_text()
    return [json.loads(line) for line in text.splitlines()]


def read_bank(folder: Path) -> Lines:
    """Return a journal as lines of format 2, each with the number that it has."""
    return as_format_2(read_lines(folder))


def as_format_2(lines: Lines) -> Lines:
    """Return what lines of format 3 say in lines of format 2."""
    old: Lines = []
    states: dict[str, Any] = {}
    for line in lines:
        if "kind" in line:
            data = {"format": 2} if line["kind"] == "journal" else line["data"]
            old.append({**line, "data": data})
            continue
        table, acts = line["table"], line["acts"]
        if table is not None:
            states[table] = changed(states.get(table), line["state"])
            acts = [*acts, {"kind": "seal", "data": states[table]}]
        for act in acts:
            fields = {
                "kind": act["kind"],
                "table": table,
                "round": act.get("round"),
                "entries": [
                    {"reason": reason, "moves": moves}
                    for reason, *moves in act.get("entries", ())
                ],
                "data": act.get("data", {}),
            }
            first = {name: line[name] for name in ("seq", "time")}
            last = {name: line[name] for name in ("synced", "prev", "crc")}
            old.append({**first, **copy.deepcopy(fields), **last})
    return old


def as_format_3(lines: Lines) -> Lines:
    """Return what lines of format 2 say in lines of format 3, each with its state."""
    new: Lines = []
    acts: Lines = []
    for line in lines:
        if line["kind"] == "journal":
            new.append({**line, "data": {"format": 3}})
            continue
        entries = [[entry["reason"], *entry["moves"]] for entry in line["entries"]]
        said = {"kind": line["kind"], "round": line["round"], "entries": entries}
        act = {name: value for name, value in said.items() if value} | {
            "data": line["data"]
        }
        is_end = line["kind"] == "seal" or line["table"] is None
        if line["kind"] != "seal":
            acts.append(act)
        if is_end:
            first = {name: line[name] for name in ("seq", "time", "table")}
            state = line["data"] | {"seats": line["data"].get("seats", [])}
            state = state if line["kind"] == "seal" else None
            last = {name: line[name] for name in ("synced", "prev", "crc")}
            new.append({**first, "acts": acts, "state": state, **last})
            acts = []
    return new


def write_bank(folder: Path, lines: Lines) -> None:
    """Write lines as a journal whose every number, hash and checksum is right."""
    prev, whole = "0" * 64, b""
    for seq, line in enumerate(lines, 1):
        fields = {**line, "seq": seq, "synced": seq - 1, "prev": prev}
        raw = with_checksum(fields)
        prev = hashlib.sha256(raw).hexdigest()
        whole += raw + b"\n"
    folder.mkdir(exist_ok=True)
    (folder / JOURNAL_NAME).write_bytes(whole)
    (folder / SNAPSHOT_NAME).unlink(missing_ok=True)


class Change(Protocol):
    """Changes the lines of a journal in their place."""

    def __call__(self, lines: Lines, /) -> None: ...


def tamper(source: Path, target: Path, change: Change, format: int = 3) -> Path:
    """Make a copy of a bank in which something was changed, with skill.

    The change is made to the lines as those of format 2, whatever is written then.
    """
    lines = read_bank(source)
    change(lines)
    write_bank(target, lines if format == 2 else as_format_3(lines))
    return target


def of_kind(lines: Lines, kind: str, *, round: int | None = None) -> Lines:
    """Return the lines of one kind, and of one round if that is given."""
    return [
        line
        for line in lines
        if line["kind"] == kind and round in (None, line["round"])
    ]


def as_before(lines: Lines) -> None:
    """Have a bank look as one from before there were draws."""
    for line in of_kind(lines, "draw"):
        line["kind"], line["data"] = "shoe", {"shoe": 1, "secret": "ab" * 32}
    for line in of_kind(lines, "deal"):
        names = ("house", "seats")
        data = {name: line["data"][name] for name in names}
        line["data"] = data | {"dealt": 0, "words": 0}
    for line in of_kind(lines, "settle"):
        line["data"].pop("secret", None)


def with_checksum(fields: dict[str, Any]) -> bytes:
    """Return the bytes of a line with these fields, without its newline."""
    rest = {name: value for name, value in fields.items() if name != "crc"}
    body = json.dumps(rest, separators=(",", ":"))[:-1].encode()
    return body + b',"crc":"%08x"}' % zlib.crc32(body)


def encode(line: Line) -> bytes:
    """Return the bytes of a line of format 2, without its newline."""
    entries = [
        {"reason": e.reason, "moves": [[m.source, m.target, m.amount] for m in e.moves]}
        for e in line.entries
    ]
    names = ("seq", "time", "kind", "table", "round", "entries", "data")
    fields = {name: getattr(line, name) for name in (*names, "synced", "prev")}
    return with_checksum({**fields, "entries": entries})


def finish_packing(bank: Bank) -> None:
    """Wait until all segments are packed that are closed."""
    bank._packer._tasks.join()


async def no_pause(seconds: float) -> None:
    """Stand in for the wait between two tries to mend the journal."""


class OpenBank:
    """Opens the bank of a folder, again and again; each one is left as by a kill."""

    def __init__(self, folder: Path, now: Clock) -> None:
        self._folder, self._now = folder, now
        self._opened: list[Bank] = []

    def __call__(self) -> Bank:
        self.leave()
        self._opened.append(Bank.open(self._folder, now=self._now, pause=no_pause))
        return self._opened[0]

    def leave(self) -> None:
        """Leave what is open as a kill would."""
        while self._opened:
            bank = self._opened.pop()
            bank.journal._stop()
            bank._packer.close()
            bank._lock.release()


class BankCommand:
    """``bj-bank``, run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, list[str], str]:
        """Run it; return its status, the lines of its output, and its remarks."""
        status = main([str(argument) for argument in arguments])
        said = self._capsys.readouterr()
        return status, said.out.splitlines(), said.err
