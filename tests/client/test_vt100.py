"""What a terminal sends: which of it is a key, and what is swallowed whole."""

import codecs
import itertools
import random
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.keys import Keys

from bj_client.play.vt100 import (
    ESCAPE_SECONDS,
    LONGEST_PASTE,
    SILENCE_SECONDS,
    KeyParser,
)
from support.sequences import text_of, unknown_strings

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPress

PASTE, END = "\x1b[200~", "\x1b[201~"
LONG = SILENCE_SECONDS + 0.01


class Terminal:
    """A parser, the keys that came out of it, and a clock."""

    def __init__(self, *, for_lines: bool = False) -> None:
        self.pressed: list[KeyPress] = []
        self.time = 100.0
        self.parser = KeyParser(
            self.pressed.append, for_lines=for_lines, now=lambda: self.time
        )

    def send(self, *reads: str | bytes) -> "Terminal":
        """Let each text be read at once, one right after the other."""
        for read in reads:
            self.parser.feed(text_of(read) if isinstance(read, bytes) else read)
        return self

    def wait(self, seconds: float = ESCAPE_SECONDS) -> "Terminal":
        """Let a silence pass; prompt_toolkit flushes in each."""
        self.time += seconds
        self.parser.flush()
        return self

    @property
    def keys(self) -> list[str]:
        """The keys by name, and characters and pasted texts as they are."""
        return [
            each.data if each.key is Keys.BracketedPaste else str(each.key)
            for each in self.pressed
        ]


def keys_of(*reads: str | bytes) -> list[str]:
    return Terminal().send(*reads).wait(LONG).keys


