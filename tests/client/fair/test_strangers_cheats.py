"""Servers that cheat as a stranger thought of it, each with what becomes of it.

Each one gains by what it does: money is taken, a loss is chosen, or a win is refused.
What is told is chained and signed as if it were true, unless it is told to one line.
"""

import random
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_game.play import Decider, Play, Reply
from bj_game.shoe import Shoe
from bj_protocol import commands, events
from bj_protocol.action import Action
from bj_protocol.cause import By
from bj_protocol.messages import Message, Refused, Signed, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase
from bj_server.table.felt import Felt
from bj_server.table.inbox import Give, Quit, Say, Show
from bj_server.table.playing import Playing
from cheating import answer_to, assert_found, changed, play, told
from company import Cheat, Company, Done, repeatable

Patch = pytest.MonkeyPatch


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Company]:
    """Return a table at which ned21 and lia9 sit, two rounds into the evening."""
    with repeatable(random.Random(2)), Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        rig.join("lia9")
        play(rig, 2)
        yield rig


def found(rig: Company, pattern: str, number: int | None = None) -> None:
    assert_found(rig.players["ned21"], pattern, number)


def noted(rig: Company, pattern: str) -> None:
    said = [str(note) for note in rig.players["ned21"].notes]
    assert any(re.search(pattern, note) for note in said), said


def bet_all(rig: Company) -> None:
    for seat in list(rig.table.felt.seats):
        if seat.ask is not None:
            bet = commands.PlaceBet(prompt=seat.ask.prompt, amount=1000)
            rig.answer(seat.handle, bet)


def deal_to_ask(rig: Company, handle: str = "ned21") -> None:
    """Play until ``handle`` is asked what to do with a hand."""
    for _ in range(60):
        if rig.picture.phase is Phase.PLAYING and rig.is_asked(handle):
            return
        if rig.picture.phase is Phase.BETTING:
            bet_all(rig)
            continue
        for seat in list(rig.table.felt.seats.here):
            if seat.ask is not None and seat.handle != handle:
                rig.answer(seat.handle, answer_to(rig, seat.handle))
    raise AssertionError("never asked")


def hang_up(rig: Company, handle: str) -> None:
    rig.outlet.audience.discard(rig.line[handle])
    rig.drop(handle)


def pictured(change: Callable[[Snapshot], Snapshot]) -> Cheat:
    """Return what shows everyone other pictures of the table."""

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line is not None and isinstance(message, Snapshot):
            other = change(message)
            return [(other, other.model_dump_json())]
        return [(message, text)]

    return cheat


def own(rig: Company) -> int:
    return rig.seat("ned21").seat


def picture_of(rig: Company, handle: str = "ned21") -> Snapshot:
    shown = rig.table.snapshot(rig.line[handle])
    assert shown is not None
    return shown


def poorer(picture: Snapshot, cents: int = 5000) -> Snapshot:
    """Return a picture in which everyone has less money."""
    seats = tuple(
        view.model_copy(update={"balance": view.balance - cents})
        for view in picture.seats
    )
    return picture.model_copy(update={"seats": seats})


# Rounds that are undone.


def test_a_table_that_is_set_back_within_a_run_is_found(rig: Company) -> None:
    before = picture_of(rig)
    play(rig)
    rig.outlet.tell(rig.line["ned21"], before)
    found(rig, "gone back")


def restored(rig: Company, folder: Path, name: str) -> None:
    rig.bank.write()
    shutil.copytree(rig.settings.bank, folder / f"backup{name}")
    play(rig, 2)
    rig.kill(folder / f"gone{name}")
    rig.bank.close()
    rig.restore(folder / f"backup{name}")
    rig.join("ned21")
    rig.join("lia9")
    play(rig)


def test_wins_that_are_undone_by_backups_are_counted(
    rig: Company, tmp_path: Path
) -> None:
    restored(rig, tmp_path, "1")
    assert not rig.players["ned21"].findings
    noted(rig, "backup.*cents|backup.*\\$")
    restored(rig, tmp_path, "2")
    found(rig, "backup.*the 2. time")


