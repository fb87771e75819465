"""Draws that the server knows when the bets are placed."""

import random
import secrets
from pathlib import Path
from typing import Any

import pytest

from bj_game.house import House
from bj_game.shoe import Shoe
from bj_protocol import commands
from bj_protocol.messages import Snapshot
from bj_protocol.proof import StatementKind
from bj_server.table.context import TableContext
from bj_server.table.inbox import FromLine
from support.cheating import answer_to, deal_to_ask, found, hang_up, pictured, play
from support.company import Company, repeatable

ROUNDS = 2
"""Those that were played before the server cheats."""

Patch = pytest.MonkeyPatch


@pytest.mark.usefixtures("two_seats")
def test_a_round_without_our_link_is_not_taken_for_proven(
    rig: Company, monkeypatch: Patch
) -> None:
    """The line is cut after the bet, and who is away is dealt in without a link."""
    ned = rig.players["ned21"]
    bet = answer_to(rig, "ned21")
    rig.answer("ned21", bet)
    hang_up(rig, "ned21")
    seat = rig.table.context.seats.of_handle("ned21")
    assert seat is not None
    seat.commitment = None
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")
    rig.wait(1)
    play(rig, 1, most=6)
    assert not [proof for proof in ned.proofs if proof.round == 3]
    found(rig, "your link|your commitment", 3)


def test_a_secret_that_is_chosen_when_the_links_are_known_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    """Of twenty secrets the one by which the dealer wins most."""
    arrange = TableContext.arrange

    def choose(context: TableContext, links: Any) -> None:
        context.secret = secrets.token_hex(32)
        arrange(context, links)

    monkeypatch.setattr(TableContext, "arrange", choose)
    play(rig)
    found(rig, "not the one that was sealed", 3)


def low_shoe(context: TableContext) -> None:
    """Leave no tens and no aces in what is left of a shoe."""
    shoe = context.shoe
    low = [card for card in shoe.order[shoe.dealt :] if card.rank not in "TJQKA"]
    cards, below_cut = (*shoe.order[: shoe.dealt], *low), shoe.contents.below_cut
    context.source.shoe = Shoe(cards, below_cut=below_cut, dealt=shoe.dealt)


def test_a_shoe_that_no_chance_has_left_is_found(
    tmp_path: Path, monkeypatch: Patch, house: House
) -> None:
    """Who comes in the middle of a shoe finds no tens and no aces in it."""
    if house.shoe != "cut_card":
        pytest.skip("this house has no shoe that is in use for long")
    with (
        repeatable(random.Random(2)),
        Company(tmp_path / "bank", house=house, seats=min(4, house.max_seats)) as rig,
    ):
        rig.join("lia9")
        play(rig, house.decks)
        low_shoe(rig.table.context)
        play(rig, 1)
        rig.join("ned21")
        play(rig, 2)
        found(rig, "chance")


def test_a_picture_with_other_cards_of_the_dealer_is_found(rig: Company) -> None:
    deal_to_ask(rig)

    def swapped(picture: Snapshot) -> Snapshot:
        seat = next(v for v in picture.seats if v.hands)
        first, *cards = seat.hands[0].cards
        if not picture.dealer.cards:
            pytest.skip("in this house the dealer has no cards yet")
        up, *rest = picture.dealer.cards
        hand = seat.hands[0].model_copy(update={"cards": (up, *cards)})
        seats = tuple(
            view.model_copy(update={"hands": (hand, *view.hands[1:])})
            if view.seat == seat.seat
            else view
            for view in picture.seats
        )
        dealer = picture.dealer.model_copy(update={"cards": (first, *rest)})
        return picture.model_copy(update={"seats": seats, "dealer": dealer})

    rig.outlet.cheat = pictured(swapped)
    rig.send(FromLine(rig.line["ned21"], commands.Resync()))
    found(rig, "picture of the table")


@pytest.mark.usefixtures("two_seats")
def test_two_stories_are_found_by_one_who_hears_both(rig: Company) -> None:
    """Two players of one keyboard are told different calls, both of them signed."""
    from bj_client.verify import Verification
    from support.company import record_of, verified

    ned, lia = rig.players["ned21"], rig.players["lia9"]
    story = rig.table.context.story
    assert story is not None
    head, seq = story.head, rig.table.context.seq
    story.head = "ab" * 32
    other = story.sign(StatementKind.END, seq, 2)
    story.head = head
    true = story.sign(StatementKind.END, seq, 2)
    rig.outlet.tell(rig.line["ned21"], true)
    lia_text = other.model_dump_json()
    # lia's line never had another story, as far as she can see
    from bj_client.fair import record

    lines = record_of(ned, lia)
    lines.append(record.entry("lia9", 1e6, "heard", lia_text).encode())
    remarks, verification = verified(lines)
    assert any("two stories" in str(each) for each in remarks), remarks
    assert isinstance(verification, Verification)


@pytest.mark.usefixtures("two_seats")
def test_a_bet_that_is_taken_behind_a_cut_line_is_owed(rig: Company) -> None:
    """The line is cut when the bet is sent, so that it is not heard to be placed."""
    seat = rig.table.context.seats.of_handle("ned21")
    assert seat is not None
    rig.outlet.deaf.add(rig.line["ned21"])
    bet = answer_to(rig, "ned21")
    rig.answer("ned21", bet)
    rig.outlet.deaf.clear()
    hang_up(rig, "ned21")
    seat.commitment = None
    play(rig)
    rig.outlet.recent.clear()
    rig.join("ned21")
    rig.wait(1)
    play(rig, 1, most=6)
    ned = rig.players["ned21"]
    assert not [proof for proof in ned.proofs if proof.round == 3]
    found(rig, "your link|your commitment", 3)
