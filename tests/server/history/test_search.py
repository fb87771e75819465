"""What the search tells of the rounds that it finds in a journal."""

import logging
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bj_game.shoe import ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.proof import bet_commitment, draw_key
from bj_protocol.recall import RoundEnd
from bj_server.bank.bank import Bank
from bj_server.history.recall import recall
from bj_server.settings import load_house
from support.banks import Lines, as_before, of_kind, tamper
from support.linked import LinkedRig
from support.looking import last, look_back, play
from support.rig import Lay, Rig

PUSH = "Ts 9h 9s Td"


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all secrets of a server follow from a seed."""
    drawn = random.Random(7)
    monkeypatch.setattr("secrets.token_bytes", drawn.randbytes)
    monkeypatch.setattr("secrets.token_hex", lambda size: drawn.randbytes(size).hex())


def test_whoever_has_not_played_recalls_nothing(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    assert look_back(rig).rounds == ()


def test_a_round_is_told_with_its_cards_decisions_and_money(lay: Lay) -> None:
    rig = lay(stack="8s Ah 8h Kd 3c 2c", seed=None)
    rig.join("ned21")
    rig.act("ned21", "bet 50, split, insure 20, stand, decline, stand")
    past = last(rig)
    assert (past.table, past.round, past.end) == ("main", 1, RoundEnd.SETTLED)
    assert (past.seat, past.bet, past.spots) == (1, 5000, 1)
    assert [hand.cards for hand in past.hands] == [("8s", "3c"), ("8h", "2c")]
    assert [hand.payout for hand in past.hands] == [0, 0]
    insured = past.hands[0].insured
    assert insured is not None
    assert (insured.amount, insured.payout) == (2000, 4000)
    assert past.dealer is not None
    assert past.dealer.cards == ("Ah", "Kd")
    made = [f"{d.hand} {d.action} {d.amount}" for d in past.decisions]
    assert made == [
        "0 split None",
        "0 insure 2000",
        "0 stand None",
        "1 decline None",
        "1 stand None",
    ]
    assert (past.balance_before, past.balance_after) == (1_000_000, 992_000)
    assert past.draw is None  # it was stacked


def test_the_hands_of_others_are_not_told(lay: Lay) -> None:
    rig = lay(stack="Ts 9c 9h 9s 8c 7d Td", seed=None)
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    play(rig, "ned21", "lia9")
    told = look_back(rig, "lia9").model_dump_json()
    assert '"9c","8c"' in told
    assert "9s" not in told
    assert "ned21" not in told


@pytest.mark.usefixtures("fixed")
def test_a_running_round_is_not_told_nor_its_secret(tmp_path: Path) -> None:
    with LinkedRig(tmp_path, house=load_house("cs220")) as rig:
        rig.join("ned21")
        rig.bet("ned21", 5)
        assert rig.picture.phase == "playing"
        assert look_back(rig).rounds == ()
        rig.play("ned21", "stand")
        draw = last(rig).draw
        assert draw is not None
        ended = rig.seen(events.RoundEnded)[-1]
        assert draw.secret == ended.secret


@pytest.mark.usefixtures("fixed")
def test_the_told_draw_makes_the_cards(tmp_path: Path) -> None:
    with LinkedRig(tmp_path, house=load_house("vegas-strip")) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        play(rig, "ned21", "lia9")
        past, seals = last(rig), rig.seen(events.BettingOpened)
        house = rig.plan.house
    draw = past.draw
    assert draw is not None
    assert draw.seal == seals[0].seal
    assert [bet.handle for bet in draw.bets] == ["ned21", "lia9"]
    assert [play.seat for play in draw.plays] == [1, 2]
    assert {play.action for play in draw.plays} == {Action.STAND}
    for bet, told in zip(draw.bets, draw.links, strict=True):
        due = bet_commitment(
            seal=draw.seal or "", seat=bet.seat, handle=bet.handle, link=told.link
        )
        assert bet.commitment == due
    shoe = shoe_of(house, ShoeContents(left=draw.left, below_cut=draw.below_cut))
    links = [(told.seat, told.link) for told in draw.links]
    shoe.arrange(KeyedStream(draw_key(draw.secret, draw.head, links)))
    cards = [str(card) for card in shoe.order]
    assert past.hands[0].cards == (cards[0], cards[3])


def test_a_bet_that_came_back_for_want_of_links_tells_the_secret(
    tmp_path: Path,
) -> None:
    with LinkedRig(tmp_path) as rig:
        rig.join("ned21")
        rig.silent = {"ned21"}
        rig.bet("ned21", 5)
        rig.wait(2)
        past, voided = last(rig), rig.seen(events.RoundVoided)
    assert (past.end, past.draw and past.draw.links) == (RoundEnd.RETURNED, ())
    assert past.draw is not None
    assert past.draw.secret == voided[0].secret


@pytest.mark.usefixtures("fixed")
def test_a_bet_that_came_back_before_others_were_dealt_to_tells_their_draw(
    tmp_path: Path,
) -> None:
    with LinkedRig(tmp_path, house=load_house("cs220")) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.silent = {"ned21"}
        for handle in ("ned21", "lia9"):
            rig.bet(handle, 5)
        rig.wait(2)
        assert rig.is_asked("lia9")
        assert last(rig).draw is None  # of a round that is played
        till = rig.bank.till("main")
        synced = till.bookmark("ned21").synced
        rig.play("lia9", "stand")
        early = replace(till.bookmark("ned21"), synced=synced)
        assert recall(early, 1).rounds[0].draw is None  # its end may be lost
        past, ended = last(rig), rig.seen(events.RoundEnded)[-1]
    draw = past.draw
    assert draw is not None
    assert (past.end, past.hands) == (RoundEnd.RETURNED, ())
    assert draw.secret == ended.secret
    assert [bet.handle for bet in draw.bets] == ["lia9"]
    assert [told.seat for told in draw.links] == [2]


def test_a_bet_that_came_back_by_itself_tells_no_secret(tmp_path: Path) -> None:
    with LinkedRig(tmp_path) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.bet("ned21", 5)
        rig.leave("ned21")
        assert last(rig).draw is None


def test_a_restart_before_the_cards_tells_the_secret(tmp_path: Path) -> None:
    with LinkedRig(tmp_path) as rig:
        for handle in ("ned21", "lia9"):
            rig.join(handle)
        rig.bet("ned21", 5)
        secret = rig.table.context.secret
        rig.restart()
        rig.join("ned21")
        past = last(rig)
        assert rig.table.context.secret != secret
    assert (past.end, past.draw and past.draw.secret) == (RoundEnd.RETURNED, secret)


@pytest.mark.usefixtures("fixed")
def test_a_void_round_is_told_with_its_draw(tmp_path: Path) -> None:
    with LinkedRig(tmp_path, house=load_house("cs220")) as rig:
        rig.join("ned21")
        rig.bet("ned21", 5)
        rig.table.void("Something went wrong.")
        rig.dealer.carry_out(())
        past = last(rig)
    assert (past.end, past.is_retold) == (RoundEnd.VOID, True)
    assert past.draw is not None
    assert past.draw.plays == ()


def test_a_round_from_before_draws_is_told_without_its_cards(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Rig(tmp_path / "bank", stack=PUSH) as rig:
        rig.join("ned21")
        play(rig, "ned21")
    bank = Bank.open(tamper(tmp_path / "bank", tmp_path / "old", as_before))
    with caplog.at_level(logging.WARNING):
        past = recall(bank.till("main").bookmark("ned21"), 20).rounds[0]
    bank.close()
    assert (past.is_retold, past.hands, past.draw) == (False, (), None)
    assert (past.seat, past.bet, past.spots) == (1, 500, 1)
    assert caplog.text == ""


def test_a_bet_that_came_back_is_told_as_returned(lay: Lay) -> None:
    rig = lay()
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 70)
    rig.leave("ned21")
    past = last(rig)
    assert (past.end, past.bet, past.hands) == (RoundEnd.RETURNED, 7000, ())
    assert past.balance_before == past.balance_after == 1_000_000


def test_a_bet_that_came_back_and_was_placed_again_is_one_round(lay: Lay) -> None:
    rig = lay()
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 70)
    rig.leave("ned21")
    rig.join("ned21")
    rig.bet("ned21", 40)
    assert look_back(rig).rounds == ()  # it is on again
    rig.bet("lia9", 5)
    while rig.picture.phase == "playing":
        handle = next(h for h in ("ned21", "lia9") if rig.is_asked(h))
        rig.play(handle, "stand" if "stand" in rig.legal(handle) else "decline")
    past = look_back(rig).rounds
    assert [(each.end, each.bet) for each in past] == [(RoundEnd.SETTLED, 4000)]


def test_a_round_that_no_server_could_play_on_is_told_as_void(lay: Lay) -> None:
    rig = lay(stack=PUSH, seed=None)
    rig.join("ned21")
    rig.bet("ned21", 50)
    rig.restart(house=load_house("vegas-strip"), stack=())
    rig.join("ned21")
    past = last(rig)
    assert (past.end, past.is_retold) == (RoundEnd.VOID, True)
    assert past.hands[0].outcome is None
    assert past.dealer is not None
    assert past.dealer.cards == ("9h", "??")
    assert past.balance_before == past.balance_after


def test_the_rounds_of_one_who_had_the_handle_before_are_not_told(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s Kd", seed=None)
    rig.join("ned21")
    rig.act("ned21", "bet 10000, stand")
    rig.leave("ned21")
    rig.bank.close_accounts(["ned21"])
    rig.restart(stack=())
    rig.join("ned21")
    rig.bet("ned21", 5)
    rig.leave("ned21")
    # The search for the rules of that round goes back behind the opening.
    rig.restart(house=load_house("vegas-strip"))
    rig.join("ned21")
    assert [(each.round, each.bet) for each in look_back(rig).rounds] == [(3, 500)]


def test_a_round_before_a_change_of_rules_is_told_by_the_rules_of_its_time(
    lay: Lay,
) -> None:
    rig = lay(stack=PUSH, seed=None)
    rig.join("ned21")
    play(rig, "ned21")
    rig.leave("ned21")
    rig.restart(house=load_house("vegas-strip"), stack=())
    rig.join("ned21")
    rig.bet("ned21", 10)
    rig.wait(61)  # an insurance may be offered before the turn
    first, second = look_back(rig).rounds
    assert first.is_retold
    assert second.is_retold
    assert first.hands[0].cards == ("Ts", "9s")


def test_a_round_that_does_not_play_again_is_told_without_its_cards(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Rig(tmp_path / "bank", stack=PUSH) as rig:
        rig.join("ned21")
        play(rig, "ned21")
    folder = tamper(tmp_path / "bank", tmp_path / "other", _split_instead)
    bank = Bank.open(folder, keep=("main",))
    with caplog.at_level(logging.WARNING):
        past = recall(bank.till("main").bookmark("ned21"), 20).rounds[0]
    bank.close()
    assert (past.is_retold, past.hands, past.dealer) == (False, (), None)
    assert (past.balance_before, past.balance_after) == (1_000_000, 1_000_000)
    assert "told without its cards" in caplog.text


def _split_instead(lines: Lines) -> None:
    of_kind(lines, "answer")[0]["data"]["play"] = "split"
