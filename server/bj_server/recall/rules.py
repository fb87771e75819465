"""Rules: the house of a table, from the line in which the table named it."""

import json
from collections.abc import Mapping
from dataclasses import fields

from pydantic import TypeAdapter

from bj_game.house import House

_HOUSE = TypeAdapter(House)
_NAMES = frozenset(field.name for field in fields(House))


def house_of(data: Mapping[str, object]) -> House:
    """Return the house of a record.

    A rule that it does not name, since it is older than that rule, is at its default.

    Raises:
        ValueError: if those are no rules.
    """
    match data:
        case {"rules": dict(rules)}:
            pass
        case _:
            raise ValueError("there are no rules")
    unknown = sorted(set(rules) - _NAMES)
    if unknown:
        raise ValueError(f"this program does not know the rule {unknown[0]}")
    # As JSON, so that a text is not taken for a number.
    return _HOUSE.validate_json(json.dumps(rules), strict=True)
