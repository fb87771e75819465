"""The log: the form of its lines, and that it never stops what it tells of."""

import contextlib
import gc
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.log import JsonForm, LogWriter, TextForm, Voice, keeping_log

EVIL = "x\n2026-01-01T00:00:00.000Z info joins\x1b[2J\u202e\u2028"

_log = logging.getLogger("test.log")


def record(message: str, **known: object) -> logging.LogRecord:
    level = {"levelno": logging.INFO, "levelname": "INFO"}
    made = logging.makeLogRecord({"msg": message, "name": "bj", **level, **known})
    made.created = 1714566600.0
    return made


def failed(message: str) -> logging.LogRecord:
    try:
        raise ValueError(EVIL)
    except ValueError as error:
        return record(message, exc_info=(type(error), error, error.__traceback__))


def test_a_line_has_what_is_known_as_fields() -> None:
    line = TextForm().format(record("joins", table="main", seat=1, handle="ned21"))
    assert line == "2024-05-01T12:30:00.000Z info joins table=main seat=1 handle=ned21"
    said = json.loads(JsonForm().format(record("joins", table="main", seat=1, line=7)))
    assert (said["message"], said["level"], said["time"]) == (
        "joins",
        "info",
        "2024-05-01T12:30:00.000Z",
    )
    assert (said["table"], said["seat"], said["line"]) == ("main", 1, 7)
    assert "handle" not in said


@pytest.mark.parametrize("form", [TextForm(), JsonForm()])
def test_no_value_can_forge_a_line_or_steer_a_terminal(form: logging.Formatter) -> None:
    line = form.format(record(EVIL, handle=EVIL))
    assert line.isprintable()
    assert line.isascii()


def test_a_traceback_can_begin_no_line_of_its_own() -> None:
    first, *rest = TextForm().format(failed("a fault")).split("\n")
    assert first.endswith("info a fault")
    assert rest[-1].startswith("  | ")
    assert any("ValueError: x" in line for line in rest)
    assert all(line.startswith("  | ") and line.isprintable() for line in rest)
    assert "ValueError" in json.loads(JsonForm().format(failed("a fault")))["trace"]


def test_a_writer_that_an_interrupt_kept_from_starting_closes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    writer = LogWriter.__new__(LogWriter)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", interrupt)
        with pytest.raises(KeyboardInterrupt):
            writer.__init__()  # type: ignore[misc]
    writer.close()  # as the interpreter does at its end


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_a_log_is_kept_for_the_time_of_a_block(pipe: tuple[int, int]) -> None:
    read_end, write_end = pipe
    with keeping_log("info", "json", write_end):
        _log.debug("too little")
        _log.info("joins", extra={"line": 3})
    _log.info("too late")
    (line,) = os.read(read_end, 65536).splitlines()
    assert json.loads(line)["line"] == 3


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("addresses", [False, True])
def test_14_1_a_host_may_want_no_addresses_in_the_log(
    pipe: tuple[int, int], form: str, addresses: bool
) -> None:
    with keeping_log("info", form, pipe[1], addresses=addresses):
        _log.info("joins", extra={"line": 3, "address": "192.0.2.7"})
    said = os.read(pipe[0], 65536)
    assert b"joins" in said
    assert (b"192.0.2.7" in said) is addresses


@pytest.mark.parametrize(("is_shown", "lines"), [(True, 1), (False, 2)])
def test_on_a_terminal_only_what_is_wrong_is_told(
    pipe: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
    is_shown: bool,
    lines: int,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_shown)
    with keeping_log(None, "text", pipe[1]):
        _log.info("joins")
        _log.warning("the table pauses")
    assert os.read(pipe[0], 65536).count(b"\n") == lines


def test_a_closed_standard_error_stops_nothing(tmp_path: Path) -> None:
    with open(tmp_path / "log", "wb") as file:
        gone = os.dup(file.fileno())
    os.close(gone)
    with keeping_log("info", "text", gone):
        _log.info("nobody reads this")


