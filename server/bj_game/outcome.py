"""Outcomes: how a wager may end, and by which rule."""

from enum import StrEnum


class Outcome(StrEnum):
    """How a wager ended."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class SettleReason(StrEnum):
    """The rule that settled a hand."""

    BUSTED = "busted"
    BOTH_BUSTED = "both_busted"
    """Hand and dealer are bust, which is a tie in this house."""
    SURRENDERED = "surrendered"
    GIVEN_UP = "given_up"
    NATURAL = "natural"
    """An ace and a ten-value as dealt, paid as the house's rules say."""
    EVEN_MONEY = "even_money"
    CHARLIE = "charlie"
    DEALER_BUSTED = "dealer_busted"
    HIGHER_TOTAL = "higher_total"
    LOWER_TOTAL = "lower_total"
    SAME_TOTAL = "same_total"
    TIE_TO_DEALER = "tie_to_dealer"
    """Equal totals, which the dealer wins in this house."""
    DEALER_BLACKJACK = "dealer_blackjack"
    """The dealer's blackjack beats what the hand has."""
    TWENTY_ONE_TIES_BLACKJACK = "twenty_one_ties_blackjack"
    """Any 21 is level with the dealer's blackjack in this house."""
