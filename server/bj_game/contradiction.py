"""Contradictions: rules that are each valid and cannot be played together.

A rule that is only idle, such as ``max_hands`` where nothing is split, is none: it
promises nothing, and the houses that people write from one another's files have many.
"""

from typing import TYPE_CHECKING

from bj_game.length import most_hands

if TYPE_CHECKING:
    from bj_game.house import House


def contradiction(house: "House") -> str | None:
    """Return a sentence about the first two rules that contradict, None for none."""
    about = (_about_blackjack, _about_the_deal, _about_the_shoe, _about_values)
    for find in (*about, _about_spots, _about_drawing, _about_money):
        sentence = find(house)
        if sentence is not None:
            return sentence
    return None


def _about_blackjack(house: "House") -> str | None:
    if house.even_money and (house.natural == "plain" or house.hole_card == "none"):
        return "even_money needs a natural that pays, and a hole_card."
    if house.blackjack_beats_21 and not house.knows_blackjack:
        return "blackjack_beats_21 needs a house with naturals or insurance."
    if house.tie == "dealer" and house.knows_blackjack and not house.blackjack_beats_21:
        return (
            'tie = "dealer" takes every equal total, so with insurance or a natural '
            "that pays blackjack_beats_21 must be true."
        )
    return None


def _about_the_deal(house: "House") -> str | None:
    if house.hole_card == "peek" and not house.knows_blackjack:
        return 'hole_card = "peek" needs a house with naturals or insurance.'
    if house.hole_card == "peek" and house.insurance_asked != "all_first":
        return (
            'hole_card = "peek" ends the round before any hand is played, so '
            'insurance_asked must be "all_first".'
        )
    if house.surrender == "late" and house.hole_card != "peek":
        return 'surrender = "late" comes after the look at a hole_card: "peek".'
    if house.deal != "dealer_last":
        return None
    if house.insurance != "none" or house.hole_card != "none":
        return (
            'deal = "dealer_last" shows no upcard, so insurance and hole_card must '
            'be "none".'
        )
    return None


def _about_the_shoe(house: "House") -> str | None:
    if house.shoe == "never_refilled" and house.decks != 1:
        return 'shoe = "never_refilled" is for one deck: decks must be 1.'
    if house.shoe == "never_refilled" and house.split != "none":
        return (
            'shoe = "never_refilled" may have no card for the second hand of a split, '
            'so split must be "none".'
        )
    if house.shoe == "never_refilled" and house.hole_card == "none":
        return (
            'shoe = "never_refilled" may have no second card for the dealer once all '
            'have played, so hole_card must be "peek" or "no_peek".'
        )
    if house.bet == "ladder" and house.maximum_bet:
        return 'bet = "ladder" sets every bet itself, so maximum_bet must be 0.'
    return None


def _about_spots(house: "House") -> str | None:
    if house.max_spots == 1:
        return None
    if house.bet == "ladder" or house.shoe == "never_refilled":
        return (
            'max_spots must be 1 where bet = "ladder" or shoe = "never_refilled": both '
            "are for one hand a round."
        )
    hands, most = house.max_seats * house.max_spots, most_hands(house)
    if most is not None and hands > most:
        return (
            f"max_spots times max_seats is too many: a full table has {hands} hands, "
            f"and decks = {house.decks} has cards for {most} at most."
        )
    return None


def _about_values(house: "House") -> str | None:
    if house.ace == "one" and (house.knows_blackjack or house.hit_soft_17):
        return (
            'ace = "one" leaves no natural and no soft hand, so natural must be '
            '"plain", insurance "none" and hit_soft_17 false.'
        )
    if house.ace == "player" and (house.knows_blackjack or house.split != "none"):
        return (
            'ace = "player" is for houses where natural is "plain", and insurance and '
            'split are "none".'
        )
    if not house.complete_at_21 and house.natural != "plain":
        return 'complete_at_21 = false is for houses where natural is "plain".'
    if house.give_up and house.shoe != "every_round":
        return 'give_up deals anew, so shoe must be "every_round".'
    return None


def _about_drawing(house: "House") -> str | None:
    if house.charlie and not house.hit:
        return "charlie needs hands that may draw: hit must be true."
    if house.double != "none" and not house.hit:
        return 'hit = false lets nobody draw a card, so double must be "none".'
    if house.dealer_draws != "never":
        return None
    if house.hit_soft_17:
        return (
            "hit_soft_17 needs a dealer who draws: dealer_draws must be "
            '"needed" or "always".'
        )
    if house.both_bust == "push":
        return (
            'both_bust = "push" needs a dealer who can bust: dealer_draws must be '
            '"needed" or "always".'
        )
    return None


def _about_money(house: "House") -> str | None:
    if house.opening_balance < house.minimum_bet and not house.donor_gift:
        return (
            f"opening_balance is {house.opening_balance}, which is not even one "
            f"minimum_bet, {house.minimum_bet}, and donor_gift is 0: nobody could bet."
        )
    return None
