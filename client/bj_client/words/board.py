"""The board: the whole table as lines of text."""

from collections import Counter

from bj_client.model.seat import Faces, Hand, OwnSeat, Seat
from bj_client.model.table import Table
from bj_client.words.money import dollars
from bj_client.words.text import counted
from bj_protocol.action import Action
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask, HandState, PaceView, Phase, Presence

WATCHERS_KEYS = "Type t for the table, r for the rules, q to leave."


def welcome(table: Table, *, is_past: bool = False) -> list[str]:
    """Return the lines for players who sit down, and for others who look on.

    If it ``is_past``, in a record, nothing of it can be typed.
    """
    house = f"The house plays {table.house.name}: {table.house.title}."
    keys = "At every prompt: ? for help, t for the table, r for the rules, q to leave."
    if not table.ours:
        seats = f"{len(table.seats)} of {counted(table.seat_count, 'seat')}"
        verb = "is" if table.seat_count == 1 else "are"
        looks = f"You watch table {table.name}: {seats} {verb} taken."
        return [looks, house, *([] if is_past else [WATCHERS_KEYS])]
    lines = [
        f"Welcome, {own.handle}: table {table.name}, seat {own.seat.number}, "
        f"bank {dollars(own.seat.balance)}."
        for own in table.ours.values()
    ]
    lines += [f"{house}{ruled(table)}", *([] if is_past else [keys])]
    has_hands = any(own.seat.hands for own in table.ours.values())
    if table.phase is Phase.PLAYING and not has_hands:
        lines.append("A round is being played: you are in from the next one.")
    return lines


_TIES = {"push": "Ties push", "dealer": "The dealer wins ties"}
_NATURALS = {
    "plain": "a natural is worth no more than any 21",
    "1:1": "a natural pays even money",
    "6:5": "a natural pays 6 to 5",
    "3:2": "a natural pays 3 to 2",
}


def ruled(table: Table) -> str:
    """Say how ties, naturals and a soft 17 are ruled; "" where that is not told.

    The sentence has a blank before it.
    """
    terms = table.house.terms
    tie, natural = _TIES.get(str(terms.get("tie"))), str(terms.get("natural"))
    if tie is None or natural not in _NATURALS:
        return ""
    soft = "hits" if terms.get("hit_soft_17") is True else "stands on"
    dealer = f"the dealer {soft} soft 17"
    if terms.get("dealer_draws") == "never":
        dealer = "the dealer draws no card"
    elif terms.get("ace") == "one":
        dealer = "an ace counts 1, so that no 17 is soft"
    return f" {tie}, {_NATURALS[natural]}, and {dealer}."


def board(table: Table, faces: Faces) -> list[str]:
    """Return the dealer, the shoe and every seat."""
    return [
        f"Table {table.name}, round {table.round}, {PHASES[table.phase]}.",
        f"Shoe: {_shoe(table)}.",
        f"{titled(table.dealer_name)}: {_dealer(table.dealer, faces)}",
        *(_seat(seat, table, faces) for seat in table.seats.values()),
    ]


def turn(ask: Ask, table: Table, faces: Faces) -> list[str]:
    """Return the lines for a player who must decide about a hand."""
    if Action.PLACE_BET in ask.actions or Action.ACCEPT_GIFT in ask.actions:
        return []
    seat = table.seat(ask.seat)
    bank = f"bank {dollars(seat.balance)}"
    dealer = f"The dealer shows {_dealer(table.dealer, faces)}."
    if len(seat.hands) < 2:
        only = _hand(table.hand(ask.seat, ask.hand), faces)
        return [dealer, f"{seat.handle} has {only}; {bank}."]
    lines = [dealer]
    for number, hand in enumerate(seat.hands):
        mark = " (in turn)" if number == ask.hand else ""
        lines.append(f"{seat.handle}, hand {number + 1}{mark}: {_hand(hand, faces)}.")
    return [*lines, f"{seat.handle}, {bank}."]


def rules(table: Table | Snapshot) -> list[str]:
    """Return the house's rules, and how long the table waits."""
    house = table.house
    lines = (*house.rules, _clocks(table.pace))
    return [f"The rules of {house.title}:", *(f"- {line}" for line in lines)]


def house_news(table: Table, picture: Snapshot) -> list[str]:
    """Return the rules of the house that differ from those of ``table``."""
    (_, *old), (title, *new) = rules(table), rules(picture)
    if old == new and table.house.title == picture.house.title:
        return []
    added = [line for line in new if line not in old]
    gone = [line for line in old if line not in new]
    return [
        f"The house has new rules. {title}" if added else "The house has fewer rules.",
        *added,
        *(f"No more: {line.removeprefix('- ')}" for line in gone),
    ]


def _clocks(pace: PaceView) -> str:
    times = pace.bet_seconds, pace.insurance_seconds, pace.turn_seconds
    if times == (None, None, None):
        return "There is no clock: everyone may take as long as they like."
    bets, offers, others = (
        "unlimited" if seconds is None else f"{seconds:g}" for seconds in times
    )
    return (
        f"The table waits {bets} seconds for the bets, {offers} for insurance, and "
        f"{others} for each other decision."
    )


def score(own: OwnSeat, table: Table) -> str:
    """Return a player's visit in figures: rounds, hands, money."""
    record = own.record
    rounds = counted(record.rounds, "round")
    risk = own.seat.at_risk if table.phase is Phase.PLAYING else 0
    more = f" and {dollars(risk)} in play, to be settled there" if risk else ""
    return (
        f"{rounds}, {record.won} won, {record.lost} lost, {record.pushed} pushed, "
        f"net {dollars(record.net)}, bank {dollars(own.seat.balance)}{more}"
    )


