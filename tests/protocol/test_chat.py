"""Chat: what nobody can see does not pass, in any disguise."""

import unicodedata

import pytest

from bj_client.words.text import printable
from bj_protocol.chat import MAX_CHAT, clean_chat, is_unseen

UNSEEN = (
    "\u3164\u115f\u1160\uffa0\u034f\u2800"  # fillers, a joiner, Braille
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u2060\u2064\ufeff"  # unseen
    "\u202a\u202e\u2066\u2069"  # marks of direction
    "\u17b4\u17b5\u180b\u180f\ufe00\ufe0f\U000e0100\U000e01ef"  # selectors
    "\U000e0001\U000e0041\U000e007f"  # tags
    "\ue000\U000f0000\U0010fffd"  # private use
    "\ufdd0\uffff\U0001fffe\u2065\U000e0fff"  # no characters
    "\ud800\udfff"  # halves of one
    "\x00\x1b\x7f\x9b"  # controls
    "\U0001d159\U0001bca0\U0001d173\ufffc\ufff9"  # of music, shorthand, objects
)


@pytest.mark.parametrize("character", UNSEEN, ids=lambda c: f"U+{ord(c):04X}")
def test_14_3_an_unseen_character_is_not_said_and_not_shown(character: str) -> None:
    assert clean_chat(character * 40) == ""
    assert clean_chat(f"ne{character}d \u00a0{character}\u3000 21") == "ned 21"
    assert printable(f"ne{character}d") == "ned"


@pytest.mark.no_cover  # the same lines, over and over
def test_14_3_whatever_passes_has_a_width_a_letter_or_a_blank_between() -> None:
    for number in (*range(0x20000), *range(0xE0000, 0xE0200)):
        said = clean_chat(chr(number))
        assert said in ("", chr(number))
        # What is alone must be seen: no mark without a letter, and no blank.
        assert not said or unicodedata.category(said)[0] in "LNPS"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a" + "\u0301" * 100 + "b", "a\u0301\u0301\u0301b"),
        ("a" + "\u0301\u200d\u034f" * 100 + "b", "a\u0301\u0301\u0301b"),
        ("\u0301\u0488 a", "a"),
        ("a \u0301b", "a b"),
        ("\u0928\u093f \u0e19\u0e49\u0e33", "\u0928\u093f \u0e19\u0e49\u0e33"),
        ("one\u2028two\u2029\x85three", "one two three"),
    ],
)
def test_14_3_marks_need_a_letter_and_build_no_towers(text: str, said: str) -> None:
    assert clean_chat(text) == said


def test_14_3_only_what_is_seen_counts_towards_the_length() -> None:
    assert clean_chat("\u200b" * MAX_CHAT + "x" * MAX_CHAT) == "x" * MAX_CHAT
    assert not any(map(is_unseen, "A1! \u00e9\u4e2d\U0001f0a1"))
