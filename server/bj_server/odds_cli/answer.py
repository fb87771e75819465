"""The answers to what may be asked about a house, in the form that is wanted."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

from bj_game.card import CARDS
from bj_game.house import House
from bj_game.money import dollars
from bj_game.odds import insurance, values
from bj_game.odds.ranks import ranks_of, whole_shoe, without
from bj_server.odds_cli.drawing import chart_csv, chart_lines, chart_svg, page
from bj_server.odds_cli.options import Options
from bj_server.odds_cli.report import (
    cost_lines,
    dealer_lines,
    edge_sentence,
    insurance_lines,
    money_lines,
    percent,
    risk_of,
    stake_of,
    value_lines,
)
from bj_server.odds_cli.sheet import ENDS, Sheet, costs_of, find, find_costs, sheet_of

if TYPE_CHECKING:
    from bj_server.odds_cli.simulation import Played

Costs = dict[str, float | None]


def _sheet_and_costs(house: House, other: House) -> tuple[Sheet, Costs]:
    """Return both; where neither is kept, they are computed side by side."""
    if find(house) is not None or find_costs(house, other) is not None:
        return sheet_of(house), costs_of(house, other)
    with ProcessPoolExecutor(max_workers=1) as pool:
        costs = pool.submit(costs_of, house, other)
        return sheet_of(house), costs.result()


def house(options: Options, *, in_colour: bool) -> str:
    """Return all that there is to say of a house."""
    (rules,) = options.houses
    title = f"{rules.name}: {rules.title}"
    if options.form == "csv":
        return chart_csv(sheet_of(rules))
    if options.form == "svg":
        return chart_svg(sheet_of(rules), title)
    sheet, costs = _sheet_and_costs(rules, options.beside)
    if options.form == "json":
        return _json(_fields(rules, sheet, options) | {"costs": costs})
    sentences = [_worth_of(rules, sheet), *money_lines(rules, sheet, options)]
    about = list(cost_lines(rules, options.beside, costs))
    if options.form == "html":
        return page(title, [*sentences, *insurance_lines(sheet)], sheet, about)
    chart = chart_lines(sheet, in_colour=in_colour)
    more = insurance_lines(sheet)
    parts = (title, *sentences, "", *chart, *more, "", *dealer_lines(sheet))
    return _lines((*parts, "", *about))


def hand(options: Options) -> str:
    """Return the worth of every play of a hand, the best first."""
    (rules,) = options.houses
    out = [*options.hand, *options.seen, *filter(None, [options.up])]
    counts = None
    if options.seen and rules.shoe != "endless":
        counts = without(whole_shoe(rules), ranks_of(out))
    found = values(rules, options.hand, options.up, counts)
    ranked = sorted(found.items(), key=lambda item: -item[1])
    named = [(play.value, worth) for play, worth in ranked]
    lines = list(value_lines(named, stake_of(rules, options)))
    if options.up is not None and rules.insures(CARDS[options.up].value):
        won = insurance(rules, options.hand, options.up, counts)
        named.append(("insurance", won))
        lines.append(f"insurance  {won:>+9.5f}  of itself")
    if options.form == "json":
        return _json(dict(named))
    shown = f" against {options.up}" if options.up else ""
    title = f"{' '.join(options.hand)}{shown}, in {rules.name}, in stakes of the hand:"
    return _lines((title, *lines))


def comparison(options: Options) -> str:
    """Return two houses beside each other: their edges, and the rules that differ."""
    one, other = options.houses
    both = [(rules, sheet_of(rules)) for rules in options.houses]
    edges = [sheet.edge for _, sheet in both]
    costs = costs_of(other, one)
    if options.form == "json":
        told = [_fields(rules, sheet, options) for rules, sheet in both]
        return _json({"houses": told, "costs": costs})
    stake = stake_of(one, options)
    apart = abs(edges[0] - edges[1])
    better = one if edges[0] >= edges[1] else other
    lines = [_worth_of(rules, sheet) for rules, sheet in both]
    lines.append(
        f"The player is better off in {better.name}, by {percent(apart, 3)} or "
        f"{dollars(round(100 * apart * stake))} in 100 rounds at {dollars(stake)}."
    )
    return _lines((*lines, "", *cost_lines(other, one, costs), "", *_other_cells(both)))


def _worth_of(rules: House, sheet: Sheet) -> str:
    return (
        f"In {rules.name} {edge_sentence(sheet.edge)}; the standard deviation of a "
        f"round is {sheet.deviation:.3f} first bets."
    )


def _other_cells(both: Sequence[tuple[House, Sheet]]) -> Iterator[str]:
    """Yield the cells of the charts that differ."""
    charts = [
        {
            (row.section, row.label, up): cell
            for row in sheet.rows
            for up, cell in zip(sheet.upcards, row.cells, strict=True)
        }
        for _, sheet in both
    ]
    (one, other), (first, second) = charts, (rules.name for rules, _ in both)
    differ = [key for key in one if key in other and one[key] != other[key]]
    if not differ:
        yield "Hands that both charts have are played alike."
        return
    yield f"Played otherwise, {first} first and then {second}:"
    for section, label, up in differ:
        cell = (section, label, up)
        yield f"  {section} {label} against {up or 'any'}: {one[cell]} {other[cell]}"


def simulation(options: Options, rounds: int, show: Callable[[str], None]) -> str:
    """Return the edge of rounds that were played, and its error.

    How much is done is told to ``show``.
    """
    # Here, since the engine is of no use to other answers.
    from bj_server.odds_cli.simulation import simulate

    (rules,) = options.houses
    sheet = sheet_of(rules)

    def step(played: "Played") -> None:
        full, done = 30 * played.rounds // rounds, 100 * played.rounds // rounds
        bar = f"[{'#' * full}{'.' * (30 - full)}] {done:>3} %"
        show(f"{bar}  {percent(played.edge)} ± {percent(played.error)}")

    played = simulate(rules, sheet, rounds, options.seed, step)
    if options.form == "json":
        return _json(
            {
                "house": rules.name,
                "rounds": played.rounds,
                "seed": options.seed,
                "edge": played.edge,
                "error": played.error,
                "deviation": played.deviation,
                "expected": sheet.edge,
            }
        )
    apart = (played.edge - sheet.edge) / played.error if played.error else 0.0
    brought = (
        f"{played.rounds:,} rounds of {rules.name} brought the player "
        f"{percent(played.edge, 3)} of a first bet each, with a standard error of "
        f"{percent(played.error, 3)}."
    )
    expected = (
        f"Expected are {percent(sheet.edge, 3)}, which is {abs(apart):.1f} errors "
        f"away. The standard deviation of a round was {played.deviation:.3f}."
    )
    return _lines((brought, expected))


def _fields(rules: House, sheet: Sheet, options: Options) -> dict[str, Any]:
    risk = risk_of(rules, sheet, options)
    return {
        "house": rules.name,
        "edge": sheet.edge,
        "deviation": sheet.deviation,
        "stake": stake_of(rules, options),
        "per_100_rounds": 100 * sheet.edge * stake_of(rules, options),
        "stakes_of_bank": risk.stakes,
        "ruin": risk.ruin(),
        "ruin_within": {
            "rounds": options.rounds,
            "chance": risk.ruin_within(options.rounds),
        },
        "kelly": risk.kelly(),
        "upcards": sheet.upcards,
        "chart": [[row.section, row.label, *row.cells] for row in sheet.rows],
        "insurance": dict(sheet.insurance),
        "exceptions": sheet.exceptions,
        "dealer": {
            up or "any": dict(zip(ENDS, row, strict=True))
            for up, row in zip(sheet.upcards, sheet.dealer, strict=True)
        },
    }


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _json(fields: object) -> str:
    return json.dumps(fields, indent=2) + "\n"
