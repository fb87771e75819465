"""Many rounds of a house, for figures: fixed seeds, and strategies as functions.

A cut card makes rounds of many small cards rarer than those of few large ones, so that
the published figures, which are for a fresh pack, hold only nearly under it. Here every
shoe is left after the same number of rounds, which favours nobody: each of them is
worth as much as the first.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bj_game.card import PACK, Card
from bj_game.hand import Aces, Hand, total_of
from bj_game.house import House
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe, fill_shoe
from bj_game.shuffle import NumberedStream, Randomness
from bj_game.strategy import basic_play
from support.draws import shuffled

TRUTH = Path(__file__).parent / "truth"
"""The figures, with where they come from."""

STAKE = 200
"""Cents; a natural at 3 to 2 and at 6 to 5 has no odd payout of it."""

FUNDS = 100 * STAKE

RANKS = "A23456789T"
"""The ranks that differ in value."""

_CARDS = {rank: Card(rank=rank, suit="s") for rank in RANKS}


class Strategy(Protocol):
    """Says what a player does with a hand."""

    def __call__(self, played: Round, prompt: Prompt, /) -> Play: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over many rounds, and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        """Return the mean of ``values``, and the error that they show themselves."""
        mean = math.fsum(values) / len(values)
        spread = math.fsum((value - mean) ** 2 for value in values)
        return cls(mean=mean, error=math.sqrt(spread) / len(values))

    @classmethod
    def of_share(cls, times: int, trials: int, expected: float) -> "Estimate":
        """Return a share, with the error that it has if ``expected`` is true."""
        error = math.sqrt(expected * (1 - expected) / trials)
        return cls(mean=times / trials, error=error)

    def is_near(self, expected: float, *, below: float = 0.0) -> bool:
        """Whether it is within four errors of ``expected``, or of ``below`` less."""
        low, high = expected - below - 4 * self.error, expected + 4 * self.error
        return low - 1e-12 <= self.mean <= high + 1e-12


def deal_rounds(
    house: House, strategies: Sequence[Strategy], *, rounds: int, seed: int
) -> Iterator[Round]:
    """Yield finished rounds of ``house``, one strategy to a seat."""
    numbers = NumberedStream(seed)
    per_shoe = _rounds_of_a_shoe(house, len(strategies))
    stakes = [
        Stake(seat=seat, amount=STAKE, funds=FUNDS)
        for seat in range(1, len(strategies) + 1)
    ]
    shoe = _fresh_shoe(house, numbers)
    for number in range(rounds):
        if number and number % per_shoe == 0:
            shoe = _fresh_shoe(house, numbers)
        yield finish(Round(house, shoe, stakes), strategies)


def begin(house: House, player: str, dealer: str) -> Round:
    """Deal these ranks to the one player, who draws all but two of them, and dealer."""
    if house.deal == "alternating":
        ranks = player[0] + dealer[0] + player[1] + dealer[1:2]
        ranks += player[2:] + dealer[2:]
    else:
        ranks = player[:2] + dealer
    stake = Stake(seat=1, amount=STAKE, funds=FUNDS)
    return Round(house, Shoe([_CARDS[rank] for rank in ranks]), [stake])


def finish(played: Round, strategies: Sequence[Strategy]) -> Round:
    """Answer every question of a round, and return it."""
    while (prompt := played.prompt) is not None:
        play = strategies[prompt.seat - 1](played, prompt)
        played.answer(prompt.seat, Reply(play=play))
    return played


def net_of(played: Round, seat: int = 1) -> float:
    """Return what a seat has won in a finished round, in its first bets."""
    return (played.players[seat - 1].funds - FUNDS - STAKE) / STAKE


def outcome_of(played: Round) -> int:
    """Return what the dealer ended on: 0 to 4 for 17 to 21, 5 a bust, 6 a blackjack."""
    dealer = played.dealer
    if dealer.total.points > 21:
        return 5
    return 6 if dealer.is_natural else dealer.total.points - 17


def stand_on(hard: int, soft: int | None = None) -> Strategy:
    """Draw below ``hard`` points, or below ``soft`` where an ace counts 11."""
    softer = hard if soft is None else soft

    def choose(played: Round, prompt: Prompt) -> Play:
        hand = _hand(played, prompt)
        is_high = hand.aces is Aces.ELEVEN  # as its player has said
        is_soft = total_of(hand.cards).soft if is_high else hand.total.soft
        draws = hand.total.points < (softer if is_soft else hard)
        return Play.HIT if draws and Play.HIT in prompt.plays else prompt.default

    return choose


def basic(house: House) -> Strategy:
    """Play what is best by the rules, given the cards of the hand and the upcard."""

    def choose(played: Round, prompt: Prompt) -> Play:
        cards = [str(card) for card in _hand(played, prompt).cards]
        legal = [play.value for play in prompt.plays]
        upcard = next(map(str, played.dealer.cards), None)
        best = basic_play(house, cards, upcard, legal)
        return prompt.default if best is None else Play(best)

    return choose


def _hand(played: Round, prompt: Prompt) -> Hand:
    return played.players[prompt.seat - 1].hands[prompt.hand]


def _rounds_of_a_shoe(house: House, seats: int) -> int:
    """Return how many rounds a shoe is good for, whatever is drawn in them."""
    if house.shoe != "cut_card":
        return 10**9 if house.shoe == "endless" else 1
    return 52 * house.decks // (8 * (seats + 1))


def _fresh_shoe(house: House, numbers: Randomness) -> Shoe:
    """Return a whole shoe in a uniformly random order."""
    if house.shoe == "never_refilled":
        return Shoe(shuffled(PACK, numbers))
    return fill_shoe(house, numbers)
