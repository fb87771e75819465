"""The client in terminals of every kind: whatever ends it, the terminal is left whole.

Each run is brought to a prompt, its window to a size, and then it is ended. Its exit
code is the documented one, there is one sentence of farewell and no traceback, the
terminal is as it was, the processor was not kept busy, and the server has heard what
was meant for it and nothing else.
"""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from support.serving import serving
from whole.ear import LineRecorder, listening
from whole.guest import Guest
from whole.terminal_case import (
    ENDINGS,
    ENVIRONMENTS,
    EVERY,
    MODES,
    PATHS,
    PROMPTS,
    Case,
    cases,
)
from whole.terminal_run import TerminalRun

SLOW = ("--bet-seconds", "600", "--turn-seconds", "600", "--insurance-seconds", "600")
FAREWELLS = ("Good-bye, ned21", "Interrupted", "Stopped by", "The terminal was closed")
CPU_SECONDS, RESIZE_CPU_SECONDS = 3.0, 0.2
"""More than any run takes, and what each change of the window's size adds to that."""
IDLE_CPU_SECONDS = 0.2
"""More than a client needs in ``IDLE_SECONDS`` at a prompt, and far from all of it."""
IDLE_SECONDS = 2.0
IDLES = 20
"""How often it may take more at first, while all hands of the house are reckoned."""
LAST = 2000
AT_A_TIME = 4
_escape = re.compile(rb"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>])")


async def bring(
    run: TerminalRun, case: Case, ear: LineRecorder, guest: Guest | None
) -> None:
    """Bring a run to its prompt."""
    await ear.knocked.wait()
    if case.prompt == "connecting":
        return
    await ear.greeted.wait()
    if case.start != (80, 24):
        run.resize(80, 24)
    if guest is not None:
        await guest.answer("place_bet", 5)
    for prompt, keys, _ in PATHS.get(case.prompt, ()):
        await until(run, case, prompt)
        run.type(keys if case.look != "screen" or prompt == "bet" else keys[0])
    if case.prompt in {"lost", "closing"}:
        await until(run, case, "bet")
    if case.prompt == "lost":
        ear.lose()
    if case.prompt == "closing":
        ear.hearing.clear()
        run.type("q" if case.look == "screen" else "q\r")
        await ear.left.wait()
    else:
        await until(run, case, case.prompt)


async def until(run: TerminalRun, case: Case, prompt: str) -> None:
    await asyncio.to_thread(run.until, case.words(prompt))


async def play(case: Case, folder: Path, *, idles: bool = False) -> float:
    """Play one run to its end, and look at what it leaves; return its CPU seconds.

    With ``idles`` it waits at the prompt, which must cost next to nothing.
    """
    cards = ("--stack", case.stack)
    async with serving(folder / "bank", *cards, *SLOW) as uri, listening(uri) as ear:
        guest = await Guest.sit(uri, "lia9") if case.prompt == "waiting" else None
        if case.prompt == "connecting":
            ear.open.clear()
        run = TerminalRun(
            *("--handle", "ned21", "--server", ear.address, "--pace", "0"),
            *MODES[case.mode],
            size=case.start,
            environment={"TERM": "xterm-256color", "NO_COLOR": ""}
            | ENVIRONMENTS[case.environment],
            draws=case.look != "plain",
            anew=case.is_new,
        )
        try:
            await bring(run, case, ear, guest)
            for size in case.sizes:
                run.resize(*size)
            if case.sizes and case.prompt not in {"connecting", "closing"}:
                await grow(run, case)
            if idles:
                for _ in range(IDLES):
                    cost = await asyncio.to_thread(run.idle, IDLE_SECONDS)
                    if cost < IDLE_CPU_SECONDS:
                        break
                # It is quiet from then on, and not for a moment.
                cost = await asyncio.to_thread(run.idle, IDLE_SECONDS)
                assert cost < IDLE_CPU_SECONDS, f"{case} costs {cost} s"
            if case.prompt == "closing" and run.has_ended():
                case = replace(case, ending="leave")  # on a slow machine it is over
            code = await end(run, case, ear)
            said = [what for what in ear.heard if what != "list_tables"]
            check(run, case, code, said)
        finally:
            run.close()
            if guest is not None:
                await guest.line.close()
    return run.cpu_seconds


