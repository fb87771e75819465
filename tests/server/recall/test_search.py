"""What the search finds in a journal, and what it leaves alone."""

import asyncio
import hashlib
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from banks import Lines, of_kind, tamper
from bj_game.cut import stream_key
from bj_game.shoe import fill_shoe
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.commands import CommitCut, RevealCut
from bj_protocol.messages import Recalled
from bj_protocol.recall import PastRound, RoundEnd
from bj_server.bank.bank import Bank
from bj_server.bank.error import JournalDamaged
from bj_server.recall import backwards
from bj_server.recall.recall import recall
from bj_server.recall.search import SearchStopped
from bj_server.settings import load_house
from bj_server.table.inbox import CutShoe, Join, Reshuffle
from rig import Rig, hello

Lay = Callable[..., Rig]

PUSH = "Ts 9h 9s Td"


def look_back(rig: Rig, handle: str = "ned21", rounds: int = 20) -> Recalled:
    """Recall by what is on the disk."""
    asyncio.run(rig.bank.till("main").commit())
    return recall(rig.bank.till("main").bookmark(handle), rounds)


def last(rig: Rig, handle: str = "ned21") -> PastRound:
    return look_back(rig, handle, 1).rounds[0]


def play(rig: Rig, *handles: str) -> None:
    """Play a round in which everybody bets and stands."""
    for handle in handles:
        rig.bet(handle, 5)
    for handle in handles:
        while rig.is_asked(handle) and rig.picture.phase == "playing":
            rig.play(handle, "stand" if "stand" in rig.legal(handle) else "decline")


