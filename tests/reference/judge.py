"""The judge: holds what was told of a round against the rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bj_game.house import House
from reference.play import settle
from reference.word import Answer, Bet, Settlement

Told = Mapping[str, Any]
"""An event as the wire has it."""


def disagreements(
    house: House,
    bets: Sequence[Bet],
    answers: Sequence[Answer],
    told: Iterable[Told],
    left: Sequence[str] = (),
) -> list[str]:
    """Return a sentence for each number that was told otherwise than the rules have it.

    ``told`` are the events of one finished round as everyone hears them, others among
    them; ``left`` are the cards that a deck still has that is never refilled.
    """
    told = list(told)
    cards = cards_of(told)
    settlement = settle(house, [*cards, *left], bets, answers)
    return [*differences(settlement, bets, told, len(cards))]


def cards_of(told: Iterable[Told]) -> list[str]:
    """Return the cards of a round in the order in which they came out."""
    cards: list[str] = []
    for event in told:
        if event["type"] == "card_dealt":
            cards.append(str(event["card"]))
        elif event["type"] == "hole_revealed":
            cards[cards.index("??")] = str(event["card"])
    return cards


def differences(
    settlement: Settlement, bets: Sequence[Bet], told: Sequence[Told], drawn: int
) -> Iterator[str]:
    """Go through all numbers that are told."""
    hands = [end._asdict() for end in settlement.hands]
    names = ("seat", "hand", "outcome", "reason", "stake", "payout")
    ours, theirs = fields(hands, names), fields(of_kind(told, "hand_settled"), names)
    yield from differ("hands", ours, theirs)
    insurances = [end._asdict() for end in settlement.insurances]
    of_it = ("seat", "hand", "outcome", "amount", "payout")
    theirs = fields(of_kind(told, "insurance_settled"), of_it)
    yield from differ("insurances", fields(insurances, of_it), theirs)
    yield from differ("cards", settlement.drawn, drawn)
    by_rules = {(end.seat, end.hand): end.total for end in settlement.hands}
    by_rules[0, 0] = settlement.total
    totals = {
        (event.get("seat", 0), event.get("hand", 0)): event["total"]
        for event in told
        if "total" in event and event["type"] != "card_dealt"
    }
    for of, total in totals.items():
        yield from differ(f"total of {of}", by_rules[of], total)
    yield from balances(bets, told)
    after = {event["seat"]: event["balance"] for event in of_kind(told, "hand_settled")}
    for bet in bets:
        balance = bet.funds + bet.spots * bet.amount + settlement.nets[bet.seat]
        yield from differ(f"balance of {bet.seat} at last", balance, after[bet.seat])


MOVES: dict[str, Callable[[Told], int]] = {
    "hand_split": lambda event: -event["stake"],
    "hand_doubled": lambda event: -event["stake"] // 2,
    "hand_insured": lambda event: -event["amount"],
    "insurance_settled": lambda event: event["payout"],
    "hand_settled": lambda event: event["payout"],
}
"""What each event adds to the free money of its seat."""


def balances(bets: Sequence[Bet], told: Sequence[Told]) -> Iterator[str]:
    """Go through the balances, which move by what is wagered and handed back."""
    funds: dict[object, int] = {bet.seat: bet.funds for bet in bets}
    for event in told:
        kind, seat = str(event["type"]), event.get("seat")
        if kind in MOVES:
            funds[seat] += MOVES[kind](event)
            yield from differ(f"balance of {seat}", funds[seat], event["balance"])


def of_kind(told: Iterable[Told], kind: str) -> list[Told]:
    """Return the events of a kind."""
    return [event for event in told if event["type"] == kind]


def fields(told: Iterable[Told], names: Iterable[str]) -> list[tuple[object, ...]]:
    """Return these fields of each."""
    return [tuple(event[name] for name in names) for event in told]


def differ(what: str, ours: object, theirs: object) -> Iterator[str]:
    """Say so if they do."""
    if ours != theirs:
        yield f"{what}: by the rules {ours}, told {theirs}"
