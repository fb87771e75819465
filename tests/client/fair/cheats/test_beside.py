"""Cheats beside the rounds: pictures, shoes, rules, and stories for one line alone."""

import pytest

from bj_client.fair.finding import RefutedError
from bj_client.fair.known_shoe import KnownShoe, contents_of
from bj_client.fair.record import Entry, read
from bj_client.fair.witness import Witness
from bj_game.card import PACK
from bj_game.house import House
from bj_protocol import commands, events
from bj_protocol.codec import encode
from bj_protocol.messages import Message, Signed, Snapshot, Update
from bj_protocol.proof import StatementKind, next_head
from bj_protocol.views import SeatLink
from bj_server.table.inbox import FromLine
from support.cheating import (
    answer_to,
    found,
    hang_up,
    noted,
    pictured,
    play,
    say,
)
from support.company import Company, record_of

ROUNDS = 1


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


class Fork:
    """Tells one line a story of its own, from the end of a round on."""

    def __init__(self, rig: Company, line: int) -> None:
        self.rig, self.line = rig, line
        self.head = ""

    def __call__(
        self, message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line != self.line:
            return [(message, text)]
        if isinstance(message, Snapshot) and message.story is not None:
            self.head = message.story.head
        if isinstance(message, Update):
            is_end = any(isinstance(e, events.RoundEnded) for e in message.events)
            text += " " * is_end
            self.head = next_head(self.head, text.encode())
        if isinstance(message, Signed) and message.kind is not StatementKind.START:
            story = self.rig.table.context.story
            assert story is not None
            true, story.head = story.head, self.head
            message = story.sign(message.kind, message.seq, message.round)
            story.head = true
            text = encode(message)
        return [(message, text)]


@pytest.mark.usefixtures("two_seats")
def test_two_stories_for_two_at_one_keyboard_are_found(rig: Company) -> None:
    """Each of them hears a story that holds, and both are signed."""
    rig.outlet.cheat = Fork(rig, rig._lines + 1)
    rig.join("pia")
    play(rig)
    witness = Witness("here")
    for name in ("ned21", "pia"):
        player, line = rig.players[name], witness.ear(name)
        assert not player.findings
        for _, entry in read(record_of(player)):
            if isinstance(entry, Entry) and entry.heard is not None:
                line.hear(entry.heard, entry.text)
            elif isinstance(entry, Entry) and entry.sent is not None:
                line._checker.send(entry.sent)
    said = [str(news) for news in witness.take()]
    assert any("the server has signed two stories" in each for each in said), said
