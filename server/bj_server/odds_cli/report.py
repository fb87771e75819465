"""Reports: the figures of a house in sentences and tables, for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, sqrt

from bj_game.house import House
from bj_game.money import dollars
from bj_server.odds_cli.options import Options
from bj_server.odds_cli.sheet import ENDS, Sheet

_USUAL_STAKES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A bank of so many stakes that is staked on a game, one stake a round."""

    mean: float
    """What a round brings on average, in stakes; below 0 for a game of the house."""
    deviation: float
    """The standard deviation of a round, in stakes."""
    stakes: float
    """The bank, in stakes."""

    def ruin(self) -> float:
        """Return how likely the bank is lost sooner or later.

        >>> Risk(mean=-0.01, deviation=1.1, stakes=100).ruin()
        1.0
        >>> round(Risk(mean=0.01, deviation=1.0, stakes=100).ruin(), 4)
        0.1353
        """
        if self.mean <= 0:
            return 1.0
        return exp(-2 * self.mean * self.stakes / self.deviation**2)

    def ruin_within(self, rounds: int) -> float:
        """Return how likely the bank is lost within so many rounds.

        The sum of the rounds is taken for a Brownian motion, which is near for a bank
        of many stakes.

        >>> round(Risk(mean=0.0, deviation=1.0, stakes=20).ruin_within(400), 4)
        0.3173
        """
        width = self.deviation * sqrt(rounds)
        drift = self.mean * rounds
        power = -2 * self.mean * self.stakes / self.deviation**2
        below = _normal((-self.stakes - drift) / width)
        reflected = _normal((-self.stakes + drift) / width)
        # Far from even the factor is huge where what it multiplies is nothing.
        return min(1.0, below + (exp(power) * reflected if power < 700 else 0.0))

    def kelly(self) -> float:
        """Return the share of the bank to stake for it to grow fastest; 0 for none.

        >>> round(Risk(mean=0.01, deviation=1.1, stakes=1).kelly(), 5)
        0.00826
        """
        return max(0.0, self.mean) / self.deviation**2


def _normal(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2


def percent(share: float, digits: int = 2) -> str:
    """Return a share in per cent.

    >>> percent(-0.00423), percent(0.0), percent(-0.000001)
    ('-0.42 %', '0.00 %', '0.00 %')
    """
    text = f"{100 * share:.{digits}f}"
    return f"{text.removeprefix('-') if float(text) == 0 else text} %"


def edge_sentence(edge: float) -> str:
    """Say who has the edge.

    >>> edge_sentence(-0.0043)
    'the house has an edge of 0.43 % of the first bet'
    >>> edge_sentence(0.0001)
    'the player has an edge of 0.01 % of the first bet'
    """
    who = "player" if edge > 0 else "house"
    return f"the {who} has an edge of {percent(abs(edge))} of the first bet"


def stake_of(house: House, options: Options) -> int:
    """Return the cents of a first bet."""
    return options.stake or house.minimum_bet


def risk_of(house: House, sheet: Sheet, options: Options) -> Risk:
    """Return the risk of the bank that the options name."""
    stake = stake_of(house, options)
    bankroll = options.bankroll or _USUAL_STAKES * stake
    return Risk(mean=sheet.edge, deviation=sheet.deviation, stakes=bankroll / stake)


def money_lines(house: House, sheet: Sheet, options: Options) -> Iterator[str]:
    """Yield what the game costs, how far results lie apart, and the risk of a bank."""
    stake, risk = stake_of(house, options), risk_of(house, sheet, options)
    mean, spread = 100 * sheet.edge * stake, 10 * sheet.deviation * stake
    verb = "bring" if mean > 0 else "cost"
    bank = dollars(round(risk.stakes * stake))
    yield (
        f"100 rounds at {dollars(stake)} {verb} {dollars(round(abs(mean)))} on "
        f"average; two times in three the result is within {dollars(round(spread))} "
        "of that."
    )
    yield (
        f"A bank of {bank} is lost within {options.rounds:,} rounds with a chance of "
        f"{percent(risk.ruin_within(options.rounds), 1)}, and sooner or later with "
        f"one of {percent(risk.ruin(), 1)}."
    )
    host = Risk(mean=-risk.mean, deviation=risk.deviation, stakes=risk.stakes)
    share = max(risk.kelly(), host.kelly())
    bet = dollars(round(share * risk.stakes * stake))
    if risk.kelly() or not share:
        yield f"By Kelly it grows fastest with bets of {percent(share)} of it, {bet}."
    else:
        yield (
            "By Kelly it grows fastest without a bet; that of a host who takes them "
            f"grows fastest with bets of {percent(share)} of it, {bet}."
        )


def insurance_lines(sheet: Sheet) -> Iterator[str]:
    """Yield what insurance brings, and the hands that no row of the chart is for."""
    for up, won in sheet.insurance:
        verb = "take it" if won > 0 else "never"
        yield f"Insurance against {up}: {verb}; it brings {percent(won, 1)} of itself."
    if sheet.exceptions:
        told = [f"{hand} against {up} {cell}" for hand, up, cell in sheet.exceptions]
        yield f"Otherwise than their total: {', '.join(told)}."


def dealer_lines(sheet: Sheet) -> Iterator[str]:
    """Yield the table of the dealer's ends, by upcard, in per cent."""
    used = [i for i in range(len(ENDS)) if any(row[i] for row in sheet.dealer)]
    yield "Dealer   " + "".join(f"{ENDS[i]:>10}" for i in used)
    for up, row in zip(sheet.upcards, sheet.dealer, strict=True):
        yield f"{up or 'any':>8} " + "".join(f"{100 * row[i]:>8.2f} %" for i in used)


def cost_lines(
    house: House, other: House, costs: Mapping[str, float | None]
) -> Iterator[str]:
    """Yield what each rule brings that another house has otherwise."""
    if not costs:
        yield f"All rules that count are those of {other.name}."
        return
    yield f"Beside {other.name}, what each rule brings the player by itself:"
    known = {rule: cost for rule, cost in costs.items() if cost}
    for rule in sorted(known, key=lambda rule: known[rule]):
        shown = f"{_value(house, rule)}, not {_value(other, rule)}"
        yield f"{100 * known[rule]:>+8.3f} %  {rule} = {shown}"
    for what, cost in (("nothing", 0.0), ("with other rules alone", None)):
        rules = [rule for rule in costs if costs[rule] == cost]
        if rules:
            yield f"  {what}: {', '.join(rules)}"


def _value(house: House, rule: str) -> str:
    return str(getattr(house, rule)).lower()  # as a rules file has it


def value_lines(values: Sequence[tuple[str, float]], stake: int) -> Iterator[str]:
    """Yield each play of a hand with its worth, the best one first."""
    best = values[0][1]
    for play, worth in values:
        cost = f"costs {dollars(round((best - worth) * stake))}" if worth < best else ""
        yield f"{play:<10} {worth:>+9.5f}  {cost}".rstrip()
