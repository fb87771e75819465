"""Sentences: each event of the table as one plain sentence for people.

``tell`` is asked after the event was folded into the table, so that the table knows
the hands it speaks of. Players go by their handles, so that a transcript reads the
same for everyone at the table.
"""

from typing import assert_never

from bj_client.model.card import Faces
from bj_client.model.table import Table
from bj_client.words.money import dollars
from bj_client.words.verdict import hand_verdict, insurance_verdict, player
from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.chat import clean_chat
from bj_protocol.model import HIDDEN
from bj_protocol.views import Presence

_DECK = 52
"""The cards of a deck."""

_DEALER_STANDS_ON = 17
"""The least total with which the rules of any house let the dealer stand."""


def tell(event: events.Event, table: Table, faces: Faces) -> str:
    """Return an event as one sentence; "" for one that is no news to people."""
    match event:
        case events.PlayerJoined() | events.PlayerLeft() | events.PresenceChanged():
            return _coming(event, table)
        case (
            events.BettingOpened()
            | events.BetsClosed()
            | events.RoundBegan()
            | events.RoundEnded()
            | events.RoundVoided()
        ):
            return _rounds(event, table)
        case events.Announced() | events.Proclaimed() | events.Said():
            return _spoken(event)
        case (
            events.BetPlaced()
            | events.BetReturned()
            | events.SatOut()
            | events.GiftGiven()
        ):
            return _bets(event, table)
        case (
            events.ShoeShuffled()
            | events.CutCardReached()
            | events.DiscardsShuffled()
            | events.CardDealt()
            | events.HoleRevealed()
        ):
            return _cards(event, table, faces)
        case (
            events.HandSplit()
            | events.SplitDeclined()
            | events.HandInsured()
            | events.OfferDeclined()
            | events.HandDoubled()
            | events.HandSurrendered()
            | events.HandGivenUp()
            | events.EvenMoneyTaken()
            | events.AcesValued()
            | events.HandStood()
        ):
            return _decision(event, table)
        case _:
            return _outcome(event, table)


def _coming(
    event: events.PlayerJoined | events.PlayerLeft | events.PresenceChanged,
    table: Table,
) -> str:
    match event:
        case events.PlayerJoined():
            money = dollars(event.balance)
            return f"{event.handle} sits down at seat {event.seat} with {money}."
        case events.PlayerLeft():
            return f"{event.handle} leaves seat {event.seat}."
        case events.PresenceChanged():
            return f"{table.seat(event.seat).handle} {_PRESENCE[event.presence]}."


_PRESENCE = {
    Presence.HERE: "is back",
    Presence.AWAY: "is away",
    Presence.LEAVING: "is leaving",
}


def _rounds(
    event: events.BettingOpened
    | events.BetsClosed
    | events.RoundBegan
    | events.RoundEnded
    | events.RoundVoided,
    table: Table,
) -> str:
    match event:
        case events.BettingOpened():
            return f"Round {event.round}: the bets are open."
        case events.BetsClosed():
            return ""  # the dealer deals in a moment, and that says it
        case events.RoundBegan():
            return _began(event, table)
        case events.RoundEnded():
            return f"Round {event.round} is over."
        case events.RoundVoided():
            late = _missing(event.missing, table)
            return f"{late}Round {event.round} is void: {event.text}"


def _began(event: events.RoundBegan, table: Table) -> str:
    handles = _listed([table.seat(number).handle for number in event.seats])
    text = f"The bets are closed and the dealer deals to {handles}."
    is_new = table.shoe.cards_left == _DECK * table.shoe.decks
    if is_new and event.until_cut is not None:
        text += f" The cut card comes after {event.until_cut} cards."
    return f"{_missing(event.missing, table)}{text}"


def _missing(seats: tuple[int, ...], table: Table) -> str:
    """Name the players whose links did not come; nobody can know why."""
    return "".join(
        f"{who}'s client did not send its part of the draw in time: the bet is back, "
        f"and {who} sits out five rounds. "
        for who in (table.seat(number).handle for number in seats)
    )


