"""A server that cheats is found out, whatever it tries, and the round is named."""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bj_game.card import parse_cards
from bj_game.cut import commitment
from bj_game.play import Play, Reply
from bj_game.shoe import fill_shoe
from bj_game.shuffle import KeyedStream
from bj_protocol import commands, events
from bj_protocol.commands import AnyAnswer, CommitCut, RevealCut
from bj_protocol.cut import CommittedCut, Cut
from bj_protocol.messages import Message, Snapshot
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table import cutting, playing
from bj_server.table.cutting import Cutting
from bj_server.table.inbox import Reshuffle, Show
from bj_server.table.playing import Playing
from bj_server.table.redact import reply_of
from cheating import assert_found, changed, once, play, recut
from company import Company


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    """Return a table at which ned21 sits, with the same cards each time."""
    monkeypatch.setattr("secrets.token_bytes", random.Random(3).randbytes)
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        yield rig


def test_an_honest_server_is_believed(rig: Company) -> None:
    rig.join("lia9")
    play(rig, 5)
    rig.send(Reshuffle())
    assert not rig.players["ned21"].findings
    assert str(rig.players["ned21"].proofs[0]) == (
        "Checked: 5 rounds of the last shoe came from the cards as they were cut."
    )


def test_who_sits_down_where_another_has_committed_and_left_finds_nothing(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.join("lia9")
    play(rig)
    silent = rig.players["ned21"].cutter
    with monkeypatch.context() as patch:
        patch.setattr(silent, "hear", lambda _: [])
        rig.send(Reshuffle())
        rig.leave("lia9")
        rig.join("tess")
    rig.wait(10)
    assert rig.picture.phase is Phase.BETTING
    play(rig, 2)
    rig.send(Reshuffle())
    for player in rig.everyone():
        assert not player.findings


# The cards.


def test_cards_that_are_put_in_another_order_are_found(rig: Company) -> None:
    play(rig, 2)
    shoe = rig.table.felt.shoe
    shoe._cards = (*shoe.order[: shoe.dealt], *reversed(shoe.order[shoe.dealt :]))
    play(rig)
    rig.send(Reshuffle())
    ned = rig.players["ned21"]
    assert_found(ned, "is not the one that was cut", 3)
    assert {finding.round for finding in ned.findings} == {3}
    assert "NOT as they were cut: the cards of 1 round" in str(ned.proofs[0])


def test_a_hole_card_that_is_swapped_is_found(rig: Company) -> None:
    play(rig)
    rig.bet("ned21")
    while "stand" not in rig.legal("ned21"):
        rig.play("ned21", "decline")
    assert isinstance(rig.table.phase, Playing)
    hand = rig.table.phase.deal.dealer
    hand.cards[1] = rig.table.felt.shoe.order[200]
    rig.play("ned21", "stand")
    rig.send(Reshuffle())
    assert_found(rig.players["ned21"], "is not the one that was cut", 2)


def test_cards_from_another_seed_than_the_one_committed_to_are_found(
    rig: Company,
) -> None:
    other = fill_shoe(rig.table.felt.house, KeyedStream(bytes(32)))
    rig.table.felt.shoe._cards = other.order
    play(rig)
    rig.send(Reshuffle())
    assert_found(rig.players["ned21"], "is not the one that was cut", 1)


def test_a_stretch_of_the_stream_that_is_left_out_is_found(tmp_path: Path) -> None:
    with Company(tmp_path / "bank", house=load_house("cs220")) as rig:
        rig.join("ned21")
        source = rig.table.felt.shoes._source
        assert isinstance(source, KeyedStream)
        source.below(2)
        rig.bet("ned21", 1)
        while rig.picture.phase is Phase.PLAYING:
            legal = rig.legal("ned21")
            wanted = ("stand", "ace_low", "decline")
            rig.play("ned21", next(a for a in wanted if a in legal))
        rig.leave("ned21")
        assert_found(rig.players["ned21"], "does not begin where the stream", 2)


def test_a_seed_other_than_the_one_committed_to_is_found(rig: Company) -> None:
    play(rig)
    changed(rig, once(events.SeedRevealed, seed="ab" * 32))
    rig.send(Reshuffle())
    assert_found(rig.players["ned21"], "not the one that the server was bound to", 1)


def test_a_seed_that_is_used_twice_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(rig)
    stream = rig.table.felt.shoes.stream
    assert stream is not None
    old, draw = stream.seed, [stream.seed]
    fresh = hashlib.sha256(b"a nonce").digest()
    monkeypatch.setattr("secrets.token_bytes", lambda _: draw.pop() if draw else fresh)
    rig.send(Reshuffle())
    assert old == rig.table.felt.shoes.stream.seed  # type: ignore[union-attr]
    assert_found(rig.players["ned21"], "is used once more", 2)


def test_more_of_a_card_than_the_decks_have_is_found(rig: Company) -> None:
    shoe = rig.table.felt.shoe
    shoe._cards = parse_cards("Ts 9s " * 208)
    play(rig, 5)
    assert_found(rig.players["ned21"], "more of .s than the decks", 5)


# The cut.


def test_a_nonce_that_is_dropped_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Cutting._shuffle

    def drop(self: Cutting) -> None:
        self._cuts.clear()
        honest(self)

    play(rig)
    monkeypatch.setattr(Cutting, "_shuffle", drop)
    rig.send(Reshuffle())
    play(rig, 2)
    assert_found(rig.players["ned21"], "our nonce is not in the shoe", 2)


def test_a_nonce_that_is_dropped_unnamed_is_found_at_once(rig: Company) -> None:
    recut(rig, once(events.ShoeCut, cuts=(), missing=()))
    assert_found(rig.players["ned21"], "are not those who had committed", 2)


def test_a_commitment_that_is_left_out_unnamed_is_found(rig: Company) -> None:
    recut(rig, once(events.CutsCommitted, committed=(), missing=()))
    assert_found(rig.players["ned21"], "is not named as missing", 2)


def test_our_commitment_in_other_words_is_found_and_no_nonce_told(rig: Company) -> None:
    other = (CommittedCut(seat=1, handle="ned21", sha256="ab" * 32),)
    recut(rig, once(events.CutsCommitted, committed=other))
    ned = rig.players["ned21"]
    assert_found(ned, "our commitment is not shown as we have sent it", 2)
    reveals = [said for said in ned.log if isinstance(said, RevealCut)]
    assert len(reveals) == 1  # that of the first shoe


def test_a_commitment_that_is_shown_after_the_nonces_is_found(rig: Company) -> None:
    def late(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.ShoeCut):
            return [event]
        nonce = "cd" * 32
        sha256 = hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
        cut = Cut(seat=2, handle="lia9", nonce=nonce)
        shown = CommittedCut(seat=2, handle="lia9", sha256=sha256)
        seed = event.seed_sha256
        return [
            event.model_copy(update={"cuts": (*event.cuts, cut)}),
            events.CutsCommitted(seed_sha256=seed, committed=(shown,), missing=()),
        ]

    recut(rig, late)
    ned = rig.players["ned21"]
    assert_found(ned, "are not those who had committed", 2)
    assert_found(ned, "comes at the wrong time", 2)


def test_commitments_that_are_shown_twice_are_found(rig: Company) -> None:
    def twice(event: events.Event) -> list[events.Event]:
        return [event] * (1 + isinstance(event, events.CutsCommitted))

    recut(rig, twice)
    assert_found(rig.players["ned21"], "comes at the wrong time", 2)


def test_a_cut_that_goes_on_with_another_seed_is_found(rig: Company) -> None:
    recut(rig, once(events.CutsCommitted, seed_sha256="ef" * 32))
    assert_found(rig.players["ned21"], "another seed than the server was bound to", 2)


def test_a_cut_that_is_done_again_without_telling_its_seed_is_found(
    rig: Company,
) -> None:
    def hide(event: events.Event) -> list[events.Event]:
        return [] if isinstance(event, events.SeedRevealed) else [event]

    recut(rig, hide)
    assert_found(rig.players["ned21"], "the seed before it was not told", 2)


def test_a_seat_in_league_that_chooses_its_nonce_last_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.join("lia9")
    play(rig)

    class Anything(str):
        __hash__ = str.__hash__

        def __ne__(self, other: object) -> bool:
            return False

    cutter = rig.players["lia9"].cutter
    honest = cutter.hear

    def chosen(message: Message) -> list[CommitCut | RevealCut]:
        """Answer as before, and reveal what suits better when all is known."""
        return [
            command.model_copy(update={"nonce": "12" * 32})
            if isinstance(command, RevealCut)
            else command
            for command in honest(message)
        ]

    monkeypatch.setattr(cutter, "hear", chosen)
    plain = commitment

    def lax(secret: bytes) -> str:
        return (
            Anything(plain(secret))
            if secret == bytes.fromhex("12" * 32)
            else plain(secret)
        )

    monkeypatch.setattr(cutting, "commitment", lax)
    rig.send(Reshuffle())
    assert_found(rig.players["ned21"], "the nonce of seat 2 is not the one", 2)


def test_a_shoe_that_nobody_may_cut_is_found(rig: Company) -> None:
    def uncut(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.ShoeShuffled):
            return [event.model_copy(update={"words": None})]
        return [event]

    recut(rig, uncut)
    assert_found(rig.players["ned21"], "nobody was asked to cut", 2)


# The money and the rules.


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (events.HandSettled, {"payout": -1, "balance": -1}),
        (events.HandSettled, {"payout": 1}),
        (events.HandSettled, {"stake": 1}),
        (events.HandSettled, {"reason": events.SettleReason.CHARLIE}),
        (events.HandSettled, {"balance": -1}),
        (events.CardDealt, {"total": 1}),
        (events.HandStood, {"total": -1}),
        (events.DealerStood, {"total": 1}),
        (events.HoleRevealed, {"total": 1}),
        (events.BetPlaced, {"balance": -1}),
        (events.BetPlaced, {"amount": 100}),
        (events.RoundEnded, {"cards_left": 1}),
        (events.RoundEnded, {"until_cut": -1}),
        (events.RoundBegan, {"seats": (2,)}),
        (events.RoundBegan, {"round": 1}),
    ],
)
def test_what_does_not_follow_from_the_rules_is_found(
    rig: Company, kind: type[events.Event], fields: dict[str, Any]
) -> None:
    ned = rig.players["ned21"]
    play(rig)
    changed(rig, once(kind, **fields))
    while not ned.findings:
        number = rig.table.felt.round
        assert number < 50
        play(rig)
    assert ned.findings[0].round in (number, number + 1)


