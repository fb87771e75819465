import asyncio
import os
from collections.abc import Iterator
from io import StringIO

import pytest

from bj_client.play.input import EndOfInputError, PipedInput
from bj_client.play.output import PlainOutput
from bj_client.question.question import play_again


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ours, theirs = os.pipe()
    yield ours, theirs
    os.close(ours)


def source_of(descriptor: int | None, *, is_live: bool = False) -> PipedInput:
    return PipedInput(
        descriptor, PlainOutput(StringIO()), is_live=is_live, inline=is_live
    )


async def test_c1_lines_are_given_only_when_a_question_is_open(
    pipe: tuple[int, int],
) -> None:
    source = source_of(pipe[0])
    os.write(pipe[1], b"y\nn\n")
    reading = asyncio.create_task(source.read())
    await asyncio.sleep(0)
    assert not reading.done()
    question = play_again()
    await source.pose(question)
    line = await reading
    assert (line.text, line.question) == ("y", question)
    assert (await source.read()).text == "n"
    os.close(pipe[1])
    with pytest.raises(EndOfInputError):
        await source.read()


async def test_c1_a_last_line_without_its_end_still_counts(
    pipe: tuple[int, int],
) -> None:
    source = source_of(pipe[0])
    os.write(pipe[1], b"\xff\xfe\r\nno")
    os.close(pipe[1])
    await source.pose(play_again())
    assert (await source.read()).text == "\ufffd\ufffd"
    assert (await source.read()).text == "no"
    with pytest.raises(EndOfInputError):
        await source.read()


async def test_a_line_without_end_is_cut(pipe: tuple[int, int]) -> None:
    source = source_of(pipe[0])
    await source.pose(play_again())
    reading = asyncio.create_task(source.read())
    await asyncio.to_thread(os.write, pipe[1], b"9" * 60_000)
    await asyncio.to_thread(os.write, pipe[1], b"9" * 60_000 + b"\n")
    os.close(pipe[1])
    assert len((await reading).text) == 65_536


async def test_an_input_that_was_never_open_has_ended() -> None:
    source = source_of(None)
    await source.pose(play_again())
    with pytest.raises(EndOfInputError):
        await source.read()


async def test_a_person_is_heard_without_being_asked(pipe: tuple[int, int]) -> None:
    source = source_of(pipe[0], is_live=True)
    os.write(pipe[1], b"q\nhalf")
    line = await source.read()
    assert (line.text, line.question) == ("q", None)
    os.close(pipe[1])
    with pytest.raises(EndOfInputError):
        await source.read()


async def test_a_prompt_is_shown_again_after_other_lines() -> None:
    output = StringIO()
    paper = PlainOutput(output)
    source = PipedInput(None, paper, is_live=True, inline=True)
    question = play_again()
    await source.pose(question)
    await source.pose(question)
    await paper.line("lia9 bets $1.00.")
    await source.pose(question)
    await source.echo("y")
    assert output.getvalue() == (
        "Play again (y/n)? \nlia9 bets $1.00.\nPlay again (y/n)? y\n"
    )