def test_a_pipe_that_nobody_reads_holds_up_no_one(pipe: tuple[int, int]) -> None:
    read_end, write_end = pipe
    fill(write_end)
    writer = LogWriter(write_end, most_waiting=2)
    for _ in range(9):
        writer.emit(record("y"))
    found: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(read_end, found), daemon=True)
    reader.start()
    while not any(b"log lines were dropped" in part for part in found):
        writer.emit(record("there is room again"))
    writer.close()
    os.write(write_end, b"END")
    reader.join(20)
    assert b"".join(found).endswith(b"END")


def _read_all(descriptor: int, found: list[bytes]) -> None:
    while not (found and found[-1].endswith(b"END")):
        found.append(os.read(descriptor, 65536))


def test_a_record_that_cannot_be_formed_is_told_as_that(pipe: tuple[int, int]) -> None:
    writer = LogWriter(pipe[1])
    writer.emit(record("%d seats", args=("four",)))
    writer.close()
    assert os.read(pipe[0], 65536) == b"a log line could not be formed: TypeError\n"


def fill(write_end: int) -> None:
    os.set_blocking(write_end, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(write_end, b"y" * 4096):
            pass
    os.set_blocking(write_end, True)


def test_a_writer_that_is_stuck_is_left_behind(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.log._LAST_SECONDS", 0.05)
    fill(pipe[1])
    writer = LogWriter(pipe[1])
    writer.emit(record("nobody reads this"))
    writer.close()
    assert writer._thread.is_alive()
    os.read(pipe[0], 65536)


def test_what_the_server_says_waits_for_nobody_who_has_stopped_the_terminal(
    pipe: tuple[int, int],
) -> None:
    fill(pipe[1])
    voice = Voice(output=pipe[1])
    for number in range(3000):
        voice.say(f"Table {number}: the house has an edge.")
    found: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(pipe[0], found), daemon=True)
    reader.start()
    voice.close()
    os.write(pipe[1], b"END")
    reader.join(20)
    assert b"Table 0: the house has an edge.\n" in b"".join(found)


def journal_of(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = os.fstat(descriptor)
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")


def test_14_8_the_journal_hears_how_grave_each_line_is(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal_of(pipe[1], monkeypatch)
    with keeping_log("debug", "text", pipe[1]):
        for level in (10, 20, 30, 40, 50):
            _log.log(level, "level %d", level)
        try:
            raise ValueError(EVIL)
        except ValueError:
            _log.exception("a fault")
    lines = os.read(pipe[0], 65536).decode().splitlines()
    assert [line[:3] for line in lines[:5]] == ["<7>", "<6>", "<4>", "<3>", "<2>"]
    assert len(lines) > 6
    assert {line[:3] for line in lines[5:]} == {"<3>"}


def test_14_8_no_other_stream_has_priorities(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in ("", "1:2", "journal"):
        monkeypatch.setenv("JOURNAL_STREAM", value)
        with keeping_log("info", "text", pipe[1]):
            _log.info("joins")
        assert os.read(pipe[0], 65536).startswith(b"2")


@pytest.mark.parametrize("form", ["text", "json"])
def test_14_8_warnings_and_faults_of_libraries_are_lines_of_the_log(
    pipe: tuple[int, int], form: str
) -> None:
    class Odd:
        def __del__(self) -> None:
            raise ValueError("in a finaliser")

    def fail() -> None:
        raise ValueError("in a thread")

    with keeping_log("info", form, pipe[1]):
        warnings.showwarning("old", DeprecationWarning, "library.py", 7)
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        odd = Odd()
        del odd
        gc.collect()
    lines = os.read(pipe[0], 65536).decode().splitlines()
    text = "\n".join(lines)
    for part in ("library.py", "in a thread", "in a finaliser"):
        assert part in text
    if form == "json":
        assert all(json.loads(line) for line in lines)


def test_14_8_what_the_log_says_of_itself_is_in_its_form(
    pipe: tuple[int, int],
) -> None:
    writer = LogWriter(pipe[1])
    writer.setFormatter(JsonForm())
    writer.emit(record("%d seats", args=("four",)))
    writer.close()
    said = json.loads(os.read(pipe[0], 65536))
    assert said["message"] == "a log line could not be formed: TypeError"
