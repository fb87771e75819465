"""Make the data files of ``perft/`` anew, from fixed seeds and today's engine.

``PYTHONPATH=tests python -m game.make_perft``; make them again only where the rules are
meant to change.
"""

import random
from dataclasses import fields, replace
from itertools import islice

from bj_game.house import House
from game.walking import FOLDER, Case, write
from reference.driver import PACKS, SHIPPED, random_house

CARDS = 60
FEW, MANY = 60, 500
"""The most sequences of the daily walk, and of the torture."""
DEEP = 12
SHOES, RANDOM = 4, 16
_TEXTS = ("name", "title", "source", "dealer_name")


def make_case(house: House, name: str, chance: random.Random) -> Case:
    """Return a case in a house that is the one of a name with other rules."""
    rules = {
        field.name: getattr(house, field.name)
        for field in fields(House)
        if getattr(house, field.name) != field.default and field.name not in _TEXTS
    }
    seats = chance.randint(1, min(3, house.max_seats))
    stakes = [
        {
            "seat": seat,
            "amount": house.minimum_bet,
            "funds": house.minimum_bet * chance.choice((0, 1, 3, 9, 9)),
            "spots": chance.randint(1, min(2, house.max_spots)),
        }
        for seat in range(1, seats + 1)
    ]
    is_short = house.shoe == "never_refilled"
    count = 2 * seats + 2 + chance.randint(0, 8) if is_short else CARDS
    pile = chance.choices(chance.choice(PACKS), k=count)
    return Case(
        house=name,
        rules=rules if house.name == "random" else {},
        cards=" ".join(map(str, pile)),
        below_cut=CARDS - 8 if house.shoe == "cut_card" else None,
        stakes=stakes,
        found=[],
    )


def walked(case: Case) -> Case:
    """Return the case with its walks: a short one, and the longest that is not long."""
    depths: dict[int, int] = {}
    for depth in range(1, DEEP + 1):
        depths[depth] = sum(1 for _ in islice(case.sequences(depth), MANY + 1))
        if depths[depth] in (MANY + 1, depths.get(depth - 1)):
            break
    short = max(depth for depth, count in depths.items() if count <= FEW or depth == 1)
    long = max(depth for depth, count in depths.items() if count <= MANY or depth == 1)
    return replace(case, found=[case.walk(depth) for depth in sorted({short, long})])


def rich_case(house: House, name: str, chance: random.Random) -> Case:
    """Return the first case of some with more than a few sequences."""
    for _ in range(6):
        case = make_case(house, name, chance)
        if len([*islice(case.sequences(DEEP), FEW)]) == FEW:
            break
    return walked(case)


def main() -> None:
    """Write a file for each shipped house, and one of random houses."""
    FOLDER.mkdir(exist_ok=True)
    for house in SHIPPED:
        chance = random.Random(f"perft {house.name}")
        cases = [rich_case(house, house.name, chance) for _ in range(SHOES)]
        write(FOLDER / f"{house.name}.json", cases)
    chance = random.Random("perft")
    cases = [rich_case(random_house(chance), "cpsc386", chance) for _ in range(RANDOM)]
    write(FOLDER / "random.json", cases)


if __name__ == "__main__":
    main()
