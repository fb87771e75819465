"""Asides: chat, and players of whom nothing more is to be heard."""

from typing import Any

import pytest

from bj_client.question.question import Complaint, Mute, read_slash
from bj_protocol.commands import Chat, PlaceBet
from bj_protocol.events import Said
from support.fake_server import fake_server
from support.message import make_ask
from support.visit import run_lines


@pytest.mark.parametrize("text", ["", "50", "say hello", "y"])
def test_what_has_no_slash_is_no_aside(text: str) -> None:
    assert read_slash(text) is None


def test_what_is_said_is_harmless_before_it_is_sent() -> None:
    assert read_slash("  /SAY  hit\tme\x1b[1m\u202e ") == Chat(text="hit me[1m")


@pytest.mark.parametrize(
    "text",
    ["/", "//", "/say", "/say  \u200b", "/dance", "/mute", "/mute ../x", "/unmute"],
)
def test_what_means_nothing_is_a_sentence_that_does_not_repeat_it(text: str) -> None:
    complaint = read_slash(text)
    assert isinstance(complaint, Complaint)
    assert complaint.sentence.endswith(
        "write /say TEXT, /mute HANDLE, /unmute HANDLE, /history or /help."
    )
    assert "dance" not in complaint.sentence


def test_a_saying_has_an_end() -> None:
    assert isinstance(read_slash("/say " + "x" * 200), Chat)
    assert isinstance(read_slash("/say " + "x" * 201), Complaint)


def test_a_mute_can_be_taken_back() -> None:
    assert read_slash("/mute EVE") == Mute("eve", is_muted=True)
    assert read_slash("/unmute eve") == Mute("eve", is_muted=False)


async def test_chat_goes_out_and_the_question_stays_open() -> None:
    heard: list[object] = []

    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        heard.extend([await server.hear(), await server.hear()])
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, "/say good luck!\n/foo\n50\n")
    assert heard == [Chat(text="good luck!"), PlaceBet(prompt=7, amount=5000)]
    assert "That is none of the words with a slash: " in shown


@pytest.mark.parametrize(
    ("typed", "is_heard"),
    [("/mute LIA9\n", False), ("/mute lia9\n/unmute lia9\n", True)],
)
async def test_a_muted_player_is_heard_no_more_until_unmuted(
    typed: str, is_heard: bool
) -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(7))
        assert await server.hear() == Chat(text="now")
        assert await server.hear() == PlaceBet(prompt=7, amount=5000)
        await server.update(11, Said(seat=1, handle="lia9", text="one"))
        await server.ask_and_part()

    async with fake_server(script) as address:
        shown = await run_lines(address, f"{typed}/say now\n50\n")
    assert "lia9 is muted for you." in shown
    assert ("You hear lia9 again." in shown) is is_heard
    assert ("lia9 says: one" in shown) is is_heard
