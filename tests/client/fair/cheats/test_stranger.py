"""Cheats by a stranger, who has read what the scheme promises and no test of it.

Most of them tell something twice, or leave away what nobody waits for.
"""

import math

import pytest

from bj_client.fair.finding import RefutedError
from bj_client.fair.known_shoe import KnownShoe, contents_of
from bj_game.card import PACK
from bj_game.house import House
from bj_protocol import commands, events
from bj_protocol.codec import encode
from bj_protocol.messages import Message, Recalled, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.recall import RoundEnd
from bj_protocol.views import Phase, SeatLink, Turn
from bj_server.table.inbox import FromLine
from bj_server.table.playing import Playing
from support.cheating import (
    answer_to,
    asked,
    assert_found,
    bet_all,
    changed,
    deal_to_ask,
    found,
    hang_up,
    noted,
    own,
    pictured,
    play,
    told,
    with_fields,
)
from support.company import Company

Patch = pytest.MonkeyPatch

ROUNDS = 1


def say(rig: Company, *happened: events.Event) -> None:
    """Tell everyone of what has not happened, as an update of the story."""
    context = rig.table.context
    context.seq += 1
    update = Update(table="main", seq=context.seq, events=happened, turn=None)
    text = encode(update)
    signed = rig.table.tell(update, text)
    rig.outlet.announce((update, text), *((each, encode(each)) for each in signed))


def say_goodbye(rig: Company, cents: int | None, ahead: int = 0) -> None:
    """Sign that ned21 leaves with so many cents, after an update ``ahead``."""
    story, context = rig.table.context.story, rig.table.context
    assert story is not None
    note, seq = f"ned21 {cents}", context.seq + ahead
    signed = story.sign(StatementKind.GOODBYE, seq, context.round, note)
    rig.outlet.tell(rig.line["ned21"], signed)


def chat(rig: Company, handle: str = "ned21") -> None:
    """Have an update in which nothing happens but words."""
    rig.send(FromLine(rig.line[handle], commands.Chat(text="Hm.")))


# Questions.


@pytest.mark.usefixtures("hands_to_play")
def test_plays_that_are_offered_once_it_is_too_late_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Only standing is offered, and everything else when we have said that we stand."""

    def less(turn: Turn) -> Turn:
        asks = tuple(
            ask.model_copy(update={"actions": ("stand",)})
            if "stand" in ask.actions and ask.seat == own(rig)
            else ask
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    with monkeypatch.context() as patch:
        asked(rig, patch, less)
        deal_to_ask(rig)
        while "stand" not in rig.ask("ned21").actions:
            rig.answer("ned21", answer_to(rig, "ned21"))
            deal_to_ask(rig)
    chat(rig)
    play(rig)
    found(rig, r"this is not how the round goes on.*hand 0: stand; due:")


@pytest.mark.usefixtures("hands_to_play")
def test_a_question_that_a_picture_tells_first_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Nobody knows by a picture how long a question has been open."""

    def unasked(update: Update) -> Update:
        return update.model_copy(update={"turn": None})

    def late(picture: Snapshot) -> Snapshot:
        assert picture.turn is not None
        turn = picture.turn.model_copy(update={"milliseconds": 100})
        return picture.model_copy(update={"turn": turn})

    with monkeypatch.context() as patch:
        told(rig, patch, unasked)
        deal_to_ask(rig)
    rig.outlet.cheat = pictured(late)
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    rig.wait(31)
    play(rig)
    found(rig, "no question; due:|nothing was asked")


@pytest.mark.usefixtures("hands_to_play")
@pytest.mark.parametrize(
    "seconds",
    [
        {"insurance_seconds": 0.1},
        {"insurance_seconds": None, "turn_seconds": math.nan},
    ],
)
def test_less_time_than_the_table_gives_for_a_play_is_told(
    rig: Company, monkeypatch: Patch, seconds: dict[str, float | None]
) -> None:
    """It gives hardly any time for insurances, or says nothing that is a number."""

    def paced(picture: Snapshot) -> Snapshot:
        pace = picture.pace.model_copy(update=seconds)
        return picture.model_copy(update={"pace": pace})

    def short(table: Playing) -> None:
        table.deadline = rig.clock.now() + 0.1

    rig.outlet.cheat = pictured(paced)
    hang_up(rig, "ned21")
    rig.join("ned21")
    monkeypatch.setattr(Playing, "_start_clock", short)
    for _ in range(3):
        deal_to_ask(rig)
        rig.wait(0.2)
        rig.wait(0.2)
        play(rig)
    noted(rig, r"we had 0\.1 of (30\.0|inf) seconds to decide")


