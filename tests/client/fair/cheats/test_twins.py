"""Honest twins: the same happens as with those who cheat, and nothing is found.

Many cheats have one set-up, so each set-up has one twin:

- cheats of draws, calls, seals, stories and events: ``play_on``, and ``be_watched``;
- plays, insurances, splits, doubles, peeks and spots: ``gamble``, and a table at
  which the shoe runs dry;
- answers and clocks: ``rest`` and ``answer_late``;
- ways out of a round: ``miss_some``, ``miss_the_call``, ``lose_the_call``,
  ``lose_the_bet``, ``lose_a_link``, ``have_a_void`` and ``see_a_shuffle``;
- starts: ``start_anew``, ``be_killed``, ``find_other_rules`` and ``see_a_backup``;
- money and pictures: ``come_again``, ``be_given`` and ``be_shown``;
- tables that prove nothing: one with a seed.
"""

import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pytest

from bj_game.house import House
from bj_protocol import commands
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine, Give, Reshuffle
from support.cheating import answer_to, bet_all, deal_to_ask, hang_up, play
from support.company import Company
from support.evening import Done
from support.gambler import legal_answer

ON_BENCH = True
"""The whole client hears these in the long tests alone: they take many rounds."""


@dataclass
class Visit:
    """An evening of honest people, and how often what is to happen has happened."""

    rig: Company
    chance: random.Random
    folder: Path
    times: int = 0

    def come_back(self) -> None:
        """Have all who were there join again."""
        for handle in self.rig.players:
            self.rig.join(handle)
        self.rig.wait(1)

    def spend(self, twin: "Twin", rounds: int) -> None:
        context = self.rig.table.context
        last = context.round + rounds
        for _ in range(5 * rounds):
            if self.rig.table.context.round >= last:
                return
            if self.rig.picture.phase is Phase.BETTING and self.rig.is_asked("ned21"):
                twin(self)
                self.times += 1
            play(self.rig)
        raise AssertionError("the table is stuck")


class Twin(Protocol):
    """Does what honest people do when they are asked for bets."""

    def __call__(self, visit: Visit, /) -> None: ...


def play_on(visit: Visit) -> None:
    play(visit.rig)


def be_watched(visit: Visit) -> None:
    if not visit.rig.watchers:
        visit.rig.watch()


def gamble(visit: Visit) -> None:
    """Answer anything that is legal, on any number of spots, until the next bets."""
    rig = visit.rig
    number = rig.table.context.round
    while rig.table.context.round == number:
        seats = [seat for seat in rig.table.context.seats.here if seat.ask]
        for seat in seats:
            if seat.ask is not None:
                rig.answer(seat.handle, legal_answer(visit.chance, seat.ask))
        if not seats:
            rig.wait(2.1)


def rest(visit: Visit) -> None:
    """Let the clock decide whatever is asked, after an answer that is none."""
    rig = visit.rig
    deal_to_ask(rig)
    rig.answer("ned21", commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=7))
    rig.wait(31)
    rig.wait(31)


def answer_late(visit: Visit) -> None:
    """Answer when the clock has decided, which is refused."""
    rig = visit.rig
    deal_to_ask(rig)
    late = answer_to(rig, "ned21")
    rig.wait(31)
    assert rig.answer("ned21", late) is not None


def miss_some(visit: Visit) -> None:
    """Lose the line in the middle of a round, and what was told meanwhile."""
    rig = visit.rig
    deal_to_ask(rig, "lia9")
    hang_up(rig, "ned21")
    rig.wait(1)
    rig.outlet.recent.clear()
    rig.join("ned21")


def miss_the_call(visit: Visit) -> None:
    rig = visit.rig
    rig.answer("ned21", answer_to(rig, "ned21"))
    hang_up(rig, "ned21")
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")


def lose_the_call(visit: Visit) -> None:
    """Lose the line with the link, and be back before the time for it is up."""
    rig = visit.rig
    rig.mute.add("ned21")
    bet_all(rig)
    hang_up(rig, "ned21")
    rig.mute.clear()
    rig.join("ned21")


def lose_the_bet(visit: Visit) -> None:
    """Lose the line when the bet is sent, so that it is not heard to be placed."""
    rig = visit.rig
    rig.outlet.deaf.add(rig.line["ned21"])
    rig.answer("ned21", answer_to(rig, "ned21"))
    rig.outlet.deaf.clear()
    hang_up(rig, "ned21")
    play(rig)
    rig.join("ned21")


