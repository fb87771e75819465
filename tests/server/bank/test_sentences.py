"""What the bank says of an error is a whole sentence, with the remedy of docs/bank.md.

Hosts and support search for these words, so each is held to the letter.
"""

import errno
import os
import pwd
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bj_server.bank import disk
from bj_server.bank.books import Books
from bj_server.bank.disk import (
    append_file,
    make_folder,
    naming,
    read_file,
    remedy,
    replace_file,
)
from bj_server.bank.error import (
    BankDamagedError,
    BankError,
    BankUnusableError,
    FolderLockedError,
    IllegibleError,
    JournalDamagedError,
    JournalError,
    JournalStalledError,
    LineError,
    MispostedError,
    OverdraftError,
    UnbalancedError,
    UnknownFormatError,
)
from bj_server.bank.key import check_digest
from bj_server.bank.ledger import Ledger
from bj_server.bank.move import (
    DONOR,
    HOUSE,
    Entry,
    Move,
    Payment,
    Posting,
    Reason,
    paid,
    player,
    stakes,
)
from bj_server.bank.plain_json import NotPlainError, read_plain

NED, MAIN = player("ned21"), stakes("main")
BANK = Path("/srv/bank")


def posting(*moves: tuple[str, str, int], **changes: Any) -> Posting:
    entries = tuple(
        Entry(reason=Reason.BET, moves=(Move(source=a, target=b, amount=cents),))
        for a, b, cents in moves
    )
    return Posting(
        entries=entries, **{"kind": "stake", "table": "main", "round": 1, **changes}
    )


@pytest.fixture
def books() -> Books:
    """ned21 has 40 cents, and 60 at stake in round 1 of the table main."""
    books = Books()
    books.apply(posting((DONOR, NED, 100), kind="gift", round=None))
    books.apply(posting((NED, MAIN, 60)))
    return books


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            posting((MAIN, HOUSE, 59), kind="settle"),
            (
                "Round 1 at table main would be settled 1 cents short of the stakes "
                "held for it."
            ),
        ),
        (
            posting((MAIN, NED, 61), kind="refund"),
            "More would go back to ned21 than is held.",
        ),
        (
            posting((MAIN, HOUSE, 60), kind="refund"),
            "A stake goes back to its player, not to house.",
        ),
        (posting((HOUSE, MAIN, 60)), "A stake is a player's, and house is no player."),
        (
            posting((NED, stakes("other"), 1)),
            "The stakes in stakes:other belong to another round or table.",
        ),
        (
            posting(kind="close", round=None, data={"handle": "ned21"}),
            "The account of ned21 has stakes, and stays open.",
        ),
        (
            posting(kind="close", round=None, data={"handle": "nobody"}),
            "There is no account of 'nobody' to close.",
        ),
        (
            posting(kind="key", round=None, data={"handle": "ned21"}),
            "A key is of a handle, and has a sha256 or null.",
        ),
        (
            posting(kind="key", round=None, data={"handle": 7, "sha256": None}),
            "A key is of a handle, and has a sha256 or null.",
        ),
        (
            posting(kind="key", round=None, data={"handle": "ned21", "sha256": None}),
            "There is no key of ned21 to reset.",
        ),
        (
            posting(kind="key", round=None, data={"handle": "ned21", "sha256": "ab"}),
            "The hash of a key is 64 hexadecimal digits.",
        ),
    ],
)
def test_a_posting_that_does_not_fit_is_refused_in_a_sentence(
    books: Books, wrong: Posting, sentence: str
) -> None:
    before = books.copy()
    with pytest.raises(MispostedError) as caught:
        books.apply(wrong)
    assert str(caught.value) == sentence
    assert books.ledger.accounts == before.ledger.accounts
    assert (books.live, books.keys) == (before.live, before.keys)


def test_a_settled_round_takes_no_stake_and_says_so(books: Books) -> None:
    books.apply(posting((MAIN, HOUSE, 60), kind="settle"))
    with pytest.raises(MispostedError) as caught:
        books.apply(posting((NED, MAIN, 1)))
    assert str(caught.value) == "Round 1 at table main is over."


