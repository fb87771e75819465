"""The hint: one line that always says what is expected of whom."""

from prompt_toolkit.utils import get_cwidth

from bj_client.card import HIDDEN
from bj_client.replay.showing import Showing
from bj_client.screen.call import WORDS, calls
from bj_client.screen.canvas import cut
from bj_client.screen.scene import Scene
from bj_client.text import printable
from bj_protocol.views import Phase


def hint(scene: Scene, room: int) -> str:
    """Return the longest form of the line that ``room`` cells hold.

    What is being written is shown by its end; else the shortest form is cut.
    """
    more = scene.glyphs.more
    if _is_writing(scene):
        text = f"{scene.chat}{scene.glyphs.cursor}"
        lead = "" if text.startswith("/") else "Say: "
        return f"{lead}{_end(text, room - len(lead), more)}"
    forms = [printable(form) for form in _forms(scene)]
    fitting = (form for form in forms if get_cwidth(form) <= room)
    return next(fitting, None) or cut(forms[-1], room, more)


def _is_writing(scene: Scene) -> bool:
    is_covered = scene.is_cut_off() or scene.is_leaving or scene.page is not None
    return scene.chat is not None and not is_covered


def _forms(scene: Scene) -> list[str]:
    if scene.is_cut_off():
        leave = scene.keymap.shown("q")
        return [
            f"The line is lost and tried again; only {leave} counts, and leaves",
            f"The line is lost; only {leave} counts",
        ]
    if scene.is_leaving:
        leave = scene.keymap.shown(scene.leaves_by)
        return [
            f"You have money in play. Leave all the same? {leave} leaves, Esc stays",
            f"Leave all the same? {leave} or Esc",
            f"Leave? {leave} or Esc",
        ]
    if scene.page is not None:
        key = scene.keymap.shown(scene.page.key)
        closes = f"Space{f' or {key}' if key else ''} closes this page"
        return [f"{closes}, up and down turn it", closes]
    if scene.showing is not None:
        return _SHOWN[scene.showing]
    return calls(scene) if scene.question is not None else _waiting(scene)


_SHOWN = {
    Showing.RUNS: [
        "A record is played: Space pauses, n shows the next event, q quits",
        "Space pauses, n goes on, q quits",
    ],
    Showing.PAUSED: [
        "Paused: Space plays on, n shows the next event, q quits",
        "Paused: Space or n goes on",
    ],
    Showing.OVER: ["The record ends here; q closes it"],
}


def _waiting(scene: Scene) -> list[str]:
    whom = _waited_for(scene)
    if scene.preset is not None:
        chosen = f"you will {WORDS[scene.preset]}"
        return [*(f"{form}; {chosen}" for form in whom), chosen.capitalize()]
    if scene.may_preset:
        hit, stand, double, split = map(scene.keymap.shown, "hsdp")
        ahead = f"{hit}, {stand}, {double} or {split} chooses ahead"
        return [f"{whom[0]}; {ahead}", *whom]
    return whom


def _waited_for(scene: Scene) -> list[str]:
    table = scene.table
    asks = [ask for ask in table.asks if ask.seat not in table.ours]
    if table.phase is Phase.CALLING:
        return ["The cards are drawn"]
    if scene.is_telling:
        return ["The dealer's turn" if _is_dealers_turn(scene) else "The dealer deals"]
    if asks:
        handles = list(dict.fromkeys(table.seat(ask.seat).handle for ask in asks))
        count = f"Waiting for {len(handles)} players"
        named = f"Waiting for {_named(handles)}"
        if len(handles) > 3:
            return [count]
        return [named] if len(handles) == 1 else [named, count]
    if table.phase is Phase.PLAYING:
        return ["Waiting for the dealer"]
    return ["Waiting for players"]


def _is_dealers_turn(scene: Scene) -> bool:
    """Say whether the dealer plays, and does not just get a card of the deal."""
    cards = scene.table.dealer.cards
    return scene.told == (0, 0) and len(cards) > 1 and HIDDEN not in cards


def _named(handles: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(handles[:-1]), *handles[-1:]]))


def _end(text: str, room: int, more: str) -> str:
    """Return the end of a text that is too long, after a mark that it goes on."""
    if get_cwidth(text) <= room:
        return text
    kept = text
    while kept and get_cwidth(more + kept) > room:
        kept = kept[1:]
    return more + kept
