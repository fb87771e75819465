"""The title with the shoe above the table, and the money below it."""

from prompt_toolkit.utils import get_cwidth

from bj_client.model.own_seat import OwnSeat
from bj_client.model.table import Table
from bj_client.screen.canvas import Canvas, cut, fitting
from bj_client.screen.scene import Scene
from bj_client.words.board import PHASES
from bj_client.words.money import short
from bj_client.words.text import counted, printable
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
    shoes = _shoe(table, dot)
    room = canvas.width - x - 2
    parts = [printable(table.name), f"round {table.round}"]
    spare = room - len(shoes[-1]) - get_cwidth(_joined(parts, dot)) - 4
    if spare < 0:
        most = max(_NAME, get_cwidth(parts[0]) + spare)
        parts[0] = cut(parts[0], most, scene.glyphs.more)
    for part in (printable(table.house.title), _phase(table.phase)):
        longer = _joined([*parts, part], dot)
        if part and get_cwidth(longer) + len(shoes[-2]) + 4 <= room:
            parts.append(part)
    text = _joined(parts, dot)
    shoe = fitting([*shoes, ""], room - get_cwidth(text) - 4)
    text = cut(f" {dot} {text}", room - len(shoe) - 1, scene.glyphs.more)
    canvas.put(x, y, text)
    canvas.put(canvas.width - len(shoe) - 1, y, shoe)


def _phase(phase: Phase) -> str:
    return "in play" if phase is Phase.PLAYING else PHASES[phase]


def _joined(parts: list[str], dot: str) -> str:
    return f" {dot} ".join(parts)


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
    for name, value, style in _figures(own, scene):
        if x + len(name) + len(value) + 1 > canvas.width:
            break
        x = canvas.put(x, y, f"{name} " if name else "")
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
    if len(scene.table.ours) > 1:
        figures.insert(0, ("", own.handle, value))
    return figures
