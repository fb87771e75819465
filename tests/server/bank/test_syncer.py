import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_server.bank.error import JournalStalledError
from bj_server.bank.reader import Position
from bj_server.bank.syncer import Syncer


@pytest.fixture
def syncer(tmp_path: Path) -> Iterator[Syncer]:
    path = tmp_path / "file"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    syncer = Syncer(path, descriptor, Position(seq=1))
    yield syncer
    syncer.close()
    os.close(descriptor)


async def test_the_thread_syncs_what_is_written_by_then(syncer: Syncer) -> None:
    syncer.written = Position(seq=3)
    await syncer.wait(2)
    assert syncer.synced.seq == 3


def test_nothing_is_synced_after_a_failure_until_it_is_mended(syncer: Syncer) -> None:
    syncer.written = Position(seq=3)
    syncer.fail("the disk is gone")
    syncer.fail("the disk is back")
    syncer.sync()
    assert syncer.synced.seq == 1
    with pytest.raises(JournalStalledError, match="the disk is gone"):
        syncer.refuse_if_failed()
    syncer.adopt(syncer._path, syncer._descriptor, Position(seq=5))
    assert (syncer.written.seq, syncer.settle().seq) == (5, 5)
    syncer.refuse_if_failed()
