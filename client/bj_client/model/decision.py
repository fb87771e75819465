"""Decisions: one row for each answer to the table, with its key and its words.

Prompts, buttons, the keymap, hints and past rounds read these rows: the letter, the
names and the command of a decision stand here and nowhere else.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, get_args

from bj_protocol.action import Action

if TYPE_CHECKING:
    from bj_protocol.commands import AnyAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One way to answer the table."""

    action: Action
    key: str
    """The key on the screen, and the letter in lines."""
    word: str
    """Its name in a sentence."""
    typed: Collection[str]
    """The words for it in line mode; none where an amount is needed."""
    choice: str
    """Its name at a prompt."""
    name: str
    """Its name in a keymap."""
    label: str
    """The words on its button."""

    @property
    def command(self) -> "Callable[..., AnyAnswer]":
        """Makes the command, of a prompt and, for a wager, an amount."""
        return _commands()[self.action]


@cache
def _commands() -> "dict[str, type[AnyAnswer]]":
    # Here, since the options know a keymap, and so these rows, and send nothing.
    from bj_protocol.commands import AnyAnswer

    return {kind.model_fields["type"].default: kind for kind in get_args(AnyAnswer)}


_WITH_AMOUNT = {Action.PLACE_BET, Action.INSURE}


def _row(
    action: Action,
    key: str,
    word: str,
    *also: str,
    choice: str = "",
    name: str = "",
    label: str = "",
) -> Decision:
    """Return a row; what is not given follows from ``word``."""
    return Decision(
        action=action,
        key=key,
        word=word,
        typed=() if action in _WITH_AMOUNT else {key, choice or word, *also},
        choice=choice or word,
        name=name or word.replace(" ", "-"),
        label=label or word.capitalize(),
    )


_ANEW = {"choice": "give up and deal anew", "label": "Give up, deal anew"}
_ROWS = (
    _row(Action.HIT, "h", "hit"),
    _row(Action.STAND, "s", "stand"),
    _row(Action.DOUBLE, "d", "double"),
    _row(Action.SPLIT, "p", "split"),
    _row(Action.GIVE_UP, "g", "give up", **_ANEW),
    _row(Action.INSURE, "i", "insure", name="insurance", label="Insurance"),
    _row(Action.EVEN_MONEY, "e", "even money"),
    _row(Action.SURRENDER, "u", "surrender"),
    _row(Action.DECLINE, "n", "no", "no", "none", "play on", choice="decline"),
    _row(Action.SIT_OUT, "o", "sit out", "out"),
    _row(Action.ACCEPT_GIFT, "y", "accept gift", "yes", name="yes", label="Yes"),
    _row(Action.ACE_HIGH, "h", "ace is 11", "11", choice="high"),
    _row(Action.ACE_LOW, "l", "ace is 1", "1", choice="low", name="ace-low"),
    _row(Action.PLACE_BET, "enter", "place bet", label="Deal"),
)

DECISIONS = {row.action: row for row in _ROWS}
"""The rows, by action, in the order in which they are named."""


def offered(actions: Iterable[Action]) -> list[Decision]:
    """Return the rows of some actions, in the order in which they are named."""
    among = frozenset(actions)
    return [row for row in _ROWS if row.action in among]
