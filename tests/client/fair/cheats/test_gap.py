"""Money that is taken while a line is lost."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bj_protocol import commands, events
from bj_protocol.messages import Message, Recalled, Snapshot, Update
from bj_protocol.views import Phase
from bj_server.table.inbox import FromLine
from support.cheating import (
    answer_to,
    assert_found,
    deal_to_ask,
    found,
    hang_up,
    noted,
    own,
    pictured,
    play,
)
from support.company import Company, honest

ROUNDS = 2
"""Those that were played before the server cheats."""

_TAKEN = 5000

pytestmark = pytest.mark.usefixtures("two_seats")


def poorer(
    picture: Snapshot, cents: int = _TAKEN, *, gone: tuple[str, ...] = ()
) -> Snapshot:
    """Return a picture in which ned21 has less money, and its question says so."""
    if picture.you is None:
        return picture
    seats, asks = [], []
    for view in picture.seats:
        taken = cents if view.seat == picture.you.seat else 0
        ours = view.model_copy(update={"balance": view.balance - taken})
        seats += [] if view.handle in gone else [ours]
    numbers = {view.seat for view in seats}
    for ask in () if picture.turn is None else picture.turn.asks:
        if ask.seat == picture.you.seat and ask.wager is not None:
            less = replace(ask.wager, maximum=ask.wager.maximum - cents)
            ask = ask.model_copy(update={"wager": less})
        asks += [ask] if ask.seat in numbers else []
    turn = picture.turn and picture.turn.model_copy(update={"asks": tuple(asks)})
    return picture.model_copy(update={"seats": tuple(seats), "turn": turn})


def come_back(rig: Company, change: Callable[[Snapshot], Snapshot] = poorer) -> None:
    rig.outlet.cheat = pictured(change)
    rig.join("ned21")
    rig.outlet.cheat = honest
    rig.wait(1)


def miss_round(rig: Company) -> None:
    """Have ned21 away for a round without its money, of which no update is left."""
    hang_up(rig, "ned21")
    rig.wait(40)
    play(rig, 1, most=10)
    rig.outlet.recent.clear()


def why_no_bet(rig: Company) -> str:
    bet = commands.PlaceBet(prompt=rig.ask("ned21").prompt, amount=1000)
    refused = rig.players["ned21"].linker.why_not(bet)
    return "" if refused is None else refused.text


def test_there_is_no_bet_until_a_recall_says_where_the_money_is(rig: Company) -> None:
    miss_round(rig)
    recall, rig.recall = rig.recall, lambda line, command: None  # type: ignore[method-assign]
    come_back(rig)
    assert "Your balance fell by $50.00, and the server has not told" in why_no_bet(rig)
    assert rig.players["ned21"].findings == []
    recall(rig.line["ned21"], commands.Recall(rounds=2))
    found(rig, "balance fell while nothing was told")


@pytest.mark.parametrize("table", ["main", "attic"])
def test_a_round_that_is_made_up_does_not_explain_it(rig: Company, table: str) -> None:
    miss_round(rig)
    fallen = rig.players["ned21"].checker.purses.cents(own(rig))
    assert fallen is not None

    def made_up(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if not isinstance(message, Recalled):
            return pictured(poorer)(message, text, line)
        money = {"balance_before": fallen, "balance_after": fallen - _TAKEN}
        number = {"round": rig.table.context.round - 1, "table": table}
        last = message.rounds[-1].model_copy(update=money | number)
        lie = Recalled(rounds=(*message.rounds, last))
        return [(lie, lie.model_dump_json())]

    rig.outlet.cheat = made_up
    rig.join("ned21")
    rig.wait(1)
    noted(rig, r"you have \$50.00 less, and your client has not bet it")


def test_a_picture_without_us_in_between_does_not_hide_it(rig: Company) -> None:
    miss_round(rig)

    def without_us(picture: Snapshot) -> Snapshot:
        return poorer(picture, 0, gone=("ned21",)).model_copy(update={"you": None})

    come_back(rig, without_us)
    miss_round(rig)
    come_back(rig)
    found(rig, "balance fell while nothing was told")


@pytest.mark.usefixtures("hands_to_play")
def test_what_a_recalled_round_has_brought_is_ours(rig: Company) -> None:
    ned = rig.players["ned21"]
    for _ in range(30):
        deal_to_ask(rig)
        had = ned.checker.purses.cents(own(rig))
        assert had is not None
        hang_up(rig, "ned21")
        play(rig)
        rig.outlet.recent.clear()
        brought = rig.bank.balance("ned21") - had
        if brought > 0:
            break
        come_back(rig, lambda picture: picture)
        play(rig)
    come_back(rig, lambda picture: poorer(picture, brought))
    found(rig, "balance fell while nothing was told")


@pytest.mark.usefixtures("hands_to_play")
def test_decisions_in_recalled_rounds_are_counted(rig: Company) -> None:
    for _ in range(2):
        deal_to_ask(rig)
        hang_up(rig, "ned21")
        play(rig)
        rig.outlet.recent.clear()
        come_back(rig, lambda picture: picture)
    noted(rig, "it was decided for you since your line was lost, the 2. time")


@pytest.mark.usefixtures("hands_to_play")
def test_a_stake_on_the_table_is_missed_from_no_purse(rig: Company) -> None:
    deal_to_ask(rig)
    hang_up(rig, "ned21")
    rig.outlet.recent.clear()
    rig.wait(2)
    come_back(rig, lambda picture: poorer(picture, 900))
    assert rig.picture.phase is Phase.PLAYING
    rig.wait(1)
    found(rig, "balance fell while nothing was told|does not follow")


def test_a_restart_with_another_seat_gone_does_not_hide_it(rig: Company) -> None:
    rig.restart()
    ned, story = rig.players["ned21"], rig.table.context.story
    assert story is not None
    assert story.began is not None
    start = story.began.head

    def at_the_start(picture: Snapshot) -> Snapshot:
        assert picture.story is not None
        told = picture.story.model_copy(update={"head": start})
        known = {"seq": ned.seq, "story": told, "turn": None}
        return poorer(picture.model_copy(update=known), gone=("lia9",))

    come_back(rig, at_the_start)
    assert_found(ned, "balance is lower after a restart, and no round was played")


@pytest.mark.usefixtures("hands_to_play")
@pytest.mark.parametrize("has_told", [True, False])
def test_answers_that_we_have_not_sent_are_told(
    rig: Company, *, has_told: bool
) -> None:
    """They may be those of another client of the same player."""
    hang_up(rig, "ned21")
    rig.line["ned21"] = rig.knock("ned21", "ned21")
    for _ in range(60):
        if rig.picture.phase is Phase.PLAYING and rig.is_asked("ned21"):
            break
        play_once(rig)
    for _ in range(60):
        if rig.picture.phase is not Phase.PLAYING:
            break
        play_once(rig)
    if not has_told:
        rig.outlet.recent.clear()
    come_back(rig, lambda picture: picture)
    play(rig)
    notes = " ".join(map(str, rig.players["ned21"].notes))
    assert (
        "place bet 1000 cents, and your client has not sent it" in notes
    ) is has_told
    assert ("client has not sent it, the 2. time" in notes) is has_told
    assert rig.players["ned21"].findings == []


def play_once(rig: Company) -> None:
    """Have everyone who is asked answer, whoever hears of it."""
    for seat in list(rig.table.context.seats.here):
        if seat.ask is not None and seat.line is not None:
            rig.send(FromLine(seat.line, answer_to(rig, seat.handle)))
    rig.wait(2.1)


@pytest.mark.usefixtures("hands_to_play")
def test_a_bet_in_books_from_a_backup_is_ours(rig: Company, tmp_path: Path) -> None:
    deal_to_ask(rig)
    rig.bank.journal.write()
    shutil.copytree(rig.settings.bank, tmp_path / "backup")
    play(rig, 2)
    rig.kill()
    rig.bank.close()
    rig.restore(tmp_path / "backup")
    rig.join("ned21")
    noted(rig, "put back from a backup")
    assert not any("not bet it" in str(note) for note in rig.players["ned21"].notes)


@pytest.mark.usefixtures("hands_to_play")
def test_a_bet_of_the_same_player_at_another_client_is_told_and_no_lie(
    rig: Company,
) -> None:
    ned = rig.players["ned21"]
    hang_up(rig, "ned21")
    rig.line["ned21"] = rig.knock("ned21", "ned21")
    for _ in range(60):
        if rig.picture.phase is Phase.PLAYING and rig.is_asked("ned21"):
            break
        play_once(rig)
    rig.outlet.recent.clear()
    come_back(rig, lambda picture: picture)
    play(rig)
    staked = r"you have \$10.00 on the table, and your client has not bet it"
    noted(rig, staked)
    hang_up(rig, "ned21")
    rig.line["ned21"] = rig.knock("ned21", "ned21")
    for _ in range(40):
        before = rig.bank.balance("ned21")
        play(rig)
        if rig.bank.balance("ned21") < before:
            break
    rig.outlet.recent.clear()
    come_back(rig, lambda picture: picture)
    rig.wait(40)
    assert ned.findings == []


def test_money_that_is_taken_twice_in_one_round_is_told_twice(rig: Company) -> None:
    ned, seat = rig.players["ned21"], own(rig)
    had = ned.checker.purses.cents(seat)
    assert had is not None
    hang_up(rig, "ned21")
    gone: list[events.Event] = []
    for balance in had - 100, had - 200:
        gone.append(events.PlayerLeft(seat=seat, handle="ned21"))
        gone.append(events.PlayerJoined(seat=seat, handle="ned21", balance=balance))

    def lied(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Update) and message.seq == ned.seq + 1:
            message = message.model_copy(update={"events": tuple(gone)})
            rig.outlet.cheat = honest
            return [(message, message.model_dump_json())]
        return [(message, text)]

    rig.wait(40)
    play(rig, 1, most=10)
    rig.outlet.cheat = lied
    rig.join("ned21")
    told = r"you are seated anew with \$1.00 less than you had when you left"
    noted(rig, f"{told}\\.")
    noted(rig, f"{told}, the 2. time")