def farewell(table: Table) -> list[str]:
    """Return the closing lines of a visit, one for each of its players."""
    return [
        f"Good-bye, {own.handle}: {score(own, table)}." for own in table.ours.values()
    ]


def summary(table: Table) -> list[str]:
    """Return further lines for people; none about bots."""
    return [_summary(own) for own in table.ours.values() if own.record.decisions]


def _summary(own: OwnSeat) -> str:
    best = own.record.best
    won = f"won at most {dollars(best)} with a hand" if best else "won no hand"
    known = [agrees for agrees in own.record.decisions.values() if agrees is not None]
    if not known:
        return f"{own.handle} {won}."
    plays = "play" if len(known) == 1 else "plays"
    costs = Counter[str]()
    for play in own.record.judged.values():
        costs[play.kind] += play.cost
    mistakes = dearest(costs)
    return (
        f"{own.handle} {won}, and made {sum(known)} of {len(known)} {plays} as basic "
        f"strategy does.{mistakes and f' {mistakes}'}"
    )


def dearest(costs: Counter[str]) -> str:
    """Say what mistakes have cost in all, and the five dearest kinds of hand.

    >>> dearest(Counter({"hard 16 against 10": 42, "8,8 against 5": 0}))
    'The others cost $0.42: hard 16 against 10 $0.42.'
    """
    found = [(kind, cents) for kind, cents in costs.most_common(5) if cents]
    if not found:
        return ""
    told = ", ".join(f"{kind} {dollars(cents)}" for kind, cents in found)
    return f"The others cost {dollars(costs.total())}: {told}."


PHASES = {
    Phase.WAITING: "waiting for players",
    Phase.BETTING: "bets are open",
    Phase.CALLING: "the cards are drawn",
    Phase.PLAYING: "being played",
}


def _shoe(table: Table) -> str:
    shoe = table.shoe
    if shoe.cards_left is None:
        return "an endless deck"
    shown = f"{counted(shoe.decks, 'deck')}, {counted(shoe.cards_left, 'card')} left"
    if shoe.until_cut is None:
        return shown
    cut = f"{shoe.until_cut} before the cut card"
    return f"{shown}, {cut if shoe.until_cut else 'the cut card is out'}"


def titled(dealer: str) -> str:
    """Return the name of a dealer, who is called one."""
    return dealer if dealer.casefold() == "dealer" else f"{dealer} (dealer)"


def _dealer(dealer: Hand, faces: Faces) -> str:
    if not dealer.cards:
        return "no cards"
    if HIDDEN not in dealer.cards:
        value = "blackjack" if dealer.natural else dealer.value
        return f"{faces.cards(dealer.cards)} ({value})"
    shown = [card for card in dealer.cards if card != HIDDEN]
    return f"{faces.cards(shown)} and a hidden card"


def _seat(seat: Seat, table: Table, faces: Faces) -> str:
    you = " (you)" if seat.number in table.ours else ""
    parts = [f"Seat {seat.number}: {seat.handle}{you}", f"bank {dollars(seat.balance)}"]
    if seat.presence is not Presence.HERE:
        parts.append(seat.presence.value)
    if seat.bet:
        spots = f" on each of {seat.spots} spots" if seat.spots > 1 else ""
        parts.append(f"bet {dollars(seat.bet)}{spots}")
    parts.extend(_hand(hand, faces) for hand in seat.hands)
    return "; ".join(parts)


def _hand(hand: Hand, faces: Faces) -> str:
    total = f" ({hand.value})" if hand.total else ""
    parts = [f"{faces.cards(hand.cards)}{total}", f"stake {dollars(hand.stake)}"]
    if hand.insurance:
        parts.append(f"insurance {dollars(hand.insurance)}")
    state = "blackjack" if hand.natural else STATES[hand.state]
    if state:
        parts.append(state)
    return ", ".join(parts)


STATES = {
    HandState.WAITING: "",
    HandState.PLAYING: "",
    HandState.STOOD: "stands",
    HandState.TWENTY_ONE: "has 21",
    HandState.BUSTED: "busted",
    HandState.SURRENDERED: "surrendered",
    HandState.GIVEN_UP: "given up",
    HandState.CHARLIE: "wins by its number of cards",
}


def status(table: Table, seconds: int | None, room: int = 120) -> str:
    """Return the status line: bank and score of the next player, and the running clock.

    It is the longest form that ``room`` characters hold; the score goes first, and the
    clock stays.
    """
    left = "" if seconds is None else f": {seconds} s"
    clock = [f"{_deciders(table)}{left}"] if table.asks else []
    if not table.ours:
        forms = [["watching", *clock], clock or ["watching"]]
    else:
        number = table.our_asks[0].seat if table.our_asks else next(iter(table.ours))
        own = table.ours[number]
        bank, score = f"bank {dollars(own.seat.balance)}", f"{own.record.score:+}"
        forms = [
            [own.handle, bank, f"wins minus losses {score}", *clock],
            [own.handle, bank, f"won-lost {score}", *clock],
            [own.handle, bank, *clock],
            [bank, *clock],
            clock or [bank],
        ]
    lines = [" | ".join(form) for form in forms]
    return next((line for line in lines if len(line) <= room), lines[-1])


def _deciders(table: Table) -> str:
    if table.our_asks:
        return "your turn"
    handles = [table.seat(ask.seat).handle for ask in table.asks]
    return f"{handles[0]} decides" if len(handles) == 1 else "others decide"
