"""What a wager brings: one function for each kind, and the sentences of ties."""

from bj_game.house import House
from reference.rule import Hand, is_natural, total
from reference.word import HandEnd, InsuranceEnd


def is_dealer_blackjack(house: House, dealer: Hand) -> bool:
    """Whether the dealer's first two are an ace and a ten-value, where that counts."""
    return house.knows_blackjack and is_natural(house, dealer)


def insurance_end(house: House, hand: Hand, dealer: Hand) -> InsuranceEnd:
    """It pays if the dealer has blackjack, else it is lost (docs/houses.md)."""
    amount = hand.insured
    if not is_dealer_blackjack(house, dealer):
        return InsuranceEnd(hand.seat, hand.number, amount, "lose", 0)
    times = 2 if house.insurance_pays == "2:1" else 1
    payout = amount + times * amount
    return InsuranceEnd(hand.seat, hand.number, amount, "win", payout)


def settled(house: House, hand: Hand, dealer: Hand) -> HandEnd:
    """Return how a hand ends, and what is handed back."""
    reason = ruling(house, hand, dealer)
    outcome = OUTCOMES[reason]
    paid = {"win": 2 * hand.stake, "push": hand.stake, "lose": 0}[outcome]
    if reason == "surrendered":
        paid = half(hand.stake)
    if reason == "natural":
        paid = hand.stake + natural_pay(house, hand.stake)
    cards = tuple(hand.cards)
    points = total(house, hand)
    return HandEnd(
        hand.seat, hand.number, cards, points, outcome, reason, hand.stake, paid
    )


def half(stake: int) -> int:
    """Half of the stake comes back; odd payouts are rounded down to the cent."""
    return stake // 2


def natural_pay(house: House, stake: int) -> int:
    """A natural is paid 1:1, 6:5 or 3:2, rounded down to the cent."""
    for_each, of = {"1:1": (1, 1), "6:5": (6, 5), "3:2": (3, 2)}[house.natural]
    return stake * for_each // of


OUTCOMES = {
    "surrendered": "lose",
    "given_up": "lose",
    "even_money": "win",
    "charlie": "win",
    "busted": "lose",
    "both_busted": "push",
    "natural": "win",
    "dealer_blackjack": "lose",
    "twenty_one_ties_blackjack": "push",
    "dealer_busted": "win",
    "higher_total": "win",
    "lower_total": "lose",
    "same_total": "push",
    "tie_to_dealer": "lose",
}


def ruling(house: House, hand: Hand, dealer: Hand) -> str:
    """Return the sentence by which a hand ends: what ended it, blackjacks, totals."""
    if hand.end in ("surrendered", "given_up", "even_money", "charlie"):
        return hand.end
    if hand.end == "busted":
        return bust(house, dealer)
    if is_dealer_blackjack(house, dealer):
        return against_blackjack(house, hand)
    if house.natural != "plain" and is_natural(house, hand):
        return "natural"
    return by_total(house, total(house, hand), total(house, dealer))


def bust(house: House, dealer: Hand) -> str:
    """A bust loses at once; in dsc20 it is a tie if the dealer is bust, too."""
    if house.both_bust == "push" and total(house, dealer) > 21:
        return "both_busted"
    return "busted"


def against_blackjack(house: House, hand: Hand) -> str:
    """The dealer's blackjack beats every other 21, or a 21 of any kind ties with it.

    A natural is an equal total.
    """
    if is_natural(house, hand):
        return tie(house)
    if total(house, hand) == 21 and not house.blackjack_beats_21:
        return "twenty_one_ties_blackjack"
    return "dealer_blackjack"


def by_total(house: House, mine: int, of_dealer: int) -> str:
    """The higher total that is not over 21 wins (cpsc386, Rules)."""
    if of_dealer > 21:
        return "dealer_busted"
    if mine == of_dealer:
        return tie(house)
    return "higher_total" if mine > of_dealer else "lower_total"


def tie(house: House) -> str:
    """Equal totals push, or the dealer wins them (DESIGN, section 8)."""
    return "tie_to_dealer" if house.tie == "dealer" else "same_total"
