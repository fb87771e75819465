"""The standard streams: closed, full, or read by nobody, they are no fault."""

import contextlib
import os
import pty
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from bj_server import command as server
from bj_server.bank.bank import Bank
from bj_server.bank_cli import command as bank
from bj_server.bank_cli.report import Exit
from bj_server.host_cli import command as host
from bj_server.standard import write_text


class Main(Protocol):
    """Runs a command."""

    def __call__(self, arguments: Sequence[str], /) -> int: ...


def ends(main: Main, arguments: Sequence[str]) -> int:
    """Return the exit status."""
    try:
        return main(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    opened = Bank.open(tmp_path / "bank")
    opened.give("ned21", 100)
    opened.close()
    return tmp_path / "bank"


@pytest.fixture
def gone() -> Iterator[int]:
    """Give the end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


CASES: list[tuple[Main, tuple[str, ...], int]] = [
    (server.main, ("--list-houses",), 0),
    (server.main, ("--show-house", "cpsc386"), 0),
    (server.main, ("--nonsense",), 2),
    (server.main, ("--help",), 0),
    (bank.main, ("balances",), Exit.FINE),
    (bank.main, ("audit",), Exit.FINE),
    (bank.main, ("nonsense",), 2),
    (host.main, ("tables",), host.Exit.NO_SERVER),
]


def with_bank(arguments: tuple[str, ...], folder: Path) -> list[str]:
    first = () if arguments[0].startswith("--") else ("--bank", str(folder))
    return [*first, *arguments]


@pytest.mark.parametrize(("main", "arguments", "status"), CASES)
def test_14_3_a_command_whose_streams_are_closed_ends_as_usual(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    main: Main,
    arguments: tuple[str, ...],
    status: int,
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert ends(main, with_bank(arguments, folder)) == status


@pytest.mark.parametrize(("main", "arguments", "status"), CASES)
def test_14_3_a_command_that_nobody_reads_ends_as_usual(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    gone: int,
    main: Main,
    arguments: tuple[str, ...],
    status: int,
) -> None:
    for name in ("stdout", "stderr"):
        stream = open(os.dup(gone), "w")  # noqa: SIM115 - closed at the end
        monkeypatch.setattr(sys, name, stream)
    assert ends(main, with_bank(arguments, folder)) == status
    for written in (sys.stdout, sys.stderr):
        with contextlib.suppress(BrokenPipeError):
            written.close()


@pytest.mark.parametrize("kind", ["terminal", "/dev/null", "file"])
@pytest.mark.parametrize(("main", "arguments", "status"), CASES)
def test_14_3_a_command_on_any_other_streams_ends_as_usual(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    folder: Path,
    kind: str,
    main: Main,
    arguments: tuple[str, ...],
    status: int,
) -> None:
    master = None
    match kind:
        case "terminal":
            master, end = pty.openpty()
        case "file":
            end = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
        case _:
            end = os.open(kind, os.O_RDWR)
    with monkeypatch.context() as patch, contextlib.ExitStack() as stack:
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            stream = stack.enter_context(open(os.dup(end), mode))
            patch.setattr(sys, name, stream)
        # What a terminal has not room for is read as somebody looks on.
        looking = (
            None if master is None else threading.Thread(target=drain, args=(master,))
        )
        if looking is not None:
            looking.start()
        assert ends(main, with_bank(arguments, folder)) == status
    os.close(end)
    if looking is not None and master is not None:
        looking.join()
        os.close(master)


def drain(master: int) -> None:
    """Read what is shown on a terminal until nobody has it open any more."""
    with contextlib.suppress(OSError):
        while os.read(master, 4096):
            pass


def test_14_3_what_a_full_disk_does_not_take_is_said_once() -> None:
    with open("/dev/full", "w") as full:
        with pytest.raises(OSError, match="No space"):
            write_text(full, "gone")
        write_text(full, "nothing is left to fail again")


@pytest.mark.parametrize("kind", ["full", "read only"])
@pytest.mark.parametrize("main", [server.main, host.main, bank.main])
def test_14_3_wrong_options_are_wrong_whoever_hears_of_them(
    monkeypatch: pytest.MonkeyPatch, main: Main, kind: str
) -> None:
    where, flags = ("/dev/full", os.O_WRONLY)
    if kind == "read only":
        where, flags = (os.devnull, os.O_RDONLY)
    number = os.open(where, flags)
    with (
        monkeypatch.context() as patch,
        open(number, "w", buffering=1, closefd=False) as stream,
    ):
        patch.setattr(sys, "stderr", stream)
        assert ends(main, ["--dance"]) == 2
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)  # for what is left in it
    os.close(number)