# Rules and clocks.


def test_rules_that_change_within_a_run_are_found(rig: Company) -> None:
    worse = {**picture_of(rig).house.terms, "natural": "1:1"}

    def change(picture: Snapshot) -> Snapshot:
        house = picture.house.model_copy(update={"terms": worse})
        return picture.model_copy(update={"house": house})

    rig.outlet.cheat = pictured(change)
    rig.send(Show(rig.line["ned21"]))
    found(rig, "rules")


def test_less_time_than_the_table_says_is_told(
    rig: Company, monkeypatch: Patch
) -> None:
    """The server knows who wins, and gives no time where standing loses."""
    monkeypatch.setattr(
        Playing,
        "_start_clock",
        lambda self: setattr(self, "deadline", self._felt.clock.now() + 0.1),
    )
    for _ in range(2):
        deal_to_ask(rig)
        rig.wait(0.2)
        play(rig)
    play(rig)
    noted(rig, r"we had 0\.1 of 20\.0 seconds to decide, the 2\. time")


# Money.


def test_a_gift_that_takes_money_is_found(rig: Company, monkeypatch: Patch) -> None:
    take = events.GiftGiven(seat=own(rig), amount=-5000, balance=0, by_host=True)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BettingOpened):
            balance = rig.table.felt.till.balance("ned21") - 5000
            return [event, take.model_copy(update={"balance": balance})]
        return [event]

    changed(rig, monkeypatch, change)
    play(rig)
    found(rig, "a gift of the host takes money")


def test_who_is_seated_anew_with_less_money_is_told(
    rig: Company, monkeypatch: Patch
) -> None:
    seat = own(rig)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BettingOpened):
            balance = rig.table.felt.till.balance("ned21") - 5000
            return [
                events.PlayerLeft(seat=seat, handle="ned21"),
                events.PlayerJoined(seat=seat, handle="ned21", balance=balance),
                event,
            ]
        return [event]

    changed(rig, monkeypatch, change)
    play(rig)
    found(rig, "seated anew on the same line")


def test_money_that_is_gone_after_a_restart_is_found(rig: Company) -> None:
    rig.restart()
    rig.outlet.cheat = pictured(poorer)
    rig.join("ned21")
    rig.wait(1)
    found(rig, "balance fell|is gone after a restart|lower")


