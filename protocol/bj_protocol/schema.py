"""The JSON Schema of the protocol, written to a folder for other languages.

python -m bj_protocol.schema docs/protocol
"""

import json
import sys
from pathlib import Path

from pydantic import TypeAdapter

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Command
from bj_protocol.messages import Message


def schemas() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    parts: dict[str, TypeAdapter[Command] | TypeAdapter[Message]] = {
        "command": TypeAdapter(Command),
        "message": TypeAdapter(Message),
    }
    return {
        f"{name}.schema.json": _text(name, adapter) for name, adapter in parts.items()
    }


def _text(name: str, adapter: TypeAdapter[Command] | TypeAdapter[Message]) -> str:
    schema = adapter.json_schema(mode="validation")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"protocol version {PROTOCOL_VERSION}",
        "title": f"{name.capitalize()} of the blackjack table",
    }
    return json.dumps(head | schema, indent=1) + "\n"


def main(arguments: list[str]) -> None:
    """Write the schema files into the folder that is named."""
    folder = Path(arguments[0])
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
