import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.bank.error import JournalError
from bj_server.bank.syncer import Syncer


@pytest.fixture
def syncer(tmp_path: Path) -> Iterator[Syncer]:
    path = tmp_path / "file"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    syncer = Syncer(path, descriptor, 1)
    yield syncer
    syncer.close()
    os.close(descriptor)


async def test_the_thread_syncs_what_is_written_by_then(syncer: Syncer) -> None:
    syncer.written = 3
    await syncer.wait(2)
    assert syncer.synced == 3


def test_nothing_is_synced_after_a_failure_of_anybody(syncer: Syncer) -> None:
    syncer.written = 3
    syncer.fail("the disk is gone")
    syncer.fail("the disk is back")
    syncer.sync()
    assert syncer.synced == 1
    with pytest.raises(JournalError, match="the disk is gone"):
        syncer.refuse_if_failed()
