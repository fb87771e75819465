"""Every pair of settings that a house may have: played by dice, or refused."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from make_houses import most_decisions

from bj_game.event import HandBusted, HandSettled, InsuranceSettled
from bj_game.hand import Hand, HandState, SettleReason
from bj_game.house import House, HouseError
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.settlement import settle_hand, settle_insurance
from bj_game.shoe import HomemadeShoe, Shoe, fill_shoe
from bj_game.shuffle import NumberedStream
from game.transcript import HOUSES, load

NUMBERS = {
    "max_seats": (1, 7),
    "decks": (1, 8),
    "charlie": (0, 5),
    "max_hands": (2, 4),
    "max_spots": (1, 3),
}
BASES = tuple(load(path.stem) for path in sorted(HOUSES.glob("*.toml")))
COMPARED = {
    SettleReason.HIGHER_TOTAL,
    SettleReason.LOWER_TOTAL,
    SettleReason.SAME_TOTAL,
}
BUSTED = {SettleReason.BUSTED, SettleReason.BOTH_BUSTED}
ENDED = {
    state for state in HandState if state not in (HandState.WAITING, HandState.PLAYING)
}

Setting = tuple[str, Any]


def settings_of(key: str, rule: Any) -> list[Setting]:
    """Return what a rule may be, if its values are few."""
    if get_origin(rule) is Literal:
        return [(key, value) for value in get_args(rule)]
    values = (False, True) if rule is bool else NUMBERS.get(key, ())
    return [(key, value) for value in values]


RULES = get_type_hints(House)
SETTINGS = [settings_of(field.name, RULES[field.name]) for field in fields(House)]
PAIRS = [
    (one, other)
    for ones, others in combinations(filter(None, SETTINGS), 2)
    for one in ones
    for other in others
]


def houses_with(first: int, *settings: Setting) -> Iterator[House]:
    """Make every shipped house one with these settings, where it can be."""
    rules: dict[str, Any] = dict(settings)
    if rules.get("decks") == 1:
        rules |= {"cut_card_min": 0, "cut_card_max": 20}
    for number in range(first, first + len(BASES)):
        base = BASES[number % len(BASES)]
        with suppress(HouseError):
            yield replace(base, **rules)


@dataclass
class Evening:
    """One round of a house, whose players throw dice."""

    house: House
    seed: int

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.asked: Counter[int] = Counter()
        self.offered: dict[tuple[int, int, tuple[Any, ...]], set[Play]] = {}

    def play(self) -> None:
        """Play the round, and see that all is in order."""
        stakes = self._stakes()
        self.shoe = self._shoe(len(stakes))
        self.round = Round(self.house, self.shoe, stakes)
        while prompt := self.round.prompt:
            self._check_prompt(prompt)
            self.round.answer(prompt.seat, self._reply(prompt))
        self._check_money(stakes)
        self._check_results()

    def _stakes(self) -> list[Stake]:
        house, dice = self.house, self.dice
        most = min(house.max_seats, dice.choice((1, 1, 2, 2, 7 // house.max_spots)))
        return [
            Stake(
                seat=seat,
                amount=house.minimum_bet,
                funds=house.bet_step * dice.randint(0, 60),
                spots=dice.randint(1, house.max_spots),
            )
            for seat in range(1, most + 1)
        ]

    def _shoe(self, seats: int) -> Shoe:
        shoe = fill_shoe(self.house, NumberedStream(self.seed))
        if isinstance(shoe, HomemadeShoe):  # no fewer would be dealt from
            for _ in range(52 - self.dice.randint(2 * (seats + 1), 52)):
                shoe.draw()
        return shoe

    def _reply(self, prompt: Prompt) -> Reply:
        plays = [*prompt.plays, *(Play.HIT, Play.SPLIT, Play.DOUBLE)]
        play = self.dice.choice([play for play in plays if play in prompt.plays])
        limits = prompt.insurance
        if play is not Play.INSURE or limits is None:
            return Reply(play=play)
        steps = (limits.maximum - limits.minimum) // limits.step
        amount = limits.minimum + limits.step * self.dice.randint(0, steps)
        return Reply(play=play, amount=amount)

    def _check_prompt(self, prompt: Prompt) -> None:
        hand = self.round.players[prompt.seat - 1].hands[prompt.hand]
        assert hand.state not in ENDED, "what is over is asked about"
        cards = (len(self.round.players[prompt.seat - 1].hands), *hand.cards)
        before = self.offered.setdefault((prompt.seat, prompt.hand, cards), set())
        assert not before & set(prompt.plays), "the same is asked twice"
        before |= set(prompt.plays) - {Play.DECLINE}
        self.asked[prompt.seat] += 1
        assert self.asked[prompt.seat] <= most_decisions(self.house)
        assert set(prompt.plays) | set(prompt.denials) == set(Play)

    def _check_money(self, stakes: list[Stake]) -> None:
        funds = {s.seat: s.funds + s.amount * s.spots for s in stakes}
        self.events = self.round.take_events()
        for event in self.events:
            if isinstance(event, HandSettled):
                funds[event.seat] += event.payout - event.stake
            if isinstance(event, InsuranceSettled):
                funds[event.seat] += event.payout - event.amount
        assert funds == {player.seat: player.funds for player in self.round.players}
        assert min(funds.values()) >= 0

    def _check_results(self) -> None:
        busted = {(e.seat, e.hand) for e in self.events if isinstance(e, HandBusted)}
        settled = [e for e in self.events if isinstance(e, HandSettled)]
        assert busted == {(e.seat, e.hand) for e in settled if e.reason in BUSTED}
        is_short = self.house.dealer_draws != "never" and self.shoe.left != 0
        if is_short and any(e.reason in COMPARED for e in settled):
            assert self.round.dealer.total.points >= 17, "the dealer stands too soon"
        dealer = self._drawn_out()
        for event in settled:
            hand = self.round.players[event.seat - 1].hands[event.hand]
            assert self.house.hit or len(hand.cards) == 2
            outcome, _, payout = settle_hand(self.house, hand, dealer)
            assert (event.outcome, event.payout) == (outcome, payout)
        for insured in self.events:
            if isinstance(insured, InsuranceSettled):
                again = settle_insurance(self.house, insured.amount, dealer)
                assert (insured.outcome, insured.payout) == again

    def _drawn_out(self) -> Hand:
        """Return the dealer's hand as it is where a neighbour makes the dealer draw."""
        dealer, house = self.round.dealer, self.house
        dealer = replace(dealer, cards=[*dealer.cards])
        while len(dealer.cards) < 2 and self.shoe.left != 0:
            dealer.add(self.shoe.draw())
        while self.shoe.left != 0 and house.dealer_draws != "never":
            total = dealer.total
            is_soft_17 = total.soft and total.points == 17 and house.hit_soft_17
            if total.points >= 17 and not is_soft_17:
                break
            dealer.add(self.shoe.draw())
        return dealer


@pytest.mark.no_cover  # the same lines, over and over
def test_13_5_every_pair_of_settings_is_played_or_refused() -> None:
    played = defaultdict(set)
    for seed, pair in enumerate(PAIRS):
        house = next(houses_with(seed, *pair), None)
        if house is not None:
            Evening(house, seed).play()
            for key, value in pair:
                played[key].add(value)
    assert played == {s[0][0]: {v for _, v in s} for s in SETTINGS if s}


@pytest.mark.torture
@pytest.mark.parametrize("times", range(5))
def test_13_5_every_pair_of_settings_in_every_house(times: int) -> None:
    for seed, pair in enumerate(PAIRS):
        for number, house in enumerate(houses_with(0, *pair)):
            Evening(house, 100 * (10 * seed + number) + times).play()