# Good-byes.


@pytest.mark.usefixtures("two_seats")
def test_two_who_leave_with_the_money_of_each_other_are_found(rig: Company) -> None:
    say(rig, events.PlayerLeft(seat=own(rig), handle="lia9"))
    found(rig, "lia9 is said to leave, and is not there")


def test_a_good_bye_of_what_is_still_to_come_is_not_kept(rig: Company) -> None:
    say_goodbye(rig, 100, ahead=1)
    assert rig.players["ned21"].checker.parted is None


@pytest.mark.parametrize("is_void", [True, False])
def test_who_leaves_without_the_bet_that_was_placed_finds_it(
    rig: Company, monkeypatch: Patch, *, is_void: bool
) -> None:
    ned = rig.players["ned21"]
    rig.mute.update(rig.players)
    rig.answer("ned21", answer_to(rig, "ned21"))
    if is_void:
        rig.mute.clear()
        play(rig, 1, most=1)
        if rig.picture.phase is not Phase.PLAYING:
            pytest.skip("in this house the round was over at once")

        def void_alone(update: Update) -> Update:
            kept = tuple(e for e in update.events if isinstance(e, events.RoundVoided))
            return update.model_copy(update={"events": kept, "turn": None})

        told(rig, monkeypatch, void_alone)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()
    cents = ned.checker.purses.cents(own(rig))
    say(rig, events.PlayerLeft(seat=own(rig), handle="ned21"))
    say_goodbye(rig, cents)
    assert_found(ned, "its bet has not come back")


# Rounds without us.


@pytest.mark.usefixtures("two_seats")
@pytest.mark.parametrize("is_dealt", [True, False])
def test_wins_of_void_rounds_that_are_said_to_be_without_our_link_are_counted(
    rig: Company, *, is_dealt: bool
) -> None:
    """Where nobody plays the round to its end, nobody would see that we had won it."""
    ned = rig.players["ned21"]
    for _ in range(12):
        rig.mute.update({"ned21"} if is_dealt else {"ned21", "lia9"})
        bet_all(rig)
        rig.wait(2.1)
        if rig.picture.phase is Phase.PLAYING:
            rig.table.void("Something went wrong with this round; it is void.")
            rig.send()
        rig.mute.clear()
        play(rig, 6)
    left_out = [note for note in ned.notes if "did not come in time" in note.what]
    won = [note for note in ned.notes if "would have been won" in note.what]
    assert len(left_out) == 12
    assert len(won) > 2
    assert not ned.findings


@pytest.mark.usefixtures("two_seats")
def test_a_round_that_is_void_for_our_link_alone_is_broken_off(
    rig: Company, monkeypatch: Patch
) -> None:
    """Another is called as well, whose link was there: it would have been dealt to."""
    ned = rig.players["ned21"]

    def ours(event: events.Event) -> list[events.Event]:
        is_void = isinstance(event, events.RoundVoided)
        return [with_fields(event, missing=(own(rig),))] if is_void else [event]

    changed(rig, monkeypatch, ours)
    for _ in range(2):
        rig.mute.update(rig.players)
        bet_all(rig)
        rig.wait(2.1)
        rig.mute.clear()
        play(rig, 6)
    assert "the round is void after your link was told" in str(ned.notes[0])
    found(rig, "void after your link was told; that is the 2. time")


# Recalls.


