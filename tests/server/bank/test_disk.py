"""What is synced on macOS has reached the drive, and not only its cache."""

import asyncio
import errno
import fcntl
import os
from pathlib import Path

import pytest

from bj_server.bank import disk
from bj_server.bank.disk import read_named, replace_file, sync
from support.banks import JOURNAL_NAME, OpenBank

F_FULLFSYNC = 51


class Drive:
    """Stands in for macOS, where F_FULLFSYNC is a command of fcntl."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full: list[str] = []
        """The names of what was synced up to the drive, in order."""
        self.refusal: int | None = None
        self.plain: list[tuple[str, int]] = []
        """The names of the calls that synced otherwise, and what they synced."""
        monkeypatch.setattr(fcntl, "F_FULLFSYNC", F_FULLFSYNC, raising=False)
        monkeypatch.setattr(fcntl, "fcntl", self._command)
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, lambda d, n=name: self.plain.append((n, d)))

    def _command(self, descriptor: int, command: int) -> int:
        assert command == F_FULLFSYNC
        if self.refusal is not None:
            raise OSError(self.refusal, os.strerror(self.refusal))
        self.full.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        return 0


@pytest.fixture
def drive(monkeypatch: pytest.MonkeyPatch) -> Drive:
    return Drive(monkeypatch)


def test_14_13_on_macos_every_sync_of_a_bank_reaches_the_drive(
    drive: Drive, open_bank: OpenBank, folder: Path
) -> None:
    bank = open_bank()
    till = bank.till("main")
    till.open("ned21", 1000_00)
    till.stake(1, "ned21", 1_00)
    till.seal({})
    before = len(drive.full)
    asyncio.run(till.commit())
    assert JOURNAL_NAME in drive.full[before:]
    bank.close()
    with (folder / JOURNAL_NAME).open("ab") as journal:
        journal.write(b'{"seq": ')  # as a power cut leaves it
    before = len(drive.full)
    open_bank()
    repaired = drive.full[before:]
    assert {JOURNAL_NAME, folder.name} < set(repaired)
    assert any(".torn-" in name for name in repaired)
    assert drive.plain == []


def test_14_13_a_file_system_without_full_syncs_is_synced_as_elsewhere(
    drive: Drive,
) -> None:
    drive.refusal = errno.ENOTTY
    sync(0)
    sync(0, only_data=True)
    assert drive.plain == [("fsync", 0), ("fdatasync", 0)]


def test_14_13_a_drive_that_fails_is_not_taken_for_one_that_has_synced(
    drive: Drive,
) -> None:
    drive.refusal = errno.EIO
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync(0)
    assert drive.plain == []


def test_14_13_without_fdatasync_the_stronger_call_does(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(fcntl, "F_FULLFSYNC")
    monkeypatch.delattr(os, "fdatasync")
    sync(0, only_data=True)
    assert (drive.full, drive.plain) == ([], [("fsync", 0)])


def test_14_8_a_file_that_the_host_has_named_is_never_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_WRITER_MILLISECONDS", 1.0)
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    with pytest.raises(TimeoutError, match="nobody writes to that pipe$") as late:
        read_named(pipe)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)) as long:
        read_named(Path("/dev/zero"))
    assert (late.value.errno, long.value.errno) == (errno.ETIMEDOUT, errno.EFBIG)
    assert late.value.strerror == "nobody writes to that pipe"
    file.write_bytes(b"x" * 2**20)
    assert len(read_named(file)) == 2**20
    assert read_named(Path("/dev/null")) == b""
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pipe.open("wb", buffering=0) as writing:
        writing.write(b"[main]")
        with pytest.raises(TimeoutError):
            read_named(pipe)  # which has taken what there was
        writing.write(b"[main]")
        really = os.read

        def last(descriptor: int, most: int) -> bytes:
            part = really(descriptor, most)
            writing.close()
            return part

        monkeypatch.setattr(os, "read", last)
        assert read_named(pipe) == b"[main]"
    os.close(reading)


def test_14_4_what_root_makes_belongs_to_the_owner_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(
        os, "fchown", lambda d, user, group: given.append((user, group))
    )
    replace_file(tmp_path / "bank.json", b"")
    owner = tmp_path.stat()
    assert given == [(owner.st_uid, owner.st_gid)]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    replace_file(tmp_path / "bank.json", b"")
    assert len(given) == 1
