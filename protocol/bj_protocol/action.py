"""Actions: the legal ways to answer; each value is the ``type`` of the command.

So a client that knows the commands knows the actions, and the other way round.
"""

from enum import StrEnum


class Action(StrEnum):
    """One legal way to answer an ``Ask``."""

    PLACE_BET = "place_bet"
    SIT_OUT = "sit_out"
    ACCEPT_GIFT = "accept_gift"
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    GIVE_UP = "give_up"
    INSURE = "insure"
    EVEN_MONEY = "even_money"
    ACE_HIGH = "ace_high"
    ACE_LOW = "ace_low"
    DECLINE = "decline"


class By(StrEnum):
    """The one who decided."""

    PLAYER = "player"
    CLOCK = "clock"
    """The time was up."""
    ABSENCE = "absence"
    """The player was away or had left."""
    RULES = "rules"
    """There was nothing to decide."""


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