@pytest.mark.parametrize("kind", [events.RoundEnded, events.RoundBegan])
def test_a_round_without_beginning_or_end_is_found(
    rig: Company, kind: type[events.Event]
) -> None:
    play(rig)
    changed(rig, lambda event: [] if isinstance(event, kind) else [event])
    play(rig)
    assert rig.players["ned21"].findings[0].round in (2, 3)


def test_a_play_that_is_not_ours_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = reply_of

    def lazy(answer: AnyAnswer) -> Reply | None:
        reply = honest(answer)
        is_hit = reply is not None and reply.play is Play.HIT
        return Reply(play=Play.STAND) if is_hit else reply

    monkeypatch.setattr(playing, "reply_of", lazy)
    hits = 0
    while not hits:
        number = rig.table.felt.round
        rig.bet("ned21")
        while rig.picture.phase is Phase.PLAYING:
            may_hit = "hit" in rig.legal("ned21")
            hits += may_hit
            rig.play("ned21", "hit" if may_hit else "decline")
    play(rig)
    assert_found(rig.players["ned21"], "played otherwise than we did", number)


def test_a_bet_that_is_not_ours_is_found(rig: Company) -> None:
    play(rig)
    changed(rig, once(events.BetPlaced, amount=100, balance=-100))
    play(rig)
    assert_found(rig.players["ned21"], "played otherwise than we did", 2)


def test_a_play_that_we_never_answered_is_found(rig: Company) -> None:
    play(rig)
    ask = rig.ask("ned21")
    super(Company, rig).answer("ned21", commands.SitOut(prompt=ask.prompt))
    assert_found(rig.players["ned21"], "we had not answered", 2)


def test_a_picture_that_does_not_follow_is_found(rig: Company) -> None:
    play(rig)

    def poorer(message: Message) -> Message:
        if not isinstance(message, Snapshot):
            return message
        seats = tuple(
            seat.model_copy(update={"balance": seat.balance - 1})
            for seat in message.seats
        )
        return message.model_copy(update={"seats": seats})

    rig.outlet.cheat = poorer
    rig.send(Show(rig.line["ned21"]))
    assert_found(rig.players["ned21"], "does not follow from what was told", 2)


def test_news_that_is_told_otherwise_a_second_time_is_found(rig: Company) -> None:
    play(rig)
    seq = rig.table.felt.seq
    changed(rig, lambda event: [event, events.Announced(text="And this.")])
    rig.send(Show(rig.line["ned21"], seq - 1))
    assert_found(rig.players["ned21"], "was told a second time", 2)
