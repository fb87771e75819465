"""The codec: text to messages and back, for both ends of the line.

The adapters are built once. A text that cannot be read becomes a ``MessageError``,
whose sentence never repeats the text.
"""

import json
from collections.abc import Callable

from pydantic import TypeAdapter, ValidationError

from bj_protocol.commands import Command
from bj_protocol.messages import Message

_Text = str | bytes
_read_command: Callable[[_Text], Command] = TypeAdapter(Command).validator.validate_json
_read_message: Callable[[_Text], Message] = TypeAdapter(Message).validator.validate_json

_SENTENCES = {
    "json_invalid": "The message is not valid JSON.",
    "dict_type": "The message is not a JSON object.",
    "union_tag_not_found": "The message has no type.",
    "union_tag_invalid": "There is no message of that type.",
    "extra_forbidden": "The message has a field that its type does not have.",
    "unexpected_keyword_argument": (  # what dataclasses call it
        "The message has a field that its type does not have."
    ),
}


class MessageError(ValueError):
    """A text that is no message of the protocol; the first argument is a sentence."""


def encode(value: Command | Message) -> str:
    """Return the JSON text of a command or message.

    >>> from bj_protocol.commands import PlaceBet
    >>> encode(PlaceBet(prompt=7, amount=5000))
    '{"prompt":7,"type":"place_bet","amount":5000,"spots":1,"commitment":null}'
    """
    return value.model_dump_json()


def decode_command(text: str | bytes) -> Command:
    """Read what a client sent.

    Raises:
        MessageError: if it is not exactly one command.

    >>> decode_command('{"type":"hit","prompt":7}')
    Hit(prompt=7, type=<Action.HIT: 'hit'>)
    """
    try:
        return _read_command(text)
    except ValidationError as error:
        raise _error_of(error) from None


def decode_message(text: str | bytes) -> Message:
    """Read what a server sent.

    Raises:
        MessageError: if it is not exactly one message.
    """
    try:
        return _read_message(text)
    except ValidationError as error:
        raise _error_of(error) from None


def version_of(text: str | bytes) -> int | None:
    """Return the version that a text of any version of the protocol names, if any.

    >>> version_of('{"type":"hello","version":1,"cuts":true}')
    1
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    version = fields.get("version") if isinstance(fields, dict) else None
    return version if type(version) is int else None


def _error_of(error: ValidationError) -> MessageError:
    first = error.errors(include_input=False)[0]
    known = _SENTENCES.get(first["type"])
    return MessageError(
        known or f"The field {first['loc'][-1]} is not valid: {first['msg']}."
    )
