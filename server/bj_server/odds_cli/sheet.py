"""The sheet: all figures of a house that take long, as values to keep and show.

Sheets are kept in the user's cache folder. A file has the version of the figures, the
rules that they are of, and a digest of all. One that is torn, foreign or of other rules
counts as none, and is written anew. The folder may be missing, full or closed to us:
then nothing is kept, and nothing fails.

A server has the figures of a house computed beside it, with what time is left, by
``python -m bj_server.odds_cli.sheet``: it reads the rules as JSON, and tells the edge.
"""

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import platformdirs

from bj_game.house import House, house_of
from bj_game.odds import BLACKJACK, BUST, UPCARDS, Advice, Chart, chart, dealer, edge
from bj_game.odds.spread import spread
from bj_server.bank.disk import replace_file

VERSION = 2
"""Grows whenever the figures of any house change."""

_LONGEST = 2**20
_SHIPPED = files("bj_server.odds_cli") / "shipped.json"

RULES = (
    *("shoe", "decks", "deal", "hole_card", "ace", "hit", "complete_at_21", "charlie"),
    *("hit_soft_17", "dealer_draws", "tie", "both_bust", "natural"),
    *("blackjack_beats_21", "even_money", "insurance", "insurance_pays"),
    *("insurance_limit", "insurance_asked", "split", "max_hands", "resplit_aces"),
    *("one_card_on_split_aces", "double", "double_after_split", "surrender"),
)
"""The rules of a house on which its figures depend."""

ENDS = ("16 or less", "17", "18", "19", "20", "21", "blackjack", "bust")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the chart: a kind of hand, and what to do with it."""

    section: str
    label: str
    cells: tuple[str, ...]
    """What a chart prints for each upcard, as in ``Dh``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The figures of one house."""

    edge: float
    """What a round brings the player on average, in first bets."""
    deviation: float
    """The standard deviation of a round, in first bets."""
    upcards: tuple[str, ...]
    rows: tuple[Row, ...]
    insurance: tuple[tuple[str, float], ...]
    """What one unit of insurance wins, by the upcards that offer it."""
    exceptions: tuple[tuple[str, str, str], ...]
    """Hands of two cards that are played otherwise than their total: the hand, the
    upcard and what a chart would print."""
    dealer: tuple[tuple[float, ...], ...]
    """For each upcard how likely each of ``ENDS`` is."""

    def fields(self) -> dict[str, Any]:
        """Return the values by name, of which ``read`` makes a sheet again."""
        fields = asdict(self)
        fields["rows"] = [[row.section, row.label, *row.cells] for row in self.rows]
        return fields

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Return the sheet of values.

        Raises:
            KeyError, TypeError, ValueError: if they are none of a sheet.
        """
        rows = [
            Row(section=section, label=label, cells=tuple(cells))
            for section, label, *cells in fields["rows"]
        ]
        return cls(
            edge=float(fields["edge"]),
            deviation=float(fields["deviation"]),
            upcards=tuple(fields["upcards"]),
            rows=tuple(rows),
            insurance=tuple((up, float(won)) for up, won in fields["insurance"]),
            exceptions=tuple((h, up, told) for h, up, told in fields["exceptions"]),
            dealer=tuple(tuple(map(float, row)) for row in fields["dealer"]),
        )


def compute(house: House) -> Sheet:
    """Return the sheet of a house, which takes some seconds."""
    found = chart(house)
    ups = ("",) if house.deal == "dealer_last" else tuple(UPCARDS)
    return Sheet(
        edge=edge(house).player,
        deviation=spread(house).deviation,
        upcards=ups,
        rows=tuple(_rows(found, ups)),
        insurance=tuple(found.insurance.items()),
        exceptions=tuple(
            (hand, up, advice.letters)
            for (hand, up), advice in found.exceptions.items()
        ),
        dealer=tuple(_ends(house, up) for up in ups),
    )


def _rows(found: Chart, ups: Sequence[str]) -> Iterator[Row]:
    parts: list[tuple[str, str, Mapping[str, Advice]]] = [
        *(("hard", str(total), row) for total, row in found.hard.items()),
        *(("soft", str(total), row) for total, row in found.soft.items()),
        *(("pair", hand, row) for hand, row in found.pairs.items()),
    ]
    for section, label, row in parts:
        cells = tuple(row[up].letters for up in ups)
        yield Row(section=section, label=label, cells=cells)


