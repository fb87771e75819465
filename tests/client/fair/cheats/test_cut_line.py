"""Cheats behind a line that the server cuts, and answers with a picture alone."""

from collections.abc import Callable

import pytest

from bj_protocol import commands, events
from bj_protocol.messages import Snapshot, Update
from bj_protocol.views import Phase, Turn
from bj_server.table.inbox import FromLine
from support.cheating import (
    answer_to,
    asked,
    bet_all,
    changed,
    deal_to_ask,
    found,
    hang_up,
    noted,
    once,
    own,
    picture_of,
    pictured,
    play,
    say,
    told,
    with_fields,
)
from support.company import Company, honest, record_of, verified

Patch = pytest.MonkeyPatch

ROUNDS = 1


def cut(rig: Company, change: Callable[[Snapshot], Snapshot] | None = None) -> None:
    """Lose the line of ned21, and go on from a picture without what was missed."""
    hang_up(rig, "ned21")
    rig.wait(0.5)
    rig.outlet.recent.clear()
    rig.outlet.cheat = honest if change is None else pictured(change)
    rig.join("ned21")
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    rig.outlet.cheat = honest


def changed_for_us(picture: Snapshot, **fields: int) -> Snapshot:
    seats = tuple(
        view.model_copy(update=fields) if view.handle == "ned21" else view
        for view in picture.seats
    )
    return picture.model_copy(update={"seats": seats})


def less(picture: Snapshot) -> Snapshot:
    cents = next(v.balance for v in picture.seats if v.handle == "ned21")
    return changed_for_us(picture, balance=cents - 5000)


# A round that is bet on anew.


@pytest.mark.parametrize("is_pictured", [True, False])
def test_bets_that_are_opened_anew_after_our_link_are_found(
    rig: Company, *, is_pictured: bool
) -> None:
    """The seal may be that of a picture, so that it is opened for the first time."""
    if is_pictured:
        rig.players.pop("ned21")
        hang_up(rig, "ned21")
        rig.join("ned21")
    checker = rig.players["ned21"].checker
    rig.mute.update(rig.players)
    bet_all(rig)
    back = [
        events.BetReturned(seat=s, amount=b.amount, balance=b.balance + b.amount)
        for s, b in checker.rounds.bets.standing.items()
    ]
    draw = checker.rounds.draw
    say(rig, *back, events.BettingOpened(round=draw.number, seal=draw.seal))
    found(rig, "bets are opened anew, and the round that was called is not over")


def test_a_second_bet_on_one_round_behind_a_cut_line_is_counted(rig: Company) -> None:
    """The server knows our link, and would know it in the second round as well."""
    ned, before = rig.players["ned21"], picture_of(rig)
    rig.mute.update(rig.players)
    bet, question = answer_to(rig, "ned21"), rig.ask("ned21")
    assert isinstance(bet, commands.PlaceBet)
    bet_all(rig)
    call = ned.checker.rounds.draw.call
    assert call is not None

    def anew(picture: Snapshot) -> Snapshot:
        ask = question.model_copy(update={"prompt": bet.prompt})
        turn = Turn(milliseconds=None, asks=(ask,))
        now = {"seq": picture.seq, "story": picture.story, "turn": turn}
        return before.model_copy(update=now)

    for is_last in False, True:
        bet = bet.model_copy(update={"prompt": bet.prompt + 50})
        rig.table.context.seq += 1
        cut(rig, anew)
        sent = ned.send(bet)
        assert isinstance(sent, commands.PlaceBet)
        balance = next(v.balance for v in before.seats if v.seat == own(rig))
        placed = events.BetPlaced(
            seat=own(rig), amount=sent.amount, balance=balance - sent.amount
        )
        ours = next(each for each in call.bets if each.handle == "ned21")
        bets = (ours.model_copy(update={"commitment": sent.commitment}),)
        closed = call.model_copy(update={"bets": bets})
        say(rig, *(placed, closed)[: 1 if is_last else 2])
    assert len(set(ned.links)) == ROUNDS + 3
    noted(rig, "bets are taken anew after your link was told")
    found(rig, "bets are taken anew after your link was told; that is the 2. time")


@pytest.mark.usefixtures("hands_to_play")
def test_cards_that_a_picture_shows_otherwise_than_they_are_recalled_are_found(
    rig: Company,
) -> None:
    """We play by what is shown, and the recall has the cards that were dealt."""
    deal_to_ask(rig)
    number = rig.table.context.round

    def other(picture: Snapshot) -> Snapshot:
        if not picture.dealer.cards:
            pytest.skip("in this house the dealer has no cards yet")
        up, *rest = picture.dealer.cards
        cards = ("Ks" if up != "Ks" else "6d", *rest)
        dealer = picture.dealer.model_copy(update={"cards": cards})
        return picture.model_copy(update={"dealer": dealer})

    rig.table.context.seq += 1
    cut(rig, other)
    play(rig, 2)
    found(rig, "as it is recalled, it was played otherwise than you have heard", number)


@pytest.mark.usefixtures("hands_to_play")
def test_cards_that_are_told_otherwise_than_they_are_recalled_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    deal_to_ask(rig)
    number = rig.table.context.round
    rig.table.context.seq += 1
    cut(rig)

    def turned(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.HoleRevealed):
            return [with_fields(event, card="Ks" if event.card != "Ks" else "6d")]
        return [event]

    changed(rig, monkeypatch, turned)
    play(rig, 2)
    found(rig, "it was played otherwise than you have heard", number)


