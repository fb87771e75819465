"""What a hostile client sends straight over the socket changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from support.serving import join, read, serving

NUMBERS = ["0", "-1", "-0", "-1000000000000", "1", "150", "1000100", "9" * 4299]
NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "0.5", "1e3", "9999.9999"]
NO_NUMBERS += ["5.6e-14", '"100"', "null", "true", "[]", "{}", "", "9" * 4301]


async def picture(line: ClientConnection) -> dict[str, Any]:
    """Ask for the table, without the time that runs down."""
    await line.send('{"type":"resync"}')
    snapshot = await read(line)
    assert snapshot["type"] == "snapshot"
    snapshot["turn"].pop("milliseconds")
    return snapshot


async def refuse_all(line: ClientConnection, kind: str, prompt: int) -> None:
    """Send every wrong amount, and see each refused with nothing changed."""
    before = await picture(line)
    for amount in NUMBERS:
        text = f'{{"type":"{kind}","prompt":{prompt},"amount":{amount}}}'
        await line.send(text)
        refused = await read(line)
        assert refused["type"] == "refused", amount
        assert refused["prompt"] == prompt
        assert refused["text"].endswith(".")
    assert await picture(line) == before


async def refuse_bad(line: ClientConnection, kind: str, prompt: int) -> None:
    """Send what is no amount at all; ten such frames are answered on a line."""
    before = await picture(line)
    for amount in NO_NUMBERS[:5]:
        await line.send(f'{{"type":"{kind}","prompt":{prompt},"amount":{amount}}}')
        refused = await read(line)
        assert (refused["type"], refused["code"]) == ("refused", "bad_message"), amount
    assert await picture(line) == before


async def test_B1_B10_B12_wrong_amounts_over_the_socket_change_nothing(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "bank", "--stack", "Ts Ah 9s 7d") as uri:
        line = await join(uri)
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        await refuse_all(line, "place_bet", prompt)
        await refuse_bad(line, "place_bet", prompt)
        bet = {"type": "place_bet", "prompt": prompt, "amount": 10_000}
        await line.send(json.dumps(bet))
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        await refuse_all(line, "insure", prompt)
        await refuse_bad(line, "insure", prompt)
        await line.close()


@pytest.mark.parametrize("amount", NO_NUMBERS)
async def test_B9_what_is_no_whole_number_is_a_bad_message(
    tmp_path: Path, amount: str
) -> None:
    async with serving(tmp_path / "bank") as uri:
        line = await join(uri)
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        before = await picture(line)
        await line.send(f'{{"type":"place_bet","prompt":{prompt},"amount":{amount}}}')
        assert (await read(line))["code"] == "bad_message"
        assert await picture(line) == before
        await line.close()


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("split", "not_the_first_decision"),
        ("double", "not_the_first_decision"),
        ("insure", "insurance_not_offered"),
        ("decline", "wrong_answer"),
        ("accept_gift", "wrong_answer"),
        ("place_bet", "wrong_answer"),
    ],
)
async def test_R9_a_hand_made_message_that_is_not_offered_is_refused(
    tmp_path: Path, kind: str, code: str
) -> None:
    async with serving(tmp_path / "bank", "--stack", "4s 9h 4d 8h Kc") as uri:
        line = await join(uri)
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        bet = {"type": "place_bet", "prompt": prompt, "amount": 10_000}
        await line.send(json.dumps(bet))
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        await line.send(json.dumps({"type": "hit", "prompt": prompt}))
        prompt = (await read(line))["turn"]["asks"][0]["prompt"]
        before = await picture(line)
        extra = {"amount": 100} if kind in {"insure", "place_bet"} else {}
        await line.send(json.dumps({"type": kind, "prompt": prompt} | extra))
        refused = await read(line)
        assert (refused["type"], refused["code"]) == ("refused", code)
        assert await picture(line) == before
        await line.close()
