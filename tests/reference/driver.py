"""The driver: random legal rounds with the engine, each judged by the reference.

Houses are the shipped ones, or have random rules. Shoes are stacked at random, from all
cards or from a few ranks, so that pairs, blackjacks and long hands come often.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bj_game.card import PACK, RANKS, Card
from bj_game.event import RoundEvent
from bj_game.house import House, HouseError
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe
from game.transcript import HOUSES, load
from reference.judge import differences
from reference.play import settle
from reference.word import Answer, Bet, Question

_RANKS = (
    *(RANKS,) * 6,
    *("TJQKA", "TA", "A", "8", "JQ", "A2", "A6T", "2345A", "9TA", "78", "56", "45T6"),
)
PACKS = [[card for card in PACK if card.rank in ranks] for ranks in _RANKS]
SHIPPED = tuple(load(path.stem) for path in sorted(HOUSES.glob("*.toml")))
_TYPES = get_type_hints(House)
_MONEY = ((1, 1), (3, 3), (100, 100), (500, 100), (500, 500), (1000, 1))
_NUMBERS: dict[str, tuple[int, ...]] = {
    "max_seats": (1, 1, 2, 3, 7),
    "decks": (1, 1, 2, 6, 8),
    "charlie": (0, 5, 6, 7),
    "max_hands": (2, 3, 4),
    "max_spots": (1, 2, 3, 4),
    "maximum_wager": (1000, 5000, 2**53 - 1),
}
_WEIGHTS = {Play.STAND: 2, Play.SPLIT: 6, Play.HIT: 3, Play.GIVE_UP: 1}


def random_house(chance: random.Random) -> House:
    """Return a shipped house in which rules were changed wherever they may be."""
    house = replace(chance.choice(SHIPPED), name="random", maximum_bet=0)
    changes = [*_changes(chance)]
    for change in chance.sample(changes, k=chance.randint(1, len(changes))):
        with suppress(HouseError):
            house = replace(house, **change)
    return house


def _changes(chance: random.Random) -> Iterator[dict[str, Any]]:
    minimum, step = chance.choice(_MONEY)
    yield {"minimum_bet": minimum, "bet_step": step}
    for field in fields(House):
        rule = _TYPES[field.name]
        if get_origin(rule) is Literal:
            yield {field.name: chance.choice(get_args(rule))}
        elif rule is bool:
            yield {field.name: chance.random() < 0.5}
        elif field.name in _NUMBERS:
            change = {field.name: chance.choice(_NUMBERS[field.name])}
            cuts = {"cut_card_min": 0, "cut_card_max": 0}
            yield change | (cuts if field.name == "decks" else {})


@dataclass
class Driven:
    """One round of a house, made from a seed."""

    house: House
    seed: object

    def __post_init__(self) -> None:
        self.chance = random.Random(f"round {self.seed}")
        self.bets = self._bets()
        self.pile = self._pile()
        self.answers: list[Answer] = []
        self.asked: list[tuple[Question, ...]] = []

    def play(self) -> None:
        """Play it with the engine."""
        shoe = Shoe(self.pile)
        stakes = [Stake(**bet._asdict()) for bet in self.bets]
        played = Round(self.house, shoe, stakes)
        while played.prompts:
            self.asked.append(tuple(question_of(prompt) for prompt in played.prompts))
            prompt = self.chance.choice(played.prompts)
            reply = self._reply(prompt)
            self.answers.append(Answer(prompt.seat, reply.play.value, reply.amount))
            played.answer(prompt.seat, reply)
        self.told = [told_of(event) for event in played.take_events()]
        self.drawn = shoe.dealt

    def judged(self) -> Iterator[str]:
        """Go through all that the reference has otherwise."""
        cards = [str(card) for card in self.pile]
        ours = settle(self.house, cards, self.bets, self.answers)
        yield from differences(ours, self.bets, self.told, self.drawn)
        for mine, theirs in zip(ours.asked, self.asked, strict=True):
            if mine != theirs:
                yield f"asked: by the rules {mine}, told {theirs}"

    def _bets(self) -> list[Bet]:
        house, chance = self.house, self.chance
        hands = chance.choice((1, 1, 1, 2, 2, 3, 7))
        bets = []
        for seat in range(1, min(hands, house.max_seats) + 1):
            top = min(house.maximum_wager, house.minimum_bet + 9 * house.bet_step)
            amount = chance.randrange(house.minimum_bet, top + 1, house.bet_step)
            funds = chance.choice((0, 1, 1, 4, 9)) * amount + chance.randrange(amount)
            spots = chance.randint(1, house.max_spots)
            bets.append(Bet(seat, amount, funds, spots))
        return bets

    def _pile(self) -> list[Card]:
        """Return more cards than the round can take, or just enough for the deal."""
        hands = sum(bet.spots for bet in self.bets)
        count = 22 * (hands * self.house.max_hands + 1)
        if self.house.shoe == "never_refilled":
            count = 2 * (hands + 1) + self.chance.randrange(12)
        return self.chance.choices(self.chance.choice(PACKS), k=count)

    def _reply(self, prompt: Prompt) -> Reply:
        weights = [_WEIGHTS.get(play, 3) for play in prompt.plays]
        (play,) = self.chance.choices(prompt.plays, weights)
        amount, limits = 0, prompt.insurance
        if play is Play.INSURE and limits:
            steps = (limits.maximum - limits.minimum) // limits.step
            some = self.chance.choice((0, steps, self.chance.randint(0, steps)))
            amount = limits.minimum + some * limits.step
        return Reply(play=play, amount=amount)


def told_of(event: RoundEvent) -> dict[str, Any]:
    """Return the fields of an event; they hold nothing that can be changed."""
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def question_of(prompt: Prompt) -> Question:
    """Return a prompt of the engine in the words of the reference."""
    limits = prompt.insurance
    wager = (limits.minimum, limits.maximum, limits.step) if limits else None
    plays = frozenset(play.value for play in prompt.plays)
    return Question(prompt.seat, prompt.hand, plays, wager)


ROUNDS_OF_A_HOUSE = 25


def drive(first: int, rounds: int) -> Iterator[str]:
    """Go through all disagreements of so many rounds, from a number on.

    Every other round is one of a shipped house, in turn.
    """
    house = random_house(random.Random(f"house {first}"))
    for seed in range(first, first + rounds):
        if seed % ROUNDS_OF_A_HOUSE == 0:
            house = random_house(random.Random(f"house {seed}"))
        shipped = SHIPPED[seed // 2 % len(SHIPPED)]
        driven = Driven(shipped if seed % 2 else house, seed)
        driven.play()
        for sentence in driven.judged():
            yield f"seed {seed}, {driven.house}, {driven.bets}: {sentence}"
