"""The page: all figures of a house as HTML that is printed on one sheet of paper."""

from collections.abc import Iterable, Sequence
from html import escape

from bj_server.odds_cli.drawing import chart_svg
from bj_server.odds_cli.sheet import ENDS, Sheet

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
    """Return the page; ``costs`` are the lines about the rules."""
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
