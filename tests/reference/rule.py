"""What a hand is, and what may be done with it: one function for each rule.

The sentence of each function is the rule, with the place where it is written: a text of
``specs/``, ``docs/houses.md``, ``docs/protocol.md``, or the rules of casinos.
"""

from dataclasses import dataclass, field

from bj_game.house import House
from reference.word import Question

FACES = "JQK"


@dataclass
class Hand:
    """A hand on the table; the dealer's has seat 0."""

    seat: int
    number: int
    spot: int
    stake: int
    cards: list[str] = field(default_factory=list)
    is_split: bool = False
    """Whether it is a half of a split."""
    is_of_split_aces: bool = False
    aces: str = ""
    """How its player counts the aces, ``high`` or ``low``, once that is said."""
    insured: int = 0
    is_pair_kept: bool = False
    is_offer_over: bool = False
    was_offered_surrender: bool = False
    has_decided: bool = False
    """Whether a play was made; offers and aces are none."""
    is_doubled: bool = False
    end: str = ""
    """Why it is over: ``stood``, ``busted``, and so on."""


def value(card: str) -> int:
    """Number cards have their rank, court cards 10, an ace here 1 (cpsc386, Rules)."""
    rank = card[0]
    if rank == "A":
        return 1
    return 10 if rank in FACES or rank == "T" else int(rank)


def low_total(cards: list[str]) -> int:
    """The total with every ace as 1."""
    return sum(value(card) for card in cards)


def best_total(cards: list[str]) -> int:
    """An ace counts 11, or 1 where 11 would bust (docs/houses.md)."""
    low = low_total(cards)
    return low + 10 if has_ace(cards) and low + 10 <= 21 else low


def is_soft(house: House, cards: list[str]) -> bool:
    """A hand is soft while an ace of it counts 11."""
    return house.ace != "one" and best_total(cards) != low_total(cards)


def has_ace(cards: list[str]) -> bool:
    """Whether a card of these is an ace."""
    return any(card[0] == "A" for card in cards)


def total(house: House, hand: Hand) -> int:
    """Aces count best, or 1, or as their player says (docs/houses.md).

    The dealer's count 11 unless that busts, whatever a player says (cs220, 2.2).
    """
    if house.ace == "one" or hand.aces == "low":
        return low_total(hand.cards)
    if hand.aces == "high":
        aces = sum(card[0] == "A" for card in hand.cards)
        return low_total(hand.cards) + 10 * aces
    return best_total(hand.cards)


def is_natural(house: House, hand: Hand) -> bool:
    """A natural is an ace and a ten-value as the first two, not after a split."""
    first = sorted(value(card) for card in hand.cards)
    return house.ace != "one" and first == [1, 10] and not hand.is_split


def is_ten_or_ace(card: str) -> bool:
    """With an ace or a ten-value up the dealer may have a blackjack."""
    return value(card) in (1, 10)


def is_pair(house: House, hand: Hand) -> bool:
    """Two cards of identical rank, or of equal value where the house says so."""
    if len(hand.cards) != 2:
        return False
    one, other = hand.cards
    return one[0] == other[0] or (house.split == "value" and value(one) == value(other))


def most_hands(house: House) -> int | None:
    """The cards are enough for so many hands at once, and no more are made.

    A deck has 340 points. A hand that may draw has less than 21 points, or 21 where
    that is no end, and a ten is the most that one card adds; a hand that may not draw
    has 20. The dealer draws with 16 at most, and one point must be left for the card.
    (docs/decisions/0017-a-dry-shoe-is-refilled-from-its-discards.md)
    """
    if house.shoe == "endless":
        return None
    points = 20
    if house.hit:
        points = (20 if house.complete_at_21 else 21) + 10
    return (340 * house.decks - 17) // points


def can_split(
    house: House, hand: Hand, funds: int, on_spot: int, all_hands: int
) -> bool:
    """A pair may be split for a second stake until there are so many hands.

    Aces may be split once only; the first decision, and not once the pair was kept.
    """
    if house.split == "none" or not is_pair(house, hand):
        return False
    if hand.has_decided or hand.is_pair_kept or funds < hand.stake:
        return False
    if hand.is_split and has_ace(hand.cards) and not house.resplit_aces:
        return False
    most = most_hands(house)
    return on_spot < house.max_hands and (most is None or all_hands < most)


