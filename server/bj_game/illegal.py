"""What may not be done, and why: one reason a rule."""

from enum import StrEnum


class Reason(StrEnum):
    """The rule that a refused play would have broken."""

    ROUND_OVER = "round_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_THIS_HOUSE = "not_in_this_house"
    NOT_A_PAIR = "not_a_pair"
    ALREADY_SPLIT = "already_split"
    TOO_MANY_HANDS = "too_many_hands"
    NOT_THE_FIRST_DECISION = "not_the_first_decision"
    NOT_AFTER_A_SPLIT = "not_after_a_split"
    NOT_ON_THIS_TOTAL = "not_on_this_total"
    ONE_CARD_ON_SPLIT_ACES = "one_card_on_split_aces"
    SPLIT_UNDECIDED = "split_undecided"
    OFFER_UNDECIDED = "offer_undecided"
    INSURANCE_NOT_OFFERED = "insurance_not_offered"
    NOT_A_NATURAL = "not_a_natural"
    ACES_UNVALUED = "aces_unvalued"
    ACES_NOT_ASKED = "aces_not_asked"
    NOTHING_TO_DECLINE = "nothing_to_decline"
    NOT_ENOUGH_FUNDS = "not_enough_funds"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_A_WHOLE_STEP = "not_a_whole_step"


class IllegalPlay(Exception):
    """A play that the rules do not allow now; everything is as it was before."""

    def __init__(self, reason: Reason) -> None:
        """Refuse for ``reason``."""
        super().__init__(reason)
        self.reason = reason
