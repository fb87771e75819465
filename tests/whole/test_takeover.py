"""T7: a line that is frozen is taken over by a second client of the same player."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bj_client.bot.bot import Bot
from bj_client.error import TakenOverError
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.play.bot_session import AutoSession
from bj_client.play.narrator import Narrator
from bj_client.play.visit import Visit
from bj_game.strategies import BasicPlayer
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.views import Ask
from support.returning import AT_ONCE
from support.serving import key_of, serving
from whole.guest import Guest
from whole.wire_cutter import WireCutter, wire_cutter

PATIENT = ("--no-clock",)
CARDS = "9h Th 9c 7h 8s 8d"
"""16 for tess, 18 for ned21, 17 for the dealer."""


class Freezing(Bot):
    """A bot whose line freezes when it is asked for a certain answer."""

    def __init__(self, cutter: WireCutter, action: Action) -> None:
        super().__init__(BasicPlayer(bet=10))
        self._cutter = cutter
        self._action = action
        self.asked: asyncio.Future[Ask] = asyncio.get_running_loop().create_future()

    def answer(self, ask: Ask, table: Table) -> AnyAnswer:
        if self._action in ask.actions and not self.asked.done():
            self._cutter.freeze()
            self.asked.set_result(ask)
        return super().answer(ask, table)


def sits(snapshot: dict[str, Any], handle: str) -> list[dict[str, Any]]:
    return [seat for seat in snapshot["seats"] if seat["handle"] == handle]


async def take_over(folder: Path, action: Action) -> None:
    """Freeze ned21's line at a question, and have a second ned21 answer it."""
    async with (
        serving(folder, *PATIENT, "--stack", CARDS) as uri,
        wire_cutter(uri) as (cutter, address),
        asyncio.timeout(60),
    ):
        keys = Keyring(address.name, warn=pytest.fail)
        keys.path("ned21").unlink(missing_ok=True)  # of an earlier proxy on this port
        keys.keep(keys.path("ned21"), key_of("ned21"))
        bot = Freezing(cutter, action)
        visit = Visit(
            ("ned21",),
            Narrator.silent(),
            lambda hotseat, narrator: AutoSession(hotseat.storyteller, narrator, bot),
            keys=keys,
            policy=AT_ONCE,
        )
        tess = await Guest.sit(uri, "tess")
        first = asyncio.create_task(visit.run(address))
        try:
            await visit.seated.wait()
            await tess.answer("place_bet", 10)
            if action is Action.STAND:
                await tess.answer("stand")
            second = await answer_instead(uri, tess, await bot.asked)
            cutter.thaw()  # and with it goes the first one's answer to the question
            with pytest.raises(TakenOverError):
                await first
            await see_one_player(tess, 2000 if action is Action.PLACE_BET else 1000)
            await second.leave()
            await tess.leave()
        finally:
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)


async def answer_instead(uri: str, tess: Guest, ask: Ask) -> Guest:
    """Join as a second ned21, find all as it was, and play the round to its end."""
    second = await Guest.sit(uri, "ned21")
    assert second.seat == ask.seat
    assert (await second.asked())["prompt"] == ask.prompt
    mine = sits(second.snapshot, "ned21")
    assert mine == sits(await tess.look(), "ned21")
    if Action.PLACE_BET in ask.actions:
        await second.answer("place_bet", 20)
        await tess.answer("stand")
    else:
        assert [hand["cards"] for hand in mine[0]["hands"]] == [["Th", "8s"]]
    await second.answer("stand")
    return second


async def see_one_player(tess: Guest, won: int) -> None:
    """See that tess has heard of one ned21, who has won so many cents."""
    (seat,) = sits(await tess.look(), "ned21")
    assert seat["balance"] == 1_000_000 + won
    coming = tess.seen("player_joined", "player_left", "presence_changed")
    assert [event["type"] for event in coming] == ["player_joined"]


@pytest.mark.parametrize("action", [Action.PLACE_BET, Action.STAND])
async def test_T7_a_frozen_line_is_taken_over_and_nobody_sees_a_second_player(
    tmp_path: Path, action: Action
) -> None:
    await take_over(tmp_path / "bank", action)


@pytest.mark.torture
async def test_T7_500_frozen_lines_are_taken_over(tmp_path: Path) -> None:
    for number in range(500):
        action = (Action.PLACE_BET, Action.STAND)[number % 2]
        await take_over(tmp_path / str(number), action)
    print("500 frozen lines, each taken over with its seat, cards and question")
