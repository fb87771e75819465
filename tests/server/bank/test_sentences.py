"""What the bank says of an error is a whole sentence, with the remedy of docs/bank.md.

Hosts and support search for these words, so each is held to the letter.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bj_server.bank.books import Books
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
    PLAYER,
    STAKES,
    Entry,
    Move,
    Payment,
    Posting,
    Reason,
    paid,
)
from bj_server.bank.plain_json import NotPlainError, read_plain, write_plain

NED, MAIN = PLAYER + "ned21", STAKES + "main"
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
            posting((MAIN, PLAYER + "lia9", 1), kind="refund"),
            "More would go back to lia9 than is held.",
        ),
        (
            posting((MAIN, HOUSE, 60), kind="refund"),
            "A stake goes back to its player, not to house.",
        ),
        (posting((HOUSE, MAIN, 60)), "A stake is a player's, and house is no player."),
        (
            posting((NED, STAKES + "other", 1)),
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


def test_a_text_that_the_system_makes_in_pieces_is_one() -> None:
    assert write_plain([0] * 200_000) == f"[{'0,' * 199_999}0]"


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
