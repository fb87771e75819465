"""Drawings of the chart: for a terminal, in colour, as picture, table and page."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import StringIO

from bj_server.odds_cli.sheet import ENDS, Row, Sheet

WORDS = {
    "H": "hit",
    "S": "stand",
    "Dh": "double, else hit",
    "Ds": "double, else stand",
    "Dp": "double, else split",
    "P": "split",
    "Rh": "surrender, else hit",
    "Rs": "surrender, else stand",
    "Rp": "surrender, else split",
}
"""The letters of a chart, and what they say to do."""

TITLES = {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs"}

_ANSI = {"H": "30;47", "S": "30;43", "D": "97;44", "P": "30;42", "R": "97;41"}
_FILL = {
    "H": ("#f4f4f4", "#111"),
    "S": ("#f6d860", "#111"),
    "D": ("#2f6fd0", "#fff"),
    "P": ("#55b36a", "#111"),
    "R": ("#c8453b", "#fff"),
}
"""The colour of each first letter, and that of the letters on it."""


def sections(sheet: Sheet) -> Iterator[tuple[str, list[Row]]]:
    """Yield each part of the chart by its title, and its rows."""
    for section, title in TITLES.items():
        rows = [row for row in sheet.rows if row.section == section]
        if rows:
            yield title, rows


def letters(sheet: Sheet) -> list[str]:
    """Return the letters that are in the chart, in the order in which they are told."""
    used = {cell for row in sheet.rows for cell in row.cells}
    return [word for word in WORDS if word in used]


def chart_lines(sheet: Sheet, *, in_colour: bool) -> Iterator[str]:
    """Yield the chart for a terminal, from 40 columns up."""
    for title, rows in sections(sheet):
        yield f"{title:12}{''.join(f'{up:^3}' for up in sheet.upcards)}".rstrip()
        for row in rows:
            cells = "".join(_cell(cell, in_colour=in_colour) for cell in row.cells)
            yield f"{_label(row):>10}  {cells}".rstrip(" ")
        yield ""
    for word in letters(sheet):
        yield f"{_cell(word, in_colour=in_colour)} {WORDS[word]}".rstrip()


def _cell(word: str, *, in_colour: bool) -> str:
    if not in_colour:
        return f"{word:^3}"
    return f"\x1b[{_ANSI[word[0]]}m{word:^3}\x1b[0m"


def _label(row: Row) -> str:
    return row.label if row.section == "pair" else f"{row.section} {row.label}"


def chart_csv(sheet: Sheet) -> str:
    """Return the chart as CSV, a line for each row."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["kind", "hand", *(up or "none" for up in sheet.upcards)])
    writer.writerows([row.section, row.label, *row.cells] for row in sheet.rows)
    return text.getvalue()


_SIDE, _LEFT, _ROW = 34, 90, 26


def chart_svg(sheet: Sheet, title: str) -> str:
    """Return the chart as an SVG picture."""
    parts, y = [], 34
    for name, rows in sections(sheet):
        parts.append(_text(8, y + 18, name, "start", bold=True))
        for index, up in enumerate(sheet.upcards):
            x = _LEFT + _SIDE * (index + 0.5)
            parts.append(_text(x, y + 18, up, bold=True))
        y += _ROW
        for row in rows:
            parts.append(_text(_LEFT - 10, y + 18, _label(row), "end"))
            for index, cell in enumerate(row.cells):
                parts.append(_box(_LEFT + _SIDE * index, y, cell))
            y += _ROW
        y += 8
    for word in letters(sheet):
        parts += [_box(8, y, word), _text(8 + _SIDE + 8, y + 18, WORDS[word], "start")]
        y += _ROW
    width, height = _LEFT + _SIDE * max(4, len(sheet.upcards)) + 8, y + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="14">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        + _text(8, 22, title, "start", bold=True)
        + "\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _box(x: float, y: float, cell: str) -> str:
    fill, ink = _FILL[cell[0]]
    return (
        f'<rect x="{x}" y="{y}" width="{_SIDE - 2}" height="{_ROW - 2}" rx="3" '
        f'fill="{fill}" stroke="#bbb"/>'
        + _text(x + _SIDE / 2 - 1, y + 17, cell, ink=ink)
    )


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str = "middle",
    *,
    bold: bool = False,
    ink: str = "#111",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}"{weight}>'
        f"{escape(text)}</text>"
    )


_STYLE = """\
@page { size: A4; margin: 12mm }
body { font: 11pt/1.4 sans-serif; color: #111; max-width: 60em; margin: 1em auto }
h1 { font-size: 16pt; margin: 0 0 .3em }
svg { height: 165mm; width: auto; float: left; margin-right: 8mm }
table { border-collapse: collapse; font-size: 9pt }
th, td { padding: .1em .5em; text-align: right; border-bottom: 1px solid #ddd }
ul { padding-left: 1.2em }
h2 { font-size: 12pt; margin: .8em 0 .2em; clear: both }
"""


def page(
    title: str, sentences: Iterable[str], sheet: Sheet, costs: Sequence[str]
) -> str:
    """Return all figures as HTML that is printed on one sheet of paper.

    ``costs`` are the lines about the rules.
    """
    said = "\n".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n"
        f"<h1>{escape(title)}</h1>\n{chart_svg(sheet, 'Best play')}{said}\n"
        f"<h2>The dealer</h2>\n{_dealer(sheet)}\n"
        f"<h2>Rules</h2>\n<pre>{escape(chr(10).join(costs))}</pre>\n</html>\n"
    )


def _dealer(sheet: Sheet) -> str:
    used = [i for i in range(len(ENDS)) if any(row[i] for row in sheet.dealer)]
    head = "".join(f"<th>{ENDS[i]}</th>" for i in used)
    rows = [
        f"<tr><th>{up or 'any'}</th>"
        + "".join(f"<td>{100 * row[i]:.2f} %</td>" for i in used)
        + "</tr>"
        for up, row in zip(sheet.upcards, sheet.dealer, strict=True)
    ]
    return f"<table>\n<tr><th>shows</th>{head}</tr>\n" + "\n".join(rows) + "\n</table>"
