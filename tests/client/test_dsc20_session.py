"""People at a table of ``--style dsc20``: set bets, and news that was missed."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bj_client.net.address import Address
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import AcceptGift, PlaceBet, Recall, Stand
from bj_protocol.messages import Recalled, Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask, HouseView, WagerRange
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.told import told
from support.visit import run_command

HOUSE = HouseView(name="dsc20", title="A ladder", rules=(), minimum_bet=500)
GAP = "bj-client: Round 3: the updates before update 20 are not told.\n"
STAKED = events.BetPlaced(seat=2, amount=500, balance=9500)
DEALT = told("""
    round 3 begins: 2
    2a Js = 10
    dealer Ts = 10
    2a 3s = 13
    dealer ?? = 10
""")
LOST = told("""
    2a stands 13
    dealer turns 8s = 18
    dealer stands 18
    2a lose 5 -> 0 = 95: lower_total
    round 3 ends: 40 left
    round 4 opens
""")
LOST_LOG = (
    "Dealer Cards Revealed: (8, spades) (10, spades)\n"
    "Player lost with a score of 13. Dealer won with a score of 18.\n"
)


def make_bet(prompt: int) -> Ask:
    """Return an ask for the one bet that the ladder takes."""
    rung = WagerRange(minimum=500, maximum=500, step=500)
    return make_ask(prompt, Action.PLACE_BET, Action.SIT_OUT, wager=rung)


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Awaitable[str]]:
    """Return what plays from an empty folder by typed lines."""
    monkeypatch.chdir(tmp_path)

    async def play(
        address: Address, *typed: str, more: tuple[str, ...] = (), errors: str = ""
    ) -> str:
        options = ("--style", "dsc20", "--handle", "ned21", "--server", address.shown)
        lines = "".join(f"{line}\n" for line in typed)
        ended = await run_command(*options, *more, typed=lines)
        assert (ended.code, ended.errors) == (0, errors)
        return str(ended.output)

    return play


async def test_the_set_bet_is_placed_and_not_asked_for(play: Any) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_bet(1), house=HOUSE)
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        asked = make_ask(3, Action.STAND, Action.HIT)
        await server.update(11, STAKED, *DEALT, asks=(asked,))
        assert await server.hear() == Stand(prompt=3)
        await server.update(12, *LOST, asks=(make_bet(4),))
        assert await server.hear() == PlaceBet(prompt=4, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        said = await play(address, "s", "y")
    assert "Bet ($5" not in said
    assert f"Hit (h) or stand (s)?\n{LOST_LOG}The wallet has $95.\n" in said


async def test_a_refused_bet_is_asked_for(play: Any) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_bet(1), house=HOUSE)
        await server.hear()
        code = RefusalCode.BANK_STALLED
        await server.say(Refused(code=code, text="There is less.", prompt=1))
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        said = await play(address, "5")
    assert "There is less.\nBet ($5, o to sit out)?\n" in said


async def test_a_yes_that_comes_too_late_is_one_to_the_next_round(play: Any) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_bet(1), house=HOUSE)
        assert await server.hear() == PlaceBet(prompt=1, amount=500)
        late = Refused(code=RefusalCode.PROMPT_OVER, text="Too late.", prompt=1)
        await server.update(11, events.BettingOpened(round=4), asks=(make_bet(2),))
        await server.say(late)
        assert await server.hear() == PlaceBet(prompt=2, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        await play(address)


async def test_a_gift_is_asked_about_and_the_bet_follows(play: Any) -> None:
    async def script(server: Any) -> None:
        gift = make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT, gift=10_000)
        await server.hello(gift, house=HOUSE)
        assert await server.hear() == AcceptGift(prompt=1)
        given = events.GiftGiven(seat=2, amount=10_000, balance=10_000)
        await server.update(11, given, asks=(make_bet(2),))
        assert await server.hear() == PlaceBet(prompt=2, amount=500)
        await server.ask_and_part()

    async with fake_server(script) as address:
        said = await play(address, "y")
    assert "An anonymous donor gives ned21 $100.00.\n" in said


async def test_a_deck_that_ended_unseen_ends_the_game(play: Any) -> None:
    async def script(server: Any) -> None:
        asked = make_ask(3, Action.STAND, Action.HIT)
        await server.hello(make_bet(1), house=HOUSE)
        await server.hear()
        await server.update(11, STAKED, *DEALT, asks=(asked,))
        await server.hear()
        await server.update(12, events.ShoeShuffled(decks=1, cards=6, until_cut=None))
        await server.say(make_snapshot(make_bet(9), house=HOUSE, seq=20, round=4))
        assert await server.hear() == Recall(rounds=1)
        await server.say(Recalled(rounds=()))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s", "n", errors=GAP)
    assert "Not enough cards for a game.\n" in said


async def test_a_void_round_is_explained_and_not_summed_up(
    play: Any, tmp_path: Path
) -> None:
    async def script(server: Any) -> None:
        asked = make_ask(3, Action.STAND, Action.HIT)
        await server.hello(make_bet(1), house=HOUSE)
        await server.hear()
        await server.update(11, STAKED, *DEALT, asks=(asked,))
        assert await server.hear() == Stand(prompt=3)
        void = events.RoundVoided(round=3, text="The round cannot be played out.")
        back = events.BetReturned(seat=2, amount=500, balance=10_000)
        await server.update(12, void, back, asks=(make_bet(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s")
    assert "The round cannot be played out.\n$5.00 comes back to ned21.\n" in said
    assert (tmp_path / "game_summaries/game_summary1.txt").stat().st_size == 0


async def test_of_a_bot_nothing_is_printed_but_the_log(play: Any) -> None:
    async def script(server: Any) -> None:
        asked = make_ask(3, Action.STAND, Action.HIT)
        await server.hello(make_bet(1), house=HOUSE, notices=("Stacked.",))
        await server.hear()
        await server.update(11, STAKED, *DEALT, asks=(asked,))
        await server.hear()
        await server.update(12, *LOST, asks=(make_bet(4),))
        await server.part()

    more = ("--bot", "threshold:13", "--rounds", "1")
    async with fake_server(script) as address:
        said = await play(address, more=more)
    assert said == (
        "Player Cards: (3, spades) (J, spades)\n"
        f"Dealer Cards: (10, spades) (?, ?)\n{LOST_LOG}"
    )
