"""Two people in two terminals play real rounds, and the bank remembers."""

from pathlib import Path

from support.terminal import Terminal
from whole.host import Host

# ned21 splits eights, doubles one half, and stands on the other; lia9 hits twice.
FIRST = "8s 5d 6h 8d 6c Th 3c Tc 9s 2c 7d Kh"
# The dealer has a blackjack: ned21 is insured, lia9 is not.
SECOND = "Ts Th Ah 9d 7s Kd"


def seat(host: Host, handle: str, home: Path) -> Terminal:
    options = ["--line", "--server", host.address, "--handle", handle, "--pace", "0"]
    return Terminal("bj_client", *options, HOME=str(home))


def test_two_people_play_and_find_their_money_again(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    stack = ("--stack", f"{FIRST} {SECOND}")
    with Host(bank, *stack) as host, seat(host, "ned21", tmp_path) as ned:
        ned.until("Bet ($1 to $10,000")  # and has the first seat
        with seat(host, "lia9", tmp_path) as lia:
            lia.until("Bet ($1 to $10,000")
            play_the_first_round(ned, lia)
            play_the_second_round(ned, lia)
            for terminal in (ned, lia):
                terminal.answer("n", "Good-bye")
                assert terminal.end() == 0
                assert "Traceback" not in terminal.text

    with Host(bank) as host:
        for handle, balance in (("ned21", "$10,240.00"), ("lia9", "$10,000.00")):
            with seat(host, handle, tmp_path) as terminal:
                terminal.until(f"bank {balance}")
                terminal.until("Bet (")
                terminal.answer("q", "Good-bye")
                assert terminal.end() == 0


def play_the_first_round(ned: Terminal, lia: Terminal) -> None:
    ned.answer("100", "ned21 bets $100.00")
    lia.answer("50", "lia9 bets $50.00")
    ned.until("Hit (h), stand (s), double (d) or split (p)?")
    assert "10♥" not in ned.text
    ned.answer("p", "ned21 (hand 2) gets 10♣: 18")
    ned.answer("d", "ned21 (hand 1) gets 9♠: 20")
    ned.answer("s", "ned21 (hand 2) stands with 18")
    lia.until("Hit (h), stand (s) or double (d)?")
    lia.answer("h", "lia9 gets 2♣: 13")
    lia.answer("h", "lia9 gets 7♦: 20")
    lia.answer("s", "lia9 stands with 20")
    for terminal in (ned, lia):
        terminal.until("The dealer has busted with 26")
        terminal.until("ned21 (hand 1) wins $200.00 with 20")
        terminal.until("ned21 (hand 2) wins $100.00 with 18")
        terminal.until("lia9 wins $50.00 with 20")
        terminal.until("Play again (y/n)?")


def play_the_second_round(ned: Terminal, lia: Terminal) -> None:
    ned.answer("y", "Bet ($1 to $10,300")
    lia.answer("y", "Bet ($1 to $10,050")
    ned.answer("100", "ned21 bets $100.00")
    lia.answer("50", "lia9 bets $50.00")
    ned.until("Insurance ($1 to $10,200")
    ned.answer("40", "Hit (h), stand (s) or double (d)?")
    ned.answer("s", "ned21 stands with 19")
    lia.answer("n", "lia9 takes no insurance")
    lia.answer("s", "lia9 stands with 17")
    for terminal in (ned, lia):
        terminal.until("The dealer turns the hidden card, K♦")
        terminal.until("Round 2 is over")
    ned.until("wins minus losses +1")
