"""Nothing that a client sends comes back to it, or gets into the log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from bj_protocol.commands import Command
from support.door import Door
from support.rig import Rig
from support.serving import hello

CANARY = "canary\x1b[31m\u202ecanary"
_TYPES: dict[str, Any] = TypeAdapter(Command).json_schema()["$defs"]


def commands() -> Iterator[dict[str, Any]]:
    """Go through one example of every command, with all of its fields."""
    for schema in _TYPES.values():
        fields = schema.get("properties", {})
        if "type" in fields:
            kind = fields["type"].get("const")
            example = dict.fromkeys(fields, 1) | {"type": kind}
            yield example | (json.loads(hello("x")) if kind == "hello" else {})


def texts() -> Iterator[str]:
    """Go through messages that have the canary in every place it can have."""
    shown = json.dumps(CANARY)
    yield from (CANARY, shown, f"[{shown}]", f"{{{shown}", f'{{"type":{shown}}}')
    for command in commands():
        yield json.dumps(command | {CANARY: 1})
        spoken = {"text"} if command["type"] == "chat" else set()  # to be heard by all
        for name in command.keys() - spoken:
            yield json.dumps(command | {name: CANARY})
            yield json.dumps(command | {name: {CANARY: [CANARY]}})


@pytest.mark.parametrize("is_joined", [False, True])
async def test_S3_nothing_of_a_payload_is_echoed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_joined: bool
) -> None:
    caplog.set_level("DEBUG")
    with Rig(tmp_path / "bank") as rig:
        door = Door(rig)
        sent = list(texts())
        assert len(sent) > 80
        for line, text in enumerate(sent, 1):
            session, transport = door.connect(line)
            if is_joined:
                session.received(hello(f"ned{line % 3}"))
                await door.work()
                door.time += 10
            session.received(text)
            if door.dealer._inbox._commands:
                await door.work()
            assert transport.sent, text
            said = "".join(transport.sent) + str(transport.closed)
            assert "canary" not in said.lower(), text
    assert caplog.text
    assert "canary" not in caplog.text.lower()