def test_money_that_is_gone_after_a_gap_in_a_round_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Whoever comes back in the middle of a round knows no balance for certain."""
    deal_to_ask(rig, "lia9")
    hang_up(rig, "ned21")
    rig.wait(1)
    rig.outlet.recent.clear()
    rig.join("ned21")
    assert rig.picture.phase is Phase.PLAYING
    play(rig)

    def change(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BetPlaced):
            return [event.model_copy(update={"balance": event.balance - 5000})]
        return [event]

    changed(rig, monkeypatch, change)
    bet_all(rig)
    found(rig, "balance of seat")


def test_a_goodbye_with_another_balance_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    story = rig.table.felt.story
    assert story is not None
    sign = story.sign

    def lower(kind: StatementKind, seq: int, number: int, note: str = "") -> Signed:
        if kind is StatementKind.GOODBYE:
            handle, cents = note.split(" ")
            note = f"{handle} {int(cents) - 5000}"
        return sign(kind, seq, number, note)

    monkeypatch.setattr(story, "sign", lower)
    rig.players["ned21"].send(commands.Leave())
    rig.send(Quit(rig.line["ned21"]))
    found(rig, "good-bye")


# Bets and decisions that nobody has made.


def test_a_bet_that_is_placed_unasked_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    seat = own(rig)

    def change(update: Update) -> Update:
        turn = update.turn
        if turn is not None and any(a.wager for a in turn.asks):
            asks = tuple(ask for ask in turn.asks if ask.seat != seat)
            turn = turn.model_copy(update={"asks": asks})
        return update.model_copy(update={"turn": turn})

    told(rig, monkeypatch, change)
    line = rig.line["ned21"]
    play(rig)  # to questions that we do not see
    felt_seat = rig.table.felt.seats.of_handle("ned21")
    assert felt_seat is not None
    if felt_seat.ask is not None:
        bet = commands.PlaceBet(prompt=felt_seat.ask.prompt, amount=5000)
        rig.send(Say(line, bet))
    found(rig, "played otherwise than we did")


@pytest.mark.parametrize("by", [By.PLAYER, By.CLOCK, By.ABSENCE])
def test_a_hand_that_is_played_unasked_is_found(
    rig: Company, monkeypatch: Patch, by: By
) -> None:
    ask = Playing._ask

    def unasked(playing: Playing) -> list[Any]:
        fresh = ask(playing)
        for seat in fresh:
            if seat.handle == "ned21" and seat.ask is not None:
                prompt = next(p for p in playing.deal.prompts if p.seat == seat.number)
                reply = Reply(play=prompt.default, by=Decider(by.value))
                playing._play(seat, reply)
        return fresh

    monkeypatch.setattr(Playing, "_ask", unasked)
    play(rig, 6)
    found(rig, "played otherwise|decided for us")


def test_an_answer_that_is_used_twice_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    for _ in range(20):
        deal_to_ask(rig)
        number = rig.table.felt.round
        ask = rig.ask("ned21")
        if Action.HIT not in ask.actions:
            rig.answer("ned21", answer_to(rig, "ned21"))
            continue
        with monkeypatch.context() as patch:
            patch.setattr(Felt, "next_prompt", lambda felt: felt.last_prompt)
            rig.answer("ned21", commands.Hit(prompt=ask.prompt))
        seat, phase = rig.table.felt.seats.of_handle("ned21"), rig.table.phase
        if rig.table.felt.round == number and rig.is_asked("ned21"):
            assert seat is not None
            assert isinstance(phase, Playing)
            phase._play(seat, Reply(play=Play.HIT, by=Decider.PLAYER))
            rig.table._step()
            rig.send()
            break
        play(rig)
    play(rig, 3)
    found(rig, "one answer of ours is carried out a second time")


def test_an_answer_in_time_that_is_refused_as_late_is_counted(rig: Company) -> None:
    for _ in range(2):
        deal_to_ask(rig)
        ned, ask = rig.players["ned21"], rig.ask("ned21")
        ned.at = rig.clock.now()
        ned.send(commands.Hit(prompt=ask.prompt))
        refused = Refused(code=RefusalCode.PROMPT_OVER, text="No.", prompt=ask.prompt)
        rig.outlet.tell(rig.line["ned21"], refused)
        rig.wait(31)
        rig.wait(31)
        play(rig)
    play(rig)
    found(rig, "decided for us before the time was up")


# Draws that the server knows.


def test_a_round_without_our_link_is_not_taken_for_proven(
    rig: Company, monkeypatch: Patch
) -> None:
    """The line is cut after the bet, and who is away is dealt in without a link."""
    ned = rig.players["ned21"]
    bet = commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=1000)
    rig.answer("ned21", bet)
    hang_up(rig, "ned21")
    seat = rig.table.felt.seats.of_handle("ned21")
    assert seat is not None
    seat.commitment = None
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")
    rig.wait(1)
    play(rig, 1, most=6)
    assert not [proof for proof in ned.proofs if proof.round == 3]
    found(rig, "your link|your commitment", 3)


def test_a_secret_that_is_chosen_when_the_links_are_known_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Of twenty secrets the one by which the dealer wins most."""
    arrange = Felt.arrange

    def choose(felt: Felt, links: Any) -> None:
        felt.secret = secrets.token_hex(32)
        arrange(felt, links)

    monkeypatch.setattr(Felt, "arrange", choose)
    play(rig)
    found(rig, "not the one that was sealed", 3)


def low_shoe(felt: Felt) -> None:
    """Leave no tens and no aces in what is left of a shoe."""
    shoe = felt.shoe
    low = [card for card in shoe.order[shoe.dealt :] if card.rank not in "TJQKA"]
    cards, below_cut = (*shoe.order[: shoe.dealt], *low), shoe.contents.below_cut
    felt.shoe = Shoe(cards, below_cut=below_cut, dealt=shoe.dealt)


