"""The redactor: records, answers and rules in the words of the wire.

Nothing here shows a card before it is turned: ``bj_game.layout`` tells the events of a
round as everyone may know them, and ``bj_protocol.round_views`` shows its hands.
"""

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from bj_game.house import House
from bj_game.play import Play, Reply
from bj_game.rules import rules_card
from bj_game.shoe import Shoe, ShoeContents
from bj_protocol.commands import AnyAnswer, Insure
from bj_protocol.draw import ClosedBet, PastDraw, PastPlay, SeatLink
from bj_protocol.recall import PastDecision
from bj_protocol.round_views import ACTIONS
from bj_protocol.views import (
    HouseView,
    ShoeView,
)
from bj_server.table.records import AnswerRecord, DealRecord

_PLAYS = {action: play for play, action in ACTIONS.items()}


def reply_of(answer: AnyAnswer) -> Reply | None:
    """Return the reply that ``answer`` is in a round; None for one that is no play."""
    if answer.type not in _PLAYS:
        return None
    amount = answer.amount if isinstance(answer, Insure) else 0
    return Reply(play=_PLAYS[answer.type], amount=amount)


def decision_view(hand: int, answer: AnswerRecord) -> PastDecision:
    """Return a decision about a hand, as its player may recall it."""
    amount = answer.amount if answer.play is Play.INSURE else None
    action, by = ACTIONS[answer.play], answer.by
    return PastDecision(hand=hand, action=action, by=by, amount=amount)


def play_view(answer: AnswerRecord) -> PastPlay:
    """Return a decision as every player of the round may recall it."""
    action, by = ACTIONS[answer.play], answer.by
    return PastPlay(seat=answer.seat, action=action, by=by, amount=answer.amount)


def draw_view(deal: DealRecord, plays: Iterable[PastPlay]) -> PastDraw | None:
    """Return the draw of a round that is over; None if nothing was proven."""
    if deal.seal is None:
        return None
    bets = [
        ClosedBet(
            seat=seat.seat,
            handle=seat.handle,
            amount=seat.stake,
            spots=seat.spots,
            commitment=seat.commitment,
        )
        for seat in deal.seats
    ]
    return PastDraw(
        secret=deal.secret,
        seal=deal.seal,
        head=deal.head,
        bets=tuple(bets),
        links=tuple(SeatLink(seat=seat, link=link) for seat, link in deal.links),
        plays=tuple(plays),
        **contents_view(deal.contents),
    )


def shoe_view(house: House, shoe: Shoe) -> ShoeView:
    """Return the shoe as it can be seen from outside."""
    return ShoeView(decks=house.decks, cards_left=shoe.left, until_cut=shoe.until_cut)


def contents_view(contents: ShoeContents) -> dict[str, Any]:
    """Return the contents of a shoe as a call and a past draw tell them."""
    return {
        "left": contents.left,
        "deck": tuple(map(str, contents.deck)),
        "below_cut": contents.below_cut,
    }


@lru_cache(maxsize=64)  # the same for each picture of a table
def house_view(house: House, remarks: tuple[str, ...]) -> HouseView:
    """Return the rules card, with the table's own remarks before it."""
    return HouseView(
        name=house.name,
        title=house.title,
        rules=(*remarks, *rules_card(house)),
        minimum_bet=house.minimum_bet,
        terms=asdict(house),
    )
