"""What the cheats that the fair draw does not cure cost an honest player.

python docs/simulate_cheats.py

All by one seed, in bets a round, with twice the standard error. The house is that of
``specs/cpsc386.txt``, each round from a full shoe. In *hits alone* everybody only hits
or stands, and the honest player does it by a table; in *all plays* the honest player
also doubles, splits and declines insurance, by basic strategy.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from statistics import fmean, stdev

from bj_game.card import PACK, Card
from bj_game.house import House
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe
from bj_game.strategy import basic_play
from bj_server.settings import load_house

SEED = 2026
ROUNDS = 4_000
BATCHES = 20
STAKE, FUNDS = 200, 20_000
MOST_TAKEN = 4
"""Cards that a seat in league takes at the most."""
ENOUGH = 60
"""Cards that no round of three seats uses up."""

Strategy = Callable[[Round, Prompt], Play]


def orders(house: House, seed: int) -> Iterator[list[Card]]:
    """Draw the first cards of one full shoe after the other."""
    chance = random.Random(seed)  # noqa: S311 - a simulation, the same every time
    pack = [*PACK] * house.decks
    while True:
        yield chance.sample(pack, ENOUGH)


def hits_alone(played: Round, prompt: Prompt) -> Play:
    """Hit and stand as the well-known table has it."""
    hand = played.players[prompt.seat - 1].hands[prompt.hand]
    points, is_soft = hand.total
    up = played.dealer.cards[0].value
    most = 18 if is_soft and up in (9, 10, 1) else 17 if is_soft else 16
    if not is_soft and 2 <= up <= 6:
        most = 12 if up in (2, 3) else 11
    is_hit = points <= most and Play.HIT in prompt.plays
    return Play.HIT if is_hit else prompt.default


def all_plays(house: House) -> Strategy:
    """Return the play of basic strategy."""

    def choose(played: Round, prompt: Prompt) -> Play:
        hand = played.players[prompt.seat - 1].hands[prompt.hand]
        cards, up = [str(card) for card in hand.cards], str(played.dealer.cards[0])
        legal = [play.value for play in prompt.plays]
        best = basic_play(house, cards, up, legal)
        return prompt.default if best is None else Play(best)

    return choose


def taking(cards: int) -> Strategy:
    """Return the play of a seat in league: take so many cards, if it can, and stand."""

    def choose(played: Round, prompt: Prompt) -> Play:
        hand = played.players[prompt.seat - 1].hands[prompt.hand]
        is_hit = len(hand.cards) < 2 + cards and Play.HIT in prompt.plays
        return Play.HIT if is_hit else prompt.default

    return choose


def result(
    house: House, cards: Sequence[Card], seats: Sequence[Strategy], honest: int
) -> float:
    """Play a round; return what the honest seat, from 0, has won, in bets."""
    stakes = [
        Stake(seat=seat, amount=STAKE, funds=FUNDS) for seat in range(1, len(seats) + 1)
    ]
    played = Round(house, Shoe(cards), stakes)
    while (prompt := played.prompt) is not None:
        reply = Reply(play=seats[prompt.seat - 1](played, prompt))
        played.answer(prompt.seat, reply)
    return (played.players[honest].funds - FUNDS - STAKE) / STAKE


def in_league(house: House, before: int, after: int) -> list[float]:
    """Play with seats in league that know the round, and choose its worst course."""
    results = []
    for cards, _ in zip(orders(house, SEED), range(ROUNDS), strict=False):
        worst = float("inf")
        for taken in product(range(MOST_TAKEN + 1), repeat=before + after):
            friends = [taking(number) for number in taken]
            seats = [*friends[:before], hits_alone, *friends[before:]]
            worst = min(worst, result(house, cards, seats, before))
            if worst == -1:
                break
        results.append(worst)
    return results


def alone(house: House, strategy: Strategy) -> list[float]:
    """Play alone with the dealer."""
    draws = zip(orders(house, SEED), range(ROUNDS), strict=False)
    return [result(house, cards, [strategy], 0) for cards, _ in draws]


def least_of(results: Sequence[float], draws: int) -> float:
    """Return the mean of the least of so many draws, each one of ``results``."""
    ordered, count = sorted(results), len(results)
    total, still = 0.0, 1.0
    for number, value in enumerate(ordered, start=1):
        less = (1 - number / count) ** draws
        total += value * (still - less)
        still = less
    return total


def told(results: Sequence[float], what: Callable[[Sequence[float]], float]) -> str:
    """Return a figure of all results, and twice its error by that of batches."""
    parts = [what(results[start::BATCHES]) for start in range(BATCHES)]
    error = 2 * stdev(parts) / BATCHES**0.5
    return f"{what(results):+.2f} ± {error:.2f}"


def refused(results: Sequence[float]) -> float:
    """Return the mean if each win is void."""
    return fmean(min(0.0, value) for value in results)


def main() -> None:
    """Print the table of ``docs/fairness.md``."""
    house = load_house("cpsc386")
    hits, plays = alone(house, hits_alone), alone(house, all_plays(house))
    rows = [("an honest table", told(hits, fmean), told(plays, fmean))]
    for name, before, after in (("after", 0, 1), ("before", 1, 0), ("both", 1, 1)):
        figure = told(in_league(house, before, after), fmean)
        rows.append((f"a seat in league, {name}", figure, ""))
    for seats in (1, 3, 6):
        least = partial(least_of, draws=2**seats)
        name = f"links withheld by {seats}, each time"
        rows.append((name, told(hits, least), told(plays, least)))
    rows.append(("every win refused", told(hits, refused), told(plays, refused)))
    print("| cheat | hits alone | all plays |\n|---|---|---|")
    for name, of_hits, of_plays in rows:
        print(f"| {name} | {of_hits} | {of_plays} |")


if __name__ == "__main__":
    main()
