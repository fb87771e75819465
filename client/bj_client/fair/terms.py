"""Terms: the rules of a table, from the form in which its pictures have them."""

import json
from collections.abc import Mapping
from dataclasses import fields

from pydantic import JsonValue, TypeAdapter

from bj_game.house import House

__all__ = ["house_of"]

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
