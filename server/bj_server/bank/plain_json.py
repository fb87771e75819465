"""Plain JSON: objects, lists, texts, whole numbers, true, false and null.

The bank's files have nothing else: no fractions, no NaN, no name twice in one object.
Writing refuses all that reading refuses, since a line that cannot be read back would
stop the next start.
"""

import json
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
        check_plain(value)
    return value


def check_plain(value: object, depth: int = _MAX_DEPTH) -> None:
    """Raise ``NotPlainError`` for a value that cannot be written and read back."""
    if isinstance(value, (str, int)) or value is None:
        return
    if depth == 0:
        raise NotPlainError("it is nested too deeply")
    if isinstance(value, dict):
        for name in value:
            # The standard writer would turn 1 into "1", beside another "1".
            if not isinstance(name, str):
                raise NotPlainError(f"the name {name!r} is not a text")
        value = list(value.values())
    if not isinstance(value, (list, tuple)):
        raise NotPlainError(f"a {type(value).__name__} is not plain JSON")
    for item in value:
        # Most items are texts and numbers: spare them the call.
        if not isinstance(item, (str, int)):
            check_plain(item, depth - 1)


def write_plain(value: object) -> str:
    """Write a value that is plain, in ASCII, on one line and without spaces.

    >>> write_plain({"round": 12, "cards": ["As", "Td"]})
    '{"round":12,"cards":["As","Td"]}'
    """
    return _encode(value)


def _refuse(text: str) -> NoReturn:
    raise NotPlainError(f"{text[:20]} is not a whole number")


_decode = json.JSONDecoder(
    object_pairs_hook=no_name_twice, parse_float=_refuse, parse_constant=_refuse
).decode

_encode = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False, check_circular=False
).encode
