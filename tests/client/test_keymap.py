"""Keys of a player's own: how they are read, and which cannot be."""

import pytest

from bj_client.error import Exit
from bj_client.keymap import NAMES, Keymap, read_keymap
from bj_client.options import read_options

NED = ["--handle", "ned21"]


def test_our_own_keys_are_each_given_once() -> None:
    assert len(set(NAMES.values())) == len(NAMES)
    assert read_keymap("") == Keymap()


def test_two_keys_can_be_exchanged() -> None:
    keys = read_keymap("hit=s stand=h")
    assert [keys.shown(key) for key in "hsd"] == ["s", "h", "d"]
    assert [keys.meant(key) for key in "hsd"] == ["s", "h", "d"]


def test_a_key_that_was_given_up_does_nothing() -> None:
    keys = read_keymap("hit=j leave==")
    assert [keys.meant(key) for key in ("j", "h", "=", "q", "enter", "5")] == [
        *("h", "", "q", "", "enter", "5")
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hit", "write the keys as in 'hit=j stand=k'."),
        ("hit=j k", "write the keys as in"),
        ("hop=j", "'hop' is nothing that has a key: there are hit, stand, double"),
        ("hit=", "the key of hit is one character, and no digit, blank"),
        ("hit=jj", "the key of hit is one character"),
        ("hit=5", "the key of hit is one character"),
        ("hit=\x1b", "the key of hit is one character"),
        ("hit=s", "the key 's' is given to hit and stand: give one of them another."),
        ("hit=j split=j", "the key 'j' is given to hit and split"),
        ("hit=j hit=k", "hit is given two keys: give it one."),
    ],
)
def test_what_is_wrong_is_a_sentence(
    text: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="^"):
        read_keymap(text)
    with pytest.raises(SystemExit) as stopped:
        read_options([*NED, "--keys", text], {})
    assert stopped.value.code == Exit.USAGE
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_a_flag_goes_before_the_environment() -> None:
    variables = {"BJ_KEYS": "hit=j"}
    assert read_options(NED, variables).keymap.shown("h") == "j"
    flags = [*NED, "--keys", "hit=f"]
    assert read_options(flags, variables).keymap.shown("h") == "f"