def _spoken(event: events.Announced | events.Proclaimed | events.Said) -> str:
    match event:
        case events.Announced():
            return event.text
        case events.Proclaimed():
            return f"The host says: {clean_chat(event.text)}"
        case events.Said():
            return f"{event.handle} says: {clean_chat(event.text)}"


def _bets(
    event: events.BetPlaced | events.BetReturned | events.SatOut | events.GiftGiven,
    table: Table,
) -> str:
    who = table.seat(event.seat).handle
    match event:
        case events.BetPlaced():
            return f"{who} bets {dollars(event.amount)}{_on_spots(event.spots)}."
        case events.BetReturned():
            return f"{dollars(event.amount)} comes back to {who}."
        case events.GiftGiven():
            donor = "The host" if event.by_host else "An anonymous donor"
            return f"{donor} gives {who} {dollars(event.amount)}."
        case events.SatOut():
            return f"{_cause(event, table, who)} sits this round out."


def _on_spots(spots: int) -> str:
    return f" on each of {spots} spots" if spots > 1 else ""


def _cards(
    event: events.ShoeShuffled
    | events.CutCardReached
    | events.DiscardsShuffled
    | events.CardDealt
    | events.HoleRevealed,
    table: Table,
    faces: Faces,
) -> str:
    match event:
        case events.ShoeShuffled():
            return _shuffled(event)
        case events.CutCardReached():
            return "The cut card is out: the shoe is shuffled after this round."
        case events.DiscardsShuffled(cards=cards):
            return (
                f"The shoe is empty: the dealer shuffles the discards, {cards} "
                f"card{'s' * (cards != 1)}, and the round goes on."
            )
        case events.HoleRevealed():
            return (
                f"The dealer turns the hidden card, {faces.card(event.card)}: "
                f"{_value(event.total, soft=event.soft)}."
            )
        case events.CardDealt():
            return _dealt(event, table, faces)


def _shuffled(event: events.ShoeShuffled) -> str:
    decks = "one deck" if event.decks == 1 else f"{event.decks} decks"
    if event.cards is None:
        return "The cards come from an endless deck."
    return f"The dealer shuffles {decks}, {event.cards} cards."


def _dealt(event: events.CardDealt, table: Table, faces: Faces) -> str:
    who = player(table, event.seat, event.hand)
    if event.card == HIDDEN:
        return f"{who} gets a hidden card."
    value = _value(event.total, soft=event.soft)
    return f"{who} gets {faces.card(event.card)}: {value}."


def _decision(
    event: events.HandSplit
    | events.SplitDeclined
    | events.HandInsured
    | events.OfferDeclined
    | events.HandDoubled
    | events.HandSurrendered
    | events.HandGivenUp
    | events.EvenMoneyTaken
    | events.AcesValued
    | events.HandStood,
    table: Table,
) -> str:
    who = player(table, event.seat, event.hand)
    match event:
        case events.HandSplit():
            return _split(event, table)
        case events.SplitDeclined():
            return f"{_cause(event, table, who)} keeps the pair together."
        case events.HandInsured():
            return f"{who} buys insurance for {dollars(event.amount)}."
        case events.OfferDeclined():
            return f"{_cause(event, table, who)} {_declined(event, table)}."
        case events.HandDoubled():
            return f"{who} doubles the stake to {dollars(event.stake)}."
        case events.HandStood():
            return f"{_cause(event, table, who)} stands with {_stood(event, table)}."
        case _:
            return f"{who} {_said(event)}."


def _said(
    event: events.HandSurrendered
    | events.HandGivenUp
    | events.EvenMoneyTaken
    | events.AcesValued,
) -> str:
    match event:
        case events.HandGivenUp():
            return "gives the hand up"
        case events.HandSurrendered():
            return "surrenders"
        case events.EvenMoneyTaken():
            return "takes even money for a blackjack"
        case events.AcesValued():
            return f"counts an ace {11 if event.high else 1}: {event.total}"