def test_a_shoe_that_no_chance_has_left_is_found(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """Who comes in the middle of a shoe finds no tens and no aces in it."""
    with repeatable(random.Random(2)), Company(tmp_path / "bank") as rig:
        rig.join("lia9")
        play(rig, 6)
        low_shoe(rig.table.felt)
        play(rig, 1)
        rig.join("ned21")
        play(rig, 2)
        found(rig, "chance")


def test_a_picture_with_other_cards_of_the_dealer_is_found(rig: Company) -> None:
    deal_to_ask(rig)

    def swapped(picture: Snapshot) -> Snapshot:
        seat = next(v for v in picture.seats if v.hands)
        first, *cards = seat.hands[0].cards
        up, *rest = picture.dealer.cards
        hand = seat.hands[0].model_copy(update={"cards": (up, *cards)})
        seats = tuple(
            view.model_copy(update={"hands": (hand, *view.hands[1:])})
            if view.seat == seat.seat
            else view
            for view in picture.seats
        )
        dealer = picture.dealer.model_copy(update={"cards": (first, *rest)})
        return picture.model_copy(update={"seats": seats, "dealer": dealer})

    rig.outlet.cheat = pictured(swapped)
    rig.send(Show(rig.line["ned21"]))
    found(rig, "picture of the table")


def test_two_stories_are_found_by_one_who_hears_both(rig: Company) -> None:
    """Two players of one keyboard are told different calls, both of them signed."""
    from bj_client.fair.verification import Verification
    from company import record_of, verified

    ned, lia = rig.players["ned21"], rig.players["lia9"]
    story = rig.table.felt.story
    assert story is not None
    head, seq = story.head, rig.table.felt.seq
    story.head = "ab" * 32
    other = story.sign(StatementKind.END, seq, 2)
    story.head = head
    true = story.sign(StatementKind.END, seq, 2)
    rig.outlet.tell(rig.line["ned21"], true)
    lia_text = other.model_dump_json()
    # lia's line never had another story, as far as she can see
    from bj_client.fair import record

    lines = record_of(ned, lia)
    lines.append(record.heard("lia9", 1e6, lia_text).encode())
    remarks, verification = verified(lines)
    assert any("two stories" in str(each) for each in remarks), remarks
    assert isinstance(verification, Verification)


def test_a_bet_that_is_taken_behind_a_cut_line_is_owed(rig: Company) -> None:
    """The line is cut when the bet is sent, so that it is not heard to be placed."""
    seat = rig.table.felt.seats.of_handle("ned21")
    assert seat is not None
    rig.outlet.deaf.add(rig.line["ned21"])
    bet = commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=1000)
    rig.answer("ned21", bet)
    rig.outlet.deaf.clear()
    hang_up(rig, "ned21")
    seat.commitment = None
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")
    rig.wait(1)
    play(rig, 1, most=6)
    ned = rig.players["ned21"]
    assert not [proof for proof in ned.proofs if proof.round == 3]
    found(rig, "your link|your commitment", 3)


# Honest twins: the same happens, and nothing is found.


def rest(rig: Company) -> None:
    """Let the clock decide whatever is asked, after an answer that is none."""
    deal_to_ask(rig)
    rig.answer("ned21", commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=7))
    rig.wait(31)
    rig.wait(31)


def come_again(rig: Company) -> None:
    rig.players["ned21"].send(commands.Leave())
    rig.send(Quit(rig.line["ned21"]))
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
    rig.send(Show(rig.line["ned21"]))


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
    last = rig.table.felt.round + rounds
    while rig.table.felt.round < last:
        before = rig.table.felt.round
        if rig.picture.phase is not Phase.BETTING or not rig.is_asked("ned21"):
            play(rig)
        else:
            twin(rig)
            play(rig, 2)
        assert rig.table.felt.round > before
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