@pytest.mark.usefixtures("hands_to_play")
def test_plays_that_are_not_offered_behind_a_cut_line_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Only standing is offered, by the picture and by what is told after it."""

    def stand_alone(turn: Turn) -> Turn:
        asks = tuple(
            ask.model_copy(update={"actions": ("stand",)})
            if "stand" in ask.actions
            else ask
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    def fewer(picture: Snapshot) -> Snapshot:
        assert picture.turn is not None
        return picture.model_copy(update={"turn": stand_alone(picture.turn)})

    deal_to_ask(rig)
    number = rig.table.context.round
    rig.table.context.seq += 1
    cut(rig, fewer)
    asked(rig, monkeypatch, stand_alone)
    play(rig, 2)
    found(rig, "it was played otherwise than you have heard", number)


@pytest.mark.usefixtures("two_seats")
def test_a_round_that_begins_by_bets_of_before_a_restart_is_found(
    rig: Company,
) -> None:
    """While the server is doubted, cards, links and returned bets are not checked."""
    ned = rig.players["ned21"]
    rig.answer("ned21", answer_to(rig, "ned21"))
    bet = ned.checker.rounds.bets.standing[own(rig)]
    before, seq, number = picture_of(rig), ned.seq, ned.checker.rounds.number
    rig.restart()
    story = rig.table.context.story
    assert story is not None
    assert story.began is not None
    start = story.began.head

    def at_the_start(picture: Snapshot) -> Snapshot:
        assert picture.story is not None
        told = picture.story.model_copy(update={"head": start})
        return before.model_copy(update={"seq": seq, "story": told, "turn": None})

    rig.outlet.cheat = pictured(at_the_start)
    rig.join("ned21", asks=False)
    rig.outlet.cheat = honest
    assert ned.checker.rounds.bets.standing == {own(rig): bet}
    rig.table.context.seq = ned.seq
    say(rig, events.RoundBegan(round=number, seats=(own(rig),)))
    found(rig, "a round begins by bets of before a restart")


@pytest.mark.usefixtures("two_seats")
def test_cards_of_a_round_whose_call_was_missed_are_compared_with_the_recall(
    rig: Company, monkeypatch: Patch
) -> None:
    """The line is lost between the call and the cards, so the draw is not known."""
    number = rig.table.context.round
    rig.mute.add("lia9")
    bet_all(rig)
    rig.table.context.seq += 1
    cut(rig)
    assert rig.players["ned21"].checker.rounds.draw.is_call_unheard
    lie = once(events.CardDealt, card="Ks")
    changed(rig, monkeypatch, lie)
    rig.wait(2.1)
    rig.mute.clear()
    play(rig, 2)
    found(rig, "it was played otherwise than you have heard", number)


# Money.


def test_a_stake_that_is_not_back_after_a_void_is_missed(
    rig: Company, monkeypatch: Patch
) -> None:
    ned = rig.players["ned21"]
    rig.mute.update(rig.players)
    bet_all(rig)
    left = ned.checker.purses.cents(own(rig))
    assert left is not None

    def void_alone(update: Update) -> Update:
        kept = tuple(e for e in update.events if isinstance(e, events.RoundVoided))
        return update.model_copy(update={"events": kept, "turn": None})

    with monkeypatch.context() as patch:
        told(rig, patch, void_alone)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()
    seq = ned.seq + 1

    def stolen(picture: Snapshot) -> Snapshot:
        other = changed_for_us(picture, balance=left, bet=0)
        return other.model_copy(update={"seq": seq, "turn": None})

    cut(rig, stolen)
    rig.wait(1)
    found(rig, "your balance fell while nothing was told")


@pytest.mark.usefixtures("two_seats", "hands_to_play")
def test_money_that_is_gone_at_the_second_picture_of_a_round_is_missed(
    rig: Company,
) -> None:
    """We sit out, so nothing of the round is ours, and no recall tells of it."""
    sit_out = commands.SitOut(prompt=rig.ask("ned21").prompt)
    rig.answer("ned21", sit_out)
    deal_to_ask(rig, "lia9")
    assert rig.picture.phase is Phase.PLAYING
    for change in None, less:
        rig.table.context.seq += 1
        cut(rig, change)
    play(rig, 1, most=10)
    found(rig, "your balance fell while nothing was told")


@pytest.mark.usefixtures("two_seats", "hands_to_play")
def test_a_second_picture_that_has_less_money_is_found(rig: Company) -> None:
    """Whoever comes in the middle of a round has no balance but that of the first."""
    deal_to_ask(rig, "lia9")
    rig.players.pop("ned21")
    hang_up(rig, "ned21")
    rig.join("ned21")
    rig.outlet.cheat = pictured(less)
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    found(rig, "the picture of the table does not follow from the updates")


# Records.


def test_a_record_that_ends_after_our_link_says_so(rig: Company) -> None:
    """The server knows the round, and closes the line."""
    rig.mute.update(rig.players)
    bet_all(rig)
    remarks, _ = verified(record_of(rig.players["ned21"]))
    assert "the visit is over, and you have not heard the end" in str(remarks[-1])
