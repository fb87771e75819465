"""Honest twins: the same happens as with those who cheat, and nothing is found."""

from collections.abc import Callable

import pytest

from bj_protocol import commands
from bj_protocol.commands import Leave, Resync
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine, Give
from support.cheating import deal_to_ask, hang_up, play
from support.company import Company, Done

ROUNDS = 2
"""Those that were played before the server cheats."""


def rest(rig: Company) -> None:
    """Let the clock decide whatever is asked, after an answer that is none."""
    deal_to_ask(rig)
    rig.answer("ned21", commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=7))
    rig.wait(31)
    rig.wait(31)


def come_again(rig: Company) -> None:
    rig.players["ned21"].send(commands.Leave())
    rig.send(FromLine(rig.line["ned21"], Leave()))
    play(rig)
    rig.join("ned21")


def miss_some(rig: Company) -> None:
    """Lose the line in the middle of a round, and what was told meanwhile."""
    deal_to_ask(rig, "lia9")
    hang_up(rig, "ned21")
    rig.wait(1)
    rig.outlet.recent.clear()
    rig.join("ned21")


def miss_the_call(rig: Company) -> None:
    bet = commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=1000)
    rig.answer("ned21", bet)
    hang_up(rig, "ned21")
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")


def start_anew(rig: Company) -> None:
    deal_to_ask(rig)
    rig.restart()
    rig.join("ned21")
    rig.join("lia9")


def be_given(rig: Company) -> None:
    rig.send(Give("ned21", 700, Done()))


def be_shown(rig: Company) -> None:
    deal_to_ask(rig)
    rig.send(FromLine(rig.line["ned21"], Resync()))


TWINS = (
    rest,
    come_again,
    miss_some,
    miss_the_call,
    start_anew,
    be_given,
    be_shown,
)


def honest_evening(rig: Company, twin: Callable[[Company], None], rounds: int) -> None:
    last = rig.table.context.round + rounds
    while rig.table.context.round < last:
        before = rig.table.context.round
        if rig.picture.phase is not Phase.BETTING or not rig.is_asked("ned21"):
            play(rig)
        else:
            twin(rig)
            play(rig, 2)
        assert rig.table.context.round > before
    found = [str(f) for player in rig.players.values() for f in player.findings]
    # That links of others are missing so often is found by design.
    assert not [each for each in found if "without the link of ned21" not in each]


@pytest.mark.parametrize("twin", TWINS)
def test_an_honest_server_is_not_accused(
    rig: Company, twin: Callable[[Company], None]
) -> None:
    honest_evening(rig, twin, 4)


@pytest.mark.torture
@pytest.mark.parametrize("twin", TWINS)
def test_an_honest_server_is_not_accused_in_hundreds_of_rounds(
    rig: Company, twin: Callable[[Company], None]
) -> None:
    honest_evening(rig, twin, 500)
