"""Terms: the rules of a table, from the form in which its pictures have them."""

import json
from collections.abc import Mapping
from dataclasses import fields

from pydantic import JsonValue, TypeAdapter

from bj_game.house import House
from bj_protocol.action import Action
from bj_protocol.views import Ask

_HOUSE = TypeAdapter(House)
_NAMES = frozenset(field.name for field in fields(House))


def house_of(terms: Mapping[str, JsonValue]) -> House | None:
    """Return the house of ``terms``; None for rules that this client does not know."""
    if not set(terms) <= _NAMES or "name" not in terms:
        return None
    try:
        # As JSON, so that a text is not taken for a number.
        return _HOUSE.validate_json(json.dumps(terms), strict=True)
    except ValueError:  # pydantic's is one, and so is that of a house
        return None


def is_bet_due(house: House, ask: Ask, cents: int | None, given: int = 0) -> bool:
    """Whether a house asks a seat with so many free ``cents`` this before a round.

    The host may have ``given`` some of them after the question. On a ladder of bets
    the place of the seat is not known here, but every rung is.
    """
    told, is_ladder = ask.wager, house.bet == "ladder"
    if ask.actions == (Action.ACCEPT_GIFT, Action.SIT_OUT):
        is_broke = cents is None or cents < house.minimum_bet or is_ladder
        return is_broke and ask.gift == house.donor_gift and told is None
    if ask.actions != (Action.PLACE_BET, Action.SIT_OUT) or told is None:
        return False
    if (ask.spots, told.step, ask.hand) != (house.max_spots, house.bet_step, 0):
        return False
    if is_ladder:
        return told.minimum == told.maximum >= house.minimum_bet
    if cents is None:
        return told.minimum == house.minimum_bet
    least, most = (
        min(funds, house.maximum_bet or house.maximum_wager)
        for funds in (cents - given, cents)
    )
    is_whole = told.maximum % told.step == 0 and told.minimum == house.minimum_bet
    return is_whole and least - told.step < told.maximum <= most
