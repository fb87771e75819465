"""The keymap: the keys of the screen, for a player who wants other keys.

Each thing that a key does has a name, and a key of ours. Shown and pressed keys pass
the keymap; the screen itself knows our keys alone.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from bj_client.model.decision import DECISIONS
from bj_protocol.action import Action


def _keys(*actions: Action) -> dict[str, str]:
    return {row.name: row.key for row in map(DECISIONS.__getitem__, actions)}


NAMES = {
    **_keys(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.INSURE),
    **_keys(Action.EVEN_MONEY, Action.SURRENDER, Action.GIVE_UP),
    "all-in": "a",
    **_keys(Action.ACE_LOW, Action.ACCEPT_GIFT, Action.DECLINE, Action.SIT_OUT),
    "again": "b",
    "twice": "w",
    "chip-5": "z",
    "chip-25": "x",
    "chip-100": "c",
    "chip-500": "v",
    "rules": "r",
    "rounds": "m",
    "help": "?",
    "hint": "%",
    "chat": ":",
    "tables": "t",
    "leave": "q",
}
"""Our keys, by the names of their acts."""

_TAKEN = frozenset("0123456789.* ")
"""The keys of an amount, and the blank, which hurries and closes pages."""
_RULE = "is one character, and no digit, blank, full stop or star."


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys of a player's own, by those of ours that they stand for.

    >>> keys = Keymap({"h": "j", "s": "h"})
    >>> keys.shown("h"), keys.shown("q"), keys.meant("j"), keys.meant("h")
    ('j', 'q', 'h', 's')
    >>> keys.meant("s"), keys.meant("enter")
    ('', 'enter')
    """

    own: Mapping[str, str] = field(default_factory=dict)

    def shown(self, key: str) -> str:
        """Return the key to press for one of ours."""
        return self.own.get(key, key)

    def key(self, action: Action) -> str:
        """Return the key of a decision."""
        return self.shown(DECISIONS[action].key)

    def meant(self, key: str) -> str:
        """Return the key of ours that a pressed one is; empty if it is none now."""
        ours = next((ours for ours, own in self.own.items() if own == key), key)
        return "" if ours == key and key in self.own else ours


def read_keymap(text: str) -> Keymap:
    """Read keys as they are typed: ``hit=j stand=k``.

    Raises:
        ValueError: with a sentence, if a name or a key is none, or a key has two.
    """
    parts = [part.partition("=") for part in text.split()]
    if any(not sign for _, sign, _ in parts):
        raise ValueError("write the keys as in 'hit=j stand=k'.")
    named: dict[str, str] = {}
    for name, _, key in parts:
        if name in named:
            raise ValueError(f"{name} is given two keys: give it one.")
        named[name] = key
    return keymap_of(named)


def keymap_of(named: Mapping[str, str]) -> Keymap:
    """Return the keymap in which some things have other keys.

    Raises:
        ValueError: with a sentence, if a name or a key is none, or a key has two.
    """
    for name, key in named.items():
        if name not in NAMES:
            names = ", ".join(NAMES)
            raise ValueError(f"{name!r} is nothing that has a key: there are {names}.")
        if len(key) != 1 or not key.isprintable() or key in _TAKEN:
            raise ValueError(f"the key of {name} {_RULE}")
    uses = defaultdict(list)
    for name, key in {**NAMES, **named}.items():
        uses[key].append(name)
    for key, names_of_key in uses.items():
        if len(names_of_key) > 1:
            both = " and ".join(names_of_key)
            raise ValueError(
                f"the key {key!r} is given to {both}: give one of them another."
            )
    return Keymap({NAMES[name]: key for name, key in named.items()})
