"""Controls: each act of a player, with its key, its button and when it is legal.

Key bindings and buttons are both made from this table, so that they cannot differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bj_client.keymap import Keymap
from bj_client.model.decision import DECISIONS
from bj_client.question.question import Kind
from bj_client.screen import legal
from bj_client.screen.scene import Scene, Showing
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
    DECISIONS[action].key: action
    for action in (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT)
}
"""The decisions that can be set before their turn, by key."""


def _answer(action: Action) -> Control:
    def can(scene: Scene) -> bool:
        return legal.may(scene, action)

    row = DECISIONS[action]
    return Control(row.key, row.label, can, action)


_DEAL = replace(_answer(Action.PLACE_BET), can=legal.can_deal)
_PLAYS = tuple(map(_answer, (*PRESETS.values(), Action.INSURE)))
_DEAL_ANEW = Control(
    DECISIONS[Action.DOUBLE].key, "Deal", legal.can_deal_anew, Action.GIVE_UP
)
_DEALS = (_DEAL_ANEW, *_PLAYS[:2])
"""All that there is in ``specs/iipp6.txt``."""
_RARE = (
    *(Action.EVEN_MONEY, Action.SURRENDER, Action.GIVE_UP),
    *(Action.ACE_HIGH, Action.ACE_LOW),
)
_ACCEPT = replace(_answer(Action.ACCEPT_GIFT), can=legal.may_accept)
_YES = {Kind.GIFT: _ACCEPT, Kind.PAIR: replace(_ACCEPT, action=Action.SPLIT)}
_NO = replace(_answer(Action.DECLINE), can=legal.can_decline)
_NO_GIFT = replace(_NO, action=Action.SIT_OUT)
_SIT_OUT = _answer(Action.SIT_OUT)
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
    kind, asked = scene.kind, scene.asked
    rare = [_answer(action) for action in _RARE if action in asked]
    yes = [_YES[kind]] if kind in _YES else []
    no = [_NO] if Action.DECLINE in asked else []
    no = [_NO_GIFT] if kind is Kind.GIFT else no
    out = [_SIT_OUT] if Action.SIT_OUT in asked and kind is Kind.BET else []
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
