"""The simulation: many rounds of a house, played by the engine on all cores.

The rounds come in parts of one seed each, so that the result depends on the seed alone,
and not on the number of cores.
"""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from math import sqrt

from bj_game.card import PACK, Card
from bj_game.house import House
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, fill_shoe
from bj_game.shuffle import NumberedStream
from bj_server.odds_cli.drawing import WORDS
from bj_server.odds_cli.sheet import Sheet

_PART = 10_000
_STAKE = 1000
"""Cents, of which no pay of a natural leaves a rest."""
_FUNDS = 100 * _STAKE
_REPLIES = {play: Reply(play=play) for play in Play}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The result of rounds that were played, in first bets."""

    rounds: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "Played") -> "Played":
        return Played(
            rounds=self.rounds + other.rounds,
            total=self.total + other.total,
            squares=self.squares + other.squares,
        )

    @property
    def edge(self) -> float:
        """What a round has brought the player on average."""
        return self.total / self.rounds

    @property
    def deviation(self) -> float:
        """The standard deviation of a round."""
        return sqrt(max(0.0, self.squares / self.rounds - self.edge**2))

    @property
    def error(self) -> float:
        """The standard error of the edge."""
        return self.deviation / sqrt(self.rounds)


def simulate(
    house: House, sheet: Sheet, rounds: int, seed: int, step: Callable[[Played], None]
) -> Played:
    """Play so many rounds by the chart of a sheet; ``step`` is called after each part.

    The shoe is shuffled where the house does it. Insurance is never bought.
    """
    sizes = [min(_PART, rounds - start) for start in range(0, rounds, _PART)]
    played = Played()
    with ProcessPoolExecutor(max_workers=min(os.cpu_count() or 1, len(sizes))) as pool:
        parts = [
            pool.submit(play_part, house, sheet, size, seed * 1_000_003 + number)
            for number, size in enumerate(sizes)
        ]
        try:
            for part in as_completed(parts):
                played += part.result()
                step(played)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return played


def play_part(house: House, sheet: Sheet, rounds: int, seed: int) -> Played:
    """Play rounds with the cards of one seed, in this process."""
    numbers = NumberedStream(seed)
    choose = _choice(sheet)
    stakes = [Stake(seat=1, amount=_STAKE, funds=_FUNDS)]
    shoe = _fresh(house, numbers)
    total = squares = 0.0
    for _ in range(rounds):
        if shoe.is_cut_card_out or house.shoe in ("every_round", "never_refilled"):
            shoe = _fresh(house, numbers)
        played = Round(house, shoe, stakes)
        while (prompt := played.prompt) is not None:
            played.answer(prompt.seat, _REPLIES[choose(played, prompt)])
        played.take_events()
        won = (played.players[0].funds - _FUNDS - _STAKE) / _STAKE
        total += won
        squares += won * won
    return Played(rounds=rounds, total=total, squares=squares)


def _fresh(house: House, numbers: NumberedStream) -> Shoe:
    if house.shoe != "never_refilled":
        return fill_shoe(house, numbers)
    # Shuffled well: by hand its cards would stay near each other.
    shoe = Shoe(PACK)
    shoe.arrange(numbers)
    return shoe


_WISHES = {
    word: tuple(map(Play, meaning.split(", else "))) for word, meaning in WORDS.items()
}
"""What each word of a chart wants, the first that is legal."""


def _choice(sheet: Sheet) -> Callable[[Round, Prompt], Play]:
    """Return how a player answers who has the chart beside the cards."""
    chart = {(row.section, row.label): row.cells for row in sheet.rows}
    column = {rank: index for index, rank in enumerate(sheet.upcards)}

    def choose(played: Round, prompt: Prompt) -> Play:
        hand = played.players[0].hands[prompt.hand]
        points, is_soft = hand.total
        dealt = played.dealer.cards
        shown = column[_rank(dealt[0]) if dealt else ""]
        words = []
        if hand.is_pair_by_value and Play.SPLIT in prompt.plays:
            words.append(chart["pair", 2 * _rank(hand.cards[0])][shown])
        total = chart.get(("soft" if is_soft else "hard", str(points)))
        words += [] if total is None else [total[shown]]
        wished = (wish for word in words for wish in _WISHES[word])
        return next((wish for wish in wished if wish in prompt.plays), prompt.default)

    return choose


def _rank(card: Card) -> str:
    return "T" if card.value == 10 else card.rank
