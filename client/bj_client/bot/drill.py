"""Drills: hands to decide, of a kind or of those that were got wrong, and their worth.

A drill has two cards, one of the dealer and no stake; it is judged by the rules of the
house, like a play at a table.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib.resources import files
from random import Random

from bj_client.bot.hint import kind_of
from bj_client.model.decision import DECISIONS
from bj_client.model.seat import Judged
from bj_game.card import PACK
from bj_game.hand import Aces, total_of
from bj_game.house import House, parse_house
from bj_game.odds import values
from bj_game.play import Play
from bj_game.strategy import MOST_COUNT, PLAYS, index, running_count
from bj_protocol.action import Action

_STAKE = 1000
"""The cents of a stake, in which mistakes are counted."""
_TRIES = 5000

PACK_TEXTS = tuple(map(str, PACK))
"""A pack of cards, as texts."""

HOUSES = tuple(
    sorted(file.name[:-5] for file in (files("bj_game") / "houses").iterdir())
)


def shipped_house(name: str) -> House:
    """Return a house that comes with the game."""
    file = files("bj_game") / "houses" / f"{name}.toml"
    return parse_house(file.read_text(encoding="utf-8"))


running = running_count
"""Returns the Hi-Lo count of cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A hand that is drilled."""

    cards: tuple[str, ...]
    upcard: str | None
    kind: str
    worths: dict[Action, float]
    """Each legal play and its worth, the best first."""

    @property
    def best(self) -> Action:
        """The best play."""
        return next(iter(self.worths))

    def judge(self, action: Action) -> Judged:
        """Hold a play against the best one; the cost is for a stake of 10 dollars."""
        worth = self.worths[action]
        lost = round((self.worths[self.best] - worth) * _STAKE)
        cost = 0 if action is self.best else max(1, lost)
        played, better = DECISIONS[action].word, DECISIONS[self.best].word
        return Judged(self.kind, played, better, cost)

    def told(self) -> str:
        """Return the worth of each play, for people."""
        return ", ".join(
            f"{DECISIONS[action].word} {worth:+.3f}"
            for action, worth in self.worths.items()
        )


KINDS: dict[str, Callable[[bool, int, bool, str], bool]] = {
    "all": lambda pair, points, soft, up: True,
    "hard": lambda pair, points, soft, up: not (soft or pair),
    "soft": lambda pair, points, soft, up: soft and not pair,
    "pairs": lambda pair, points, soft, up: pair,
    "doubles": lambda pair, points, soft, up: (
        soft and not pair and points < 20 and up[:1] in "23456"
    ),
    "16": lambda pair, points, soft, up: (
        points == 16 and not soft and up[:1] in ("T", "J", "Q", "K", "")
    ),
}
"""The kinds of hands that can be asked for, and which hands they have: told by whether
it is a pair, its points, whether it is soft, and the upcard."""


class Drill:
    """Deals hands of one house."""

    def __init__(self, house: House, chance: Random) -> None:
        self.house = house
        self._chance = chance

    def deal(self, kind: str, wrong: Collection[str] = ()) -> Hand:
        """Return a hand of a kind; each second time one of those that went wrong."""
        wanted = ""
        if wrong and self._chance.random() < 0.5:
            wanted = self._chance.choice(sorted(wrong))
        for _ in range(_TRIES):
            hand = self._draw(kind, wanted)
            if hand is not None:
                return hand
        return self.deal("all")

    def _draw(self, kind: str, wanted: str) -> Hand | None:
        first, second, shown = self._chance.sample(PACK, 3)
        cards = (str(first), str(second))
        has_none = self.house.deal == "dealer_last"
        upcard = None if has_none else str(shown)
        aces = Aces.ONE if self.house.ace == "one" else Aces.BEST
        points, is_soft = total_of((first, second), aces)
        is_pair = first.value == second.value
        if points == 21 or not KINDS[kind](is_pair, points, is_soft, upcard or ""):
            return None
        is_split = self.house.split != "none"
        named = kind_of(list(cards), points, upcard, is_split=is_split)
        if wanted and named != wanted:
            return None
        worths = values(self.house, cards, upcard)
        told = {Action(play): worth for play, worth in worths.items() if play in PLAYS}
        if len(told) < 2:
            return None
        ranked = sorted(told.items(), key=lambda item: -item[1])
        return Hand(cards=cards, upcard=upcard, kind=named, worths=dict(ranked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A play that the true count changes, in one house."""

    kind: str
    play: Action
    true: int
    """The least true count from which the play is best."""


_ASKED = (
    *(("Th 6d", "Td", Play.STAND), ("Th 5d", "Td", Play.STAND)),
    *(("Th 2d", "3c", Play.STAND), ("Th 2d", "2c", Play.STAND)),
    *(("Th 6d", "9c", Play.STAND), ("Th 3d", "2c", Play.STAND)),
    *(("6h 5d", "Ac", Play.DOUBLE), ("5h 4d", "2c", Play.DOUBLE)),
    *(("6h 4d", "Tc", Play.DOUBLE), ("6h 4d", "Ac", Play.DOUBLE)),
    *(("5h 4d", "7c", Play.DOUBLE), ("Th 2d", "4c", Play.STAND)),
    *(("Th Td", "5c", Play.SPLIT), ("Th Td", "6c", Play.SPLIT)),
)
"""The plays that gain most from a count, in most houses."""


def indices(house: House) -> list[Index]:
    """Return the plays that are asked about whose index there is in a house."""
    found = []
    for text, upcard, play in _ASKED if house.deal != "dealer_last" else ():
        cards = text.split()
        true = index(house, cards, upcard, play)
        if true is not None and abs(true) < MOST_COUNT:
            kind = kind_of(cards, 0, upcard)
            found.append(Index(kind=kind, play=Action(play), true=true))
    return found
