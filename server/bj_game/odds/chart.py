"""Charts: the best play for each total and upcard, as basic strategy is printed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from bj_game.house import House
from bj_game.odds.column import Cell, Pair, column, upcards_of
from bj_game.odds.hand import Hand, best_points
from bj_game.odds.ranks import ACE
from bj_game.play import Play

UPCARDS = "23456789TA"
"""The columns of a chart, from left to right."""

_RANKS = "A23456789T"
_LETTERS = {
    Play.HIT: "H",
    Play.STAND: "S",
    Play.DOUBLE: "D",
    Play.SPLIT: "P",
    Play.SURRENDER: "R",
}

_ALWAYS = (Play.HIT, Play.STAND, Play.SPLIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The best play of a row against an upcard."""

    play: Play
    otherwise: Play
    """The best of what such a hand may always do: hit, stand, or split a pair."""
    lead: float
    """By how much of a stake the play is better than the second best."""

    @property
    def letters(self) -> str:
        """The advice as charts write it: ``H``, ``S``, ``P``, ``Dh``, ``Rs``.

        A small letter is for a hand that may not do what the large one says.
        """
        letter = _LETTERS[self.play]
        if self.play in (Play.DOUBLE, Play.SURRENDER):
            letter += _LETTERS[self.otherwise].lower()
        return letter


Row = Mapping[str, Advice]
"""The advice by upcard, one of ``UPCARDS``, or empty for a dealer without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The best plays of a house, with a full shoe."""

    hard: Mapping[int, Row]
    """By total, pairs among them only where two cards make no other hand."""
    soft: Mapping[int, Row]
    """By total, an ace counting 11."""
    pairs: Mapping[str, Row]
    """By hand, as in ``88``; none where the house splits nothing."""
    insurance: Mapping[str, float]
    """What one unit of insurance wins, on average, by the upcards that offer it."""
    exceptions: Mapping[tuple[str, str], Advice]
    """Hands of two cards, as in ``T2``, that are played otherwise than their total.

    Pairs are among them where they cannot be split.
    """


@cache
def chart(house: House) -> Chart:
    """Return the best plays of a house; reckoned once for each house.

    >>> from bj_game.house import House
    >>> house = House(name="endless", title="", shoe="endless")
    >>> chart(house).hard[11]["6"].letters
    'Dh'
    """
    hard: dict[int, dict[str, Advice]] = {}
    soft: dict[int, dict[str, Advice]] = {}
    pairs: dict[str, dict[str, Advice]] = {}
    exceptions: dict[tuple[str, str], Advice] = {}
    insurance: dict[str, float] = {}
    for upcard in sorted(upcards_of(house), key=lambda up: up == ACE):
        up = "" if upcard is None else _RANKS[upcard - 1]
        cells = column(house, upcard).cells
        insured = [(cell.chance, cell.insurance) for cell in cells if cell.insurance]
        if insured:
            insurance[up] = sum(chance * each for chance, each in insured)
        for (is_soft, total), alike in _by_total(house, cells).items():
            mixed = [cell for cell in alike if cell.ranks[0] != cell.ranks[1]]
            advice = _advise(mixed or alike, splits=False)
            (soft if is_soft else hard).setdefault(total, {})[up] = advice
            for cell in alike:
                own = _advise([cell], splits=False)
                if own.play is not advice.play and not cell.is_pair:
                    exceptions[name_of(cell.ranks), up] = own
        for cell in cells:
            if cell.is_pair:
                advice = _advise([cell], splits=True)
                pairs.setdefault(name_of(cell.ranks), {})[up] = advice
    return Chart(
        hard=dict(sorted(hard.items())),
        soft=dict(sorted(soft.items())),
        pairs=pairs,
        insurance=insurance,
        exceptions=exceptions,
    )


def name_of(ranks: Pair) -> str:
    """Return a hand of two cards as text, the higher one first.

    >>> name_of((1, 7)), name_of((2, 10))
    ('A7', 'T2')
    """
    first, second = sorted(ranks, key=lambda rank: (rank != ACE, -rank))
    return _RANKS[first - 1] + _RANKS[second - 1]


def _by_total(
    house: House, cells: Iterable[Cell]
) -> dict[tuple[bool, int], list[Cell]]:
    """Return hands that may draw by whether they are soft, and by their total."""
    found: dict[tuple[bool, int], list[Cell]] = {}
    for cell in cells:
        hand = Hand.of(cell.ranks)
        total = best_points(house, hand)
        if total < 21:
            found.setdefault((total > hand.low, total), []).append(cell)
    return found


def _advise(cells: list[Cell], *, splits: bool) -> Advice:
    """Return the play that is best on average, over hands that are played alike.

    A total is no pair, though two cards may be: nothing ``splits`` then.
    """
    sums: dict[Play, float] = {}
    whole = sum(cell.chance * cell.clear for cell in cells)
    for cell in cells:
        for play, value in cell.values.items():
            if play in _LETTERS and (splits or play is not Play.SPLIT):
                share = cell.chance * cell.clear / whole
                sums[play] = sums.get(play, 0.0) + share * value
    play, *others = sorted(sums, key=sums.__getitem__, reverse=True)
    always = [each for each in (play, *others) if each in _ALWAYS]
    lead = sums[play] - sums[others[0]] if others else 0.0
    return Advice(play=play, otherwise=always[0], lead=lead)
