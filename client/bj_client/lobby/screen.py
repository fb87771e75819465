"""The screen of the lobby: the list on the whole terminal, fetched anew by itself."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from bj_client.error import ClientError
from bj_client.lobby.lobby import PHASES, Choice, Fetch, Lobby, Wish
from bj_client.play.input import EndOfInputError
from bj_client.screen.canvas import Canvas, Glyphs, Press, cut, fitting, wrap
from bj_client.screen.canvas_control import canvas_app
from bj_client.words.money import short
from bj_client.words.text import counted, printable
from bj_protocol.views import TableView

Point = Callable[[str, str], None]
"""Takes the name of a table to mark, and the key to press then, or none."""

_MOST_NOTICE = 4
_NAME = 5
"""The column where names begin, behind the mark and the number."""
_SIT, _WATCH = " Sit ", " Watch "
_WIDEST = 100
"""The columns of the list, beyond which buttons would be far from their tables."""


def draw_lobby(
    lobby: Lobby, width: int, height: int, glyphs: Glyphs, press: Press, point: Point
) -> Canvas:
    """Draw the lobby on so many cells.

    ``press`` is called by the buttons below, and ``point`` by the tables.
    """
    canvas = Canvas(width, height)
    _title(canvas, lobby, glyphs)
    foot = height - 2
    notice = wrap(printable(lobby.banner), max(1, width - 4)) if lobby.banner else []
    notice = notice[:_MOST_NOTICE]
    top = foot - len(notice)
    canvas.fill(0, top, width, len(notice), "class:banner")
    for number, row in enumerate(notice):
        canvas.put(2, top + number, row)
    _tables(canvas, lobby, glyphs, 1, top - 1, point)
    _prompt(canvas, lobby, glyphs, foot)
    _buttons(canvas, lobby, glyphs, foot + 1, press)
    return canvas


def _title(canvas: Canvas, lobby: Lobby, glyphs: Glyphs) -> None:
    canvas.fill(0, 0, canvas.width, 1, "class:title")
    x = canvas.put(1, 0, "Blackjack", "class:title.name")
    who = " and ".join(lobby.handles) or "looking on"
    who = cut(printable(who), canvas.width // 3, glyphs.more)
    room = canvas.width - x - get_cwidth(who) - 3
    many = f"{len(lobby.tables)} tables" if lobby.is_long else "tables"
    text = f" {glyphs.dot} the {many} at {printable(lobby.server)}"
    canvas.put(x, 0, cut(text, room, glyphs.more))
    canvas.put(canvas.width - get_cwidth(who) - 1, 0, who)


def _tables(
    canvas: Canvas, lobby: Lobby, glyphs: Glyphs, y: int, rows: int, point: Point
) -> None:
    """Draw as many tables as fit, the marked one among them."""
    names = [table.name for table in lobby.tables]
    if not names:
        canvas.put(2, y + 1, "There are no tables just now.", "class:dim")
        return
    each = 3 if 3 * len(names) <= rows else 2
    fit = max(1, rows // each)
    marked = names.index(lobby.marked)
    first = max(0, min(marked - fit // 2, len(names) - fit))
    gap = 1 if each * len(names) < rows else 0
    shown = list(enumerate(lobby.tables, 1))[first : first + fit]
    for place, (number, table) in enumerate(shown):
        _table(canvas, lobby, glyphs, y + gap + place * each, number, table, point)


def _table(
    canvas: Canvas,
    lobby: Lobby,
    glyphs: Glyphs,
    y: int,
    number: int,
    table: TableView,
    point: Point,
) -> None:
    """Draw a table in two rows: its name, house and buttons, and how things stand."""
    is_marked = table.name == lobby.marked
    mark = partial(point, table.name, "")
    for row in (y, y + 1):
        canvas.put(0, row, " " * canvas.width, "", mark)
    if is_marked:
        canvas.put(0, y, glyphs.arrow, "class:name.turn", mark)
    left = max(_NAME, canvas.put(1, y, f"{number:>2}", "class:dim", mark) + 1)
    right = _doors(canvas, lobby, y, table, point)
    name = cut(printable(table.name), right - left - 1, glyphs.more)
    style = "class:name.turn" if is_marked else "class:name"
    x = canvas.put(left, y, name, style, mark)
    house = f" {glyphs.dot} {printable(table.title)}"
    house = cut(house, right - x - 1, glyphs.more)
    canvas.put(x, y, house, "class:ink", mark)
    room = min(canvas.width, _WIDEST) - left - 1
    canvas.put(left, y + 1, _about(lobby, table, room, glyphs), "class:dim", mark)


def _doors(canvas: Canvas, lobby: Lobby, y: int, table: TableView, point: Point) -> int:
    """Draw the buttons of a table at the right; return the column where they begin."""
    x = min(canvas.width, _WIDEST) - len(_WATCH) - 1
    canvas.put(x, y, _WATCH, "class:button.always", partial(point, table.name, "w"))
    if lobby.handles:
        x -= len(_SIT) + 1
        style = "class:button" if lobby.has_room(table) else "class:button.off"
        canvas.put(x, y, _SIT, style, partial(point, table.name, "enter"))
    return x


def _about(lobby: Lobby, table: TableView, room: int, glyphs: Glyphs) -> str:
    """Return how things stand at a table, with as many words as fit."""
    dot = f" {glyphs.dot} "
    low, high = short(table.minimum_bet), table.maximum_bet
    taken = f"{table.seats_taken} of {table.seat_count}"
    seats = f"{table.seats_taken} of {counted(table.seat_count, 'seat')}"
    code = ["a code is needed"] if table.private else []
    yours = ["your seat"] if lobby.sits_at(table) else []
    who = ", ".join(map(printable, table.handles))
    names = f" ({who})" if who else ""
    bets = f"bets from {low}" if high is None else f"bets {low} to {short(high)}"
    seen = [f"{table.watchers} watching"] if table.watchers else []
    more = [*code, bets, PHASES[table.phase], *seen]
    brief = [f"{taken} taken", *(["code"] if code else []), f"{low} up"]
    forms = (
        [*yours, f"{seats} taken{names}", *more],
        [*yours, f"{seats} taken", *more],
        [*yours, seats, *code, bets, PHASES[table.phase]],
        [*yours, *brief, PHASES[table.phase]],
        [*yours, *brief],
    )
    return cut(fitting([dot.join(form) for form in forms], room), room, glyphs.more)


def _prompt(canvas: Canvas, lobby: Lobby, glyphs: Glyphs, y: int) -> None:
    canvas.fill(0, y, canvas.width, 1, "class:prompt.yours")
    canvas.put(1, y, glyphs.arrow)
    room = canvas.width - 4
    text = fitting(_prompts(lobby, glyphs), room)
    extra = get_cwidth(text) - room
    canvas.put(3, y, text[max(0, extra) :] if lobby.typed is not None else text)


def _prompts(lobby: Lobby, glyphs: Glyphs) -> list[str]:
    """Return the prompt, the longest form first."""
    if lobby.typed is not None:
        code = f"{lobby.typed}{glyphs.cursor}"
        name = printable(lobby.marked)
        how = "Enter goes in, Esc stays out"
        return [f"The code of {name} ({how}): {code}", f"Code: {code}"]
    how = "Up, down and Enter or its number"
    if lobby.is_long:
        how = "Up, down or its number, and Enter"
    if lobby.handles:
        return [
            f"Which table? {how} sits down, w looks on",
            "Which table? Enter sits down, w looks on",
            "Which table?",
        ]
    return [f"Which table? {how} looks on", "Which table?"]


def _buttons(
    canvas: Canvas, lobby: Lobby, glyphs: Glyphs, y: int, press: Press
) -> None:
    canvas.fill(0, y, canvas.width, 1, "class:foot")
    buttons = _keys(lobby, glyphs)
    if sum(len(text) + 1 for _, text, _ in buttons) >= canvas.width:
        buttons = [each for each in buttons if each[0] != "r"]
    canvas.buttons(y, buttons, press)


def _keys(lobby: Lobby, glyphs: Glyphs) -> list[tuple[str, str, str]]:
    """Return keys with the words of their buttons, and the style."""
    if lobby.typed is not None:
        return [
            ("enter", f" {glyphs.enter} Go in ", "class:button"),
            ("escape", " Esc Stay out ", "class:button.always"),
        ]
    sit = [("enter", f" {glyphs.enter} Sit ", "class:button")]
    return [
        *(sit if lobby.handles else []),
        ("w", " w Watch ", "class:button"),
        ("r", " r Refresh ", "class:button.always"),
        ("q", " q Leave ", "class:button.always"),
    ]


_REFRESH_SECONDS = 3.0


@dataclass(eq=False)
class LobbyScreen:
    """Shows a lobby on a terminal until a table is chosen."""

    lobby: Lobby
    fetch: Fetch
    output: Output
    glyphs: Glyphs
    _wanted: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when the list is to be fetched at once."""
    _app: Application[Choice | None] | None = field(default=None, init=False)

    async def choose(self) -> Choice | None:
        """Return the choice of the player; None if they leave."""
        press, paste = self._press, self.lobby.paste
        app = self._app = canvas_app(self._draw, press, paste, self.output)
        fetching = asyncio.create_task(self._keep_fresh(app))
        try:
            choice: Choice | None = await app.run_async(
                set_exception_handler=False, handle_sigint=False
            )
            return choice
        except (EndOfInputError, OSError, EOFError):
            return None
        finally:
            fetching.cancel()
            self._wanted.set()  # the list of now is old when the player comes back
            await asyncio.gather(fetching, return_exceptions=True)

    def _draw(self, width: int, height: int) -> Canvas:
        return draw_lobby(
            self.lobby, width, height, self.glyphs, self._press, self._point
        )

    def _point(self, name: str, key: str) -> None:
        """Mark a table, and press a key for it; not while a code is typed."""
        self.lobby.mark(name)
        if key and self.lobby.typed is None:
            self._press(key)

    def _press(self, key: str) -> None:
        wanted, app = self.lobby.press(key), self._app
        if wanted is Wish.NEWS:
            self._wanted.set()
        elif wanted is not None and app is not None and not app.is_done:
            app.exit(result=None if isinstance(wanted, Wish) else wanted)

    async def _keep_fresh(self, app: Application[Choice | None]) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REFRESH_SECONDS):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                self.lobby.update(await self.fetch())
            except ClientError as ending:
                self.lobby.miss(str(ending))
            app.invalidate()
