"""Controls: each act of a player, with its key, its button and when it is legal.

Key bindings and buttons are both made from this table, so that they cannot differ.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bj_client.keymap import Keymap
from bj_client.screen import legal
from bj_client.screen.scene import Kind, Scene
from bj_client.screen.showing import Showing
from bj_protocol.action import Action


@dataclass(frozen=True, slots=True)
class Control:
    """A button and its key."""

    key: str
    label: str
    can: Callable[[Scene], bool]
    action: Action | None = None
    """The action that it answers with, if it is an answer for the table."""


CHIPS = {"z": 500, "x": 2_500, "c": 10_000, "v": 50_000}
"""The chips, in cents, by the key that adds each."""

PRESETS = {
    "h": Action.HIT,
    "s": Action.STAND,
    "d": Action.DOUBLE,
    "p": Action.SPLIT,
}
"""The decisions that can be set before their turn, by key."""


def _answer(key: str, label: str, action: Action) -> Control:
    def can(scene: Scene) -> bool:
        return legal.may(scene, action)

    return Control(key, label, can, action)


_DEAL = Control("enter", "Deal", legal.can_deal, Action.PLACE_BET)
_PLAYS = (
    _answer("h", "Hit", Action.HIT),
    _answer("s", "Stand", Action.STAND),
    _answer("d", "Double", Action.DOUBLE),
    _answer("p", "Split", Action.SPLIT),
    _answer("i", "Insurance", Action.INSURE),
)
_DEALS = (Control("d", "Deal", legal.can_deal_anew, Action.GIVE_UP), *_PLAYS[:2])
"""All that there is in ``specs/iipp6.txt``."""
_RARE = (
    _answer("e", "Even money", Action.EVEN_MONEY),
    _answer("u", "Surrender", Action.SURRENDER),
    _answer("g", "Give up, deal anew", Action.GIVE_UP),
    _answer("h", "Ace is 11", Action.ACE_HIGH),
    _answer("l", "Ace is 1", Action.ACE_LOW),
)
_YES = Control("y", "Yes", legal.may_accept)
_NO = Control("n", "No", legal.can_decline)
_SIT_OUT = _answer("o", "Sit out", Action.SIT_OUT)
_PAUSE = Control(" ", "Pause", legal.can_go_on)
_PLAY = Control(" ", "Play on", legal.can_go_on)
_NEXT = Control("n", "Next event", legal.can_go_on)
_SERVICES = (
    Control("r", "Rules", legal.can_look("r")),
    Control("m", "My rounds", legal.can_look("m")),
    Control("?", "Help", legal.can_look("?")),
    Control(":", "Chat", legal.can_say),
    Control("t", "Tables", legal.can_change),
    Control("q", "Leave", legal.can_leave),
)


def answers(scene: Scene) -> list[Control]:
    """Return the controls for answers; the rare ones only when they are asked for."""
    if scene.showing is not None:
        return [_PAUSE if scene.showing is Showing.RUNS else _PLAY, _NEXT]
    if not scene.table.ours:
        return []
    if scene.deals:
        return [*_DEALS]
    rare = [control for control in _RARE if control.action in scene.asked]
    kind = scene.kind
    yes = [_YES] if kind in {Kind.PAIR, Kind.GIFT} else []
    no = [_NO] if Action.DECLINE in scene.asked or kind is Kind.GIFT else []
    out = [_SIT_OUT] if Action.SIT_OUT in scene.asked and kind is Kind.BET else []
    return [_DEAL, *_PLAYS, *rare, *yes, *no, *out]


def chips(scene: Scene) -> list[Control]:
    """Return the chips to bet with."""
    if not scene.table.ours or scene.deals or scene.showing is not None:
        return []

    def can(scene: Scene) -> bool:
        return legal.may(scene, Action.PLACE_BET)

    return [
        *(Control(key, f"${cents // 100}", can) for key, cents in CHIPS.items()),
        Control("a", "All in", can),
        Control("b", "Again", legal.can_bet_again),
        Control("w", "Twice", lambda s: can(s) and bool(s.typed)),
    ]


def services(scene: Scene) -> list[Control]:
    """Return the controls that work at any time."""
    absent = {"" if scene.has_lobby else "t"}
    is_ours = scene.table.ours and scene.showing is None
    absent |= set() if is_ours else {":", "m"}
    return [control for control in _SERVICES if control.key not in absent]


def shown_key(control: Control, enter: str, keymap: Keymap) -> str:
    """Return a key as its button shows it."""
    named = {"enter": enter, " ": "Space"}
    return named.get(control.key) or keymap.shown(control.key)
