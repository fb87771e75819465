"""Several players at one keyboard, with the real server and the real client."""

import os
from pathlib import Path

import pytest

from support.nursery import Child
from support.terminal import Terminal
from whole.host import Host

HANDLES = ("ned21", "lia9")
# ned21 splits eights, doubles one half, and stands on the other; lia9 hits twice.
FIRST = "8s 5d 6h 8d 6c Th 3c Tc 9s 2c 7d Kh"
# The dealer has a blackjack: ned21 is insured, lia9 is not.
SECOND = "Ts Th Ah 9d 7s Kd"
# Nobody can split or insure, and the dealer busts.
PLAIN = "Ts 9h 6c 9s 8h 8s 2c Td"


def hotseat(host: Host, home: Path, *handles: str) -> Terminal:
    named = [part for handle in handles for part in ("--handle", handle)]
    options = ("--line", "--server", host.address, "--pace", "0")
    return Terminal("bj_client", *options, *named, HOME=str(home))


def pipe(host: Host, lines: str, *arguments: str, **variables: str) -> list[str]:
    """Play by piped lines, and return what was printed."""
    place = ("--plain", "--server", host.address)
    client = Child("bj_client", *place, *arguments, environment=os.environ | variables)
    said, errors = client.communicate(lines)
    assert (client.returncode, errors) == (0, "")
    assert "\x1b" not in said
    return said.splitlines()


def test_cpsc386_01_hotseat_players_take_turns_at_one_terminal(
    tmp_path: Path,
) -> None:
    bank = tmp_path / "bank"
    with (
        Host(bank, "--stack", f"{FIRST} {SECOND}") as host,
        hotseat(host, tmp_path, *HANDLES) as keyboard,
    ):
        keyboard.until("ned21, bet ($1 to $10,000, o to sit out)?")
        assert "Seat 1: ned21 (you); bank $10,000.00" in keyboard.text
        assert "Seat 2: lia9 (you); bank $10,000.00" in keyboard.text
        play_the_first_round(keyboard)
        play_the_second_round(keyboard)
        keyboard.answer("n", "Good-bye, lia9: 2 rounds, 1 won, 1 lost")
        assert keyboard.end() == 0
        for once in ("The dealer has busted with 26", "Round 2 is over."):
            assert keyboard.text.count(once) == 1
        assert "Traceback" not in keyboard.text

    with Host(bank) as host:
        said = pipe(host, "", "--handle", "lia9", "--handle", "ned21")
    assert said[0] == "Welcome, lia9: table main, seat 1, bank $10,000.00."
    assert said[1] == "Welcome, ned21: table main, seat 2, bank $10,240.00."


def play_the_first_round(keyboard: Terminal) -> None:
    keyboard.answer("100", "lia9, bet ($1 to $10,000, o to sit out)?")
    assert "ned21 gets 8♠" not in keyboard.text
    keyboard.answer("50", "ned21, hit (h), stand (s), double (d) or split (p)?")
    assert "10♥" not in keyboard.text
    keyboard.answer("p", "ned21, hand 1: hit (h), stand (s) or double (d)?")
    keyboard.answer("d", "ned21, hand 2: hit (h), stand (s) or double (d)?")
    keyboard.answer("s", "lia9, hit (h), stand (s) or double (d)?")
    keyboard.answer("h", "lia9, hit (h) or stand (s)?")
    keyboard.answer("h", "lia9 gets 7♦: 20")
    keyboard.answer("s", "ned21 for all: Play again (y/n)?")
    assert "ned21 (hand 1) wins $200.00 with 20" in keyboard.text
    assert "ned21 (hand 2) wins $100.00 with 18" in keyboard.text
    assert "lia9 wins $50.00 with 20" in keyboard.text


def play_the_second_round(keyboard: Terminal) -> None:
    keyboard.answer("y", "ned21, bet ($1 to $10,300")
    keyboard.answer("100", "lia9, bet ($1 to $10,050")
    keyboard.answer("50", "ned21, insurance ($1 to $10,200")
    keyboard.answer("40", "insurance $40.00; bank")
    keyboard.answer("s", "lia9, insurance ($1 to $10,000")
    keyboard.answer("n", "lia9 takes no insurance")
    keyboard.answer("s", "Round 2 is over")
    keyboard.until("ned21 | bank $10,240.00 | wins minus losses +1")


