"""The manual: the acts of all keys, on one page."""

from bj_client.bot.hint import hint
from bj_client.screen.control import PRESETS, answers, chips, services, shown_key
from bj_client.screen.page import Page
from bj_client.screen.scene import Scene
from bj_client.words.text import listed
from bj_protocol.action import Action

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
