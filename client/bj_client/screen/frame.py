"""The frame: the whole screen, composed for the room there is.

From the top: the title, the dealer, the seats, the log (at the right of a wide
screen), the money, the prompt, and the buttons.
"""

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import OwnSeat
from bj_client.model.table import Table
from bj_client.screen.box import Boxes
from bj_client.screen.canvas import Canvas, Glyphs, Press, cut, fitting, wrap
from bj_client.screen.control import Button, button_rows, draw_buttons
from bj_client.screen.picture import BIG, COMPACT, SMALL, Size
from bj_client.screen.prompt import prompt_row
from bj_client.screen.roster import Roster
from bj_client.screen.scene import Page, Scene
from bj_client.words.board import PHASES, titled
from bj_client.words.money import short
from bj_client.words.text import counted, printable
from bj_protocol.model import HIDDEN
from bj_protocol.views import Phase

_NAME = 6
"""The columns of a table's name that are always on view."""


def title_row(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw the game, the table, the round and the shoe.

    A server that was wrong is named so from then on: the log scrolls its warning away.
    """
    table, dot = scene.table, scene.glyphs.dot
    canvas.fill(0, y, canvas.width, 1, "class:title")
    name = "Blackjack" if scene.showing is None else "Replay"
    style = "class:title.name"
    if scene.log.has_warned:
        name, style = "THE SERVER IS WRONG", "class:log.warning"
    x = canvas.put(1, y, name, style)
    shoes, joined = _shoe(table, dot), f" {dot} ".join
    room = canvas.width - x - 2
    parts = [printable(table.name), f"round {table.round}"]
    spare = room - len(shoes[-1]) - get_cwidth(joined(parts)) - 4
    if spare < 0:
        most = max(_NAME, get_cwidth(parts[0]) + spare)
        parts[0] = cut(parts[0], most, scene.glyphs.more)
    phase = "in play" if table.phase is Phase.PLAYING else PHASES[table.phase]
    for part in (printable(table.house.title), phase):
        longer = joined([*parts, part])
        if part and get_cwidth(longer) + len(shoes[-2]) + 4 <= room:
            parts.append(part)
    text = joined(parts)
    shoe = fitting([*shoes, ""], room - get_cwidth(text) - 4)
    text = cut(f" {dot} {text}", room - len(shoe) - 1, scene.glyphs.more)
    canvas.put(x, y, text)
    canvas.put(canvas.width - len(shoe) - 1, y, shoe)


def _shoe(table: Table, dot: str) -> list[str]:
    """Return the shoe in words, the longest first."""
    decks = counted(table.shoe.decks, "deck")
    if table.shoe.cards_left is None:
        return ["endless deck", "endless deck"]
    left = table.shoe.cards_left
    cut_card = table.shoe.until_cut
    if cut_card is None:
        return [f"{decks} {dot} {counted(left, 'card')} left", f"{left} left"]
    out = f"{cut_card} to the cut card" if cut_card else "the cut card is out"
    brief = f"{left} left, cut {cut_card}" if cut_card else f"{left} left, cut out"
    long = f"{decks} {dot} {counted(left, 'card')} left {dot} {out}"
    return [long, brief, f"{left}/{cut_card}"]


def status_row(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw the bank and the record of the player who is asked."""
    canvas.fill(0, y, canvas.width, 1, "class:status")
    own = scene.table.ours.get(scene.seat_asked)
    if own is None:
        count = scene.table.seat_count
        seats = f"{len(scene.table.seats)} of {counted(count, 'seat')}"
        verb = "is" if count == 1 else "are"
        whole = f"You are looking on; {seats} {verb} taken"
        brief = f"Looking on; {seats} taken"
        canvas.put(1, y, fitting([whole, brief], canvas.width - 2))
        return
    x = 1
    if len(scene.table.ours) > 1:
        handle = cut(own.handle, canvas.width // 4, scene.glyphs.more)
        x = canvas.put(x, y, handle, "class:status.value") + 2
    for name, value, style in _figures(own, scene):
        if x + len(name) + len(value) + 1 > canvas.width:
            break
        x = canvas.put(x, y, f"{name} ")
        x = canvas.put(x, y, value, style) + 2


def _figures(own: OwnSeat, scene: Scene) -> list[tuple[str, str, str]]:
    score, net = own.record.score, own.record.net
    value = "class:status.value"
    if scene.deals:
        return [("score", str(score), value)]
    colour = "class:win" if net > 0 else "class:lose" if net < 0 else value
    figures = [
        ("bank", short(own.seat.balance), value),
        ("won-lost", f"{score:+}", value),
        ("net", f"{'+' if net > 0 else ''}{short(net)}", colour),
    ]
    at_risk = own.seat.bet * own.seat.spots + own.seat.at_risk
    if at_risk:
        figures.insert(1, ("at stake", short(at_risk), value))
    return figures


def draw_dealer(canvas: Canvas, scene: Scene, y: int, width: int, size: Size) -> int:
    """Draw the dealer from row ``y`` on, and return the row below."""
    artist = scene.artist
    dealer = scene.dealer
    is_turn = (0, 0) in scene.in_turn
    mark = f"{scene.glyphs.arrow} " if is_turn else ""
    name = mark + _name(scene, width // 2 - len(mark))
    style = "class:name.turn" if is_turn else "class:name"
    total = _total(scene)
    if size.height == 1:
        x = canvas.put(1 if is_turn else 3, y, name, style) + 1
        artist.draw(canvas, x, y, dealer.cards, size, width - x)
        x += artist.width(dealer.cards, size) + 1
        canvas.put(x, y, total, "class:total" if dealer.cards else "class:dim")
        return y + 1
    text = get_cwidth(name) + (len(total) + 2 if total else 0)
    x = canvas.put(max(1, (width - text) // 2), y, name, style)
    canvas.put(x + 2, y, total, "class:total" if dealer.cards else "class:dim")
    taken = min(width - 2, artist.width(dealer.cards, size))
    x = max(1, (width - taken) // 2)
    artist.draw(canvas, x, y + 1, dealer.cards, size, width - 2)
    if not dealer.cards:
        _places(canvas, scene, y + 1, width, size)
    return y + 1 + size.height


def _name(scene: Scene, room: int) -> str:
    name = printable(scene.table.dealer_name)
    is_long = get_cwidth(titled(name)) > room
    return cut(name, room, scene.glyphs.more) if is_long else titled(name)


def _total(scene: Scene) -> str:
    dealer = scene.dealer
    if not dealer.cards:
        return ""
    if HIDDEN in dealer.cards:
        return f"shows {dealer.value}" if dealer.total else ""
    if dealer.natural:
        return "blackjack"
    bust = " bust" if dealer.total > 21 else ""
    return f"{dealer.value}{bust}"


def _places(canvas: Canvas, scene: Scene, y: int, width: int, size: Size) -> None:
    """Draw the places of the two cards."""
    left = (width - 2 * size.width - 1) // 2
    for x in (left, left + size.width + 1):
        canvas.frame(x, y, size.width, size.height, scene.glyphs.frame, "class:rim")


_WIDEST = 78


def draw_log(
    canvas: Canvas, scene: Scene, x: int, y: int, width: int, height: int
) -> None:
    """Draw the newest lines, the last one at the bottom."""
    canvas.fill(x, y, width, height, "class:log")
    rows = scene.log.rows(width - 2, height)
    for number, (text, tone) in enumerate(rows, height - len(rows)):
        canvas.put(x + 1, y + number, text, f"class:log.{tone}")


def draw_page(canvas: Canvas, page: Page, y: int, height: int, glyphs: Glyphs) -> None:
    """Draw a page in the middle, from row ``y`` on; its scroll is kept in bounds."""
    width = min(_WIDEST, canvas.width - 2)
    rows = page.rows(width - 4)
    shown = min(len(rows), height - 3)
    page.top = max(0, min(page.top, len(rows) - shown))
    x = (canvas.width - width) // 2
    top = y + (height - shown - 3) // 2
    canvas.fill(x, top, width, shown + 3, "class:page")
    for number, row in enumerate(rows[page.top : page.top + shown]):
        canvas.put(x + 2, top + 2 + number, row, "class:page")
    end = f"{page.top + 1}-{page.top + shown} of {len(rows)}"
    mark = f"  {end}" if shown < len(rows) else ""
    title = cut(printable(page.title), width - 4 - len(mark), glyphs.more)
    canvas.put(x + 2, top, title, "class:page.title")
    canvas.put(x + width - len(mark) - 2, top, mark, "class:page.title")


LEAST_COLUMNS, LEAST_ROWS = 40, 16
_SIDE_LOG = 38
_WIDE = 116
_LOW = 14
"""The rows between title and money below which the log may have a single one."""
_PICTURED = SMALL.height + 2
"""The rows of a dealer with cards as pictures, and a gap."""


def is_too_small(width: int, height: int) -> bool:
    """Say whether a window has no room for a table, and shows no question."""
    return width < LEAST_COLUMNS or height < LEAST_ROWS


def frame(scene: Scene, width: int, height: int, press: Press) -> Canvas:
    """Draw the scene on so many cells; ``press`` is called by the buttons."""
    canvas = Canvas(width, height)
    if is_too_small(width, height):
        _too_small(canvas, scene)
        return canvas
    title_row(canvas, scene, 0)
    buttons = _buttons(scene, width, height)
    foot = height - len(buttons) - 2
    status_row(canvas, scene, foot)
    prompt_row(canvas, scene, foot + 1)
    draw_buttons(canvas, scene, foot + 2, buttons, press)
    if width >= _WIDE:
        side = width - _SIDE_LOG
        draw_log(canvas, scene, side, 1, _SIDE_LOG, foot - 1)
        _table(canvas, scene, side, 1, foot - 1)
    else:
        log = _log_height(scene, width, foot - 1)
        draw_log(canvas, scene, 0, foot - log, width, log)
        _table(canvas, scene, width, 1, foot - 1 - log)
    if scene.page is not None:
        draw_page(canvas, scene.page, 1, foot - 1, scene.glyphs)
    return canvas


def prompt_place(scene: Scene, width: int, height: int) -> int | None:
    """Return the row in which ``frame`` draws the prompt; None without one."""
    if is_too_small(width, height):
        return None
    return height - len(_buttons(scene, width, height)) - 1


def _buttons(scene: Scene, width: int, height: int) -> list[list[Button]]:
    most = 4 if height >= 28 else 3 if height >= 20 else 2
    return button_rows(scene, width, most)


def _log_height(scene: Scene, width: int, rows: int) -> int:
    """Return the rows of the log: all that the best form of the table leaves."""
    most = 12 if rows >= 40 else 8
    least = 1 if rows < _LOW else 2
    plans = ((size, Boxes(scene, size).plan(width)) for size in (BIG, SMALL))
    needs = [plan[2] + size.height + 2 for size, plan in plans if plan is not None]
    roster = _roster(scene, width, rows - least)
    for need in (*needs, roster.wish + _PICTURED, roster.height + 2):
        if need + 2 <= rows:
            return min(most, rows - need)
    return max(least, min(most, rows - roster.height - 2))


def _roster(scene: Scene, width: int, rows: int) -> Roster:
    """Return the roster, a tight one if it is too high below the dealer."""
    roster = Roster(scene, width - 2)
    is_high = roster.height + 1 > rows
    return Roster(scene, width - 2, is_tight=True) if is_high else roster


def _table(canvas: Canvas, scene: Scene, width: int, y: int, rows: int) -> None:
    for size in (BIG, SMALL):
        boxes = Boxes(scene, size)
        plan = boxes.plan(width - 2)
        if plan is not None and (spare := rows - plan[2] - size.height - 1) >= 0:
            top = draw_dealer(canvas, scene, y + min(3, spare // 4), width, size)
            boxes.draw(canvas, 1, top + min(4, -(-spare // 3)), width - 2, plan)
            return
    roster = _roster(scene, width, rows)
    is_roomy = roster.height + _PICTURED <= rows
    top = draw_dealer(canvas, scene, y, width, SMALL if is_roomy else COMPACT)
    gap = 1 if roster.height + (top - y) < rows else 0
    roster.draw(canvas, 1, top + gap, rows - (top - y) - gap)


def _too_small(canvas: Canvas, scene: Scene) -> None:
    leave = scene.keymap.shown("q")
    text = (
        f"This window is too small for the table: make it at least {LEAST_COLUMNS} "
        f"columns by {LEAST_ROWS} rows. Only {leave} counts here, and leaves; "
        "bj-client --line needs less room."
    )
    if scene.is_leaving:
        text = f"You have money in play. Leave all the same? {leave} leaves."
    rows = wrap(text, max(1, canvas.width - 2))
    top = max(0, (canvas.height - len(rows)) // 2)
    for number, row in enumerate(rows):
        canvas.put(1, top + number, row)
