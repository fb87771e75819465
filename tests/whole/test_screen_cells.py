"""What stands in which cell, in real terminals of several sizes, round by round."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.terminal import Terminal
from whole.cells import BUTTON, CLOCK, DIM, RED, card_at, colours, find, press_at, watch
from whole.guest import Guest
from whole.host import Host

SETTINGS = ("--bet-seconds", "600", "--turn-seconds", "600")
# ned21 splits eights, doubles one half, and stands on the other; the dealer busts.
SPLIT = "8s 6h 8d Th 3c Tc 9s 7d"
LONG = "a-player.with-a-long-name@casino.example.com"


@contextmanager
def table(
    folder: Path, cards: str, size: tuple[int, int], *options: str
) -> Iterator[tuple[Host, Terminal]]:
    """Serve a table with these cards, and sit down at it as ned21."""
    with (
        Host(folder / "bank", "--stack", cards, *SETTINGS) as host,
        window(host, folder, size, "--handle", "ned21", *options) as ned,
    ):
        ned.until("▶ Bet $1")
        yield host, ned


def window(host: Host, home: Path, size: tuple[int, int], *options: str) -> Terminal:
    known = ("--server", host.address, "--pace", "0", *options)
    look = {"HOME": str(home), "COLORTERM": "truecolor"}
    return Terminal("bj_client", *known, size=size, **look)


@dataclass(frozen=True)
class Shape:
    """How a split round looks at one size."""

    size: tuple[int, int]
    card: tuple[int, int] | None
    """The cells of a card; None where cards are words."""
    play: str
    """The prompt of the first hand."""
    split: tuple[str, ...]
    """What is on the screen while it is asked for."""
    result: tuple[str, ...]
    clock: str = " 600 s"


SHAPES = {
    "40x16": Shape(
        (40, 16),
        None,
        "▶ Hand 1: Hit, stand or double?",
        ("▶ 8♠ 3♣        11 $100", "  8♦ 10♣       18 $100"),
        ("  8♠ 3♣ 9♠     20 $200 won +$200", "  8♦ 10♣       18 $100 won +$100"),
    ),
    "80x24": Shape(
        (80, 24),
        (7, 5),
        "▶ Hand 1: Hit, stand or double?",
        ("┏━ ▶ ned21 (you) ━", "┃ ▶ 11 $100        18 $100         ┃"),
        ("20 $200", "18 $100", "won +$200", "won +$100"),
    ),
    "120x40": Shape(
        (120, 40),
        (7, 5),
        "▶ Hand 1: Hit, stand or double?",
        ("┏━ ▶ ned21 (you) ━", "┃ ▶ 11 $100        18 $100         ┃"),
        ("20 $200", "18 $100", "won +$200", "won +$100"),
    ),
}


@pytest.mark.parametrize(
    ("name", "by_mouse"),
    [("40x16", False), ("40x16", True), ("80x24", True), ("120x40", False)],
)
def test_a_split_round_is_drawn_cell_by_cell(
    tmp_path: Path, name: str, by_mouse: bool
) -> None:
    shape = SHAPES[name]
    with table(tmp_path, SPLIT, shape.size) as (_, ned):

        def act(key: str, button: str, then: str) -> None:
            if by_mouse:
                ned.click(button, then)
            else:
                ned.press(key, then)

        press_at(ned, "⏎ Deal")  # dim without an amount, and so is its key
        ned.child.send("\r")
        act("c", "c $100", "$100▏")
        watch(ned, lambda: ground(ned, "⏎ Deal") == BUTTON)
        act("\r", "⏎ Deal", "▶ Hit")
        check_dealt(ned, shape)
        act("p", "p Split", shape.play)
        check_split(ned, shape)
        if "Insurance" in ned.text:
            press_at(ned, "i Insurance")
        # A key that is pressed too often does not play the next hand.
        act("ddd", "d Double", "▶ Hand 2: ")
        act("s", "s Stand", "▶ New deal?")
        for words in shape.result:
            assert words in ned.text, ned.text
        ned.until("bank $10,300")
        ned.until("Round 2: the bets are open.")
        watch(ned, lambda: ground(ned, "⏎ Deal") == BUTTON)  # keys count by now
        act("q", "q Leave", "Good-bye, ned21: 1 round, 2 won, 0 lost")
        assert ned.end() == 0


def ground(terminal: Terminal, words: str) -> str:
    return colours(terminal, *find(terminal, words))[1]


def check_dealt(ned: Terminal, shape: Shape) -> None:
    """See the dealer's two cards, one of which is hidden."""
    assert "shows 6" in ned.text
    if shape.card is None:
        x, y = find(ned, "│6♥ │ │▒▒▒│")
        dealt, hidden = (card_at(ned, x + n, y - 1, 5, 3) for n in (0, 6))
    else:
        x, y = find(ned, "│6♥   │ │▒▒▒▒▒│")
        dealt, hidden = (card_at(ned, x + n, y - 1, *shape.card) for n in (0, 8))
    assert dealt.is_whole
    assert hidden.is_whole
    assert (dealt.name, dealt.is_red) == ("6♥", True)
    assert (hidden.name, hidden.is_red) == ("▒▒▒", False)


