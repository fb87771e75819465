"""The redactor: from what happens in the game to what may be seen of it.

This is the only translator between ``bj_game`` and ``bj_protocol``, and the only place
that hides or shows the hole card. Everything sent to anyone passes through here, so a
look at this file tells what a player can know.
"""

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import TypedDict, assert_never

from bj_game import event as game
from bj_game.hand import Hand, Stage, total_of
from bj_game.house import House
from bj_game.play import Decider, Play, Prompt, Reply
from bj_game.player import Player
from bj_game.round import Round
from bj_game.rules import rules_card
from bj_game.shoe import Shoe, ShoeContents
from bj_game.wager import WagerLimits
from bj_protocol import events as wire
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Insure
from bj_protocol.draw import ClosedBet, PastDraw, PastPlay, SeatLink
from bj_protocol.recall import PastDecision, PastHand, PastInsurance
from bj_protocol.views import (
    Ask,
    DealerView,
    HandState,
    HandView,
    HouseView,
    Outcome,
    ShoeView,
    WagerRange,
)
from bj_server.table.records import AnswerRecord, DealRecord

_FACE_DOWN = "??"

_STATES = {
    Stage.WAITING: HandState.WAITING,
    Stage.PLAYING: HandState.PLAYING,
    Stage.STOOD: HandState.STOOD,
    Stage.TWENTY_ONE: HandState.TWENTY_ONE,
    Stage.BUSTED: HandState.BUSTED,
    Stage.SURRENDERED: HandState.SURRENDERED,
    Stage.GIVEN_UP: HandState.GIVEN_UP,
    Stage.CHARLIE: HandState.CHARLIE,
}


def wire_event(happened: game.Event) -> wire.Event:
    """Return the event as everyone at the table may know it."""
    match happened:
        case game.CardDealt(seat=seat, hand=hand, card=card, total=total):
            return wire.CardDealt(
                seat=seat,
                hand=hand,
                card=str(card) if happened.face_up else _FACE_DOWN,
                total=total.points,
                soft=total.soft,
            )
        case game.HoleRevealed(card=card, total=total):
            return wire.HoleRevealed(
                card=str(card), total=total.points, soft=total.soft
            )
        case game.CutCardReached():
            return wire.CutCardReached()
        case game.DiscardsShuffled(cards=cards):
            return wire.DiscardsShuffled(cards=cards)
        case game.DealerPeeked(blackjack=blackjack):
            return wire.DealerPeeked(blackjack=blackjack)
        case game.DealerStood(total=total, blackjack=blackjack):
            return wire.DealerStood(total=total.points, blackjack=blackjack)
        case game.DealerBusted(total=total):
            return wire.DealerBusted(total=total.points)
        case game.InsuranceSettled() | game.HandSettled():
            return _wire_settled(happened)
        case _:
            return _wire_decision(happened)


_Decision = (
    game.SplitDeclined
    | game.HandSplit
    | game.HandInsured
    | game.OfferDeclined
    | game.HandDoubled
    | game.HandStood
    | game.HandReached21
    | game.HandReachedCharlie
    | game.HandSurrendered
    | game.HandGivenUp
    | game.EvenMoneyTaken
    | game.AcesValued
    | game.HandBusted
)


def _wire_decision(happened: _Decision) -> wire.Event:
    seat, hand = happened.seat, happened.hand
    match happened:
        case game.HandSplit(new_hand=new_hand, stake=stake, funds=funds):
            return wire.HandSplit(
                seat=seat, hand=hand, new_hand=new_hand, stake=stake, balance=funds
            )
        case game.HandInsured(amount=amount, funds=funds):
            return wire.HandInsured(seat=seat, hand=hand, amount=amount, balance=funds)
        case game.HandDoubled(stake=stake, funds=funds):
            return wire.HandDoubled(seat=seat, hand=hand, stake=stake, balance=funds)
        case game.SplitDeclined(by=by):
            return wire.SplitDeclined(seat=seat, hand=hand, by=_by(by))
        case game.OfferDeclined(by=by):
            return wire.OfferDeclined(seat=seat, hand=hand, by=_by(by))
        case _:
            return _wire_end(happened)


_End = (
    game.HandStood
    | game.HandReached21
    | game.HandReachedCharlie
    | game.HandSurrendered
    | game.HandGivenUp
    | game.EvenMoneyTaken
    | game.AcesValued
    | game.HandBusted
)


def _wire_end(happened: _End) -> wire.Event:
    seat, hand = happened.seat, happened.hand
    match happened:
        case game.HandStood(total=total, by=by):
            return wire.HandStood(seat=seat, hand=hand, total=total.points, by=_by(by))
        case game.HandReached21(natural=natural):
            return wire.HandReached21(seat=seat, hand=hand, natural=natural)
        case game.HandReachedCharlie():
            return wire.HandReachedCharlie(seat=seat, hand=hand)
        case game.HandSurrendered():
            return wire.HandSurrendered(seat=seat, hand=hand)
        case game.HandGivenUp():
            return wire.HandGivenUp(seat=seat, hand=hand)
        case game.EvenMoneyTaken():
            return wire.EvenMoneyTaken(seat=seat, hand=hand)
        case game.AcesValued(high=high, total=total):
            return wire.AcesValued(seat=seat, hand=hand, high=high, total=total.points)
        case game.HandBusted(total=total):
            return wire.HandBusted(seat=seat, hand=hand, total=total.points)
        case _:
            assert_never(happened)