def _split(event: events.HandSplit, table: Table) -> str:
    seat, stake = table.seat(event.seat), dollars(event.stake)
    if len(seat.hands) <= 2:
        return f"{seat.handle} splits into two hands of {stake} each."
    first, second = event.hand + 1, event.new_hand + 1
    return (
        f"{seat.handle} splits hand {first} into hands {first} and {second} of {stake} "
        "each."
    )


def _declined(event: events.OfferDeclined, table: Table) -> str:
    """Say what was declined, by the ask that is still open between two folds.

    A player who is gone is asked nothing, and may have had another ask before. Then the
    sentence says that no insurance is taken, whatever was offered.
    """
    asked = (event.seat, event.hand)
    asks = [ask.actions for ask in table.asks if (ask.seat, ask.hand) == asked]
    offered = {action for actions in asks for action in actions}
    if Action.DECLINE not in offered or Action.INSURE in offered:
        return "takes no insurance"
    if Action.EVEN_MONEY in offered:
        return "takes no even money"
    if Action.SURRENDER in offered:
        return "does not surrender"
    return "takes no insurance"


def _outcome(
    event: events.HandReached21
    | events.HandReachedCharlie
    | events.HandBusted
    | events.DealerPeeked
    | events.DealerStood
    | events.DealerBusted
    | events.InsuranceSettled
    | events.HandSettled,
    table: Table,
) -> str:
    match event:
        case events.HandReached21():
            who = player(table, event.seat, event.hand)
            natural = "has a blackjack: 21 with the first two cards"
            return f"{who} {natural if event.natural else 'has reached 21'}."
        case events.HandReachedCharlie():
            who = player(table, event.seat, event.hand)
            cards = len(table.hand(event.seat, event.hand).cards)
            return f"{who} has {cards} cards without a bust, which wins here."
        case events.DealerPeeked():
            found = "and has a blackjack" if event.blackjack else "and has no blackjack"
            return f"The dealer looks at the hidden card {found}."
        case events.HandBusted():
            who = player(table, event.seat, event.hand)
            return f"{who} has busted with {event.total}."
        case events.DealerStood():
            return _dealer_ends(event, table)
        case events.DealerBusted():
            return f"The dealer has busted with {event.total}."
        case events.InsuranceSettled():
            return insurance_verdict(event, table)
        case events.HandSettled():
            return hand_verdict(event, table)
        case _:
            assert_never(event)


def _dealer_ends(event: events.DealerStood, table: Table) -> str:
    if event.blackjack:
        return "The dealer stands with a blackjack."
    dealer, terms = table.dealer, table.house.terms
    is_soft_17 = event.total == _DEALER_STANDS_ON and dealer.soft
    if event.total < _DEALER_STANDS_ON or (is_soft_17 and terms.get("hit_soft_17")):
        more = "no card" if len(dealer.cards) < 3 else "no more"
        return f"The dealer has {event.total} and draws {more}."
    return f"The dealer stands with {event.total}."


def _stood(event: events.HandStood, table: Table) -> str:
    hand = table.hand(event.seat, event.hand)
    return hand.value if hand.total == event.total else str(event.total)


def _value(total: int, *, soft: bool) -> str:
    return f"soft {total}" if soft else str(total)


def _cause(
    event: events.SatOut
    | events.SplitDeclined
    | events.OfferDeclined
    | events.HandStood,
    table: Table,
    who: str,
) -> str:
    match event.by:
        case By.PLAYER:
            return who
        case By.CLOCK:
            return f"The time is up and {who}"
        case By.ABSENCE:
            leaves = table.seat(event.seat).presence is Presence.LEAVING
            return f"{who} is {'leaving' if leaves else 'away'} and"
        case By.RULES:
            return f"{who} has nothing to decide and"


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names) or "nobody"
    return f"{', '.join(names[:-1])} and {names[-1]}"