def check_split(ned: Terminal, shape: Shape) -> None:
    """See both hands, whose turn it is, the buttons, the prompt and the clock."""
    width, height = shape.size
    ned.until(shape.clock)
    assert find(ned, shape.play)[0] == 1
    clock, row = find(ned, shape.clock)
    assert (clock + len(shape.clock), row) == (width - 1, find(ned, shape.play)[1])
    assert colours(ned, clock + 1, row)[1] == CLOCK
    for words in shape.split:
        assert words in ned.text
    watch(ned, lambda: ground(ned, "h Hit") == BUTTON)
    assert find(ned, "q Leave")[1] == height - 1
    if shape.card is None:
        assert colours(ned, *find(ned, "8♦ 10♣"))[0] == "ffb3a9"
        watch(ned, lambda: "p Split" not in ned.text)
        return
    watch(ned, lambda: ground(ned, "p Split") == DIM)
    x, y = find(ned, "│8♠   │ │3♣   │  │8♦   │ │10♣  │")
    cards = [card_at(ned, x + n, y - 1, *shape.card) for n in (0, 8, 17, 25)]
    assert all(card.is_whole for card in cards)
    assert [card.name for card in cards] == ["8♠", "3♣", "8♦", "10♣"]
    assert [card.is_red for card in cards] == [False, False, True, False]
    assert colours(ned, x + 3, y + 1) == ("22262b", "f4f1e6")
    assert ned.screen.buffer[y + 2][x + 5].data == "♠"  # the lower right corner


def test_cards_come_at_the_pace_and_at_once_for_whoever_hurries(
    tmp_path: Path,
) -> None:
    with table(tmp_path, "Ts 9h 9s 7d Td", (80, 24), "--pace", "60") as (_, ned):
        ned.press("5", "$5▏")
        ned.press("\r", "The dealer deals")
        assert "9♠" not in ned.text
        ned.press(" ", "▶ Hit")
        ned.press("s", "ned21 stands with 19")
        ned.until("The dealer")
        assert "│▒▒▒▒▒│" in ned.text
        assert "7♦" not in ned.text
        ned.press(" ", "▶ New deal?")
        assert "▒" not in ned.text
        assert "│9♥   │ │7♦   │ │10♦  │" in ned.text
        ned.press("q", "Good-bye, ned21: 1 round, 1 won")
        assert ned.end() == 0


async def test_seven_seats_and_wide_words_are_seen_alike_at_three_sizes(
    tmp_path: Path,
) -> None:
    cards = "Ts Th Td Tc 9s 9h 9d 6c 7s 7h 7d 7c 8s 8h 8d Tc 9h"
    sizes = ((40, 16), (80, 24), (120, 40))
    with Host(tmp_path / "bank", "--seats", "7", "--stack", cards, *SETTINGS) as host:
        uri = f"ws://{host.address}"
        guests = [await Guest.sit(uri, f"{LONG}{n}") for n in range(1, 8)]
        onlookers = [window(host, tmp_path, size, "--watch") for size in sizes]
        try:
            for onlooker in onlookers:
                await asyncio.to_thread(onlooker.until, "Waiting for 7 players")
            for guest in guests:
                await guest.answer("place_bet", 100)
            said = {"type": "chat", "text": "庄家好 luck 🎰"}
            await guests[2].line.send(json.dumps(said))
            for number, onlooker in enumerate(onlookers):
                await asyncio.to_thread(onlooker.until, "庄家好 luck 🎰")
                await asyncio.to_thread(onlooker.until, "Waiting for a-player")
                check_crowd(onlooker, *sizes[number])
            for guest in guests:
                await guest.play("stand")
            for onlooker in onlookers:
                await asyncio.to_thread(onlooker.until, "Waiting for 7 players")
                assert "25 bust" in onlooker.text
                assert onlooker.text.count("won +$100") == 7
                onlooker.child.send("q")
                assert await asyncio.to_thread(onlooker.end) == 0
        finally:
            for onlooker in onlookers:
                onlooker.child.close(force=True)
            for guest in guests:
                await guest.line.close()


def check_crowd(onlooker: Terminal, width: int, height: int) -> None:
    """See all seven hands, the first of them in turn, and a remark in wide letters."""
    assert onlooker.text.count("$100") == 7
    cells = onlooker.screen.buffer
    x, y = find(onlooker, "庄")
    assert [cells[y][x + n].data for n in range(7)] == [
        *"庄",
        "",
        *"家",
        "",
        *"好",
        "",
        " ",
    ]
    assert find(onlooker, "q Leave")[1] == height - 1
    assert colours(onlooker, width - 1, 0)[1] == CLOCK
    arrows = [line for line in onlooker.text.split("\n") if "▶" in line]
    assert len(arrows) == 1
    assert "10♠" in onlooker.text
    assert colours(onlooker, *find(onlooker, "10♥"))[0] in {RED, "ffb3a9"}
    if width < 116:
        assert arrows[0].startswith(" ▶ a-pl")
        columns = [line.find("$100") for line in onlooker.text.split("\n")]
        assert len({column for column in columns if column >= 0}) == 1