UNKNOWN = {
    "urxvt Shift+Left": b"\x1b[d",
    "urxvt Shift+Up": b"\x1b[a",
    "parameters and an intermediate": b"\x1b[?2026;2$y",
    "answer to device attributes": b"\x1b[?62;4c",
    "secondary device attributes": b"\x1b[>41;354;0c",
    "cursor position": b"\x1b[12;40R",
    "focus gained": b"\x1b[I",
    "focus lost": b"\x1b[O",
    "kitty, a letter": b"\x1b[104u",
    "kitty, a letter with events": b"\x1b[104:72;1:3;104u",
    "modifyOtherKeys": b"\x1b[27;6;100~",
    "SS3 that is no key": b"\x1bOz",
    "SS3 with a modifier": b"\x1bO5d",
    "Alt+h": b"\x1bh",
    "Alt+s and Alt+h": b"\x1bs\x1bh",
    "Alt with a character of two bytes": "\x1bé".encode(),
    "Alt+Up": b"\x1b\x1b[A",
    "a designation": b"\x1b(B",
    "background colour, ST": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    "background colour, BEL": b"\x1b]11;rgb:0000/0000/0000\x07",
    "DCS": b"\x1bP>|XTerm(388)\x1b\\",
    "APC": b"\x1b_Gi=31;OK\x1b\\",
    "PM": b"\x1b^d\x1b\\",
    "SOS": b"\x1bXd\x1b\\",
    "a string cut by another sequence": b"\x1b]11;d\x1b[d",
    "a string that is cancelled": b"\x1b]11;\x18d",
    "8-bit CSI": b"\x9bd",
    "8-bit CSI, as a character": "\x9bd".encode(),
    "8-bit SS3": b"\x8fz",
    "8-bit OSC and ST": b"\x9d11;d\x9c",
    "8-bit DCS": b"\x90d\x9c",
    "a report of the mouse with holes": b"\x1b[<;;M",
    "a report of the mouse without numbers": b"\x1b[;M",
    "a report of the mouse far away": b"\x1b[<0;999999999999;1M",
    "a report of two numbers": b"\x1b[<0;1M",
    "the end of a paste alone": b"\x1b[201~",
    "no control byte": b"\x1b[5\x00\x01\x02d",
    "an arrow with a control byte": b"\x1b[\x0eA",
    "the keypad with a control byte": b"\x1bO\x0et",
    "a parameter without end": b"\x1b[" + b"1" * 5000 + b"d",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_K1_K2_K3_13_1_what_is_no_key_is_swallowed_whole(name: str) -> None:
    assert keys_of(UNKNOWN[name]) == []


@pytest.mark.parametrize("name", UNKNOWN)
def test_K3_13_1_it_is_swallowed_however_it_is_split(name: str) -> None:
    text = text_of(UNKNOWN[name])[:60]
    for cut in range(1, len(text)):
        assert keys_of(text[:cut], text[cut:]) == []
    assert keys_of(*text) == []


@pytest.mark.parametrize("name", UNKNOWN)
def test_13_1_the_next_key_is_one_whatever_was_cut_short(name: str) -> None:
    text = text_of(UNKNOWN[name])
    for cut in range(2, min(60, len(text) + 1)):
        terminal = Terminal().send(text[:cut]).wait(LONG)
        del terminal.pressed[:]
        assert terminal.send("h").keys == ["h"]


def test_13_1_what_came_in_one_burst_with_it_is_no_key() -> None:
    terminal = Terminal().send("\x1b[dhd5", "s\r").wait()
    assert terminal.keys == []
    assert terminal.send("h").keys == ["h"]


def test_13_1_text_behind_an_arrow_is_no_key_where_keys_play_at_once() -> None:
    assert keys_of("\x1b[Ad") == ["Keys.Up"]
    assert keys_of("\x1b[A", "d") == ["Keys.Up", "d"]
    assert keys_of("\x1b[B\x1b[B\r") == ["Keys.Down", "Keys.Down", "Keys.ControlM"]
    terminal = Terminal(for_lines=True).send("\x1b[D5\r").wait()
    assert terminal.keys == ["Keys.Left", "5", "Keys.ControlM"]


def test_13_1_a_sequence_that_is_late_behind_its_esc_is_one() -> None:
    terminal = Terminal().send("\x1b").wait()
    assert terminal.keys == ["Keys.Escape"]
    assert terminal.send("[d").wait().keys == ["Keys.Escape"]
    assert terminal.send("\x1b").wait().send("d").keys[1:] == ["Keys.Escape", "d"]
    assert terminal.send("\x1b").wait(LONG).send("O").keys[3:] == ["Keys.Escape", "O"]


@pytest.mark.parametrize("introducer", "[O]P_^X")
def test_K3_13_1_whatever_is_late_behind_its_esc_is_no_text(introducer: str) -> None:
    terminal = Terminal().send("\x1b").wait().send(introducer).wait()
    assert terminal.send("11g").wait().keys == ["Keys.Escape"]
    assert terminal.wait(LONG).send("h").keys[-1] == "h"


def test_13_3_esc_alone_is_a_key_within_100_ms() -> None:
    assert ESCAPE_SECONDS < 0.1
    assert Terminal().send("\x1b").wait(ESCAPE_SECONDS).keys == ["Keys.Escape"]
    assert Terminal().send("\x1b\x1b").wait().keys == ["Keys.Escape"]


def test_K2_13_1_the_keypad_is_what_is_printed_on_it() -> None:
    for text, printed in zip("pqrstuvwxyjklmnoX", "0123456789*+,-./=", strict=True):
        assert keys_of(f"\x1bO{text}") == [printed]
        assert keys_of("\x1b", "O", text) == [printed]
        assert keys_of(b"\x8f" + text.encode()) == [printed]
    assert keys_of("\x1bOM") == ["Keys.ControlM"]
    assert keys_of("\x1bOu\x1bOp\x1bOM") == ["5", "0", "Keys.ControlM"]


KNOWN = {
    "\x1b[A": ["Keys.Up"],
    "\x1bOA": ["Keys.Up"],
    "\x1b[5~": ["Keys.PageUp"],
    "\x1b[1;5D": ["Keys.ControlLeft"],
    "\x1bOP": ["Keys.F1"],
    "\x1b[[A": ["Keys.F1"],
    "\x1b[Z": ["Keys.BackTab"],
    "\x1bb": ["Keys.ControlLeft"],
    "\x1b[1;3D": ["Keys.ControlLeft"],
    "\x1b[1;9D": ["Keys.ControlLeft"],
    "\x1b\x1b[D": ["Keys.ControlLeft"],
    "\x1b\x1bOC": ["Keys.ControlRight"],
    "\x1b[3;3~": ["Keys.ControlDelete"],
    "\x1b\x08": ["Keys.ControlW"],
    "\x1b\x7f": ["Keys.ControlW"],
    "\x1b[<0;12;3M": ["Keys.Vt100MouseEvent"],
    "\x1b[32;12;3M": ["Keys.Vt100MouseEvent"],
    "h50\r\x7fé♠": ["h", "5", "0", "Keys.ControlM", "Keys.ControlH", "é", "♠"],
}


@pytest.mark.parametrize("text", KNOWN)
def test_13_1_known_keys_are_keys_however_they_are_split(text: str) -> None:
    assert keys_of(text) == KNOWN[text]
    assert keys_of(*text) == KNOWN[text]


def test_13_1_an_old_report_of_the_mouse_is_three_bytes_whatever_they_are() -> None:
    terminal = Terminal().send(b"\x1b[M #\x85", b"h")
    assert [each.data for each in terminal.pressed] == ["\x1b[32;3;101M", "h"]
    assert keys_of(b"\x1b[Mhds") == ["Keys.Vt100MouseEvent"]
    assert keys_of("\x1b[M h\x1b[A", "h") == []  # cut short by another
    assert Terminal().send("\x1b[Mh").wait(LONG).send("d").keys == ["d"]
    assert keys_of("\x1b[Mh\rd") == []


def test_13_1_bytes_that_are_no_text_are_no_keys() -> None:
    assert keys_of(b"\xff\xfeh") == ["h"]
    assert keys_of(b"\xe2\x99h") == keys_of(b"\xe2\x9bh") == ["h"]
    assert keys_of("\x85\x80") == []


def test_K5_13_2_a_paste_is_one_text_without_controls() -> None:
    assert keys_of(f"{PASTE}good\r\nluck\x1b[31m{END}") == ["good  luck [31m"]
    assert keys_of(*f"{PASTE}hd{END}") == ["hd"]
    assert keys_of(f"{PASTE}a{PASTE}b{END}") == ["a [200~b"]
    assert keys_of(f"{PASTE}a\x1b[201", "~", "\r") == ["a", "Keys.ControlM"]
    assert keys_of(b"\x9b200~a\x9b201~") == ["a"]
    assert keys_of(f"{PASTE}{END}") == []


def test_K5_13_2_a_paste_without_end_is_over_after_a_silence() -> None:
    terminal = Terminal().send(PASTE, "hd").wait()
    assert terminal.keys == ["hd"]
    assert terminal.send("s").wait().keys == ["hd", "s"]
    terminal.wait(LONG).send("h")
    paste = Keys.BracketedPaste
    assert [each.key for each in terminal.pressed] == [paste, paste, "h"]


def test_K5_13_2_the_rest_of_a_paste_that_was_held_up_is_no_keys() -> None:
    terminal = Terminal().send(PASTE, "good ").wait(LONG)
    assert terminal.send(f"hd\r{END}").keys == ["good ", "hd "]
    assert terminal.wait().send("h").keys[2:] == ["h"]
    assert keys_of(f"hd{PASTE}a{END}") == ["h", "d", "a"]
    assert keys_of(f"5\x03{END}") == ["5", "Keys.ControlC"]


@pytest.mark.parametrize("key", ["\x03", "\x04"])
@pytest.mark.parametrize(
    "begun", [PASTE, f"{PASTE}abc\x1b[2", "\x1b", "\x1b[", "\x1b[5", "\x1bO", "\x1b[M"]
)
@pytest.mark.parametrize("more", ["", "\x1b]11;"])
def test_K5_13_2_ctrl_c_and_ctrl_d_count_whatever_was_begun(
    begun: str, more: str, key: str
) -> None:
    names = {"\x03": "Keys.ControlC", "\x04": "Keys.ControlD"}
    assert keys_of(begun + more + key)[-1:] == [names[key]]


def test_K5_13_2_a_huge_paste_is_bounded() -> None:
    terminal = Terminal().send(PASTE)
    for _ in range(50):
        terminal.send("h" * 1024)
    assert terminal.send(END, "h").keys == ["h" * LONGEST_PASTE, "h"]


def split(seed: random.Random, text: str) -> list[str]:
    """Split a text between any of its bytes, and decode as prompt_toolkit does."""
    sent = text.encode("utf-8", "surrogateescape")
    ends = [0, *sorted(seed.choices(range(len(sent) + 1), k=3)), len(sent)]
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    parts = [decoder.decode(sent[a:b]) for a, b in itertools.pairwise(ends)]
    return [*parts, decoder.decode(b"", final=True)]


def check_splits(count: int) -> None:
    seed = random.Random(1313)
    for text in unknown_strings(seed, count):
        whole = Terminal(for_lines=True).send(text)
        parts = Terminal(for_lines=True).send(*split(seed, text))
        assert whole.keys == parts.keys, text
        assert Terminal().send(text).wait(LONG).send("h").keys[-1:] == ["h"], text


def test_13_1_random_strings_mean_the_same_however_they_are_split() -> None:
    check_splits(3_000)


@pytest.mark.torture
def test_13_1_200_000_random_strings_mean_the_same_split_or_whole() -> None:
    check_splits(200_000)