def test_a_claimed_handle_takes_no_other_key_and_says_so(books: Books) -> None:
    claim = posting(
        kind="key", round=None, data={"handle": "ned21", "sha256": "ab" * 32}
    )
    books.apply(claim)
    with pytest.raises(MispostedError) as caught:
        books.apply(claim)
    assert str(caught.value) == "The handle ned21 has a key already."


def test_an_account_is_closed_with_all_that_it_has_and_no_more_or_less() -> None:
    books = Books()
    books.apply(posting((DONOR, NED, 100), kind="gift", round=None))
    closing: dict[str, Any] = {"kind": "close", "round": None}
    closing["data"] = {"handle": "ned21"}
    for cents in (99, None):
        moves = () if cents is None else ((NED, DONOR, cents),)
        with pytest.raises(MispostedError) as caught:
            books.apply(posting(*moves, **closing))
        assert (
            str(caught.value)
            == "All that ned21 has goes to the donor, no more or less."
        )
    books.apply(posting((NED, DONOR, 100), **closing))
    assert (NED in books.ledger, books.ledger.players) == (False, 0)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            lambda: Move(source=HOUSE, target=NED, amount=0),
            "A move is of a whole number of cents, at least 1.",
        ),
        (
            lambda: Move(source=HOUSE, target=HOUSE, amount=1),
            "A move from house to itself moves nothing.",
        ),
        (
            lambda: Move(source=HOUSE, target="casino", amount=1),
            "There is no account named 'casino'.",
        ),
        (
            lambda: Posting(kind="stake", table="main", round=0),
            "Rounds are whole numbers, counted from 1.",
        ),
        (
            lambda: paid(
                "main", Payment(handle="x", reason=Reason.PUSH, stake=0, payout=0)
            ),
            "A stake is at least 1 cent and a payout at least 0.",
        ),
        (lambda: check_digest("ab"), "The hash of a key is 64 hexadecimal digits."),
        (lambda: read_plain("1.5"), "1.5 is not a whole number"),
        (
            lambda: read_plain("0." + "123456789" * 3),
            "0.123456789123456789 is not a whole number",
        ),
        (lambda: read_plain("NaN"), "NaN is not a whole number"),
        (lambda: read_plain('{"a":1,"a":1}'), "a name stands twice in one object"),
        (lambda: read_plain("[" * 101 + "]" * 101), "it is nested too deeply"),
        (lambda: read_plain("[" * 10**5), "it is nested too deeply"),
    ],
)
def test_a_value_that_is_none_is_refused_in_a_sentence(
    wrong: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        wrong()


def test_plain_json_is_read_a_hundred_levels_deep() -> None:
    assert read_plain("[" * 100 + "]" * 100) is not None
    beside = "[]," * 5  # so many that the depth is looked at
    assert read_plain("[" + beside + "[" * 99 + "]" * 99 + "]") is not None
    with pytest.raises(NotPlainError, match="^it is nested too deeply$"):
        read_plain("[" + beside + "[" * 100 + "]" * 100 + "]")
    assert read_plain('{"a":' * 100 + "7" + "}" * 100) is not None
    assert read_plain("[" + "[]," * 200 + "[]]") == [[]] * 201


def test_books_that_contradict_themselves_say_how() -> None:
    for balances, sentence in (
        ({HOUSE: 7}, "All accounts together hold 7 cents, not 0."),
        ({HOUSE: 7, NED: -7}, "The account player:ned21 holds -7 cents."),
        (
            {HOUSE: -7, MAIN: 7},
            (
                "The account stakes:main holds 7 cents, but the stakes of its rounds "
                "are 0."
            ),
        ),
    ):
        with pytest.raises(UnbalancedError) as caught:
            Books(ledger=Ledger(balances)).audit()
        assert str(caught.value) == sentence


ERRORS: list[tuple[Callable[[], BankError], str]] = [
    (
        lambda: OverdraftError(NED, 40, 60),
        "The account player:ned21 holds $0.40 and cannot pay $0.60.",
    ),
    (lambda: LineError("it is cut short"), "it is cut short"),
    (lambda: IllegibleError("its checksum is wrong"), "its checksum is wrong"),
    (
        lambda: JournalError(BANK / "journal-000001.jsonl", "No space left on device"),
        (
            "The journal /srv/bank/journal-000001.jsonl cannot be written: No space "
            "left on device. No bets are taken; mend the disk or free some space, then "
            "start the server again."
        ),
    ),
    (
        lambda: JournalStalledError(
            BANK / "journal-000001.jsonl", "Input/output error"
        ),
        (
            "The journal /srv/bank/journal-000001.jsonl cannot be written: "
            "Input/output error. No bets are taken until it can; mend the disk or free "
            "some space."
        ),
    ),
    (
        lambda: JournalDamagedError(
            BANK / "journal-000001.jsonl", 7, "it is numbered 9"
        ),
        (
            "The journal /srv/bank/journal-000001.jsonl, line 7: it is numbered 9. "
            "Nothing was changed; see the rest with: bj-bank audit --bank /srv/bank. "
            "Then put the bank folder back from a good copy and start the server again."
        ),
    ),
    (
        lambda: JournalDamagedError(
            BANK / "journal-000001.jsonl", None, "it is missing"
        ),
        (
            "The journal /srv/bank/journal-000001.jsonl: it is missing. Nothing was "
            "changed; see the rest with: bj-bank audit --bank /srv/bank. Then put the "
            "bank folder back from a good copy and start the server again."
        ),
    ),
    (
        lambda: BankDamagedError(BANK / "bank.json", "is not a JSON object"),
        (
            "The bank file /srv/bank/bank.json is not a JSON object. Nothing was "
            "changed; check the journal with: bj-bank audit --bank /srv/bank. Then "
            "move bank.json away to have it rebuilt from the journal."
        ),
    ),
    (
        lambda: BankDamagedError(BANK / "bans.json", "is not a JSON object", "mend it"),
        (
            "The bank file /srv/bank/bans.json is not a JSON object. Nothing was "
            "changed; mend it."
        ),
    ),
    (
        lambda: UnknownFormatError(
            BANK / "bank.json", "it is of format 9", "use another"
        ),
        (
            "The bank file /srv/bank/bank.json: it is of format 9. Nothing was "
            "changed; use another."
        ),
    ),
    (
        lambda: BankUnusableError(BANK / "lock", "Permission denied"),
        (
            "The bank cannot use /srv/bank/lock: Permission denied. See to its owner, "
            "its permissions and the space on its disk, or choose another bank folder."
        ),
    ),
    (
        lambda: FolderLockedError(BANK, "process 7 on here"),
        (
            "The bank folder /srv/bank is in use by process 7 on here. Stop that "
            "server first, or choose another bank folder."
        ),
    ),
]


@pytest.mark.parametrize(("make", "sentence"), ERRORS)
def test_an_error_is_a_sentence_and_can_be_made_again_from_its_arguments(
    make: Callable[[], BankError], sentence: str
) -> None:
    error = make()
    assert str(error) == sentence
    again = type(error)(*error.args)
    assert (str(again), vars(again)) == (sentence, vars(error))


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
def test_a_file_of_ones_own_needs_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid)
    assert remedy(errno.EACCES, tmp_path) == (
        f"Give yourself the right to it with: chmod u+rwX {tmp_path}"
    )


def test_a_file_that_may_be_used_has_no_remedy_of_rights(tmp_path: Path) -> None:
    assert remedy(errno.EACCES, tmp_path) == ""


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


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (Path.mkdir, "it is a folder"),
        (os.mkfifo, "it is a pipe"),
        (lambda path: path.symlink_to("/dev/null"), "it is a device"),
    ],
)
def test_what_is_no_file_is_not_read_as_one(
    tmp_path: Path, make: Callable[[Path], object], kind: str
) -> None:
    path = tmp_path / "bank.json"
    make(path)
    with pytest.raises(BankUnusableError) as caught:
        read_file(path)
    assert str(caught.value) == (
        f"The bank cannot use {path}: {kind}, and no file. Move that away, or choose "
        "another bank folder."
    )


def test_a_file_larger_than_any_of_a_bank_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.touch()
    os.truncate(path, 2**30 + 1)
    with pytest.raises(BankUnusableError) as caught:
        read_file(path)
    assert str(caught.value) == (
        f"The bank cannot use {path}: it has 1,073,741,825 bytes, as no file of a bank "
        "has. Move that away, or choose another bank folder."
    )


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
