"""cpsc386 row 1: how many play at this keyboard, and under which handles."""

import io

import pytest

from bj_client.command import ask_players
from bj_client.options import read_options
from bj_protocol.handle import HANDLE_RULE


def ask(typed: bytes, most: int = 4) -> tuple[tuple[str, ...], str]:
    """Return who plays, and what was shown."""
    shown = io.StringIO()
    return ask_players(most, io.BytesIO(typed), shown), shown.getvalue()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_cpsc386_01_one_to_four_players_say_how_many_they_are(count: int) -> None:
    handles = ("ned21", "lia9", "ibad", "tess")[:count]
    typed = f"{count}\n" + "".join(f"{handle}\n" for handle in handles)
    found, shown = ask(typed.encode())
    assert found == handles
    whose = [f"Handle of player {n + 1}? " for n in range(count)]
    whose = ["Your handle? "] if count == 1 else whose
    assert shown == "How many players (1 to 4)? " + "".join(whose)


@pytest.mark.parametrize("wrong", ["", "0", "5", "two", "-1", "1.5", "11", "\x1b[A"])
def test_cpsc386_01_any_other_number_is_asked_again(wrong: str) -> None:
    found, shown = ask(f"{wrong}\n 2 \nned21\nlia9\n".encode())
    assert found == ("ned21", "lia9")
    assert shown.count("How many players (1 to 4)?") == 2
    assert "Type a number from 1 to 4" in shown


def test_cpsc386_01_a_handle_that_is_none_is_asked_again() -> None:
    found, shown = ask(b"2\n\n../ned\n\xff\xfe\nNed21\nNED21\nlia9\n")
    assert found == ("ned21", "lia9")
    assert shown.count(HANDLE_RULE) == 3
    assert shown.count("That one plays already") == 1
    assert shown.count("Handle of player 2?") == 2


def test_cpsc386_01_where_one_can_play_nobody_asks_how_many() -> None:
    assert ask(b"ned21\n", most=1) == (("ned21",), "Your handle? ")


@pytest.mark.parametrize("typed", [b"", b"q\n", b"2\nned21\n", b"Leave\n"])
def test_cpsc386_01_who_types_no_more_leaves(typed: bytes) -> None:
    with pytest.raises(EOFError):
        ask(typed)


@pytest.mark.parametrize("flags", [(), ("--bot", "basic"), ("--json",)])
def test_cpsc386_01_a_pipe_has_to_name_its_players(
    flags: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("2\nned21\nlia9\n"))
    with pytest.raises(SystemExit) as ended:
        read_options(flags, {})
    assert ended.value.code == 2
    assert "handle" in capsys.readouterr().err


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_terminal_no_word_of_a_complaint_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = _Terminal()
    assert ask_players(1, io.BytesIO(b"a b\nned21\n"), shown) == ("ned21",)
    complaint = shown.getvalue().split("Your handle? ")[1].splitlines()
    assert " ".join(map(str.strip, complaint)) == HANDLE_RULE
    assert all(len(row) <= 40 for row in complaint)
