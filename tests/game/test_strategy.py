import pytest

from bj_game.card import PACK
from bj_game.play import Play, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import fill_shoe
from bj_game.shuffle import NumberedStream
from bj_game.strategy import basic_play
from game.transcript import load

STRIP = load("vegas-strip")
FIRST = ("hit", "stand", "double", "split")
LATER = ("hit", "stand")


@pytest.mark.parametrize(
    ("cards", "upcard", "legal", "play"),
    [
        ("Ts 6d", "Th", FIRST, "hit"),
        ("Ts 6d", "6h", FIRST, "stand"),
        ("Ts 2d", "3h", FIRST, "hit"),
        ("Ts 2d", "4h", FIRST, "hit"),
        ("7s 5d", "4h", FIRST, "stand"),
        ("6s 5d", "Kh", FIRST, "double"),
        ("6s 5d", "Kh", LATER, "hit"),
        ("6s 5d", "Ah", FIRST, "hit"),
        ("As 7d", "9h", FIRST, "hit"),
        ("As 7d", "6h", FIRST, "double"),
        ("As 7d", "6h", LATER, "stand"),
        ("As 9d", "6h", FIRST, "stand"),
        ("8s 8d", "Ah", FIRST, "split"),
        ("8s 8d", "Ah", LATER, "hit"),
        ("Ts Td", "6h", FIRST, "stand"),
        ("9s 9d", "7h", FIRST, "stand"),
        ("As Ad", "6h", ("split", "decline"), "split"),
        ("5s 5d", "6h", ("split", "decline"), "decline"),
        ("2s 2d", "8h", FIRST, "hit"),
        ("Ts 4d 7c", "8h", LATER, "stand"),
        ("Ts 6d", "Th", ("stand",), "stand"),
        ("Ts 6d", "Th", ("give_up",), None),
    ],
)
def test_the_table_is_followed(
    cards: str, upcard: str, legal: tuple[str, ...], play: str | None
) -> None:
    assert basic_play(STRIP, cards.split(), upcard, legal) == play


@pytest.mark.no_cover  # the same lines, over and over
def test_there_is_a_legal_answer_to_everything() -> None:
    house = load("cpsc386")
    for seed in range(15):
        shoe = fill_shoe(house, NumberedStream(seed))
        played = Round(house, shoe, [Stake(seat=1, amount=100, funds=500)])
        while played.prompt:
            if played.prompt.insurance:
                played.answer(1, Reply(play=Play.DECLINE))
                continue
            hand = played.players[0].hands[played.prompt.hand]
            cards = [str(card) for card in hand.cards]
            upcard = str(played.dealer.cards[0])
            legal = [p.value for p in played.prompt.plays]
            play = basic_play(house, cards, upcard, legal)
            played.answer(1, Reply(play=Play(str(play))))


def test_every_upcard_has_a_column() -> None:
    for card in PACK:
        assert basic_play(STRIP, ["Ts", "9d"], str(card), LATER) == "stand"