def test_whoever_has_not_played_recalls_nothing(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    assert look_back(rig).rounds == ()


def test_a_round_is_told_with_its_cards_decisions_and_money(lay: Lay) -> None:
    rig = lay(stack="8s Ah 8h Kd 3c 2c", seed=None)
    rig.join("ned21")
    rig.bet("ned21", 50)
    rig.play("ned21", "split")
    rig.insure("ned21", 20)
    rig.play("ned21", "stand", "decline", "stand")
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
    assert past.stream is None  # it was stacked


def test_the_hands_of_others_are_not_told(lay: Lay) -> None:
    rig = lay(stack="Ts 9c 9h 9s 8c 7d Td", seed=None)
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    play(rig, "ned21", "lia9")
    told = look_back(rig, "lia9").model_dump_json()
    assert '"9c","8c"' in told
    assert "9s" not in told
    assert "ned21" not in told


def test_a_running_round_is_not_told_nor_what_lies_in_the_shoe(lay: Lay) -> None:
    rig = lay(seed=None)
    rig.join("ned21")
    play(rig, "ned21")
    rig.bet("ned21", 5)
    assert rig.picture.phase == "playing" or len(look_back(rig).rounds) == 2
    told = look_back(rig)
    assert [past.round for past in told.rounds] == [1]
    stream = told.rounds[0].stream
    assert stream is not None
    assert (stream.seed, stream.cuts) == (None, ())


def test_the_seed_is_told_once_its_shoe_is_over(lay: Lay) -> None:
    rig = lay(seed=None)
    rig.join("ned21")
    play(rig, "ned21")
    before = last(rig).stream
    rig.send(Reshuffle())
    after = last(rig).stream
    assert before is not None
    assert after is not None
    assert (before.seed_sha256, before.seed) == (after.seed_sha256, None)
    assert after.seed is not None
    play(rig, "ned21")
    assert last(rig).stream != after


def test_the_told_seed_and_cuts_make_the_cards(lay: Lay) -> None:
    rig = lay(seed=None)
    nonce = bytes(range(32))
    join = hello(70, "ned21")
    rig.line["ned21"] = 70
    rig.send(Join(70, "ned21", join.sha256, cuts=True))
    called = rig.seen(events.SeedCommitted)[-1]
    assert isinstance(called, events.SeedCommitted)
    sha256, own = called.seed_sha256, hashlib.sha256(nonce).hexdigest()
    commit = CommitCut(seed_sha256=sha256, sha256=own)
    reveal = RevealCut(seed_sha256=sha256, nonce=nonce.hex())
    rig.send(CutShoe(70, commit))
    rig.send(CutShoe(70, reveal))
    play(rig, "ned21")
    rig.send(Reshuffle())
    past = last(rig)
    stream, dealer = past.stream, past.dealer
    assert stream is not None
    assert dealer is not None
    assert stream.seed is not None
    assert [(cut.handle, cut.nonce) for cut in stream.cuts] == [("ned21", nonce.hex())]
    key = stream_key(bytes.fromhex(stream.seed), [(1, nonce)])
    order = fill_shoe(load_house("cpsc386"), KeyedStream(key)).order
    dealt = [past.hands[0].cards[0], dealer.cards[0], past.hands[0].cards[1]]
    assert [*dealt, dealer.cards[1]] == [str(card) for card in order[:4]]


def test_a_stream_of_many_rounds_keeps_its_seed_while_it_lasts(lay: Lay) -> None:
    rig = lay(house=load_house("iipp6"), seed=None)
    rig.join("ned21")
    for _ in range(4):
        play(rig, "ned21")
    streams = {past.stream for past in look_back(rig).rounds}
    assert len(streams) == 1
    assert [stream and stream.seed for stream in streams] == [None]


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


def test_a_settlement_that_is_not_on_the_disk_is_not_told(lay: Lay) -> None:
    rig = lay(stack=PUSH)
    rig.join("ned21")
    asyncio.run(rig.bank.till("main").commit())
    play(rig, "ned21")
    assert recall(rig.bank.till("main").bookmark("ned21"), 20).rounds == ()
    assert len(look_back(rig).rounds) == 1


def test_what_is_written_after_the_bookmark_changes_nothing(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    for _ in range(3):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    before = recall(mark, 20)
    for _ in range(3):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    assert recall(mark, 20) == before


def test_a_round_in_another_segment_is_found_while_it_is_packed(lay: Lay) -> None:
    rig = lay(segment_bytes=3000)
    rig.join("ned21")
    for _ in range(5):
        play(rig, "ned21")
        asyncio.run(rig.bank.till("main").commit())
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    assert mark.number > 2
    assert [past.round for past in recall(mark, 20).rounds] == [1, 2, 3, 4, 5]


def test_a_line_that_is_longer_than_a_block_is_read_whole(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backwards, "BLOCK", 64)
    rig = lay()
    rig.join("ned21")
    for _ in range(3):
        play(rig, "ned21")
    assert [past.round for past in look_back(rig).rounds] == [1, 2, 3]


def test_no_more_is_read_than_is_needed(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backwards, "BLOCK", 2000)
    rig = lay()
    rig.join("ned21")
    for _ in range(20):
        play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    looks: list[bool] = []

    def is_wanted() -> bool:
        looks.append(True)
        return True

    recall(mark, 1, is_wanted)
    assert len(looks) * 2000 < mark.size / 2


def test_a_search_that_nobody_waits_for_stops(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    play(rig, "ned21")
    mark = rig.bank.till("main").bookmark("ned21")
    with pytest.raises(SearchStopped):
        recall(mark, 20, lambda: False)


def test_a_history_that_was_deleted_ends_the_search(lay: Lay) -> None:
    rig = lay(segment_bytes=3000)
    rig.join("ned21")
    for _ in range(6):
        play(rig, "ned21")
        asyncio.run(rig.bank.till("main").commit())
    rig.bank._cage._archivist.drain()
    mark = rig.bank.till("main").bookmark("ned21")
    for path in mark.folder.glob("journal-*"):
        if not path.name.startswith(f"journal-{mark.number:06}"):
            path.unlink()
    assert len(recall(mark, 20).rounds) < 6


def test_a_journal_that_is_shorter_than_it_was_is_said_to_be(
    lay: Lay, tmp_path: Path
) -> None:
    rig = lay()
    rig.join("ned21")
    play(rig, "ned21")
    asyncio.run(rig.bank.till("main").commit())
    mark = rig.bank.till("main").bookmark("ned21")
    copy = tmp_path / "copy"
    shutil.copytree(mark.folder, copy)
    path = copy / "journal-000001.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(JournalDamaged, match="is shorter than what was written"):
        recall(replace(mark, folder=copy), 20)


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
