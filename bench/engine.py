"""Rounds a second of one player, by our engine and by others, at one policy.

The policy is that of the others' examples: draw below 17. Our rules are those of
blackjack21. We draw each card anew, as gymnasium does, or from four decks until three
of four cards are out, as blackjack21 does. The others are in the environment that
``make bench`` makes; one that is not installed is left out.
"""

import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bj_game.house import House
from bj_game.play import Play, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import fill_shoe
from bj_game.shuffle import NumberedStream

ENDLESS = "bj_game: endless shoe"
FOUR_DECKS = "bj_game: four decks"

_STAND = 17

_ENDLESS = House(
    name="bench",
    title="",
    shoe="endless",
    hole_card="peek",
    natural="3:2",
    blackjack_beats_21=True,
    insurance="none",
    insurance_asked="all_first",
    split="value",
    max_hands=4,
    surrender="late",
    dealer_draws="always",
)

_FOUR_DECKS = replace(
    _ENDLESS, shoe="cut_card", decks=4, cut_card_min=52, cut_card_max=52
)


def _ours(house: House, rounds: int) -> None:
    """Play by ``bj_game``, its events taken as a server does."""
    stakes = [Stake(seat=1, amount=100, funds=0)]
    hit, stand = Reply(play=Play.HIT), Reply(play=Play.STAND)
    numbers = NumberedStream(1)
    shoe = fill_shoe(house, numbers)
    for _ in range(rounds):
        played = Round(house, shoe, stakes)
        hand = played.players[0].hands[0]
        while played.prompts:
            played.answer(1, hit if hand.total.points < _STAND else stand)
        played.take_events()
        if shoe.is_cut_card_out:
            shoe = fill_shoe(house, numbers)


def gymnasium(rounds: int) -> None:
    """Play by Blackjack-v1, without the checks around it."""
    table = importlib.import_module("gymnasium").make("Blackjack-v1").unwrapped
    for _ in range(rounds):
        (points, _, _), _ = table.reset()
        is_over = False
        while not is_over:
            (points, _, _), _, is_over, *_ = table.step(int(points < _STAND))


def rlcard(rounds: int) -> None:
    """Play by the game of rlcard, without its environment."""
    game = importlib.import_module("rlcard.games.blackjack").Game()
    game.configure({"game_num_players": 1, "game_num_decks": 1})
    for _ in range(rounds):
        game.init_game()
        while not game.is_over():
            game.step("hit" if game.players[0].score < _STAND else "stand")


def blackjack21(rounds: int) -> None:
    """Play by the tables of blackjack21."""
    library = importlib.import_module("blackjack21")
    deck = library.Deck(library.DEFAULT_SUITS, count=4)
    renew = library.shoe_reset_hook(deck)
    for _ in range(rounds):
        table = library.Table([("ned21", 100)], deck)
        table.start_game()
        while (hand := table.current_hand) is not None:
            (table.hit if hand.total < _STAND else table.stand)()
        renew()


ENGINES: dict[str, Callable[[int], None]] = {
    ENDLESS: partial(_ours, _ENDLESS),
    FOUR_DECKS: partial(_ours, _FOUR_DECKS),
    "gymnasium": gymnasium,
    "rlcard": rlcard,
    "blackjack21": blackjack21,
}


def speeds(rounds: int) -> Iterator[tuple[str, float]]:
    """Yield the rounds a second of every engine that is here."""
    for name, play in ENGINES.items():
        with suppress(ModuleNotFoundError):
            play(20)
            began = time.process_time()
            play(rounds)
            yield name, rounds / (time.process_time() - began)
