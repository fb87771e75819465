"""A round as a server tells it: 16 against a ten, then 17."""

from collections.abc import Awaitable, Callable
from typing import Any

from bj_protocol.action import Action
from bj_protocol.events import CardDealt
from support.message import make_ask
from support.told import told

PLAY = (Action.HIT, Action.STAND)


def a_round() -> Callable[[Any], Awaitable[None]]:
    """Return a server's part of a round: 16 against a ten, then 17."""
    cards = [(2, "Ts", 10), (0, "Td", 10), (2, "6h", 16), (0, "??", 10)]

    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        await server.hear()
        await server.update(
            11,
            *told("""
                2 bets 50 -> 9950
                round 3 begins: 2
            """),
            *(
                CardDealt(seat=seat, hand=0, card=card, total=total, soft=False)
                for seat, card, total in cards
            ),
            asks=(make_ask(2, *PLAY),),
        )
        await server.hear()
        ace = CardDealt(seat=2, hand=0, card="Ac", total=17, soft=False)
        await server.update(12, ace, asks=(make_ask(3, *PLAY),))
        await server.hear()
        await server.update(
            13,
            *told("""
                2a stands 17
                2a win 50 -> 100 = 10050: dealer_busted
                round 3 ends: 400 left, cut in 330
                round 4 opens
            """),
            asks=(make_ask(4),),
        )
        await server.part()

    return script
