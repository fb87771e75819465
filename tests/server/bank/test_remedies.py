"""What is said of a file that cannot be used: what it is, and the remedy.

Hosts and support search for these words, so each is held to the letter.
"""

import errno
import os
import pwd
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bj_server.bank import disk
from bj_server.bank.disk import (
    append_file,
    make_folder,
    naming,
    read_file,
    remedy,
    replace_file,
)
from bj_server.bank.error import BankUnusableError

REMEDIES = {
    errno.ENOSPC: "Make space on its disk",
    errno.EDQUOT: "Make space on its disk, or have the quota raised",
    errno.EROFS: "Its disk is mounted read-only: mount it anew, or choose another bank "
    "folder",
    errno.EIO: "Its disk fails: copy all that can be read, and use another disk",
    errno.ENOTDIR: "Move that away, or choose another bank folder",
    errno.ENAMETOOLONG: "Its path is too long: choose another bank folder",
    errno.EMFILE: "Raise the limit of open files (ulimit -n)",
    errno.ENFILE: "Close other programs: the system has too many files open",
    errno.ENOLCK: "Keep the bank on a local disk that has it",
    errno.EINVAL: "Keep the bank on a local disk that has it",
    errno.EDOM: "",
}


@pytest.mark.parametrize("number", REMEDIES)
def test_an_error_of_the_system_has_its_remedy(tmp_path: Path, number: int) -> None:
    path = tmp_path / "bank.json"
    assert remedy(number, path) == REMEDIES[number]
    with pytest.raises(BankUnusableError) as caught, naming(path):
        raise OSError(number, os.strerror(number))
    usual = (
        "See to its owner, its permissions and the space on its disk, or choose "
        "another bank folder"
    )
    assert str(caught.value) == (
        f"The bank cannot use {path}: {os.strerror(number)}. "
        f"{REMEDIES[number] or usual}."
    )


def test_an_error_without_a_number_has_no_remedy_of_its_own(tmp_path: Path) -> None:
    assert remedy(None, tmp_path) == ""
    with pytest.raises(BankUnusableError) as caught, naming(tmp_path):
        raise OSError("it is odd")
    assert (caught.value.reason, caught.value.remedy) == ("it is odd", "")


