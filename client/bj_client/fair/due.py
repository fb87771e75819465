"""What a server has to tell of what happens in a round, field by field.

The hole card is told face down, and totals are split into points and softness where the
protocol has both. All else keeps its value; some fields have other names.
"""

import re
from dataclasses import fields
from typing import get_args

from bj_game import event as game

_FACE_DOWN = "??"
_HIGHEST = 10**40
_NAMES = {"funds": "balance", "ruling": "reason"}
_WITH_SOFT = {game.CardDealt, game.HoleRevealed}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()


_SHAPES = {
    kind: (_snake(kind.__name__), tuple(field.name for field in fields(kind)))
    for kind in get_args(game.Event)
}

PLAYED = frozenset(kind for kind, _ in _SHAPES.values())
"""The types of the events that follow from the rules; all others are around them."""


def due(happened: game.Event) -> dict[str, object]:
    """Return the fields of the event as everyone at the table must be told of it.

    >>> due(game.HandReached21(seat=1, hand=0, natural=True))
    {'type': 'hand_reached_21', 'seat': 1, 'hand': 0, 'natural': True}
    """
    kind, names = _SHAPES[type(happened)]
    told: dict[str, object] = {"type": kind}
    for name in names:
        value = getattr(happened, name)
        if name == "card":
            told[name] = (
                str(value) if getattr(happened, "face_up", True) else _FACE_DOWN
            )
        elif name == "total":
            told[name] = value.points
            if type(happened) in _WITH_SOFT:
                told["soft"] = value.soft
        elif name != "face_up":
            told[_NAMES.get(name, name)] = value
    return told


def short_number(value: object) -> str:
    """Return a value as text, whatever somebody may have sent as a number.

    >>> short_number(-5), short_number(10**5000)
    ('-5', 'a number beyond all bounds')
    """
    if isinstance(value, int) and abs(value) > _HIGHEST:
        return "a number beyond all bounds"
    return str(value)
