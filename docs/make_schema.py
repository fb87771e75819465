"""Write docs/protocol/: the JSON Schema of the protocol, for other languages.

python docs/make_schema.py
"""

import ast
import inspect
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import ModelSchema

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.commands import Command
from bj_protocol.messages import Message
from bj_protocol.model import Model

FOLDER = Path(__file__).parent / "protocol"


def schemas() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    parts: dict[str, TypeAdapter[Any]] = {
        "command": TypeAdapter(Command),
        "message": TypeAdapter(Message),
    }
    return {
        f"{name}.schema.json": _text(name, adapter) for name, adapter in parts.items()
    }


def _text(name: str, adapter: TypeAdapter[Any]) -> str:
    schema = adapter.json_schema(schema_generator=_Described, mode="validation")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"protocol version {PROTOCOL_VERSION}",
        "title": f"{name.capitalize()} of the blackjack table",
    }
    return json.dumps(head | schema, indent=1) + "\n"


class _Described(GenerateJsonSchema):
    """Adds the docstrings of fields.

    ``use_attribute_docstrings`` of pydantic does it for each model that is imported;
    that takes an eighth of the time in which a command starts.
    """

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Return the schema of a model, with the docstrings of its fields."""
        described = super().model_schema(schema)
        for base in reversed(schema["cls"].__mro__):
            if issubclass(base, Model) and base is not Model:
                for name, text in _docstrings(base):
                    described["properties"][name]["description"] = text
        return described


def _docstrings(model: type[Model]) -> Iterator[tuple[str, str]]:
    (definition,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)
    for field, after in pairwise(definition.body):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
            case _:
                pass


if __name__ == "__main__":
    for file, text in schemas().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