def _ends(house: House, up: str) -> tuple[float, ...]:
    """Return how likely the ends of the dealer are, as in ``ENDS``."""
    found = dealer(house, f"{up}s" if up else None)
    if not house.knows_blackjack:
        found[21] = found.get(21, 0.0) + found.pop(BLACKJACK, 0.0)
    low = sum(chance for end, chance in found.items() if BUST < end < 17)
    named = (*range(17, 22), BLACKJACK, BUST)
    return (low, *(found.get(end, 0.0) for end in named))


def cost_of_rules(house: House, other: House) -> dict[str, float | None]:
    """Return what each rule brings the player that is not as in another house.

    Each is changed alone, in first bets; None where the rules would contradict each
    other. Shares of the ranks that never change are near enough for a difference.
    """
    here = spread(house).mean
    costs: dict[str, float | None] = {}
    for rule in RULES:
        value = getattr(other, rule)
        if getattr(house, rule) != value:
            try:
                there = spread(replace(house, **{rule: value})).mean
                costs[rule] = round(here - there, 9)
            except ValueError:
                costs[rule] = None
    return costs


def find(house: House) -> Sheet | None:
    """Return the sheet of a house with these rules, if it is kept."""
    rules = rules_that_count(house)
    kept = _read(rules) or shipped().get(_name(rules))
    try:
        return None if kept is None else Sheet.read(kept)
    except (KeyError, TypeError, ValueError):
        return None


def sheet_of(house: House) -> Sheet:
    """Return the sheet of a house, from the store or computed now."""
    sheet = find(house)
    if sheet is None:
        sheet = compute(house)
        keep(house, sheet)
    return sheet


def keep(house: House, sheet: Sheet) -> None:
    """Keep the sheet of a house, if there is room for it."""
    _write(rules_that_count(house), sheet.fields())


@cache
def shipped() -> dict[str, Any]:
    """Return the figures of the shipped houses, by the names of their files.

    They come with the command, so that a server has them from the start.
    """
    found: dict[str, Any] = json.loads(_SHIPPED.read_bytes())
    return found["figures"] if found["version"] == VERSION else {}


def ship(houses: Iterable[tuple[House, Sheet]]) -> str:
    """Return the text of the file of shipped figures."""
    figures = {_name(rules_that_count(h)): sheet.fields() for h, sheet in houses}
    return json.dumps({"version": VERSION, "figures": figures}, indent=0) + "\n"


def find_costs(house: House, other: House) -> dict[str, float | None] | None:
    """Return what the rules of a house cost beside another, if that is kept."""
    kept = _read([rules_that_count(house), rules_that_count(other)])
    return kept if isinstance(kept, dict) else None


def costs_of(house: House, other: House) -> dict[str, float | None]:
    """Return what the rules of a house cost beside another, kept or computed now."""
    costs = find_costs(house, other)
    if costs is None:
        costs = cost_of_rules(house, other)
        _write([rules_that_count(house), rules_that_count(other)], costs)
    return costs


def rules_that_count(house: House) -> dict[str, object]:
    """Return the rules on which the figures depend."""
    return {rule: getattr(house, rule) for rule in RULES}


def _read(rules: object) -> Any:
    """Return what is kept under some rules; None if it is not as it was written."""
    try:
        path = _path(rules)
        if path.stat().st_size > _LONGEST:
            return None
        text = path.read_text("ascii")
        figures = json.loads(text)["figures"]
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None
    return figures if text == _text(rules, figures) else None


def _write(rules: object, figures: object) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        path = _path(rules)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, _text(rules, figures).encode("ascii"))


def _path(rules: object) -> Path:
    folder = Path(platformdirs.user_cache_dir("blackjack-table")) / "odds"
    return folder / f"v{VERSION}-{_name(rules)}.json"


def _name(rules: object) -> str:
    return sha256(json.dumps(rules).encode()).hexdigest()[:24]


def _text(rules: object, figures: object) -> str:
    body = {"version": VERSION, "rules": rules, "figures": figures}
    digest = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    return json.dumps(body | {"digest": digest})


if __name__ == "__main__":
    from bj_server.odds_cli.report import edge_sentence  # which asks for options, too

    os.nice(19)
    edge_of_house = sheet_of(house_of(json.load(sys.stdin))).edge
    sys.stdout.write(f"{edge_sentence(edge_of_house)}\n")
