"""A server that stops, on purpose or not, and another that goes on from its bank."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bj_game.card import parse_cards
from bj_protocol import events
from bj_protocol.views import Phase, Presence
from bj_server.bank.move import Posting
from bj_server.bank.pending import PendingRound
from bj_server.settings import load_house
from bj_server.table.context import TableContext
from bj_server.table.opening import ResumeError, resume
from bj_server.table.seat import Seats
from bj_server.table.shoe_source import ShoeSource
from support.rig import PLAYS, Lay, Rig

RESUMED = "The server was restarted in round {}: your seat, your cards and your"


def test_P10_a_round_goes_on_with_the_same_cards_and_the_same_question(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    before, clock = rig.picture, rig.clock.time
    rig.clock.time += 25
    rig.restart()
    rig.join("ned21")
    assert rig.picture == before  # the full time for the question included
    assert rig.clock.time == clock + 25
    rig.play("ned21", "stand")
    assert rig.balance("ned21") == 10_100
    (settled,) = rig.seen(events.HandSettled)
    assert isinstance(settled, events.HandSettled)
    assert settled.payout == 20_000


def test_a_planned_restart_is_told_to_who_was_in_the_round(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 100)
    rig.play("lia9", "sit_out")
    rig.restart()
    (notice,) = notices(rig, "ned21")
    assert notice.startswith(RESUMED.format(1))
    assert notices(rig, "lia9") == ()
    rig.drop("ned21")
    assert notices(rig, "ned21") == ()  # once


def test_no_round_has_the_seal_of_one_before_once_none_is_proven(lay: Lay) -> None:
    rig = lay(seed=None, house=load_house("cs1114"))  # any hand is asked there
    rig.join("ned21")
    rig.bet("ned21", 5)
    assert rig.is_asked("ned21")
    rig.restart(is_proven=False)
    rig.join("ned21")
    rig.wait(30)
    opened = rig.seen(events.BettingOpened)[-1]
    assert (opened.round, opened.seal) == (2, None)
    rig.bet("ned21", 5)
    deal = rig.bank.books.pending("main").deal
    assert deal is not None
    assert "seal" not in deal.data


def test_bets_of_which_no_card_is_drawn_go_back(lay: Lay) -> None:
    rig = lay()
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 100)
    asked = rig.ask("lia9")
    rig.restart()
    assert rig.balance("ned21") == 10_000
    assert notices(rig, "lia9") == ()
    (notice,) = notices(rig, "ned21")
    assert notice.startswith("The server was restarted before the cards of round 1")
    assert rig.picture.round == 2  # what was sealed for the first one is told
    assert rig.ask("lia9").prompt > asked.prompt
    for handle in ("ned21", "lia9"):
        rig.bet(handle, 50)
    assert rig.picture.phase is Phase.PLAYING


def test_an_answer_sent_again_after_a_restart_counts_once(lay: Lay) -> None:
    rig = lay(stack="2s 9h 3s 8h 4c")
    rig.join("ned21")
    rig.bet("ned21", 100)
    hit = PLAYS["hit"](rig.ask("ned21").prompt)
    assert rig.answer("ned21", hit) is None
    rig.restart()
    rig.join("ned21")
    before = rig.picture
    assert rig.answer("ned21", hit) is None
    assert rig.picture == before
    assert len(before.seats[0].hands[0].cards) == 3


def test_who_does_not_come_back_is_away_after_one_missed_question(lay: Lay) -> None:
    rig = lay(stack="8s 9h 8d Th")
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 100)
    rig.play("lia9", "sit_out")
    rig.restart()
    rig.join("lia9")
    assert rig.seat("ned21").presence is Presence.HERE
    rig.wait(30)
    assert rig.seat("ned21").presence is Presence.AWAY
    assert rig.seen(events.RoundEnded)
    assert rig.balance("ned21") == 9_900  # 16 stood against 19


def test_a_seat_that_was_away_is_held_anew(lay: Lay) -> None:
    rig = lay()
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.drop("ned21")
    rig.wait(50)
    rig.restart()
    rig.join("lia9")
    rig.wait(40)
    rig.bet("lia9")
    rig.wait(10)
    assert rig.seat("ned21").presence is Presence.AWAY
    rig.wait(10)
    assert [seat.handle for seat in rig.picture.seats] == ["lia9"]


def test_a_table_to_which_nobody_comes_back_frees_its_seats(lay: Lay) -> None:
    rig = lay()
    rig.join("ned21")
    rig.restart()
    context = rig.table.context
    assert [seat.handle for seat in context.seats] == ["ned21"]
    assert rig.table.wake_at == rig.clock.time + context.pace.hold_seconds
    rig.wait(context.pace.hold_seconds)
    assert not context.seats.taken
    assert rig.table.wake_at is None


def test_an_empty_table_opens_anew_and_counts_on(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    prompt, seq = rig.ask("ned21").prompt, rig.picture.seq
    rig.play("ned21", "stand")
    rig.leave("ned21")
    rig.restart(stack=())
    rig.join("lia9")
    assert rig.ask("lia9").prompt > prompt
    assert rig.picture.seq > seq
    assert rig.picture.round == 3  # what was sealed for the second is never used
    assert rig.picture.shoe.cards_left == 416


def test_a_host_who_asks_for_other_cards_gets_them_before_the_next_deal(
    lay: Lay,
) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.restart(stack=parse_cards("As 9h Kd 8h"))
    rig.join("ned21")
    rig.bet("ned21", 100)
    assert rig.balance("ned21") == 10_100  # 21, which nobody is asked about


def test_a_round_keeps_its_cards_whatever_the_host_asks_for(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    rig.restart(stack=parse_cards("2s 2h 2d 2c"), seed=8)
    rig.join("ned21")
    assert rig.seat("ned21").hands[0].cards == ("Ts", "9s")


HARMS: list[dict[str, Any]] = [
    {"house": replace(load_house("cpsc386"), hit_soft_17=True)},
    {"house": load_house("cs220")},
    {"seats": 1},
]


@pytest.mark.parametrize("changes", HARMS, ids=["rules", "house", "seats"])
def test_P10_what_cannot_go_on_is_returned_and_told(
    lay: Lay, changes: dict[str, Any]
) -> None:
    rig = lay(stack="Ts Th 9h 9s 9d 8h")
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    rig.bet("ned21", 100)
    rig.bet("lia9", 200)
    rig.restart(stack=(), **changes)
    assert (rig.balance("ned21"), rig.balance("lia9")) == (10_000, 10_000)
    (notice,) = rig.bank.take_notices("lia9")
    assert (
        notice
        == "The server stopped during round 1 at table main: your $200 came back."
    )
    rig.join("ned21")
    assert (rig.picture.phase, rig.picture.round) == (Phase.BETTING, 2)


def with_state(pending: PendingRound, **fields: object) -> PendingRound:
    assert pending.state is not None
    return replace(pending, state={**pending.state, **fields})


def with_deal(pending: PendingRound, **fields: object) -> PendingRound:
    assert pending.deal is not None
    deal = replace(pending.deal, data={**pending.deal.data, **fields})
    return replace(pending, deal=deal)


def with_answer(pending: PendingRound, play: str) -> PendingRound:
    data = {"seat": 1, "play": play, "by": "player"}
    return replace(pending, answers=(Posting(kind="answer", round=1, data=data),))


SEAT = {"seat": 1, "handle": "ned21", "stake": 10_000, "spots": 1, "funds": 990_000}
SPOILED: dict[str, Callable[[PendingRound], PendingRound]] = {
    "no cards": lambda pending: with_deal(pending, left=None),
    "no secret": lambda pending: with_deal(pending, secret="00"),
    "no house": lambda pending: replace(pending, house=None),
    "no deal": lambda pending: replace(pending, deal=None),
    "an unknown phase": lambda pending: with_state(pending, phase="dreaming"),
    "no number": lambda pending: with_state(pending, seq="seven"),
    "nobody seated": lambda pending: with_state(pending, seats=[]),
    "an answer that is not legal": lambda pending: with_answer(pending, "split"),
    "an answer that ends the round": lambda pending: with_answer(pending, "stand"),
    "a deal of another draw": lambda pending: with_deal(pending, draw=1),
    "another stake": lambda pending: with_deal(pending, seats=[SEAT | {"stake": 500}]),
    "more cards dealt than there are": lambda pending: with_deal(
        pending, left=[9] * 52
    ),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_P10_a_record_that_does_not_fit_resumes_nothing(
    lay: Lay, spoil: Callable[[PendingRound], PendingRound]
) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    with pytest.raises(ResumeError):
        resume(another_context(rig), spoil(rig.table.context.till.pending))


def test_the_records_of_an_older_server_go_on(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21", 100)
    pending = rig.table.context.till.pending
    assert pending.deal is not None
    ask = rig.ask("ned21")
    ned = {"bet": 10_000, "ask": ask.prompt, "decided": True}
    left = pending.deal.data["left"]
    pending = with_state(pending, asks=[], seats=[{**seats_of(pending)[0], **ned}])
    again = another_context(rig)
    resume(again, with_deal(pending, left=[*map(int, str(left))]))
    assert again.seats[1].ask == ask
    assert again.source.contents == rig.table.context.source.contents


def seats_of(pending: PendingRound) -> Any:
    assert pending.state is not None
    return pending.state["seats"]


def another_context(rig: Rig) -> TableContext:
    """Return a context like that of the rig's table, before anything is known."""
    context = rig.table.context
    return TableContext(
        name=context.name,
        house=context.house,
        pace=context.pace,
        till=context.till,
        clock=context.clock,
        source=ShoeSource(context.house),
        seats=Seats(context.seats.count),
    )


def notices(rig: Rig, handle: str) -> tuple[str, ...]:
    """Let the player come, and return what is said to nobody else."""
    line = rig.join(handle)
    snapshot = rig.outlet.heard[line][-1]
    said: tuple[str, ...] = snapshot.notices  # type: ignore[union-attr]
    return tuple(n for n in said if "for teaching" not in n)