@pytest.mark.usefixtures("hands_to_play")
def test_a_bet_that_is_recalled_as_returned_after_its_cards_is_found(
    rig: Company,
) -> None:
    """We have seen the cards, and lose the line when they are good."""
    deal_to_ask(rig)
    number = rig.table.context.round
    hang_up(rig, "ned21")
    play(rig, 2)
    rig.outlet.recent.clear()

    def back(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if not isinstance(message, Recalled):
            return [(message, text)]
        rounds = tuple(
            past.model_copy(
                update={
                    "end": RoundEnd.RETURNED,
                    "hands": (),
                    "dealer": None,
                    "decisions": (),
                    "balance_after": past.balance_before,
                }
            )
            for past in message.rounds
            if past.round == number
        )
        other = Recalled(rounds=rounds)
        return [(other, encode(other))]

    rig.outlet.cheat = back
    rig.join("ned21")
    play(rig, 1, most=6)
    found(rig, "your bet is back, and the cards were dealt to it", number)


# Lost lines.


def test_there_is_no_bet_before_it_is_told_what_was_missed(rig: Company) -> None:
    """By the round that was heard last the check would look away from that of now."""
    ned, before = rig.players["ned21"], rig.players["ned21"].seq
    hang_up(rig, "ned21")
    say(rig, events.Announced(text="Hm."))
    rig.join("ned21", asks=False)
    ned.send(commands.Resync(seq=before))  # which nobody answers
    rig.answer("ned21", answer_to(rig, "ned21"))
    (refusal,) = ned.refusals
    assert refusal.startswith("The server has not told yet what you have missed")


def test_who_goes_on_without_what_was_missed_is_heard_from_there(rig: Company) -> None:
    ned, before = rig.players["ned21"], rig.players["ned21"].seq
    hang_up(rig, "ned21")
    say(rig, events.Announced(text="Hm."))
    line = rig.join("ned21", asks=False)
    ned.send(commands.Resync(seq=before))
    command = commands.Resync(seq=ned.seq)
    ned.send(command)
    rig.send(FromLine(line, command))
    play(rig)
    assert not ned.refusals
    assert ned.proofs[-1].round == 2


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_stake_that_a_picture_tells_first_and_was_not_bet_is_told(
    rig: Company, *, is_sent: bool
) -> None:
    """Nobody has bet it, or another amount, of which nothing more is heard."""
    ned = rig.players["ned21"]
    if is_sent:
        rig.mute.update(rig.players)
        rig.outlet.deaf.add(rig.line["ned21"])
        rig.answer("ned21", answer_to(rig, "ned21"))
        rig.outlet.deaf.clear()
        hang_up(rig, "ned21")
        rig.outlet.recent.clear()
    else:
        rig.players.pop("ned21")
        hang_up(rig, "ned21")

    def more(picture: Snapshot) -> Snapshot:
        seats = tuple(
            view.model_copy(update={"bet": 5000}) if view.handle == "ned21" else view
            for view in picture.seats
        )
        return picture.model_copy(update={"seats": seats})

    rig.outlet.cheat = pictured(more)
    rig.join("ned21")
    noted(rig, r"you have \$50\.00 on the table, and your client has not bet it")
    assert ned is not rig.players["ned21"] or is_sent


# Shoes.


def test_a_shoe_that_others_have_emptied_of_high_cards_is_found(house: House) -> None:
    """We have heard each of their rounds, and the links may all be of the server."""
    if house.shoe != "cut_card" or house.decks < 6:
        pytest.skip("this house has no shoe of which so many cards are left")
    few = tuple(2 if card.rank in "TJQKA" else house.decks for card in PACK)
    seal = "ab" * 32
    cut = house.cut_card_min
    call = events.BetsClosed(round=2, seal=seal, bets=(), left=few, below_cut=cut)
    for links in ((), (SeatLink(seat=1, link=seal),)):
        shoe = KnownShoe()
        began = events.RoundBegan(round=1, seats=(1, 2), links=links)
        shoe.begin(began, house, 1)
        shoe.contents = contents_of(call)
        if links:
            shoe.call(call, house)  # as our own luck has it
        else:
            with pytest.raises(RefutedError, match="no chance leaves such cards"):
                shoe.call(call, house)


# What people see.


def test_a_bet_of_nobody_is_found(rig: Company) -> None:
    """A hand that nobody plays takes cards as well, and is of a friend of the host."""
    say(rig, events.BetPlaced(seat=9, amount=1000, balance=0))
    found(rig, "seat 9 bets, and nobody sits there")


def test_rules_that_are_not_kept_are_counted(rig: Company) -> None:
    """The first one may be harmless."""

    def promised(picture: Snapshot) -> Snapshot:
        rules = ("Be welcome.", *picture.house.rules, "A natural pays 3 to 1.")
        house = picture.house.model_copy(update={"rules": rules})
        return picture.model_copy(update={"house": house})

    rig.outlet.cheat = pictured(promised)
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    noted(rig, "it does not play: 'Be welcome.', and 1 more")