async def grow(run: TerminalRun, case: Case) -> None:
    """See that a window which has grown can be read again, and shrink it again."""
    if case.look == "plain":
        return
    run.resize(80, 24)
    await until(run, case, case.prompt)
    run.resize(*case.sizes[-1])


async def end(run: TerminalRun, case: Case, ear: LineRecorder) -> int:
    """End a run, and return its exit code."""
    ENDINGS[case.ending].end(run, case)
    if case.prompt == "connecting" and case.ending.startswith("Ctrl-D"):
        ear.open.set()  # nobody has read the key; lines that were typed still wait
        if case.look != "plain":
            run.resize(80, 24)
            await until(run, case, "bet")
            run.type("\x15\x04")
    ear.hearing.set()
    return await asyncio.to_thread(run.end)


def check(run: TerminalRun, case: Case, code: int, heard: list[str]) -> None:
    """See how a run has ended."""
    ending = ENDINGS[case.ending]
    said = _escape.sub(b"", run.said).decode("utf-8", "replace")
    told = f"{case}: ...{said[-LAST:]}"
    assert code == ending.code, f"{code} {told}"
    assert "Traceback" not in said, told
    assert "Error" not in said, told
    if ending.farewell:
        line = " ".join(said.split())  # a narrow window has it on several
        farewells = [line.count(words) for words in FAREWELLS]
        assert sum(farewells) == line.count(ending.farewell) == 1, told
    if case.look == "plain":
        assert b"\x1b" not in run.said, told
    most = CPU_SECONDS + RESIZE_CPU_SECONDS * len(case.sizes)
    assert run.cpu_seconds < most, f"{run.cpu_seconds} s {told}"
    sent = [command for _, _, command in PATHS.get(case.prompt, ()) if command]
    left = [] if case.prompt in {"lost", "connecting"} else ["leave"]
    if case.prompt == "connecting":
        assert heard in ([], ["hello", "leave"]), f"{heard} {told}"
    else:
        assert heard == ["hello", *sent, *left], f"{heard} {told}"


async def play_all(chosen: list[Case], folder: Path, *, idles: bool = False) -> None:
    """Play some runs, a few at a time, since much of each is waiting."""
    room = asyncio.Semaphore(AT_A_TIME)
    failures, costs = list[str](), list[float]()

    async def run(number: int, case: Case) -> None:
        async with room:
            try:
                place = folder / str(number)
                costs.append(await play(case, place, idles=idles))
            except AssertionError as failure:
                failures.append(f"run {number}, {case}: {failure}")

    await asyncio.gather(*(run(*numbered) for numbered in enumerate(chosen)))
    used = f"{max(costs):.2f} s of CPU at most, {sum(costs):.1f} s in all"
    print(f"\nterminal runs: {len(chosen)}, failed: {len(failures)}, {used}")
    assert not failures, "\n".join(failures)


@pytest.mark.no_cover
async def test_q23_c3_c4_every_ending_leaves_in_order(tmp_path: Path) -> None:
    await play_all(cases(23, EVERY, storm=1), tmp_path)


@pytest.mark.torture
async def test_q23_three_hundred_runs(tmp_path: Path) -> None:
    await play_all(cases(24, 300), tmp_path)


@pytest.mark.torture
async def test_q23_no_prompt_keeps_the_processor_busy(tmp_path: Path) -> None:
    idle = [
        Case(prompt=prompt, ending="SIGTERM", mode=mode)
        for prompt in PROMPTS
        if prompt != "closing"  # which is over before that
        for mode in MODES
    ]
    await play_all(idle, tmp_path, idles=True)
