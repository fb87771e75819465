"""The cut: who takes part, who is left out, and when the seed is told."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bj_game.cut import stream_key
from bj_game.shoe import fill_shoe
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.codec import encode
from bj_protocol.commands import CommitCut, RevealCut
from bj_protocol.cut import CutStep
from bj_protocol.messages import Refused, Snapshot
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase
from bj_server.settings import load_house
from bj_server.table.inbox import CutShoe, Drop, Join, Look, Quit, Reshuffle
from rig import Rig, hello

Cutters = Callable[..., Rig]


def nonce_of(handle: str) -> bytes:
    return hashlib.sha256(b"nonce of " + handle.encode()).digest()


def seed_of(rig: Rig) -> str:
    """Return the commitment of the server in the last cut."""
    (*_, last) = rig.seen(events.SeedCommitted)
    assert isinstance(last, events.SeedCommitted)
    return last.seed_sha256


def sit(rig: Rig, *handles: str) -> None:
    """Let players with clients that cut join, all at the same time."""
    joins = [hello(50 + i, handle) for i, handle in enumerate(handles)]
    for join in joins:
        rig.line[join.handle] = join.line
    rig.send(*(Join(j.line, j.handle, j.sha256, cuts=True) for j in joins))


def commit(rig: Rig, handle: str, sha256: str | None = None) -> None:
    own = hashlib.sha256(nonce_of(handle)).hexdigest()
    command = CommitCut(seed_sha256=seed_of(rig), sha256=sha256 or own)
    rig.send(CutShoe(rig.line[handle], command))


def reveal(rig: Rig, handle: str, nonce: bytes | None = None) -> None:
    own = (nonce or nonce_of(handle)).hex()
    command = RevealCut(seed_sha256=seed_of(rig), nonce=own)
    rig.send(CutShoe(rig.line[handle], command))


def refusals(rig: Rig, handle: str) -> list[RefusalCode]:
    heard = rig.outlet.heard[rig.line[handle]]
    return [message.code for message in heard if isinstance(message, Refused)]


def last(rig: Rig, kind: type[events.Event]) -> events.Event:
    return rig.seen(kind)[-1]


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path / "bank", seed=None)


@pytest.fixture
def every_round(tmp_path: Path) -> Rig:
    return Rig(tmp_path / "bank", seed=None, house=load_house("cs220"))


def test_the_shoe_is_cut_by_all_who_offer_to(rig: Rig) -> None:
    sit(rig, "ned21", "lia9")
    assert last(rig, events.SeedCommitted).seats == (1,)  # type: ignore[union-attr]
    commit(rig, "ned21")
    assert rig.table.state()["phase"] == "cutting"
    commit(rig, "lia9")
    shown = last(rig, events.CutsCommitted)
    assert isinstance(shown, events.CutsCommitted)
    assert [cut.handle for cut in shown.committed] == ["ned21", "lia9"]
    assert shown.missing == ()
    reveal(rig, "lia9")
    assert not rig.seen(events.ShoeCut)
    reveal(rig, "ned21")
    done = last(rig, events.ShoeCut)
    assert isinstance(done, events.ShoeCut)
    nonces = [nonce_of("ned21").hex(), nonce_of("lia9").hex()]
    assert [cut.nonce for cut in done.cuts] == nonces
    assert rig.picture.phase is Phase.BETTING


def test_the_order_follows_from_the_seed_and_the_nonces(rig: Rig) -> None:
    sit(rig, "ned21")
    commit(rig, "ned21")
    reveal(rig, "ned21")
    order, until = rig.table.felt.shoe.order, rig.table.felt.shoe.until_cut
    rig.leave("ned21")
    told = last(rig, events.SeedRevealed)
    assert isinstance(told, events.SeedRevealed)
    seed = bytes.fromhex(told.seed)
    assert hashlib.sha256(seed).hexdigest() == told.seed_sha256 == seed_of(rig)
    key = stream_key(seed, [(1, nonce_of("ned21"))])
    shoe = fill_shoe(load_house("cpsc386"), KeyedStream(key))
    assert (shoe.order, shoe.until_cut) == (order, until)
    assert rig.table.felt.shoe.order != order


def test_nobody_waits_for_a_client_that_does_not_cut(rig: Rig) -> None:
    rig.join("ned21")
    assert last(rig, events.ShoeCut).cuts == ()  # type: ignore[union-attr]
    assert rig.picture.phase is Phase.BETTING


def test_who_is_late_with_a_commitment_is_left_out_and_named(rig: Rig) -> None:
    sit(rig, "ned21")
    rig.wait(rig.plan.pace.cut_seconds)
    assert last(rig, events.CutsCommitted).missing == (1,)  # type: ignore[union-attr]
    assert last(rig, events.ShoeCut).cuts == ()  # type: ignore[union-attr]
    assert rig.picture.phase is Phase.BETTING
    commit(rig, "ned21")
    assert refusals(rig, "ned21") == [RefusalCode.CUT_OVER]


def test_who_commits_and_does_not_reveal_is_left_out_and_named(rig: Rig) -> None:
    sit(rig, "ned21")
    commit(rig, "ned21")
    rig.wait(rig.plan.pace.cut_seconds)
    assert last(rig, events.ShoeCut).missing == (1,)  # type: ignore[union-attr]
    assert last(rig, events.ShoeCut).cuts == ()  # type: ignore[union-attr]
    reveal(rig, "ned21")
    assert refusals(rig, "ned21") == [RefusalCode.CUT_OVER]


def test_a_silent_client_delays_the_table_once(rig: Rig) -> None:
    sit(rig, "ned21")
    rig.wait(rig.plan.pace.cut_seconds)
    rig.send(Reshuffle())
    assert last(rig, events.SeedCommitted).seats == ()  # type: ignore[union-attr]
    assert rig.picture.phase is Phase.BETTING


def test_another_nonce_than_the_one_committed_to_is_refused(rig: Rig) -> None:
    sit(rig, "ned21")
    commit(rig, "ned21")
    reveal(rig, "ned21", bytes(32))
    assert refusals(rig, "ned21") == [RefusalCode.NOT_YOUR_CUT]
    reveal(rig, "ned21")
    assert last(rig, events.ShoeCut).missing == ()  # type: ignore[union-attr]


def test_a_second_commitment_changes_nothing(rig: Rig) -> None:
    sit(rig, "ned21")
    sit_later = hello(60, "lia9")
    rig.line["lia9"] = 60
    rig.send(Join(60, "lia9", sit_later.sha256, cuts=True))
    commit(rig, "ned21")
    commit(rig, "ned21", "0" * 64)
    assert refusals(rig, "ned21") == [RefusalCode.CUT_OVER]
    commit(rig, "lia9")
    shown = last(rig, events.CutsCommitted)
    assert isinstance(shown, events.CutsCommitted)
    own = hashlib.sha256(nonce_of("ned21")).hexdigest()
    assert shown.committed[0].sha256 == own


def test_a_nonce_before_all_commitments_are_shown_is_refused(rig: Rig) -> None:
    sit(rig, "ned21", "lia9")
    commit(rig, "ned21")
    reveal(rig, "ned21")
    assert refusals(rig, "ned21") == [RefusalCode.CUT_OVER]
    assert nonce_of("ned21").hex() not in encode(rig.outlet.updates[-1])


def test_a_cut_of_another_shoe_or_of_a_watcher_is_refused(rig: Rig) -> None:
    sit(rig, "ned21")
    stale = CommitCut(seed_sha256="0" * 64, sha256="1" * 64)
    rig.send(CutShoe(rig.line["ned21"], stale))
    assert refusals(rig, "ned21") == [RefusalCode.CUT_OVER]
    rig.send(
        Look(70), CutShoe(70, CommitCut(seed_sha256=seed_of(rig), sha256="1" * 64))
    )
    (refused,) = [m for m in rig.outlet.heard[70] if isinstance(m, Refused)]
    assert refused.code is RefusalCode.NOT_SEATED


def test_who_leaves_or_drops_in_the_middle_keeps_nobody_waiting(rig: Rig) -> None:
    sit(rig, "ned21", "lia9", "tess")
    commit(rig, "ned21")
    rig.send(Quit(rig.line["lia9"]))
    rig.send(Drop(rig.line["tess"]))
    reveal(rig, "ned21")
    done = last(rig, events.ShoeCut)
    assert isinstance(done, events.ShoeCut)
    assert [cut.handle for cut in done.cuts] == ["ned21"]


def test_who_comes_back_in_the_middle_can_still_cut(rig: Rig) -> None:
    sit(rig, "ned21", "lia9")
    rig.drop("ned21")
    sit(rig, "ned21")
    for handle in ("lia9", "ned21"):
        commit(rig, handle)
    for handle in ("lia9", "ned21"):
        reveal(rig, handle)
    done = last(rig, events.ShoeCut)
    assert isinstance(done, events.ShoeCut)
    assert [cut.handle for cut in done.cuts] == ["ned21", "lia9"]


def test_a_player_who_comes_back_is_shown_where_the_cut_stands(rig: Rig) -> None:
    sit(rig, "ned21", "lia9")
    commit(rig, "ned21")
    commit(rig, "lia9")
    sit(rig, "ned21")
    snapshot = rig.outlet.heard[rig.line["ned21"]][-1]
    assert isinstance(snapshot, Snapshot)
    stream = snapshot.shoe.stream
    assert stream is not None
    assert stream.step is CutStep.REVEAL
    assert [cut.handle for cut in stream.committed] == ["ned21", "lia9"]
    reveal(rig, "ned21")
    reveal(rig, "lia9")
    assert last(rig, events.ShoeCut).missing == ()  # type: ignore[union-attr]


def test_a_cut_that_everyone_walks_away_from_is_called_off(rig: Rig) -> None:
    sit(rig, "ned21")
    first = seed_of(rig)
    rig.drop("ned21")
    told = last(rig, events.SeedRevealed)
    assert isinstance(told, events.SeedRevealed)
    assert told.seed_sha256 == first
    sit(rig, "ned21")
    assert seed_of(rig) != first


def test_a_cut_that_a_fault_of_ours_ends_is_called_off(rig: Rig) -> None:
    sit(rig, "ned21")
    first = seed_of(rig)
    rig.table.void("Something went wrong.")
    rig.send()
    told = last(rig, events.SeedRevealed)
    assert isinstance(told, events.SeedRevealed)
    assert told.seed_sha256 == first != seed_of(rig)


def test_the_seed_is_told_when_the_cut_card_is_out(rig: Rig) -> None:
    rig.join("ned21")
    first = seed_of(rig)
    rig.table.felt.shoe.dealt = rig.table.felt.shoe.until_cut or 0
    rig.bet("ned21")
    while rig.picture.phase is Phase.PLAYING:
        rig.play("ned21", "stand" if "stand" in rig.legal("ned21") else "decline")
    told = last(rig, events.SeedRevealed)
    assert isinstance(told, events.SeedRevealed)
    assert told.seed_sha256 == first != seed_of(rig)
    assert told in rig.picture.revealed


def test_the_host_can_have_the_shoe_replaced_between_rounds(rig: Rig) -> None:
    rig.join("ned21")
    first = seed_of(rig)
    rig.send(Reshuffle())
    assert seed_of(rig) != first
    rig.bet("ned21")
    second = seed_of(rig)
    rig.send(Reshuffle())
    assert seed_of(rig) == second
    while rig.picture.phase is Phase.PLAYING:
        rig.play("ned21", "stand" if "stand" in rig.legal("ned21") else "decline")
    assert seed_of(rig) != second


def play_round(rig: Rig, handle: str) -> None:
    """Bet if that is asked, and stand until the next round is called."""
    if rig.picture.phase is Phase.BETTING:
        rig.bet(handle, 1)
    while rig.picture.phase is Phase.PLAYING:
        legal = rig.legal(handle)
        rig.play(handle, next(a for a in ("stand", "ace_low", "decline") if a in legal))


def test_a_house_of_fresh_decks_draws_many_rounds_from_one_stream(
    every_round: Rig,
) -> None:
    rig = every_round
    rig.join("ned21")
    for _ in range(30):
        play_round(rig, "ned21")
    assert len(rig.seen(events.SeedCommitted)) == 1
    words = [e.words or 0 for e in rig.events if isinstance(e, events.ShoeShuffled)]
    assert len(words) == 31
    assert words == sorted(set(words))
    assert words[0] == 0


def test_a_stream_is_not_endless(
    every_round: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.table.felt.STREAM_ROUNDS", 3)
    every_round.join("ned21")
    for _ in range(7):
        play_round(every_round, "ned21")
    assert len(every_round.seen(events.SeedRevealed)) == 2


def test_a_newcomer_who_cuts_gets_a_new_stream_after_the_round(
    every_round: Rig,
) -> None:
    rig = every_round
    rig.join("ned21")
    first = seed_of(rig)
    sit(rig, "lia9")
    assert seed_of(rig) == first
    rig.play("lia9", "sit_out")
    play_round(rig, "ned21")
    assert seed_of(rig) != first
    assert last(rig, events.SeedCommitted).seats == (2,)  # type: ignore[union-attr]


def test_no_frame_has_the_seed_before_it_is_told(rig: Rig) -> None:
    sit(rig, "ned21")
    commit(rig, "ned21")
    reveal(rig, "ned21")
    rig.bet("ned21")
    said = "".join(encode(message) for message in rig.outlet.heard[rig.line["ned21"]])
    stream = rig.table.felt.shoes.stream
    assert stream is not None
    assert stream.seed.hex() not in said
    assert stream.seed.hex() not in repr(rig.table.felt.shoes.__dict__)


def test_a_server_that_is_killed_goes_on_with_the_same_stream(
    rig: Rig, tmp_path: Path
) -> None:
    sit(rig, "ned21")
    commit(rig, "ned21")
    reveal(rig, "ned21")
    before, stream = rig.table.felt.shoe.order, rig.picture.shoe.stream
    rig.kill(tmp_path / "copy")
    sit(rig, "ned21")
    assert rig.table.felt.shoe.order == before
    assert rig.picture.shoe.stream == stream


def test_a_server_that_is_killed_in_a_cut_begins_it_again(
    rig: Rig, tmp_path: Path
) -> None:
    sit(rig, "ned21")
    first = seed_of(rig)
    rig.kill(tmp_path / "copy")
    sit(rig, "ned21")
    snapshot = rig.outlet.heard[rig.line["ned21"]][-1]
    assert isinstance(snapshot, Snapshot)
    stream = snapshot.shoe.stream
    assert stream is not None
    assert (stream.step, snapshot.phase) == (CutStep.COMMIT, Phase.CUTTING)
    assert stream.seed_sha256 != first
    rig.wait(rig.plan.pace.cut_seconds)
    assert rig.picture.phase is Phase.BETTING


def test_no_server_deals_from_a_seed_that_was_told(rig: Rig, tmp_path: Path) -> None:
    rig.join("ned21")
    first = rig.table.felt.shoe.order
    rig.leave("ned21")
    assert rig.seen(events.SeedRevealed)
    rig.kill(tmp_path / "copy")
    rig.join("ned21")
    assert rig.table.felt.shoe.order != first
    assert len(rig.seen(events.SeedCommitted)) == 2
