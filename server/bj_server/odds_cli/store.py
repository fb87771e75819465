"""The store: the sheets of houses in the user's cache folder.

A file has the version of the figures, the rules that they are of, and a digest of all.
One that is torn, foreign or of other rules counts as none, and is written anew. The
folder may be missing, full or closed to us: then nothing is kept, and nothing fails.

A server has the figures of a house computed beside it, with what time is left, by
``python -m bj_server.odds_cli.store``: it reads the rules as JSON, and tells the edge.
"""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import platformdirs

from bj_game.house import House, house_of
from bj_server.odds_cli.sheet import RULES, Sheet, compute

VERSION = 2
"""Grows whenever the figures of any house change."""

_LONGEST = 2**20
_SHIPPED = files("bj_server.odds_cli") / "shipped.json"


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


def keep_costs(house: House, other: House, costs: dict[str, float | None]) -> None:
    """Keep what the rules of a house cost, if there is room for it."""
    _write([rules_that_count(house), rules_that_count(other)], costs)


def rules_that_count(house: House) -> dict[str, object]:
    """Return the rules on which the figures depend."""
    return {rule: getattr(house, rule) for rule in RULES}


def _read(rules: object) -> Any:
    """Return what is kept under some rules; None if it is not as it was written."""
    try:
        path = _path(rules)
        if path.stat().st_size > _LONGEST:
            return None
        kept = json.loads(path.read_bytes())
        figures = kept["figures"]
        is_whole = kept["digest"] == _digest(_body(rules, figures))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None
    return figures if is_whole else None


def _write(rules: object, figures: object) -> None:
    body = _body(rules, figures)
    text = json.dumps(body | {"digest": _digest(body)})
    with contextlib.suppress(OSError, RuntimeError):
        path = _path(rules)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(text)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


def _path(rules: object) -> Path:
    folder = Path(platformdirs.user_cache_dir("blackjack-table")) / "odds"
    return folder / f"v{VERSION}-{_name(rules)}.json"


def _name(rules: object) -> str:
    return sha256(json.dumps(rules).encode()).hexdigest()[:24]


def _body(rules: object, figures: object) -> dict[str, object]:
    return {"version": VERSION, "rules": rules, "figures": figures}


def _digest(body: dict[str, object]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


if __name__ == "__main__":
    from bj_server.odds_cli.report import edge_sentence  # which asks for options, too

    os.nice(19)
    edge = sheet_of(house_of(json.load(sys.stdin))).edge
    sys.stdout.write(f"{edge_sentence(edge)}\n")