@pytest.fixture
def nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    """We are a user 1000, "ned", who may use nothing."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    names = {0: "root", 1000: "ned"}
    monkeypatch.setattr(
        pwd, "getpwuid", lambda number: SimpleNamespace(pw_name=names[number])
    )


@pytest.mark.usefixtures("nobodys")
def test_a_file_of_another_user_is_to_be_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, owner = tmp_path / "bank.json", tmp_path.stat().st_uid
    file.touch()
    monkeypatch.setattr(disk, "_name", lambda number: {1000: "ned"}.get(number, "eve"))
    assert owner != 1000
    assert remedy(errno.EACCES, file) == (
        "It belongs to eve and this is ned: give it back with: "
        f"sudo chown -R ned {file}"
    )
    assert remedy(errno.EPERM, file / "inside") == remedy(errno.EPERM, file)
    assert remedy(errno.EACCES, tmp_path / "not" / "there") == (
        "It belongs to eve and this is ned: choose another bank folder or, if that is "
        f"a bank, give it back with: sudo chown -R ned {tmp_path}"
    )


@pytest.mark.usefixtures("nobodys")
def test_a_folder_that_is_seen_to_be_no_bank_is_given_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    monkeypatch.setattr(disk, "_name", lambda number: {1000: "ned"}.get(number, "eve"))
    told = "It belongs to eve and this is ned: choose another bank folder"
    assert remedy(errno.EACCES, tmp_path / "bank") == told
    (tmp_path / "lock").touch()
    back = f"{told} or, if that is a bank, give it back with: sudo chown -R ned "
    assert remedy(errno.EACCES, tmp_path / "bank.json") == f"{back}{tmp_path}"


@pytest.mark.usefixtures("nobodys")
def test_a_file_of_ones_own_needs_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid)
    assert remedy(errno.EACCES, tmp_path) == (
        f"Give yourself the right to it with: chmod u+rwX {tmp_path}"
    )


def test_a_file_that_may_be_used_has_no_remedy_of_rights(tmp_path: Path) -> None:
    assert remedy(errno.EACCES, tmp_path) == ""


@pytest.mark.parametrize("right", [os.R_OK, os.W_OK, os.X_OK])
def test_a_folder_is_used_with_three_rights_and_a_file_with_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: int
) -> None:
    file = tmp_path / "bank.json"
    file.touch()
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & right)
    assert "chmod u+rwX" in remedy(errno.EACCES, tmp_path)
    assert (remedy(errno.EACCES, file) == "") == (right == os.X_OK)


@pytest.mark.usefixtures("nobodys")
def test_a_user_without_a_name_is_told_by_number() -> None:
    assert (disk._name(0), disk._name(1000), disk._name(4242)) == (
        "root",
        "ned",
        "4242",
    )


def lack(monkeypatch: pytest.MonkeyPatch, name: str, after: int = 0) -> None:
    """Have a call of the system refuse as on a file system that lacks it."""
    real, calls = getattr(os, name), [0]

    def refuse(*arguments: Any, **options: Any) -> Any:
        calls[0] += 1
        if calls[0] > after:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return real(*arguments, **options)

    monkeypatch.setattr(os, name, refuse)


@pytest.mark.parametrize(
    ("call", "after", "operation"),
    [
        ("fsync", 0, "fsync of a file"),
        ("fsync", 1, "fsync of a folder"),
        ("replace", 0, "rename over a file"),
    ],
)
def test_a_disk_that_lacks_something_is_told_what(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    after: int,
    operation: str,
) -> None:
    path = tmp_path / "bank.json"
    lack(monkeypatch, call, after)
    with pytest.raises(BankUnusableError) as caught, naming(path):
        replace_file(path, b"{}")
    assert caught.value.reason == (
        f"its file system has no {operation} (Invalid argument)"
    )
    assert caught.value.remedy == "Keep the bank on a local disk that has it"


def test_a_disk_that_fails_otherwise_is_not_said_to_lack_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)) as caught:
        append_file(tmp_path / "left", b"")
    assert caught.value.strerror == os.strerror(errno.EIO)


def make_large(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**30 + 1)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (Path.mkdir, "it is a folder, and no file"),
        (os.mkfifo, "it is a pipe, and no file"),
        (lambda path: path.symlink_to("/dev/null"), "it is a device, and no file"),
        (make_large, "it has 1,073,741,825 bytes, as no file of a bank has"),
    ],
)
def test_what_is_no_file_of_a_bank_is_not_read_as_one(
    tmp_path: Path, make: Callable[[Path], object], why: str
) -> None:
    path = tmp_path / "bank.json"
    make(path)
    with pytest.raises(BankUnusableError) as caught:
        read_file(path)
    assert str(caught.value) == (
        f"The bank cannot use {path}: {why}. Move that away, or choose another bank "
        "folder."
    )


def test_the_largest_file_that_a_bank_may_have_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bank.json"
    path.write_bytes(b"{}\n")
    monkeypatch.setattr(disk, "_MOST", 3)
    assert read_file(path) == b"{}\n"


def test_a_folder_is_made_for_its_owner_with_all_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "srv" / "blackjack" / "bank"
    make_folder(folder)
    make_folder(folder)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [
        0o700,
        0o700,
    ]
    assert not disk.is_open_to_others(folder)
    for others in (0o750, 0o705, 0o701, 0o710):
        folder.chmod(others)
        assert disk.is_open_to_others(folder)


def test_a_file_that_is_added_to_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "journal-000001.torn-7"
    append_file(path, b"one")
    append_file(path, b"two")
    assert path.read_bytes() == b"onetwo"
    assert path.stat().st_mode & 0o777 == 0o600
