"""The redactor: what everyone may see of a round, as the views of the wire.

A hole card is hidden here until it is turned. The events of a round need no
redaction: ``bj_game.layout`` tells them as everyone may know them.
"""

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from bj_game import event as game
from bj_game.card import HIDDEN
from bj_game.hand import Hand, total_of
from bj_game.house import House
from bj_game.play import Play, Prompt, Reply
from bj_game.player import Player
from bj_game.round import Round
from bj_game.rules import rules_card
from bj_game.shoe import Shoe, ShoeContents
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Insure
from bj_protocol.draw import ClosedBet, PastDraw, PastPlay, SeatLink
from bj_protocol.recall import PastDecision, PastHand, PastInsurance
from bj_protocol.views import (
    Ask,
    DealerView,
    HandView,
    HouseView,
    ShoeView,
)
from bj_server.table.records import AnswerRecord, DealRecord

_ACTIONS = {play: Action(play) for play in Play}
_PLAYS = {action: play for play, action in _ACTIONS.items()}


def ask_view(number: int, prompt: Prompt) -> Ask:
    """Return the question of ``prompt`` under the id ``number``."""
    return Ask(
        prompt=number,
        seat=prompt.seat,
        hand=prompt.hand,
        actions=tuple([_ACTIONS[play] for play in prompt.plays]),
        wager=prompt.insurance,
    )


def reply_of(answer: AnyAnswer) -> Reply | None:
    """Return the reply that ``answer`` is in a round; None for one that is no play."""
    if answer.type not in _PLAYS:
        return None
    amount = answer.amount if isinstance(answer, Insure) else 0
    return Reply(play=_PLAYS[answer.type], amount=amount)


def hand_views(player: Player) -> tuple[HandView, ...]:
    """Return the hands of a seat."""
    return tuple(_hand_view(hand) for hand in player.hands)


def _hand_view(hand: Hand) -> HandView:
    return HandView(
        cards=tuple(str(card) for card in hand.cards),
        total=hand.total.points,
        soft=hand.total.soft,
        stake=hand.stake,
        insurance=hand.insurance,
        state=hand.state,
    )


def dealer_view(house: House, deal: Round | None) -> DealerView:
    """Return the dealer's hand, the hole card only once it is turned."""
    if deal is None:
        return DealerView(name=house.dealer_name, cards=(), total=None, soft=False)
    cards = deal.dealer.cards
    shown = cards[:1] if deal.is_hole_hidden else cards
    hidden = (HIDDEN,) * (len(cards) - len(shown))
    total = total_of(shown, deal.dealer.aces)
    return DealerView(
        name=house.dealer_name,
        cards=(*(str(card) for card in shown), *hidden),
        total=total.points if shown else None,
        soft=total.soft,
    )


def past_hands(
    views: tuple[HandView, ...], seat: int, happened: Iterable[game.RoundEvent]
) -> tuple[PastHand, ...]:
    """Return the hands of a seat with their results."""
    hands: list[dict[str, Any]] = [dict(view) for view in views]
    for event in happened:
        match event:
            case game.InsuranceSettled(seat=whose) if whose == seat:
                hands[event.hand]["insured"] = PastInsurance(
                    outcome=event.outcome, amount=event.amount, payout=event.payout
                )
            case game.HandSettled(seat=whose) if whose == seat:
                hands[event.hand] |= {
                    "outcome": event.outcome,
                    "reason": event.reason,
                    "payout": event.payout,
                }
            case _:
                pass
    return tuple(PastHand(**fields) for fields in hands)


def decision_view(hand: int, answer: AnswerRecord) -> PastDecision:
    """Return a decision about a hand, as its player may recall it."""
    amount = answer.amount if answer.play is Play.INSURE else None
    action, by = _ACTIONS[answer.play], answer.by
    return PastDecision(hand=hand, action=action, by=by, amount=amount)


def play_view(answer: AnswerRecord) -> PastPlay:
    """Return a decision as every player of the round may recall it."""
    action, by = _ACTIONS[answer.play], answer.by
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
