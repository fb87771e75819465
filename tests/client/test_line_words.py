"""A visit by typed words: bets made again, a hint, and how one has fared."""

from typing import Any

from bj_protocol.action import Action, By
from bj_protocol.commands import PlaceBet, Stand
from bj_protocol.events import HandStood
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from support.fake_server import fake_server
from support.message import make_ask
from support.told import told
from support.visit import run_lines

DEALT = told("""
    2 bets 50 -> 9950
    round 3 begins: 2
    2a 8s = 8
    dealer Td = 10
    2a 9h = 17
    dealer ?? = 10
""")
STOOD = HandStood(seat=2, hand=0, total=17, by=By.PLAYER)


async def test_bets_are_made_again_and_the_score_and_a_hint_are_told() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        for prompt, amount in ((1, 2500), (2, 2500), (3, 5000)):
            assert await server.hear() == PlaceBet(prompt=prompt, amount=amount)
            await server.update(10 + prompt, asks=(make_ask(prompt + 1),))
        assert await server.hear() == PlaceBet(prompt=4, amount=1_000_000)
        await server.update(14, *DEALT, asks=(make_ask(5, Action.HIT, Action.STAND),))
        assert await server.hear() == Stand(prompt=5)
        await server.update(15, STOOD, asks=(make_ask(6),))
        await server.part()

    typed = ("hint", "25", "again", "twice", "all in", "hint", "s", "score", "")
    async with fake_server(script) as address:
        shown = await run_lines(address, "\n".join(typed))
    assert "Basic strategy has nothing to say now" in shown
    assert "Basic strategy: stand." in shown
    assert "ned21: 0 rounds, 0 won, 0 lost, 0 pushed, net $0.00, bank " in shown
    assert "made 1 of 1 play as basic strategy does." in shown


async def test_a_refusal_is_not_taken_for_the_proof_of_a_round() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == PlaceBet(prompt=7, amount=500)
        for text in ("Round 57 is proven: 0123 4567.", "Wager $1.00 to $10,000.00."):
            refused = Refused(code=RefusalCode.TOO_FAST, text=text, prompt=7)
            await server.say(refused)
        await server.part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "5\n")
    assert "The table says: Round 57 is proven: 0123 4567.\n" in shown
    assert "\nWager $1.00 to $10,000.00.\n" in shown