def lose_a_link(visit: Visit) -> None:
    """Have one link in forty not arrive in time."""
    if visit.times % 40 == 10:
        visit.rig.mute.add(visit.chance.choice(list(visit.rig.players)))
        play(visit.rig)
        visit.rig.mute.clear()


def have_a_void(visit: Visit) -> None:
    """Have one fault of the server; of a second one people are warned."""
    rig = visit.rig
    if visit.times == 1:
        deal_to_ask(rig)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()


def see_a_shuffle(visit: Visit) -> None:
    visit.rig.send(Reshuffle())


def start_anew(visit: Visit) -> None:
    deal_to_ask(visit.rig)
    visit.rig.restart()
    visit.come_back()


def be_killed(visit: Visit) -> None:
    deal_to_ask(visit.rig)
    visit.rig.kill()
    visit.come_back()


def find_other_rules(visit: Visit) -> None:
    """Have the rules change before the bets, since a round would be void by it."""
    rig = visit.rig
    old = rig.plan.house
    rig.restart(house=replace(old, donor_gift=old.donor_gift + 100))
    visit.come_back()


def see_a_backup(visit: Visit) -> None:
    """Have the books put back once; a second time people are warned."""
    rig = visit.rig
    if visit.times == 1:
        rig.bank.journal.write()
        shutil.copytree(rig.settings.bank, visit.folder / "backup")
    elif visit.times == 3:
        rig.kill()
        rig.bank.close()
        rig.restore(visit.folder / "backup")
        visit.come_back()


def come_again(visit: Visit) -> None:
    rig = visit.rig
    rig.players["ned21"].send(commands.Leave())
    rig.send(FromLine(rig.line["ned21"], commands.Leave()))
    if len(rig.players) > 1:
        play(rig)
    rig.join("ned21")


def be_given(visit: Visit) -> None:
    visit.rig.send(Give("ned21", 700, Done()))


def be_shown(visit: Visit) -> None:
    deal_to_ask(visit.rig)
    visit.rig.send(FromLine(visit.rig.line["ned21"], commands.Resync()))


TWINS = (
    play_on,
    be_watched,
    gamble,
    rest,
    answer_late,
    miss_some,
    miss_the_call,
    lose_the_call,
    lose_the_bet,
    lose_a_link,
    have_a_void,
    see_a_shuffle,
    start_anew,
    be_killed,
    find_other_rules,
    see_a_backup,
    come_again,
    be_given,
    be_shown,
)


def spend(rig: Company, twin: Twin, rounds: int, folder: Path) -> None:
    visit = Visit(rig, random.Random(1), folder)
    visit.spend(twin, rounds)
    assert visit.times
    for player in rig.everyone():
        player.remarks += player.checker.finish()
    found = [str(f) for player in rig.everyone() for f in player.findings]
    # That links of others are missing so often is found by design.
    assert not [each for each in found if "without the link of ned21" not in each]


def dried(house: House) -> House:
    """Return the house with as few cards as it can do with, dealt to the last."""
    if house.shoe != "cut_card":
        pytest.skip("the shoe of this house has no cut card")
    return replace(house, decks=1, cut_card_min=0, cut_card_max=0, max_spots=1)


LENGTHS = pytest.mark.parametrize(
    "rounds", [10, pytest.param(500, marks=pytest.mark.torture)]
)


@pytest.fixture(autouse=True)
def _not_for_hours(way: str, rounds: int) -> None:
    """Have the whole client hear no more than ten rounds."""
    if way in ("lines", "keys") and rounds > 10:
        pytest.skip("the whole client hears ten rounds")


@LENGTHS
@pytest.mark.parametrize("twin", TWINS)
def test_an_honest_server_is_not_accused(
    rig: Company, twin: Twin, rounds: int, tmp_path: Path
) -> None:
    spend(rig, twin, rounds, tmp_path)


@LENGTHS
def test_a_shoe_that_runs_dry_is_no_lie(
    tmp_path: Path, house: House, rounds: int
) -> None:
    with Company(tmp_path / "bank", house=dried(house), seats=2) as rig:
        rig.join("ned21")
        rig.join("lia9")
        spend(rig, gamble, rounds, tmp_path)


@LENGTHS
def test_a_table_that_proves_nothing_is_not_accused(
    tmp_path: Path, house: House, rounds: int
) -> None:
    with Company(tmp_path / "bank", house=house, seats=1, seed=7) as rig:
        rig.join("ned21")
        spend(rig, gamble, rounds, tmp_path)