def can_double(house: House, hand: Hand, funds: int) -> bool:
    """The first decision of a hand may be to double, for as much again as its stake.

    A range of totals means hard ones.
    """
    if house.double == "none" or hand.has_decided or funds < hand.stake:
        return False
    if hand.is_split and not house.double_after_split:
        return False
    if is_held_to_one_card(house, hand):
        return False
    if house.double == "any_two":
        return True
    lowest = 9 if house.double == "9-11" else 10
    points = total(house, hand)
    return lowest <= points <= 11 and not is_counted_soft(house, hand)


def is_counted_soft(house: House, hand: Hand) -> bool:
    """Whether an ace of the hand counts 11 now."""
    return total(house, hand) != low_total(hand.cards)


def is_held_to_one_card(house: House, hand: Hand) -> bool:
    """Split aces get one card each and stand (docs/houses.md)."""
    return house.one_card_on_split_aces and hand.is_of_split_aces


def can_surrender(house: House, hand: Hand) -> bool:
    """The first decision of a hand that was not split may be to surrender it.

    What was declined before the look is not asked again (tests/game/transcripts).
    """
    if house.surrender == "none" or hand.is_split or hand.has_decided:
        return False
    return not hand.was_offered_surrender


def is_early_surrender_offered(house: House, hand: Hand, upcard: str) -> bool:
    """Early means: even before the dealer is known to have no blackjack.

    It is a decision of the hand, and a hand that is complete has none.
    """
    if house.surrender != "early" or hand.is_split or not is_ten_or_ace(upcard):
        return False
    return is_asked_for_aces(house, hand) or not ended_by_cards(house, hand)


def insurance_limits(house: House, hand: Hand, funds: int) -> tuple[int, int, int]:
    """Half of the stake by the cent, or a bet's minimum up to the free balance."""
    if house.insurance_limit == "half_stake":
        return 1, min(hand.stake // 2, funds, house.maximum_wager), 1
    most = min(funds, house.maximum_wager)
    return house.minimum_bet, most - most % house.bet_step, house.bet_step


def is_insurance_offered(house: House, upcard: str) -> bool:
    """Against an ace, or an ace or a ten-value, each hand may be insured."""
    if house.insurance == "none":
        return False
    is_ten = value(upcard) == 10
    return upcard[0] == "A" or (house.insurance == "ace_or_ten" and is_ten)


def is_even_money_offered(house: House, hand: Hand, upcard: str) -> bool:
    """Against an ace a natural may be settled at even money."""
    return house.even_money and upcard[0] == "A" and is_natural(house, hand)


def offers(house: House, hand: Hand, funds: int, upcard: str) -> Question | None:
    """What is offered before the play: those that are legal, and ``decline``."""
    plays: set[str] = set()
    limits = None
    if is_insurance_offered(house, upcard):
        least, most, step = insurance_limits(house, hand, funds)
        if least <= most:
            plays.add("insure")
            limits = least, most, step
    if is_even_money_offered(house, hand, upcard):
        plays.add("even_money")
    if is_early_surrender_offered(house, hand, upcard):
        plays.add("surrender")
    if not plays:
        return None
    return Question(hand.seat, hand.number, frozenset({*plays, "decline"}), limits)


def is_asked_for_aces(house: House, hand: Hand) -> bool:
    """Whoever holds the hand says whether its aces count 11 or 1, after each card."""
    return house.ace == "player" and has_ace(hand.cards) and not hand.aces


def ended_by_cards(house: House, hand: Hand) -> str:
    """Why its cards end a hand: bust, enough of them to win, or 21; else nothing."""
    points = total(house, hand)
    if points > 21:
        return "busted"
    if house.charlie and len(hand.cards) >= house.charlie:
        return "charlie"
    if points == 21 and house.complete_at_21:
        return "stood"
    return ""
