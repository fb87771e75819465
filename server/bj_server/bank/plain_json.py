"""Plain JSON: objects, lists, texts, whole numbers, true, false and null.

The bank's files have nothing else: no fractions, no NaN, no name twice in one object.
Reading refuses all the rest. What is written is ours, and is taken as it is.
"""

import json
from json.encoder import (  # type: ignore[attr-defined]
    c_make_encoder,
    encode_basestring_ascii,
)
from typing import NoReturn

_MAX_DEPTH = 100
"""Far below what the reader can follow, and far above what a round needs."""


class NotPlainError(ValueError):
    """A value is not plain JSON; the first argument completes a sentence."""


def no_name_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build an object from its members; a hook for the standard reader."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotPlainError("a name stands twice in one object")
    return members


def read_plain(text: str) -> object:
    """Read plain JSON; raise ``ValueError`` for what is not JSON, or not plain."""
    try:
        value: object = _decode(text)
    except RecursionError:
        raise NotPlainError("it is nested too deeply") from None
    if text.count("[") + text.count("{") > _MAX_DEPTH:
        _check_depth(value)
    return value


def _check_depth(value: object, depth: int = _MAX_DEPTH) -> None:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        if depth == 0:
            raise NotPlainError("it is nested too deeply")
        for item in value:
            _check_depth(item, depth - 1)


def write_plain(value: object) -> str:
    """Write a value that is plain, in ASCII, on one line and without spaces.

    >>> write_plain({"round": 12, "cards": ["As", "Td"]})
    '{"round":12,"cards":["As","Td"]}'
    """
    return "".join(_pieces(value, 0))


def _refuse(text: str) -> NoReturn:
    raise NotPlainError(f"{text[:20]} is not a whole number")


def _refuse_object(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} is not plain JSON")


_decode = json.JSONDecoder(
    object_pairs_hook=no_name_twice, parse_float=_refuse, parse_constant=_refuse
).decode

# The standard encoder makes this once a text, which takes longer than a short text.
_pieces = c_make_encoder(
    None, _refuse_object, encode_basestring_ascii, None, ":", ",", False, False, False
)
