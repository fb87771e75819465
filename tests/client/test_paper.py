import errno
import os
import pty
import termios
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from bj_client.error import Exit, OutputClosedError
from bj_client.play.output import NoOutput, PlainOutput
from bj_client.words.text import rows


class Full(StringIO):
    """A disk that is full, or a reader that has gone."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def flush(self) -> None:
        raise OSError(self.number, "no")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
async def test_c7_what_the_encoding_lacks_is_replaced(encoding: str) -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding=encoding)
    await PlainOutput(stream).line("8♠ and 日本")
    assert raw.getvalue() == b"8? and ??\n"


async def test_c9_c12_no_control_character_reaches_the_output() -> None:
    output = StringIO()
    paper = PlainOutput(output)
    await paper.line("a\x1b[31mb\rc\nd\u202e")
    await paper.prompt("\x07?")
    assert output.getvalue() == "a[31mb c d\n? "


@pytest.mark.parametrize(
    ("number", "quiet"), [(errno.EPIPE, True), (errno.EIO, True), (errno.ENOSPC, False)]
)
async def test_an_output_that_ends_is_a_way_to_leave(number: int, quiet: bool) -> None:
    with pytest.raises(OutputClosedError) as closed:
        await PlainOutput(Full(number)).line("a")
    assert (closed.value.quiet, closed.value.exit) == (quiet, Exit.FAULT)


async def test_an_output_closed_from_the_start_is_quiet() -> None:
    with pytest.raises(OutputClosedError) as closed:
        await PlainOutput(None).line("a")
    assert closed.value.quiet
    finished = StringIO()
    finished.close()
    with pytest.raises(OutputClosedError):
        await PlainOutput(finished).line("a")


class Tty(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("is_exact", [False, True])
async def test_a_terminal_has_rows_of_whole_words(
    monkeypatch: pytest.MonkeyPatch, is_exact: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    told = "The line is lost: run bj-client again to play on."
    output, pipe = Tty(), StringIO()
    for stream in (output, pipe):
        paper = PlainOutput(stream, is_exact=is_exact)
        await paper.line(told)
        await paper.line("")
        await paper.prompt("Bet ($5 to $5,000 a spot, o to sit out)?")
    assert pipe.getvalue() == f"{told}\n\nBet ($5 to $5,000 a spot, o to sit out)? "
    assert output.getvalue() == (
        pipe.getvalue()
        if is_exact
        else "The line is lost: run\n  bj-client again to play on.\n\n"
        "Bet ($5 to $5,000 a spot, o to\n  sit out)? "
    )


def test_a_terminal_that_tells_its_width_goes_before_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    master, slave = pty.openpty()
    with os.fdopen(master), os.fdopen(slave, "w") as terminal:
        for columns, told in (
            (40, [f"{'word ' * 7}word"]),
            (0, ["word " * 5 + "word", "  word word"]),
        ):
            termios.tcsetwinsize(slave, (24, columns))
            assert rows("word " * 8, terminal) == told


async def test_nothing_is_written_on_no_paper() -> None:
    paper = NoOutput()
    await paper.line("a")
    paper.end_line()
