"""Shoes that are kept, put away or shown otherwise than the rules have it are found."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_protocol import events
from bj_protocol.cut import Cut, StreamView
from bj_protocol.messages import Message, Snapshot
from bj_protocol.views import DealerView, Phase
from bj_server.settings import load_house
from bj_server.table.felt import Felt
from bj_server.table.inbox import Look, Reshuffle, Show
from cheating import assert_found, changed, once, play, recut
from company import Company


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    """Return a table at which ned21 sits, with the same cards each time."""
    monkeypatch.setattr("secrets.token_bytes", random.Random(3).randbytes)
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        yield rig


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    """Return a table with a fresh deck for each round."""
    monkeypatch.setattr("secrets.token_bytes", random.Random(4).randbytes)
    house = load_house("iipp6")
    with Company(tmp_path / "bank", house=house, seats=1) as rig:
        rig.join("ned21")
        yield rig


# When the shoe is shuffled.


def test_a_shoe_that_is_put_away_unplayed_is_found(rig: Company) -> None:
    play(rig)
    rig.table.felt._shuffle()
    rig.send(Look(90))
    assert_found(rig.players["ned21"], "shuffled sooner than is due", 2)


def test_a_deck_that_is_shuffled_twice_for_a_round_is_found(fresh: Company) -> None:
    play(fresh)
    fresh.table.felt._shuffle()
    fresh.send(Look(90))
    assert_found(fresh.players["ned21"], "shuffled sooner than is due", 2)


def test_a_deck_that_is_kept_for_another_round_is_found(
    fresh: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Felt, "freshen", lambda _: None)
    play(fresh, 2)
    assert_found(fresh.players["ned21"], "was to be shuffled before", 2)


def test_a_shoe_that_is_dealt_on_after_the_cut_card_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Felt, "freshen", lambda _: None)
    ned, shoe = rig.players["ned21"], rig.table.felt.shoe
    while shoe.until_cut:
        play(rig)
    number = rig.table.felt.round
    assert not ned.findings
    play(rig)
    assert_found(ned, "a round is dealt after the cut card", number)


def test_a_second_shoe_from_one_stream_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Felt, "end_stream", Felt._shuffle)
    while rig.table.felt.shoe.until_cut != 0 and not rig.players["ned21"].findings:
        play(rig)
    assert_found(rig.players["ned21"], "a stream that has ended", rig.table.felt.round)


def test_a_stream_that_never_ends_is_found(
    fresh: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.table.felt.STREAM_ROUNDS", 10**9)
    monkeypatch.setattr("bj_client.fair.shuffles.STREAM_ROUNDS", 5)
    play(fresh, 5)
    assert not fresh.players["ned21"].findings
    play(fresh)
    assert_found(fresh.players["ned21"], "was not told after 5 rounds", 6)


def test_a_stream_that_outlives_its_server_in_a_round_ends_in_time(
    fresh: Company, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.table.felt.STREAM_ROUNDS", 5)
    monkeypatch.setattr("bj_client.fair.shuffles.STREAM_ROUNDS", 5)
    play(fresh, 2)
    while fresh.picture.phase is Phase.BETTING:
        fresh.bet("ned21")
    fresh.kill(tmp_path / "copy")
    fresh.join("ned21")
    play(fresh, 12)
    ned = fresh.players["ned21"]
    assert not ned.findings
    assert [proof.proven for proof in ned.proofs] == [6, 5]


def test_words_of_the_stream_that_are_counted_wrong_are_found(rig: Company) -> None:
    recut(rig, once(events.ShoeShuffled, words=1))
    play(rig)
    rig.send(Reshuffle())
    assert_found(rig.players["ned21"], "does not begin where the stream had come to", 2)


# What is cut, and what is told of it.


def test_our_nonce_under_another_seat_is_found(rig: Company) -> None:
    def move(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.ShoeCut):
            return [event]
        (cut,) = event.cuts
        moved = Cut(seat=3, handle=cut.handle, nonce=cut.nonce)
        return [event.model_copy(update={"cuts": (moved,)})]

    recut(rig, move)
    assert_found(rig.players["ned21"], "nonce of seat 3 is not the one committed", 2)


def test_a_seat_that_commits_twice_is_found(rig: Company) -> None:
    def double(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.CutsCommitted):
            return [event]
        twice = (*event.committed, *event.committed)
        return [event.model_copy(update={"committed": twice})]

    recut(rig, double)
    assert_found(rig.players["ned21"], "a seat is named twice in the cut", 2)


def test_the_order_in_which_commitments_are_told_is_of_no_account(
    rig: Company,
) -> None:
    rig.join("lia9")

    def turn(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.CutsCommitted):
            return [event]
        return [event.model_copy(update={"committed": event.committed[::-1]})]

    recut(rig, turn)
    play(rig)
    rig.send(Reshuffle())
    ned = rig.players["ned21"]
    assert not ned.findings
    assert [proof.proven for proof in ned.proofs] == [1, 1]


def test_the_seed_of_a_stream_that_nobody_was_bound_to_is_found(rig: Company) -> None:
    play(rig)
    rig.table.felt.bulletin.post(
        events.SeedRevealed(
            seed_sha256="66687aadf862bd776c8fc18b8e9f8e20"
            "089714856ee233b3902a591d0d5f2925",
            seed="00" * 32,
        )
    )
    rig.send(Look(90))
    assert_found(rig.players["ned21"], "a seed is told that nobody was bound to", 2)


# Gifts and pictures.


@pytest.mark.parametrize("house", [load_house("cpsc386"), load_house("iipp6")])
def test_money_from_nowhere_is_found(tmp_path: Path, house: House) -> None:
    with Company(tmp_path / "bank", house=house, seats=2) as rig:
        rig.join("ned21")
        rig.join("lia9")
        rig.table.felt.till.give("lia9", 500)
        balance = rig.bank.balance("lia9")
        gift = events.GiftGiven(seat=2, amount=500, balance=balance)
        rig.table.felt.bulletin.post(gift)
        rig.send(Look(90))
        assert_found(rig.players["ned21"], "the gift to seat 2 is none", 1)


def with_other_cards(picture: Snapshot) -> dict[str, Any]:
    dealer = picture.dealer
    other = "2s" if dealer.cards[0] != "2s" else "3s"
    cards = (other, *dealer.cards[1:])
    shown = DealerView(name=dealer.name, cards=cards, total=2, soft=False)
    return {"dealer": shown}


def with_another_count(picture: Snapshot) -> dict[str, Any]:
    shoe = picture.shoe
    assert shoe.until_cut is not None
    return {"shoe": shoe.model_copy(update={"until_cut": shoe.until_cut + 1})}


def with_another_stream(picture: Snapshot) -> dict[str, Any]:
    stream = picture.shoe.stream
    assert isinstance(stream, StreamView)
    other = stream.model_copy(update={"cuts": ()})
    return {"shoe": picture.shoe.model_copy(update={"stream": other})}


@pytest.mark.parametrize(
    "lie", [with_other_cards, with_another_count, with_another_stream]
)
@pytest.mark.parametrize("is_ahead", [False, True])
def test_a_picture_with_other_cards_is_found(
    rig: Company, lie: Any, *, is_ahead: bool
) -> None:
    rig.bet("ned21")
    assert rig.picture.phase is Phase.PLAYING
    ned, line = rig.players["ned21"], rig.line["ned21"]
    rig.send(Show(line))
    assert not ned.findings

    def cheat(message: Message) -> Message:
        if isinstance(message, Snapshot):
            return message.model_copy(update=lie(message))
        return message

    if is_ahead:  # the picture comes before an update that is on its way
        missed = rig.outlet.updates[-1].model_copy(
            update={"seq": rig.picture.seq + 1, "events": ()}
        )
        shown = rig.table.snapshot(line)
        assert shown is not None
        told = cheat(shown.model_copy(update={"seq": missed.seq}))
        ned.hear(told)
        ned.hear(missed)
    else:
        rig.outlet.cheat = cheat
        rig.send(Show(line))
    assert_found(ned, "does not follow from what was told", 1)


def test_a_picture_that_is_right_is_believed_at_any_time(rig: Company) -> None:
    changed(rig, lambda event: [event])
    ned, line = rig.players["ned21"], rig.line["ned21"]
    for _ in range(3):
        rig.send(Show(line))
        rig.bet("ned21")
        while rig.picture.phase is Phase.PLAYING:
            rig.send(Show(line))
            legal = rig.legal("ned21")
            rig.play("ned21", "stand" if "stand" in legal else "decline")
    rig.send(Reshuffle(), Show(line))
    assert not ned.findings
    assert ned.proofs[0].proven == 3
