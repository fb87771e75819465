"""Faults of other people's code, in words that lead its author to the line."""

import builtins
import reprlib
from numbers import Number
from pathlib import PurePath
from traceback import walk_tb

STRATEGY_FAULTS = (Exception, SystemExit)
"""The errors that are caught around a strategy. Its ``exit()`` does not end us."""

_LONGEST = 200


def fault_of(error: BaseException) -> str:
    """Return the kind of an error, its message, and the line that raised it.

    >>> fault_of(ValueError("too late"))
    'ValueError: too late'
    """
    try:
        message = str(error)[:_LONGEST]
    except STRATEGY_FAULTS:
        message = ""
    said = f"{type(error).__name__}: {message}" if message else type(error).__name__
    # The message of a syntax error has its own line, that of the faulty source.
    if error.__traceback__ is None or isinstance(error, SyntaxError):
        return said
    *_, (frame, line) = walk_tb(error.__traceback__)
    return f"{said} ({PurePath(frame.f_code.co_filename).name}, line {line})"


def shown(value: object) -> str:
    """Return a value as Python would write it, shortened; never raises.

    >>> shown("hit"), shown(None)
    ("'hit'", 'None')
    """
    try:
        return reprlib.repr(value)[:_LONGEST]
    except STRATEGY_FAULTS:
        return f"a value of type {type(value).__name__}"


def truth_of(value: object) -> bool | None:
    """Return a truth value as a bool, one of another library too; None if it is none.

    Numbers, texts, lists and None are none: whoever returns one has made a mistake.

    >>> truth_of(True), truth_of(1), truth_of(None)
    (True, None, None)
    """
    if value is True or value is False:
        return value
    kind = type(value)
    is_plain = kind.__module__ == builtins.__name__ or isinstance(value, Number)
    if is_plain or not hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
        return None
    try:
        return bool(value)
    except STRATEGY_FAULTS:
        return None
