"""Actions: the legal ways to answer; each value is the ``type`` of the command.

So a client that knows the commands knows the actions, and the other way round.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from bj_game import hand, play

if TYPE_CHECKING:  # options name actions, and a help needs no models
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

AS_TEXT: dict[str, Any] = {
    "serialization": {"type": "to-string", "when_used": "json"},
}
"""Has an enumeration of texts written as the text that it is.

For any other kind pydantic asks for the ``value``, which costs two calls of Python.
"""


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

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: "GetCoreSchemaHandler"
    ) -> "CoreSchema":
        """Return how an action is read, and written fast."""
        return cast("CoreSchema", {**handler(source), **AS_TEXT})


By = play.By
SettleReason = hand.SettleReason
