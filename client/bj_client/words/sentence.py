"""Sentences: each event of the table as one plain sentence for people.

``tell`` is asked after the event was folded into the table, so that the table knows
the hands it speaks of. Players go by their handles, so that a transcript reads the
same for everyone at the table.
"""

from bj_client.model.seat import Faces, value_of
from bj_client.model.table import Table
from bj_client.words.money import dollars
from bj_client.words.text import counted, listed, quoted
from bj_protocol import events
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.chat import clean_chat
from bj_protocol.model import HIDDEN
from bj_protocol.views import Outcome, Presence

_DECK = 52

_DEALER_STANDS_ON = 17
"""The least total with which the rules of any house let the dealer stand."""


def tell(event: events.Event, table: Table, faces: Faces) -> str:  # noqa: C901 - flat
    """Return an event as one sentence; "" for one that is no news to people."""
    who = _player(event, table)
    match event:
        case events.PlayerJoined():
            money = dollars(event.balance)
            return f"{event.handle} sits down at seat {event.seat} with {money}."
        case events.PlayerLeft():
            return f"{event.handle} leaves seat {event.seat}."
        case events.PresenceChanged():
            return f"{who} {_PRESENCE[event.presence]}."
        case events.BettingOpened():
            return f"Round {event.round}: the bets are open."
        case events.BetPlaced():
            spots = f" on each of {event.spots} spots" if event.spots > 1 else ""
            return f"{who} bets {dollars(event.amount)}{spots}."
        case events.BetReturned():
            return f"{dollars(event.amount)} comes back to {who}."
        case events.SatOut():
            return f"{_cause(event, table, who)} sits this round out."
        case events.GiftGiven():
            donor = "The host" if event.by_host else "An anonymous donor"
            return f"{donor} gives {who} {dollars(event.amount)}."
        case events.BetsClosed():
            return ""  # the dealer deals in a moment, and that says it
        case events.RoundBegan():
            return _began(event, table)
        case events.ShoeShuffled(cards=None):
            return "The cards come from an endless deck."
        case events.ShoeShuffled(cards=cards):
            decks = "one deck" if event.decks == 1 else f"{event.decks} decks"
            return f"The dealer shuffles {decks}, {cards} cards."
        case events.CutCardReached():
            return "The cut card is out: the shoe is shuffled after this round."
        case events.DiscardsShuffled(cards=cards):
            return (
                "The shoe is empty: the dealer shuffles the discards, "
                f"{counted(cards, 'card')}, and the round goes on."
            )
        case events.CardDealt() if event.card == HIDDEN:
            return f"{who} gets a hidden card."
        case events.CardDealt():
            value = value_of(event.total, soft=event.soft)
            return f"{who} gets {faces.card(event.card)}: {value}."
        case events.HoleRevealed():
            hole, value = faces.card(event.card), value_of(event.total, soft=event.soft)
            return f"The dealer turns the hidden card, {hole}: {value}."
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
        case events.HandSurrendered():
            return f"{who} surrenders."
        case events.HandGivenUp():
            return f"{who} gives the hand up."
        case events.EvenMoneyTaken():
            return f"{who} takes even money for a blackjack."
        case events.AcesValued():
            return f"{who} counts an ace {11 if event.high else 1}: {event.total}."
        case events.HandStood():
            hand = table.hand(event.seat, event.hand)
            value = hand.value if hand.total == event.total else str(event.total)
            return f"{_cause(event, table, who)} stands with {value}."
        case events.HandReached21(natural=True):
            return f"{who} has a blackjack: 21 with the first two cards."
        case events.HandReached21():
            return f"{who} has reached 21."
        case events.HandReachedCharlie():
            cards = len(table.hand(event.seat, event.hand).cards)
            return f"{who} has {cards} cards without a bust, which wins here."
        case events.HandBusted():
            return f"{who} has busted with {event.total}."
        case events.DealerPeeked():
            found = "and has a blackjack" if event.blackjack else "and has no blackjack"
            return f"The dealer looks at the hidden card {found}."
        case events.DealerStood():
            return _dealer_ends(event, table)
        case events.DealerBusted():
            return f"The dealer has busted with {event.total}."
        case events.InsuranceSettled():
            return _insurance_settled(event, who)
        case events.HandSettled():
            return _hand_settled(event, table, who)
        case events.RoundEnded():
            return f"Round {event.round} is over."
        case events.RoundVoided():
            late = _missing(event.missing, table)
            return f"{late}Round {event.round} is void: {event.text}"
        case events.Announced():
            return quoted(event.text)
        case events.Proclaimed():
            return f"The host says: {clean_chat(event.text)}"
        case events.Said():
            return f"{event.handle} says: {clean_chat(event.text)}"