def test_cpsc386_01_hotseat_four_players_act_in_the_order_of_their_names(
    tmp_path: Path,
) -> None:
    stack = "Ts 9h Tc 9s 6c 9s 8h 8s 7s Kd Ad"
    with Host(tmp_path / "bank", "--stack", stack) as host:
        lines = "50\n60\n70\n80\ns\ns\ns\ns\nn\n"
        said = pipe(host, lines, BJ_HANDLE="dora, carl, bea, abe")
    handles = ["dora", "carl", "bea", "abe"]
    asked = [line.partition(",")[0] for line in said if line.endswith("?")]
    assert asked == [*handles, *handles, "dora for all: Play again (y/n)?"]
    turned = said.index("The dealer turns the hidden card, K♦: 16.")
    assert said.index("abe stands with 16.") < turned
    assert [line.partition(":")[0] for line in said[-4:]] == [
        f"Good-bye, {handle}" for handle in handles
    ]


def test_cpsc386_13_first_player_answers_by_a_pipe_for_all(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", PLAIN) as host:
        two = ("--handle", "a", "--handle", "b")
        said = pipe(host, "50\n60\ns\ns\nn\n", *two)
    assert [line for line in said if line.endswith("?")] == [
        "a, bet ($1 to $10,000, o to sit out)?",
        "b, bet ($1 to $10,000, o to sit out)?",
        "a, hit (h), stand (s) or double (d)?",
        "b, hit (h), stand (s) or double (d)?",
        "a for all: Play again (y/n)?",
    ]
    assert said[-2].startswith("Good-bye, a: 1 round, 1 won, 0 lost")
    assert said[-1].startswith("Good-bye, b: 1 round, 1 won, 0 lost")
    assert said[-1].endswith("net $60.00, bank $10,060.00.")


def test_cpsc386_13_first_player_answers_at_a_terminal_and_all_are_dealt_in_again(
    tmp_path: Path,
) -> None:
    stack = f"{PLAIN} 9s 9h 6d Ts 8c 8s 2d Tc"
    with (
        Host(tmp_path / "bank", "--stack", stack) as host,
        hotseat(host, tmp_path, *HANDLES) as keyboard,
    ):
        keyboard.until("ned21, bet ($1 to $10,000")
        for answer in ("1", "2"):
            keyboard.answer(answer, f"bets ${answer}.00.")
        keyboard.until("ned21, hit (h)")
        keyboard.answer("s", "lia9, hit (h)")
        keyboard.answer("s", "ned21 for all: Play again (y/n)?")
        keyboard.answer("maybe", "That is none of the choices")
        keyboard.answer("yes", "ned21, bet ($1 to $10,001")
        keyboard.answer("3", "lia9, bet ($1 to $10,002")
        keyboard.answer("4", "lia9 bets $4.00.")
        keyboard.until("ned21 gets 10♠: 19")
        keyboard.answer("s", "lia9 has 9♥ 8♣ (17), stake $4.00")
        keyboard.child.send("\x03")
        assert keyboard.end() == 130
    assert keyboard.text.count("deals to ned21 and lia9") == 2
    assert "Interrupted: ned21 has left after 2 rounds" in keyboard.text
    assert "; lia9 has left after 2 rounds" in " ".join(keyboard.text.split())


@pytest.mark.parametrize(
    ("looks", "bet"), [(("--line",), "ned21, bet ("), ((), "ned21: Bet $1 to ")]
)
def test_cpsc386_01_without_handles_a_terminal_asks_who_plays(
    tmp_path: Path, looks: tuple[str, ...], bet: str
) -> None:
    with Host(tmp_path / "bank", "--no-clock") as host:
        options = ("--server", host.address, "--pace", "0", *looks)
        home, size = str(tmp_path), (100, 30)
        with Terminal("bj_client", *options, size=size, HOME=home) as keyboard:
            keyboard.until("How many players (1 to 4)?")
            keyboard.answer("5", "Type a number from 1 to 4")
            keyboard.answer("2", "Handle of player 1?")
            keyboard.answer("ned21", "Handle of player 2?")
            keyboard.answer("Lia9", bet)
            keyboard.child.sendintr()
            assert keyboard.end() == 130


def test_cpsc386_01_who_is_asked_may_leave(tmp_path: Path) -> None:
    for keys, code in (("q\r", 0), ("\x04", 0), ("\x03", 130)):
        with Terminal("bj_client", "--plain", HOME=str(tmp_path)) as keyboard:
            keyboard.until("How many players (1 to 4)?")
            keyboard.child.send(keys)
            assert keyboard.end() == code
            assert "Traceback" not in keyboard.text