def _wire_settled(happened: game.InsuranceSettled | game.HandSettled) -> wire.Event:
    match happened:
        case game.InsuranceSettled(seat=seat, hand=hand, outcome=outcome):
            return wire.InsuranceSettled(
                seat=seat,
                hand=hand,
                outcome=Outcome(outcome.value),
                amount=happened.amount,
                payout=happened.payout,
                balance=happened.funds,
            )
        case game.HandSettled(seat=seat, hand=hand, outcome=outcome):
            return wire.HandSettled(
                seat=seat,
                hand=hand,
                outcome=Outcome(outcome.value),
                reason=wire.SettleReason(happened.ruling.value),
                stake=happened.stake,
                payout=happened.payout,
                balance=happened.funds,
            )
        case _:
            assert_never(happened)


def _by(decider: Decider) -> wire.By:
    return wire.By(decider.value)


def ask_view(number: int, prompt: Prompt) -> Ask:
    """Return the question of ``prompt`` under the id ``number``."""
    return Ask(
        prompt=number,
        seat=prompt.seat,
        hand=prompt.hand,
        actions=tuple(Action(play.value) for play in prompt.plays),
        wager=range_view(prompt.insurance) if prompt.insurance else None,
    )


def range_view(limits: WagerLimits) -> WagerRange:
    """Return the limits of a wager."""
    return WagerRange(minimum=limits.minimum, maximum=limits.maximum, step=limits.step)


def reply_of(answer: AnyAnswer) -> Reply | None:
    """Return what ``answer`` means in a round; None for one that is no play."""
    if answer.type in (Action.PLACE_BET, Action.SIT_OUT, Action.ACCEPT_GIFT):
        return None
    amount = answer.amount if isinstance(answer, Insure) else 0
    return Reply(play=Play(answer.type.value), amount=amount)


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
        state=_STATES[hand.stage],
    )


def dealer_view(house: House, deal: Round | None) -> DealerView:
    """Return the dealer's hand, the hole card only once it is turned."""
    if deal is None:
        return DealerView(name=house.dealer_name, cards=(), total=None, soft=False)
    cards = deal.dealer.cards
    shown = cards[:1] if deal.is_hole_hidden else cards
    hidden = (_FACE_DOWN,) * (len(cards) - len(shown))
    total = total_of(shown, deal.dealer.aces)
    return DealerView(
        name=house.dealer_name,
        cards=(*(str(card) for card in shown), *hidden),
        total=total.points if shown else None,
        soft=total.soft,
    )


def past_hands(
    views: tuple[HandView, ...], seat: int, happened: Iterable[game.Event]
) -> tuple[PastHand, ...]:
    """Return the hands of a seat with what became of them."""
    hands = [PastHand(**dict(view)) for view in views]
    for event in happened:
        match event:
            case game.InsuranceSettled() if event.seat == seat:
                insured = PastInsurance(
                    outcome=Outcome(event.outcome.value),
                    amount=event.amount,
                    payout=event.payout,
                )
                _add(hands, event.hand, insured=insured)
            case game.HandSettled() if event.seat == seat:
                outcome = Outcome(event.outcome.value)
                reason = wire.SettleReason(event.ruling.value)
                payout = event.payout
                _add(hands, event.hand, outcome=outcome, reason=reason, payout=payout)
            case _:
                pass
    return tuple(hands)


def _add(hands: list[PastHand], number: int, **known: object) -> None:
    hands[number] = hands[number].model_copy(update=known)


def decision_view(hand: int, answer: AnswerRecord) -> PastDecision:
    """Return a decision about a hand, as its player may recall it."""
    amount = answer.amount if answer.play is Play.INSURE else None
    action, by = Action(answer.play.value), _by(answer.by)
    return PastDecision(hand=hand, action=action, by=by, amount=amount)


def play_view(answer: AnswerRecord) -> PastPlay:
    """Return a decision as everyone may recall it who has played the round."""
    action, by = Action(answer.play.value), _by(answer.by)
    return PastPlay(seat=answer.seat, action=action, by=by, amount=answer.amount)


def draw_view(deal: DealRecord, plays: Iterable[PastPlay]) -> PastDraw | None:
    """Return what a round that is over follows from; None if nothing was proven."""
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
    """Return what can be seen of the shoe from outside."""
    return ShoeView(decks=house.decks, cards_left=shoe.left, until_cut=shoe.until_cut)


class ContentsFields(TypedDict):
    """What a call, and a past draw, tell of the contents of a shoe."""

    left: tuple[int, ...] | None
    deck: tuple[str, ...]
    below_cut: int | None


def contents_view(contents: ShoeContents) -> ContentsFields:
    """Return what everyone is told of a shoe before a round is drawn from it."""
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
