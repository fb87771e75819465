"""Write docs/architecture.svg, and the table of folders in docs/architecture.md.

python docs/make_architecture.py

Both come from the code. A box is a folder of modules, and an arrow leads from a folder
to one that it imports. An arrow is left out where others lead the same way: a folder
may import all that can be reached from it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("architecture.md")
PICTURE = Path(__file__).with_name("architecture.svg")

Graph = dict[str, set[str]]
"""The folders that each folder imports, by their dotted names."""

_PLACES = ("client", "server", "protocol")
_PARTS = ("bj_client", "bj_server", "bj_game", "bj_protocol")
_COLOURS = {
    "bj_client": "dbeafe",
    "bj_server": "dcfce7",
    "bj_game": "fef3c7",
    "bj_protocol": "fce7f3",
}
_WIDTH, _HEIGHT, _GAP, _RISE, _EDGE = 124, 34, 18, 46, 20
_HEAD, _FALL = 40, 64
"""Height of the words at the top of a package, and of the space beneath it."""
_FEW = 4
"""Up to so many users of a package are named at their arrow."""
_FONT = 'font-family="system-ui,\'DejaVu Sans\',sans-serif" font-size="13"'
_LINE = 'fill="none" stroke="#64748b" stroke-width="1.3" marker-end="url(#tip)"'
_MARKER = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8Z" fill="#64748b"/>'
    "</marker></defs>"
)
_TABLE = re.compile(r"(<!-- made: folders -->\n).*?(<!-- end -->)", re.DOTALL)


@cache
def modules() -> Mapping[str, Path]:
    """Return the files of all modules, by their dotted names."""
    found = {}
    for place in _PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            parts = path.relative_to(ROOT / place).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def graph() -> Graph:
    """Return which folder imports which."""
    found: Graph = {_folder(name): set() for name in modules()}
    for name, path in modules().items():
        for imported in _imports(path):
            if imported.partition(".")[0] in _PARTS:
                found[_folder(name)].add(_folder(imported))
    return {name: targets - {name} for name, targets in sorted(found.items())}


def _folder(name: str) -> str:
    """Return the folder of a module, at most one below its package."""
    parts = name.split(".")
    path = modules().get(name)
    is_folder = path is not None and path.name == "__init__.py"
    return ".".join(parts[: 2 if len(parts) > 2 or is_folder else 1])


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in modules() else node.module


def _reached(folders: Graph) -> Graph:
    """Return all that each folder reaches, over others too."""
    reached = {name: set(targets) for name, targets in folders.items()}
    for middle in folders:
        for targets in reached.values():
            if middle in targets:
                targets |= reached[middle]
    return reached


def _inside(part: str) -> Graph:
    """Return the folders inside a package and what they import of each other."""
    prefix = f"{part}."
    return {
        name: {target for target in targets if target.startswith(prefix)}
        for name, targets in graph().items()
        if name.startswith(prefix)
    }


def _ranks(folders: Graph) -> dict[str, int]:
    """Return how many floors above the ground each folder stands.

    Folders of a ring, which reach each other, have one floor.
    """
    reached = _reached(folders)
    ranks: dict[str, int] = {}
    while len(ranks) < len(folders):
        for name in sorted(folders.keys() - ranks.keys()):
            ring = {other for other in reached[name] if name in reached[other]} | {name}
            below = set().union(*(reached[one] for one in ring)) - ring
            if below <= ranks.keys():
                rank = max((ranks[other] + 1 for other in below), default=0)
                ranks |= dict.fromkeys(ring, rank)
    return ranks


def _arrows(folders: Graph) -> Iterator[tuple[str, str]]:
    """Give the imports that no other way through the folders stands for."""
    reached = _reached(folders)
    for name, targets in folders.items():
        for target in sorted(targets):
            ways = {
                other
                for other in targets - {target}
                if target in reached[other] and name not in reached[other]
            }
            if not ways or name in reached[target]:
                yield name, target


_Place = tuple[float, float]


def picture() -> str:
    """Return the drawing of all packages as an SVG document."""
    client, server = _inside("bj_client"), _inside("bj_server")
    floors = max(*_ranks(client).values(), *_ranks(server).values()) + 1
    height = floors * (_HEIGHT + _RISE) + _HEAD
    game = _EDGE + height + _FALL
    protocol = game + _HEIGHT + _EDGE
    lines, left, sides = [], float(_EDGE), []
    # The client's outer side is the left one, and the server's the right one.
    for part, folders, outer in (
        ("bj_client", client, 0.2),
        ("bj_server", server, 0.8),
    ):
        drawn, width = _panel(part, folders, left, height)
        lines += drawn
        for target, side, foot in (
            ("bj_game", 1 - outer, game),
            ("bj_protocol", outer, protocol),
        ):
            start = (left + width * side, _EDGE + height)
            lines += _foreign(_users(part, target), start, foot)
        sides.append(left + width / 2)
        left += width + 2 * _EDGE
    width = left - _EDGE
    span = sides[1] - sides[0]
    lines += _box("bj_game", (sides[0], game), span, _COLOURS["bj_game"])
    whole = width - 2 * _EDGE
    lines += _box("bj_protocol", (_EDGE, protocol), whole, _COLOURS["bj_protocol"])
    if "bj_game" in graph()["bj_protocol"]:
        middle = sides[0] + span / 2
        lines.append(_arrow_up((middle, protocol), game + _HEIGHT))
    return "\n".join([*_start(width, protocol + _HEIGHT + _EDGE), *lines, "</svg>\n"])


def _start(width: float, height: float) -> list[str]:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>',
        "<title>Who imports whom</title>",
        _MARKER,
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]


def _arrow_up(start: _Place, end: float) -> str:
    return f'<path d="M{start[0]:g} {start[1]:g}L{start[0]:g} {end:g}" {_LINE}/>'


def _users(part: str, target: str) -> list[str]:
    """Return which folders of a package import another package, by short names."""
    return [
        name.partition(".")[2] or "its own modules"
        for name, targets in graph().items()
        if name.partition(".")[0] == part
        and any(imported.partition(".")[0] == target for imported in targets)
    ]


def _panel(
    part: str, folders: Graph, left: float, height: float
) -> tuple[list[str], float]:
    """Draw a package with its folders, floor by floor; return its width, too."""
    ranks = _ranks(folders)
    floors: dict[int, list[str]] = {}
    for name in sorted(folders):
        floors.setdefault(ranks[name], []).append(name)
    longest = max(map(len, floors.values()))
    width = longest * (_WIDTH + _GAP) + _GAP
    places: dict[str, _Place] = {}
    for rank, names in floors.items():
        start = left + (width - len(names) * (_WIDTH + _GAP) + _GAP) / 2
        y = _EDGE + height - (rank + 1) * (_HEIGHT + _RISE) + _RISE - _GAP
        for number, name in enumerate(names):
            places[name] = (start + number * (_WIDTH + _GAP), y)
    frame = f'x="{left:g}" y="{_EDGE}" width="{width:g}" height="{height:g}"'
    lines = [
        f'<rect {frame} rx="8" fill="#f8fafc" stroke="#cbd5e1"/>',
        _text(part, (left + width / 2, _EDGE + 24), 'font-weight="bold"'),
        _text(
            "its own modules use all of these, and some are used by them",
            (left + width / 2, _EDGE + 44),
            'font-size="11" fill="#475569"',
        ),
    ]
    lines += [_arrow(places[one], places[two]) for one, two in _arrows(folders)]
    for name, place in places.items():
        lines += _box(name.partition(".")[2], place, _WIDTH, _COLOURS[part])
    return lines, width


def _arrow(one: _Place, two: _Place) -> str:
    """Draw an arrow from a box to one on a lower floor, or to its neighbour."""
    (x, y), (to_x, to_y) = one, two
    if y == to_y:
        side = _WIDTH if x < to_x else 0
        start, end = (
            (x + side, y + _HEIGHT / 2),
            (to_x + _WIDTH - side, y + _HEIGHT / 2),
        )
        return f'<path d="M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}" {_LINE}/>'
    start, end = (x + _WIDTH / 2, y + _HEIGHT), (to_x + _WIDTH / 2, to_y)
    bend = (end[1] - start[1]) / 2
    curve = f"C{start[0]:g} {start[1] + bend:g} {end[0]:g} {end[1] - bend:g}"
    return (
        f'<path d="M{start[0]:g} {start[1]:g}{curve} {end[0]:g} {end[1]:g}" {_LINE}/>'
    )


def _foreign(users: list[str], start: _Place, foot: float) -> list[str]:
    """Draw an arrow out of a package, with the folders that it stands for."""
    x, y = start
    label = ", ".join(users) if len(users) <= _FEW else "most folders"
    return [
        f'<path d="M{x:g} {y:g}L{x:g} {foot:g}" {_LINE}/>',
        _text(label, (x + 8, y + 36), 'font-size="11" fill="#475569"', "start"),
    ]


def _box(name: str, place: _Place, width: float, colour: str) -> list[str]:
    x, y = place
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{_HEIGHT}"'
    return [
        f'<rect {size} rx="5" fill="#{colour}" stroke="#94a3b8"/>',
        _text(name, (x + width / 2, y + _HEIGHT / 2 + 4.5)),
    ]


def _text(text: str, place: _Place, look: str = "", anchor: str = "middle") -> str:
    x, y = place
    known = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f"<text {known} {look}>{escape(text, quote=False)}</text>"


def page(text: str) -> str:
    """Return the text of the page with its table of folders made anew."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{_table()}\n{found[2]}", text)


def _table() -> str:
    """Return a table of all folders and what they say of themselves."""
    lines = ["| folder | what is in it |", "|---|---|"]
    for name in graph():
        about = ast.get_docstring(ast.parse(modules()[name].read_text("utf-8"))) or ""
        first = " ".join(about.split("\n\n")[0].split()).replace("``", "`")
        lines.append(f"| `{name}` | {first} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
