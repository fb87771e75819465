"""The space on the bank's disk: a warning before it is full, and not every second."""

import asyncio
import logging
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from bj_server.admin.port import Space, watch_space
from bj_server.options import read_options

MIB = 2**20


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give a list whose last number of MiB the system calls free."""
    found = [1000]
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: SimpleNamespace(free=found[-1] * MIB)
    )
    return found


def test_14_11_little_space_is_told_once_until_there_is_enough_again(
    tmp_path: Path, free: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    space, said = Space(tmp_path, 500 * MIB), []
    for mib in (1000, 500, 499, 100, 300, 520, 499, 550, 400):
        free.append(mib)
        space.look()
        space.warn()
        said.append([(r.levelno, r.getMessage()) for r in caplog.records])
        caplog.clear()
    told = [levels[0][0] if levels else None for levels in said]
    warning, info = logging.WARNING, logging.INFO
    assert told == [None, None, warning, *[None] * 4, info, warning]
    assert f"{tmp_path} has 499 MiB left: free some space" in said[2][0][1]


def test_14_11_a_host_may_want_no_warning(tmp_path: Path, free: list[int]) -> None:
    free.append(0)
    space = Space(tmp_path, 0)
    assert (space.free, space.is_low) == (None, False)
    space.look()
    assert (space.free, space.is_low) == (0, False)
    assert read_options([]).low_space == 512
    assert read_options(["--low-space", "0"]).low_space == 0


async def test_14_11_the_disk_is_looked_at_again_and_again(
    tmp_path: Path, free: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    free.append(1)
    space = Space(tmp_path / "folder", MIB * 2)
    task = asyncio.create_task(watch_space(space, seconds=0))
    async with asyncio.timeout(60):
        while not caplog.records:  # noqa: ASYNC110 - a log sets no event
            await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_14_11_a_folder_that_is_gone_ends_no_watch(tmp_path: Path) -> None:
    space = Space(tmp_path / "gone", MIB)
    task = asyncio.create_task(watch_space(space, seconds=0))
    for _ in range(20):
        await asyncio.to_thread(int)
    assert not task.done()
    assert space.free is None
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
