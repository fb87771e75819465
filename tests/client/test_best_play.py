"""The best play, asked as the game asks: what chart, hint and bot say is the same."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product

import pytest

from bj_client.bot.bot import Bot
from bj_client.bot.drill import HOUSES, shipped_house
from bj_client.bot.hint import worths
from bj_client.model.seat import Hand
from bj_client.model.table import Table
from bj_game import odds
from bj_game.card import parse_cards
from bj_game.house import House, rules_of
from bj_game.odds.chart import name_of
from bj_game.odds.hand import Hand as Counted
from bj_game.odds.hand import best_points
from bj_game.odds.ranks import ranks_of
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe
from bj_game.strategies import BasicPlayer
from bj_game.strategy import PLAYS
from bj_protocol.action import Action
from support.message import make_ask, make_snapshot

PLAYED = [name for name in HOUSES if shipped_house(name).hit]
RANKS = "A23456789T"
PAIRS = list(combinations_with_replacement(RANKS, 2))
JUDGED = {*map(Play, PLAYS), Play.DECLINE}
DRAWS = ("As 2h 3d 2c As 4h", "5s 4h 6d 2c 3s As", "9h 2s Ad 8c 7s 3d")
"""What a hand draws: many small cards, and fewer of others."""


def dealt(house: House, hand: tuple[str, str], up: str, draws: str) -> Round:
    """Deal a hand against an upcard, in the order of the house."""
    dealer = () if house.deal == "dealer_last" else (f"{up}h", "7c")
    cards = (f"{hand[0]}s", f"{hand[1]}d")
    for order in sorted(set(permutations((0, 0, 1, 1)))):
        piles = [list(cards), list(dealer)]
        top = [piles[who].pop(0) for who in order if piles[who]]
        for card in " ".join((draws, *DRAWS)).split():
            if sum(each[0] == card[0] for each in (*top, f"{up}h")) < 4 * house.decks:
                top.append(card)
        shoe = Shoe(parse_cards(" ".join([*top, "Ts", "7s"])))
        played = Round(house, shoe, [Stake(seat=2, amount=1000, funds=100_000)])
        shown = [str(card) for card in played.dealer.cards[:1]]
        first = tuple(str(card) for card in played.players[0].hands[0].cards)
        if first == cards and shown == list(dealer[:1]):
            return played
    raise AssertionError(house.name)


def prompts(played: Round) -> Iterator[Prompt]:
    """Yield each prompt that plays a hand, and draw or split as long as may be."""
    while (prompt := played.prompt) is not None:
        hand = played.players[0].hands[prompt.hand]
        if JUDGED.intersection(prompt.plays) - {Play.DECLINE}:
            yield prompt
        wished = [Play.SPLIT, Play.HIT]
        if hand.total.soft:
            wished.append(Play.ACE_HIGH)
        play = next((each for each in wished if each in prompt.plays), prompt.default)
        played.answer(2, Reply(play=play))


def chart_says(house: House, hand: tuple[str, str], up: str, played: Round) -> Play:
    """Return what the chart of a house says to two cards, of what is legal."""
    prompt, chart = played.prompt, odds.chart(house)
    assert prompt is not None
    ranks = tuple(sorted(ranks_of([f"{rank}s" for rank in hand])))
    low, points = sum(ranks), best_points(house, Counted.of(ranks))
    if points == 21:
        return Play.STAND
    shown = up if played.dealer.cards else ""
    name = name_of((ranks[0], ranks[1]))
    advice = (chart.soft if points > low else chart.hard)[points][shown]
    advice = chart.exceptions.get((name, shown), advice)
    if Play.SPLIT in prompt.plays:
        advice = chart.pairs[name][shown]
    return next(
        play
        for play in (advice.play, advice.otherwise, Play.DECLINE)
        if play in prompt.plays
    )


def check(house: House, hands: list[tuple[str, str]], ups: str, *, paper: bool) -> int:
    """Hold what is said at each prompt to the exact values; return how many there were.

    The chart is held to them where all that the hand may do is asked.
    """
    table = Table(make_snapshot())
    table.house = table.house.model_copy(update={"terms": rules_of(house)})
    bot, asked = Bot(BasicPlayer(house=house)), 0
    for number, (up, hand) in enumerate(product(ups, hands)):
        played = dealt(house, hand, up, DRAWS[number % len(DRAWS)])
        for prompt in prompts(played):
            asked += 1
            own = played.players[0].hands
            cards = [str(card) for card in own[prompt.hand].cards]
            points = own[prompt.hand].total.points
            legal = [play for play in prompt.plays if play in JUDGED]
            shown = str(played.dealer.cards[0]) if played.dealer.cards else None
            found = odds.values(
                house,
                cards,
                shown,
                legal=legal,
                hands=len(own),
                points=points if house.ace == "player" else None,
            )
            seat = table.seats[2]
            seat.hands = [
                Hand([str(card) for card in each.cards], each.total.points, stake=1000)
                for each in own
            ]
            table.dealer = Hand([shown, "??"] if shown else [])
            actions = [Action(play) for play in prompt.plays]
            ask = make_ask(1, *actions, hand=prompt.hand)
            said = {
                "hint": Play(worths(ask, table)[0][0]),
                "bot": Play(bot.answer(ask, table).type),
            }
            if paper and len(cards) == 2 and len(own) == 1:
                said["chart"] = chart_says(house, hand, up, played)
            for who, play in said.items():
                lost = max(found.values()) - found[play]
                assert lost < 1e-9, (house.name, who, cards, shown, play, found)
    return asked


KNOWN = [
    ("T", "6"),
    ("T", "4"),
    ("8", "8"),
    ("5", "5"),
    ("4", "4"),
    ("A", "7"),
    ("6", "5"),
]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", PLAYED)
def test_20_5_hint_and_bot_play_best_in_every_house(name: str) -> None:
    house = shipped_house(name)
    assert check(house, KNOWN, "6T", paper=False) > 20


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["cs1114", "iipp6"])
def test_20_3_the_chart_is_the_best_play_too(name: str) -> None:
    house = shipped_house(name)
    assert check(house, PAIRS[::4], "A6T", paper=True) > 100


@pytest.mark.torture
@pytest.mark.no_cover
@pytest.mark.parametrize("name", PLAYED)
def test_20_3_every_cell_of_every_chart_is_the_best_play(name: str) -> None:
    house = shipped_house(name)
    assert check(house, PAIRS, RANKS, paper=True) > 1000
