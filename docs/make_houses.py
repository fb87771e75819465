"""Write docs/houses.md from the rules files of the shipped houses.

python docs/make_houses.py
"""

from dataclasses import fields
from pathlib import Path

from bj_game.house import House
from bj_game.money import dollars
from bj_game.rules import rules_card
from bj_server.settings import HOUSES, load_house

PAGE = Path(__file__).with_name("houses.md")

_MONEY = {"minimum_bet", "maximum_bet", "bet_step"}
_MONEY |= {"opening_balance", "donor_gift"}
_NOT_COMPARED = {"name", "title", "source", "dealer_name", "maximum_wager"}

_HEAD = """\
# Houses

A house is a set of rules in a TOML file. `bj-server --house NAME` plays a shipped one,
`bj-server --house my.toml` your own; `bj-server --list-houses` lists them, and
`bj-server --show-house NAME` prints the rules card that players see. A file of your own
needs `name` and `title`; every rule that it leaves out is that of `cpsc386`. Money is
in cents there. Rules that contradict each other are refused with a sentence.

This is a whole file, for a charity night at which a natural pays 3 to 2 and the dealer
wins ties:

```toml
name = "charity"
title = "Charity night: naturals pay 3 to 2, the dealer wins ties"
natural = "3:2"
tie = "dealer"
blackjack_beats_21 = true       # so that the dealer wins every tie of 21, too
insurance = "none"
```

This page is made from the rules files by `python docs/make_houses.py`.

## All rules of all houses

A number or text with a star is not the rule of `cpsc386`.
"""


def page() -> str:
    """Return the whole page."""
    houses = [load_house(name) for name in HOUSES]
    parts = [_HEAD, _table(houses)]
    parts += [_section(house) for house in houses]
    return "\n".join(parts)


def _table(houses: list[House]) -> str:
    usual = load_house("cpsc386")
    names = [house.name for house in houses]
    lines = [f"| rule | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for rule in (field.name for field in fields(House)):
        if rule not in _NOT_COMPARED:
            cells = [_cell(house, rule, usual) for house in houses]
            lines.append(f"| `{rule}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(house: House, rule: str, usual: House) -> str:
    value = getattr(house, rule)
    shown = dollars(value) if rule in _MONEY and value else str(value).lower()
    return shown if value == getattr(usual, rule) else f"{shown} *"


def _section(house: House) -> str:
    rules = "\n".join(f"- {rule}" for rule in rules_card(house))
    most = most_decisions(house)
    rules += (
        f"\n- Decisions of a seat in a round: {most} at most, each within its time."
    )
    return f"## {house.name}\n\n{house.title}. Source: {house.source}.\n\n{rules}\n"


def most_decisions(house: House) -> int:
    """Return how often one seat can be asked in a round, bets not among it.

    It is a bound: no order of the cards makes the round longer, and a shoe that has the
    cards for it may never come. Every card costs a decision, and a hand that holds more
    points than it may ends. So the hand that takes longest is the one of the lowest
    cards there are.

    >>> most_decisions(House(name="cpsc386", title=""))
    42
    """
    hands = house.max_spots * (house.max_hands if house.split != "none" else 1)
    return hands * _most_of_a_hand(house)


def _most_of_a_hand(house: House) -> int:
    cards = _most_cards(house)
    plays = cards - 1  # with two cards, with three, and so on
    aces = cards if house.ace == "player" else 0
    is_offer = house.insurance != "none" or house.even_money
    is_offer = is_offer or house.surrender == "early"
    pairs = 0 if house.split == "none" else 1
    if house.insurance_asked == "each_hand" and house.max_hands > 2:
        pairs *= 2  # a half that is a pair again is asked about, and may be kept
    return plays + aces + is_offer + pairs


def _most_cards(house: House) -> int:
    """Return how many cards a hand can have that is still to be decided about."""
    if not house.hit:
        return 2
    cards, left = 0, 20 if house.complete_at_21 else 21
    for points in range(1, 11):
        copies = left if house.shoe == "endless" else 4 * house.decks
        taken = min(copies, left // points)
        cards += taken
        left -= taken * points
    return min(cards, house.charlie - 1) if house.charlie else cards


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
