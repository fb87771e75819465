"""The public part of an event, field by field.

The hole card is face down until it is turned, and totals are split into points and
softness where both are told. All else keeps its value; some fields have other names.
The server tells by this, and the client checks by it.
"""

import re
from dataclasses import fields
from typing import get_args

from bj_game.card import HIDDEN
from bj_game.event import CardDealt, Event, HoleRevealed

_NAMES = {"funds": "balance", "ruling": "reason"}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()


_SHAPES = {
    kind: (_snake(kind.__name__), tuple(field.name for field in fields(kind)))
    for kind in get_args(Event)
}

TOLD = frozenset(kind for kind, _ in _SHAPES.values())
"""The types of the events that follow from the rules; all others are around them."""


def told_of(event: Event) -> dict[str, object]:
    """Return the fields of an event as everyone is told of it.

    >>> from bj_game.card import HIDDEN
    >>> from bj_game.event import HandReached21
    >>> told_of(HandReached21(seat=1, hand=0, natural=True))
    {'type': 'hand_reached_21', 'seat': 1, 'hand': 0, 'natural': True}
    """
    kind, names = _SHAPES[type(event)]
    told: dict[str, object] = {"type": kind}
    for name in names:
        value = getattr(event, name)
        if name == "card":
            told[name] = str(value) if getattr(event, "face_up", True) else HIDDEN
        elif name == "total":
            told[name] = value.points
            if isinstance(event, CardDealt | HoleRevealed):
                told["soft"] = value.soft
        elif name != "face_up":
            told[_NAMES.get(name, name)] = value
    return told