_PRESENCE = {
    Presence.HERE: "is back",
    Presence.AWAY: "is away",
    Presence.LEAVING: "is leaving",
}


def _player(event: events.Event, table: Table) -> str:
    """Name the player of an event, and the hand if there are several."""
    number, hand = getattr(event, "seat", 0), getattr(event, "hand", None)
    if number == 0:
        return "The dealer"
    seat = table.seat(number)
    if hand is None or len(seat.hands) < 2:
        return seat.handle
    return f"{seat.handle} (hand {hand + 1})"


def _began(event: events.RoundBegan, table: Table) -> str:
    handles = listed([table.seat(n).handle for n in event.seats]) or "nobody"
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
    if Action.DECLINE in offered and Action.INSURE not in offered:
        if Action.EVEN_MONEY in offered:
            return "takes no even money"
        if Action.SURRENDER in offered:
            return "does not surrender"
    return "takes no insurance"


def _dealer_ends(event: events.DealerStood, table: Table) -> str:
    if event.blackjack:
        return "The dealer stands with a blackjack."
    dealer, terms = table.dealer, table.house.terms
    is_soft_17 = event.total == _DEALER_STANDS_ON and dealer.soft
    if event.total < _DEALER_STANDS_ON or (is_soft_17 and terms.get("hit_soft_17")):
        more = "no card" if len(dealer.cards) < 3 else "no more"
        return f"The dealer has {event.total} and draws {more}."
    return f"The dealer stands with {event.total}."


_Caused = events.SatOut | events.SplitDeclined | events.OfferDeclined | events.HandStood


def _cause(event: _Caused, table: Table, who: str) -> str:
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


def _hand_settled(event: events.HandSettled, table: Table, who: str) -> str:
    """Say the result of a hand, with the rule that decided it."""
    hand = table.hand(event.seat, event.hand)
    net = event.payout - event.stake
    rule = _RULES[event.reason].format(
        dealer=table.dealer.total,
        cards=len(hand.cards),
        won=dollars(net),
        stake=dollars(event.stake),
    )
    match event.outcome:
        case Outcome.WIN:
            return f"{who} wins {dollars(net)} with {hand.total}: {rule}."
        case Outcome.LOSE:
            return f"{who} loses {dollars(-net)} with {hand.total}: {rule}."
        case Outcome.PUSH:
            back = dollars(event.payout)
            return f"{who} pushes with {hand.total}: {rule}; {back} comes back."


_RULES = {
    SettleReason.BUSTED: "more than 21 is bust",
    SettleReason.BOTH_BUSTED: "the dealer is bust too, which is a tie here",
    SettleReason.SURRENDERED: "half of the stake comes back for a surrender",
    SettleReason.GIVEN_UP: "it was given up",
    SettleReason.NATURAL: "a blackjack pays {won} on {stake} here",
    SettleReason.EVEN_MONEY: "even money was taken",
    SettleReason.CHARLIE: "{cards} cards without a bust win here",
    SettleReason.DEALER_BUSTED: "the dealer is bust with {dealer}",
    SettleReason.HIGHER_TOTAL: "the dealer has only {dealer}",
    SettleReason.LOWER_TOTAL: "the dealer has {dealer}",
    SettleReason.SAME_TOTAL: "equal totals move no money here",
    SettleReason.TIE_TO_DEALER: "the dealer wins equal totals here",
    SettleReason.DEALER_BLACKJACK: "the dealer has a blackjack",
    SettleReason.TWENTY_ONE_TIES_BLACKJACK: "a 21 does not lose to a blackjack here",
}


def _insurance_settled(event: events.InsuranceSettled, who: str) -> str:
    net = event.payout - event.amount
    said = f"The insurance of {who}"
    match event.outcome:
        case Outcome.WIN:
            return f"{said} wins {dollars(net)}: the dealer has a blackjack."
        case Outcome.LOSE:
            return f"{said} loses {dollars(-net)}: the dealer has no blackjack."
        case Outcome.PUSH:
            return f"{said} is void: {dollars(event.payout)} comes back."
