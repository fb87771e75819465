import errno
import fcntl
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import BankUnusableError, FolderLockedError
from bj_server.bank.lock import FolderLock
from bj_server.bank.move import Clock

HOLD = """
import sys
from pathlib import Path
from bj_server.bank.lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    """Start a process that holds the folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_P4_a_second_server_is_refused_and_told_who_holds_the_folder(
    tmp_path: Path,
) -> None:
    with hold(tmp_path) as process:
        with pytest.raises(FolderLockedError) as caught:
            FolderLock(tmp_path)
        assert str(tmp_path) in str(caught.value)
        assert f"process {process.pid} on " in str(caught.value)
        process.communicate("")


def test_P5_after_a_kill_the_folder_is_free_at_once(tmp_path: Path) -> None:
    for _ in range(3):
        with hold(tmp_path) as process:
            process.send_signal(signal.SIGKILL)
            process.wait()
        FolderLock(tmp_path).release()


def test_P4_one_process_cannot_open_the_same_bank_twice(
    folder: Path, now: Clock
) -> None:
    bank = Bank.open(folder, now=now)
    with pytest.raises(FolderLockedError, match=r"since 2024-05-01T12:30:00\.000Z"):
        Bank.open(folder, now=now)
    bank.close()
    Bank.open(folder, now=now).close()


@pytest.mark.parametrize("text", ["", "process 1 on here", "process {own} on"])
def test_P5_what_a_lock_file_says_locks_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock").write_text(text.replace("{own}", str(os.getpid())))
    lock = FolderLock(tmp_path)
    assert f"process {os.getpid()} on " in (tmp_path / "lock").read_text()
    lock.release()


def test_a_holder_who_left_no_name_is_another_server(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    (tmp_path / "lock").write_bytes(b"")
    with pytest.raises(FolderLockedError, match="in use by another server"):
        FolderLock(tmp_path)
    (tmp_path / "lock").write_bytes(b"\x1b[2J\xff" * 1000)
    with pytest.raises(FolderLockedError) as caught:
        FolderLock(tmp_path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500
    lock.release()


def test_a_full_disk_does_not_keep_the_folder_from_being_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, content: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    lock = FolderLock(tmp_path)
    with pytest.raises(FolderLockedError):
        FolderLock(tmp_path)
    lock.release()


def test_a_disk_that_cannot_lock_is_told_with_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", cannot)
    with pytest.raises(
        BankUnusableError, match=r"lock: its file system has no flock \(No locks"
    ):
        FolderLock(tmp_path)


def test_a_lock_file_that_cannot_be_opened_is_told_with_its_path(
    tmp_path: Path,
) -> None:
    (tmp_path / "lock").mkdir()
    with pytest.raises(BankUnusableError, match="Is a directory"):
        FolderLock(tmp_path)


def test_the_lock_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o600
    lock.release()


def test_a_folder_that_was_made_anew_is_locked_anew(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    lock = FolderLock(folder)
    shutil.rmtree(folder)
    folder.mkdir()
    lock.renew()
    with pytest.raises(FolderLockedError):
        FolderLock(folder)
    shutil.rmtree(folder)
    folder.mkdir()
    other = FolderLock(folder)
    with pytest.raises(FolderLockedError):
        lock.renew()
    other.release()
    lock.renew()
    lock.release()


def test_14_5_who_deletes_the_lock_lets_no_second_server_in(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    (tmp_path / "lock").unlink()
    with pytest.raises(FolderLockedError, match="in use by another server"):
        FolderLock(tmp_path)
    lock.renew()
    with pytest.raises(FolderLockedError, match=f"in use by process {os.getpid()}"):
        FolderLock(tmp_path)
    lock.release()
    FolderLock(tmp_path).release()


def test_14_6_a_folder_that_cannot_be_locked_has_the_lock_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = fcntl.flock

    def cannot(descriptor: int, operation: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        really(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", cannot)
    lock = FolderLock(tmp_path)
    with pytest.raises(FolderLockedError):
        FolderLock(tmp_path)
    lock.release()


def test_the_holder_of_a_lock_is_named_in_plain_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: Clock
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "küche")
    lock = FolderLock(tmp_path, now=now)
    assert (tmp_path / "lock").read_bytes() == (
        b"process %d on k?che since 2024-05-01T12:30:00.000Z" % os.getpid()
    )
    with pytest.raises(FolderLockedError) as caught:
        FolderLock(tmp_path)
    assert caught.value.holder == (tmp_path / "lock").read_text()
    lock.release()
    lock.release()
    FolderLock(tmp_path).release()


def test_a_server_without_an_input_lets_its_folder_go_too(tmp_path: Path) -> None:
    kept = os.dup(0)
    os.close(0)  # the next file that is opened is number 0
    try:
        lock = FolderLock(tmp_path)
        lock.renew()
        lock.release()
        FolderLock(tmp_path).release()
    finally:
        os.dup2(kept, 0)
        os.close(kept)
