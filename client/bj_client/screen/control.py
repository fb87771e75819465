"""Controls: each act of a player, with its key, its button and when it is legal.

Key bindings, buttons and the manual are made from this table, so that they cannot
differ. Buttons stand in rows, bright where they count and dim where they do not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bj_client.bot.hint import hint
from bj_client.keymap import Keymap
from bj_client.model.decision import DECISIONS
from bj_client.question.question import Kind
from bj_client.screen.canvas import Canvas, Press
from bj_client.screen.scene import Page, Scene, Showing
from bj_client.words.text import listed
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


def _may(scene: Scene, action: Action) -> bool:
    """Say whether a question can be answered so now."""
    return scene.keys_count and action in scene.asked


def can_type_amount(scene: Scene) -> bool:
    """Say whether digits are an amount now, or what an ace counts.

    They are from the first moment on: alone they send nothing, and a bet that lacks its
    first digit is another bet.
    """
    amounts = {Action.PLACE_BET, Action.INSURE, Action.ACE_HIGH}
    return scene.is_open and bool(scene.asked & amounts)


def can_say(scene: Scene) -> bool:
    """Say whether the table can be spoken to."""
    return bool(scene.table.ours) and not scene.is_cut_off()


def _is_over(scene: Scene) -> bool:
    return scene.keys_count and scene.kind is Kind.AGAIN


def _can_go_on(scene: Scene) -> bool:
    """Say whether there is more of a record to play."""
    return scene.showing is not Showing.OVER and scene.page is None


def _page(key: str, label: str) -> Control:
    """Return the control of a key that opens its page, and closes it again."""

    def can(scene: Scene) -> bool:
        page = scene.page
        return (page is None or page.key == key) and not scene.is_cut_off()

    return Control(key, label, can)


def can_change(scene: Scene) -> bool:
    """Say whether the player can go and choose another table."""
    return scene.has_lobby and not scene.is_cut_off()


def _can_bet(scene: Scene) -> bool:
    return _may(scene, Action.PLACE_BET)


def _answer(action: Action) -> Control:
    row = DECISIONS[action]
    return Control(row.key, row.label, lambda scene: _may(scene, action), action)


_DEAL = replace(
    _answer(Action.PLACE_BET),
    can=lambda scene: _is_over(scene) or (_can_bet(scene) and bool(scene.typed)),
)
_PLAYS = tuple(map(_answer, (*PRESETS.values(), Action.INSURE)))
_DEAL_ANEW = Control(
    DECISIONS[Action.DOUBLE].key,
    "Deal",
    lambda scene: _is_over(scene) or _may(scene, Action.GIVE_UP),
    Action.GIVE_UP,
)
_DEALS = (_DEAL_ANEW, *_PLAYS[:2])
"""All that there is in ``specs/iipp6.txt``."""
_RARE = (
    *(Action.EVEN_MONEY, Action.SURRENDER, Action.GIVE_UP),
    *(Action.ACE_HIGH, Action.ACE_LOW),
)
_YES, _NO = _answer(Action.ACCEPT_GIFT), _answer(Action.DECLINE)
_SIT_OUT = _answer(Action.SIT_OUT)
_NAMED: dict[Kind | None, tuple[Control, ...]] = {
    Kind.GIFT: (_YES, replace(_SIT_OUT, key=_NO.key, label=_NO.label)),
    Kind.PAIR: (replace(_answer(Action.SPLIT), key=_YES.key, label=_YES.label),),
}
"""The answers that are called yes and no at one kind of question."""
_CHIPS = (
    *(Control(key, f"${cents // 100}", _can_bet) for key, cents in CHIPS.items()),
    Control("a", "All in", _can_bet),
    Control("b", "Again", lambda s: _can_bet(s) and s.seat_asked in s.bets),
    Control("w", "Twice", lambda s: _can_bet(s) and bool(s.typed)),
)
_PAUSE = Control(" ", "Pause", _can_go_on)
_PLAY = Control(" ", "Play on", _can_go_on)
_NEXT = Control("n", "Next event", _can_go_on)
_SERVICES = (
    _page("r", "Rules"),
    _page("m", "My rounds"),
    _page("?", "Help"),
    Control("%", "Hint", lambda scene: not scene.is_cut_off()),
    Control(":", "Chat", can_say),
    Control("t", "Tables", can_change),
    Control("q", "Leave", lambda _: True),
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
    named = _NAMED.get(kind, ())
    no = [_NO] if Action.DECLINE in asked else []
    out = [_SIT_OUT] if Action.SIT_OUT in asked and kind is Kind.BET else []
    return [_DEAL, *_PLAYS, *rare, *named, *no, *out]


def chips(scene: Scene) -> list[Control]:
    """Return the chips to bet with."""
    if not scene.table.ours or scene.deals or scene.showing is not None:
        return []
    return [*_CHIPS]


def services(scene: Scene) -> list[Control]:
    """Return the controls that work at any time."""
    absent = {"" if scene.has_lobby else "t", "" if scene.has_hints else "%"}
    is_ours = scene.table.ours and scene.showing is None
    absent |= set() if is_ours else {":", "m"}
    return [control for control in _SERVICES if control.key not in absent]


def shown_key(control: Control, enter: str, keymap: Keymap) -> str:
    """Return a key as its button shows it."""
    named = {"enter": enter, " ": "Space"}
    return named.get(control.key) or keymap.shown(control.key)


@dataclass(frozen=True, slots=True)
class Button:
    """A control with the words on its button."""

    control: Control
    text: str

    @property
    def is_service(self) -> bool:
        """Whether it works at any time."""
        return self.control in _SERVICES


def button_rows(scene: Scene, width: int, most: int) -> list[list[Button]]:
    """Return the buttons in as many rows as they take, at most ``most`` if possible.

    With enough room every button has its place, so that nothing moves. With little room
    only the buttons of the open question are shown, then without the services, and
    then with shorter words.
    """
    rows: list[list[Button]] = []
    for groups in _grouped(scene):
        rows = _packed(groups, width - 1)
        if len(rows) <= most:
            break
    return rows


def _grouped(scene: Scene) -> Iterator[list[list[Button]]]:
    """Yield the buttons in groups, then fewer of them, and then shorter ones."""
    enter, key = scene.glyphs.enter, scene.keymap.shown
    everything = [
        [Button(c, f" {shown_key(c, enter, scene.keymap)} {c.label} ") for c in group]
        for group in (answers(scene), chips(scene), services(scene))
    ]
    yield everything
    plays, money, always = (
        [each for each in group if _is_asked(scene, each)] for group in everything
    )
    asked = [plays, money] if scene.kind is Kind.BET else [plays]
    yield [*asked, always]
    yield [*asked, [each for each in always if each.control.key != "m"]]
    yield [*asked, [replace(b, text=f" {key(b.control.key)} ") for b in always]]


def _is_asked(scene: Scene, button: Button) -> bool:
    control = button.control
    if button.is_service or control.can(scene) or scene.showing is not None:
        return True
    if scene.question is None:
        return control.key in PRESETS
    return control.action is None or control.action in scene.asked


def _packed(groups: list[list[Button]], width: int) -> list[list[Button]]:
    rows: list[list[Button]] = []
    for group in groups:
        if rows and _length([*rows[-1], *group]) <= width:
            rows[-1] += group
            continue
        row: list[Button] = []
        for button in group:
            if _length([*row, button]) > width:
                rows.append(row)
                row = []
            row.append(button)
        if row:
            rows.append(row)
    return rows


def _length(row: list[Button]) -> int:
    return sum(len(button.text) + 1 for button in row)


def draw_buttons(
    canvas: Canvas, scene: Scene, y: int, rows: list[list[Button]], press: Press
) -> None:
    """Draw the rows; a click presses the key, whether it counts or not."""
    canvas.fill(0, y, canvas.width, len(rows), "class:foot")
    for number, row in enumerate(rows, y):
        buttons = [(each.control.key, each.text, _style(scene, each)) for each in row]
        canvas.buttons(number, buttons, press)


def _style(scene: Scene, button: Button) -> str:
    control = button.control
    if scene.preset is not None and PRESETS.get(control.key) is scene.preset:
        return "class:button.chosen"
    if not control.can(scene):
        return "class:button.off"
    return "class:button.always" if button.is_service else "class:button"


_LOOKING = (
    "Space shows at once what is being dealt.",
    "Page up and page down look back in the log.",
    "Ctrl-C and Ctrl-D leave at once.",
)


def manual(scene: Scene) -> Page:
    """Return the page."""
    playing = _playing(scene) if scene.table.ours else ()
    tables = scene.keymap.shown("t")
    change = (f"{tables} leaves this table and lists all.",) if scene.has_lobby else ()
    lines = (*playing, *change, *_LOOKING)
    advice = hint(scene.ask, scene.table) if scene.has_hints and scene.ask else ""
    keys = tuple(
        f"{shown_key(control, 'Enter', scene.keymap)} {control.label}"
        for control in (*answers(scene), *chips(scene), *services(scene))
    )
    return Page("Help", lines, cells=keys, lead=advice, key="?")


def _playing(scene: Scene) -> tuple[str, ...]:
    """Return the lines for those who play."""
    plays = listed([*map(scene.keymap.shown, PRESETS)])
    insure, chat = scene.keymap.key(Action.INSURE), scene.keymap.shown(":")
    always = (
        f"{chat} or // speaks to the table.",
        "/mute HANDLE, /unmute HANDLE and /history 5 are typed as they stand here.",
        "A button counts where it is bright; so does its key.",
    )
    if scene.deals:
        anew = (
            "Deal in the middle of a round gives it up as a loss, and deals the next."
        )
        return (anew, *always)
    spots = f"50x2 bets 50 dollars on each of 2 spots, of {scene.spots} there are."
    return (
        "A bet is typed in dollars, or put together from chips; Enter deals.",
        *([spots] if scene.spots > 1 else []),
        f"{insure} proposes an insurance of half the stake; {insure} or Enter buys it.",
        f"{plays} choose ahead while others play; once more takes it back.",
        *always,
    )
