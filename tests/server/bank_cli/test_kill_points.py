"""B3, P1: killed at any change of the disk, and whatever is left opens and is sound.

Each operation runs in a forked process that is killed just before its n-th call of the
system that changes something: for every n in the long form, for some every day.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Protocol

import pytest

from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalStalledError
from bj_server.bank.signer import Signer
from bj_server.bank_cli.command import main
from support.banks import BankCommand, no_pause

CHANGES = (
    *("write", "ftruncate", "truncate", "unlink", "replace", "rename"),
    *("fsync", "fdatasync", "mkdir"),
)
MOST = 200
"""More calls than any of the operations makes."""


class Work(Protocol):
    """Does something to a bank folder."""

    def __call__(self, folder: Path, /) -> object: ...


Look = BankCommand


def steps(everyday: int) -> list[Any]:
    """Return the step from one n to the next, for every day and for the long form."""
    return [everyday, pytest.param(1, marks=pytest.mark.torture)]


def cut_down(work: Work, folder: Path, number: int) -> bool:
    """Kill ``work`` before its n-th change; False if it came to its end."""
    child = os.fork()
    if not child:
        _work_until(work, folder, number)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status != 0


def _work_until(work: Work, folder: Path, number: int) -> NoReturn:
    """Be the process that is killed."""
    left = number

    def counted(really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return really(*arguments, **options)

        return call

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        for name in CHANGES:
            setattr(os, name, counted(getattr(os, name)))
        work(folder)
        os._exit(0)
    finally:
        os._exit(1)


async def open_accounts(bank: Bank, *handles: str) -> None:
    """Open accounts, each of them durable, and wait out what is mended."""
    till = bank.till("main")
    for handle in handles:
        till.open(handle, 1000_00)
        till.seal({})
        while True:
            try:
                await till.commit()
            except JournalStalledError:
                await till.mended()
            else:
                break


def play(folder: Path, *handles: str, segment_bytes: int = 450) -> None:
    bank = Bank.open(folder, segment_bytes=segment_bytes, pause=no_pause)
    asyncio.run(open_accounts(bank, *handles))
    bank.close()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bank of three accounts, of which the first segments are packed."""
    folder = tmp_path_factory.mktemp("kills") / "bank"
    play(folder, "ned21", "lia9", "bob7")
    assert len(list(folder.glob("*.gz"))) == 3
    return folder


def opens(folder: Path, ask: Look, accounts: int = 3) -> None:
    """Check that a bank is sound as it is, and after one more start."""
    for _ in range(2):
        status, lines, said = ask("--bank", folder, "audit")
        assert (status, lines[-1]) == (0, "The bank is sound."), said
        bank = Bank.open(folder)
        assert bank.books.ledger.players == accounts
        bank.close()


def copy_is_whole(folder: Path, ask: Look) -> None:
    opens(folder / "bank", ask)
    if not (folder / "copy").exists():
        assert ask("--bank", folder / "bank", "backup", folder / "copy")[0] == 0
    opens(folder / "copy", ask)


def archive_goes_on(folder: Path, ask: Look) -> None:
    """Check what a kill has left, the next try, and all segments put together."""
    opens(folder / "bank", ask)
    assert ask("--bank", folder / "bank", "archive", folder / "old")[0] == 0
    (folder / "bank" / "bank.json").unlink()
    opens(folder / "bank", ask)
    for path in (folder / "old").glob("journal-*"):
        shutil.copy(path, folder / "bank")
    for name in ("bank.json", "statement.json"):
        (folder / "bank" / name).unlink()
    said = ask("--bank", folder / "bank", "audit")[2]
    assert "statement.json" not in said
    opens(folder / "bank", ask)


def play_goes_on(folder: Path, ask: Look) -> None:
    assert ask("--bank", folder / "bank", "audit")[0] == 0
    bank = Bank.open(folder / "bank")
    assert bank.books.ledger.players in (3, 4)
    bank.close()
    assert ask("--bank", folder / "bank", "audit")[0] == 0


def in_bank(*arguments: str) -> Work:
    def work(folder: Path) -> None:
        os.chdir(folder)
        main(["--bank", "bank", *arguments])

    return work


def restored(folder: Path) -> None:
    os.chdir(folder)
    main(["restore", "bank", "copy"])


OPERATIONS: dict[str, tuple[Work, Callable[[Path, Look], None]]] = {
    "backup": (in_bank("backup", "copy"), copy_is_whole),
    "restore": (restored, copy_is_whole),
    "archive": (in_bank("archive", "old"), archive_goes_on),
    "gift": (in_bank("gift", "ned21", "10"), play_goes_on),
    "packing, close": (lambda folder: play(folder / "bank", "kim"), play_goes_on),
}


@pytest.mark.parametrize("step", steps(13))
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.no_cover  # the same lines, over and over
def test_14_5_a_bank_outlives_a_kill_within_any_work_on_it(
    operation: str, step: int, sound: Path, tmp_path: Path, ask: Look
) -> None:
    work, check = OPERATIONS[operation]
    for number in range(step, MOST, step):
        folder = tmp_path / str(number)
        shutil.copytree(sound, folder / "bank")
        was_killed = cut_down(work, folder, number)
        check(folder, ask)
        shutil.rmtree(folder)
        if not was_killed:
            assert number > step
            return
    raise AssertionError(f"{operation} does not end")


def move_away(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")


def delete(path: Path) -> None:
    shutil.rmtree(path.parent)


def cut_short(path: Path) -> None:
    os.truncate(path, 10)


@pytest.mark.parametrize("step", steps(5))
@pytest.mark.parametrize("harm", [move_away, delete, cut_short])
@pytest.mark.no_cover  # the same lines, over and over
def test_14_5_a_kill_within_a_rescue_leaves_a_bank_that_opens_once_it_has_begun_to(
    harm: Callable[[Path], None], step: int, sound: Path, tmp_path: Path, ask: Look
) -> None:
    def rescue(folder: Path) -> None:
        bank = Bank.open(folder / "bank", pause=no_pause)
        harm(max((folder / "bank").glob("*.jsonl")))
        asyncio.run(open_accounts(bank, "kim"))
        (folder / "told").touch()
        bank.close()

    opened = False
    for number in range(step, MOST, step):
        folder = tmp_path / str(number)
        shutil.copytree(sound, folder / "bank")
        was_killed = cut_down(rescue, folder, number)
        if (folder / "told").exists() or (folder / "bank" / "statement.json").exists():
            opens(folder / "bank", ask, accounts=4)
            opened = True
        else:
            assert not opened
        shutil.rmtree(folder)
        if not was_killed:
            assert opened
            return
    raise AssertionError("the rescue does not end")


def test_a_kill_while_the_key_is_renewed_leaves_one_valid_key(
    tmp_path: Path, ask: Look
) -> None:
    Bank.open(tmp_path / "bank").close()
    old = Signer.open(tmp_path / "bank").key

    def renew(folder: Path) -> None:
        main(["--bank", str(folder), "new-server-key"])

    found: set[bool] = set()
    for number in range(1, MOST):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "bank", folder)
        is_killed = cut_down(renew, folder, number)
        signer = Signer.open(folder)
        is_old = signer.key == old
        assert [past.key for past in signer.past_keys] == ([] if is_old else [old])
        assert ask("--bank", folder, "new-server-key")[0] == 0
        assert Signer.open(folder).past_keys[-1].key == signer.key
        found.add(is_old)
        if not is_killed:
            break
    assert found == {True, False}
    assert not is_old
