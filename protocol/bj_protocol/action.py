"""Actions: the legal ways to answer; each value is the ``type`` of the command.

So a client that knows the commands knows the actions, and the other way round.
"""

from enum import StrEnum

from bj_game import outcome, play


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


By = play.By
SettleReason = outcome.SettleReason
