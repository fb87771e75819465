"""The game of ``--style cs1114`` where the server does what it seldom does."""

from typing import Any

from bj_client.net.address import Address
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import AcceptGift, Hit, PlaceBet, Stand
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import (
    HouseView,
    Phase,
)
from support.fake_server import fake_server
from support.message import make_ask, make_hand, make_seat, make_snapshot
from support.returning import in_turn
from support.told import told
from support.visit import run_command

HOUSE = HouseView(name="cs1114", title="Endless", rules=(), minimum_bet=100)
GAP = "bj-client: Round 3: the updates before update 20 are not told.\n"
WELCOME = "Let's Play Blackjack!\n\n"
DRAWN = "Player drew J and 3.\nPlayer's total is 13.\n\n"
GOODBYE = "Play again (Y/N)? N\n\nGoodbye.\n"
DEALT = told("""
    2 bets 1 -> 9999
    round 3 begins: 2
    2a Js = 10
    2a 3s = 13
""")


def lost(round_number: int) -> tuple[events.Event, ...]:
    """Return how a hand that stood at 13 is beaten, and the next round opens."""
    return told(f"""
        2a stands 13
        dealer Ts = 10
        dealer 8s = 18
        2a lose 1 -> 0 = 9999: lower_total
        round {round_number} ends
        round {round_number + 1} opens
    """)


LOST = "The dealer has 10 and 8.\nDealer's total is 18.\n\nYOU LOSE!\n\n"
STAYED = "Hit (h) or Stay (s)? s\n\n"


async def play(address: Address, *typed: str, errors: str = "", **more: Any) -> str:
    options = ("--style", "cs1114", "--handle", "ned21", "--server", address.shown)
    played = await run_command(
        *options, typed="".join(f"{line}\n" for line in typed), **more
    )
    assert (played.code, played.errors) == (0, errors)
    return str(played.output)


async def test_the_gift_is_taken_and_the_minimum_staked_in_silence() -> None:
    gift = make_ask(1, Action.ACCEPT_GIFT, Action.SIT_OUT, gift=1000)
    play_ask = make_ask(3, Action.STAND, Action.HIT)

    async def script(server: Any) -> None:
        await server.hello(gift, house=HOUSE)
        assert await server.hear() == AcceptGift(prompt=1)
        given = events.GiftGiven(seat=2, amount=1000, balance=1000)
        await server.update(11, given, asks=(make_ask(2),))
        assert await server.hear() == PlaceBet(prompt=2, amount=100)
        await server.update(12, *DEALT, asks=(play_ask,))
        assert await server.hear() == Stand(prompt=3)
        await server.update(13, *lost(3), asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s", "N")
    assert said == WELCOME + DRAWN + STAYED + LOST + GOODBYE


async def test_a_game_under_way_is_told_so_far() -> None:
    hand = make_hand("Js 3s", 13, stake=100)
    mine = make_seat(2, "ned21", hands=(hand,))

    async def script(server: Any) -> None:
        asked = make_ask(3, Action.STAND, Action.HIT)
        await server.hello(asked, house=HOUSE, phase=Phase.PLAYING, seats=(mine,))
        assert await server.hear() == Stand(prompt=3)
        await server.update(11, *lost(3), asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s", "N")
    assert said == WELCOME + DRAWN + STAYED + LOST + GOODBYE


async def test_a_voided_round_is_explained_and_another_game_offered() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, Action.STAND, Action.HIT),))
        assert await server.hear() == Stand(prompt=3)
        void = events.RoundVoided(round=3, text="The round cannot be played out.")
        await server.update(12, void, asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s", "N")
    void = "The table says: The round cannot be played out.\n\n"
    assert said == WELCOME + DRAWN + STAYED + void + GOODBYE


async def test_a_refused_answer_is_explained_and_asked_for_again() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, Action.STAND, Action.HIT),))
        assert await server.hear() == Hit(prompt=3)
        code = RefusalCode.BANK_STALLED
        await server.say(Refused(code=code, text="Not now.", prompt=3))
        assert await server.hear() == Stand(prompt=3)
        await server.update(12, *lost(3), asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "h", "s", "N")
    again = "Hit (h) or Stay (s)? h\n\nNot now.\n\n"
    assert said == WELCOME + DRAWN + again + STAYED + LOST + GOODBYE


async def test_a_game_whose_end_was_missed_is_over() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, Action.STAND, Action.HIT),))
        assert await server.hear() == Stand(prompt=3)
        await server.say(make_snapshot(make_ask(9), house=HOUSE, seq=20, round=4))
        await server.part()

    async with fake_server(script) as address:
        said = await play(address, "s", "N", errors=GAP)
    assert said == WELCOME + DRAWN + STAYED + GOODBYE


async def test_it_leaves_after_a_number_of_games() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, Action.STAND, Action.HIT),))
        await server.hear()
        await server.update(12, *lost(3), asks=(make_ask(4),))
        await server.part()

    async with fake_server(script) as address:
        options = ("--style", "cs1114", "--handle", "ned21", "--rounds", "1")
        played = await run_command(*options, "--server", address.shown, typed="s\n")
    assert played.output == WELCOME + DRAWN + STAYED + LOST + "Goodbye.\n"


async def test_a_lost_line_says_goodbye_and_why() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(make_ask(3, Action.STAND, Action.HIT),))
        await server.hear()
        await server.socket.close(1001)

    async with fake_server(script) as address:
        options = ("--style", "cs1114", "--handle", "ned21", "--reconnect", "0")
        played = await run_command(*options, "--server", address.shown, typed="s\n")
    assert played.code == 6
    assert played.output == WELCOME + DRAWN + STAYED + "Goodbye.\n"
    assert len(played.errors.splitlines()) == 1


async def test_a_game_goes_on_when_the_line_is_back() -> None:
    asked = make_ask(3, Action.STAND, Action.HIT)

    async def before(server: Any) -> None:
        await server.hello(make_ask(1), house=HOUSE)
        await server.hear()
        await server.update(11, *DEALT, asks=(asked,))
        assert await server.hear() == Stand(prompt=3)
        await server.socket.close(1001)

    async def after(server: Any) -> None:
        await server.hello(asked, seq=11, house=HOUSE)
        assert await server.hear() == Stand(prompt=3)
        await server.update(12, *lost(3), asks=(make_ask(4),))
        await server.part()

    async with fake_server(in_turn(before, after)) as address:
        said = await play(address, "s", "N")
    line = f"The line to {address.shown} is"
    told = f"{line} lost; trying again...\n\n{line} back.\n\n"
    told += "Your last answer may not have arrived, so it is sent again.\n\n"
    assert said == WELCOME + DRAWN + STAYED + told + LOST + GOODBYE


async def test_another_house_on_return_is_the_end() -> None:
    async def before(server: Any) -> None:
        await server.hello(house=HOUSE)
        await server.socket.close(1001)

    async def after(server: Any) -> None:
        await server.hello(make_ask(1))
        await server.socket.wait_closed()

    async with fake_server(in_turn(before, after)) as address:
        options = ("--style", "cs1114", "--handle", "ned21")
        played = await run_command(*options, "--server", address.shown)
    assert played.code == 2
    assert "this table plays cpsc386" in played.errors
