import pytest

from bj_client.model.seat import Faces, faces_in, rank_name
from bj_client.words.text import printable


def test_cards_have_suit_symbols() -> None:
    assert Faces(symbols=True).cards(["As", "Th", "9d", "2c", "??"]) == (
        "A♠ 10♥ 9♦ 2♣ ??"
    )


def test_c7_cards_have_letters_where_symbols_cannot_be_shown() -> None:
    assert Faces(symbols=False).cards(["As", "Th", "9d", "2c"]) == "AS 10H 9D 2C"


@pytest.mark.parametrize(
    ("encoding", "can"),
    [
        ("utf-8", True),
        ("cp437", False),
        ("cp1252", False),
        ("ascii", False),
        ("ANSI_X3.4-1968", False),
        (None, False),
        ("no such encoding", False),
    ],
)
def test_c7_an_encoding_is_asked_for_suits(encoding: str | None, can: bool) -> None:
    assert faces_in(encoding, ascii_only=False) == Faces(symbols=can)
    assert faces_in(encoding, ascii_only=True) == Faces(symbols=False)


def test_ranks_have_names() -> None:
    assert [rank_name(card) for card in ("As", "Kh", "Qd", "Jc", "Ts", "8h")] == [
        "ace",
        "king",
        "queen",
        "jack",
        "10",
        "8",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<ned21> & friends {0} %s [red]", "<ned21> & friends {0} %s [red]"),
        ("a\x1b[31mb", "a[31mb"),
        ("a\nb\r\nc\td", "a b  c d"),
        ("\u202eabc\u2066", "abc"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\x9b31m", "31m"),
        ("one\u2028two", "one two"),
        ("\ud800", ""),
        ("caf\u00e9", "caf\u00e9"),
        ("", ""),
    ],
)
def test_c12_text_of_others_is_shown_to_the_letter(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_text_without_end_is_cut() -> None:
    assert len(printable("x" * 100_000)) == 4000
