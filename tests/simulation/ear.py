"""What is heard in the world: each text is read once, however many hear it."""

from bj_protocol.codec import decode_message
from bj_protocol.messages import Message

_MOST = 512
_known: dict[str, Message] = {}


def read(text: str) -> Message:
    message = _known.get(text)
    if message is None:
        message = decode_message(text)
        know(text, message)
    return message


def know(text: str, message: Message) -> None:
    """Have a text be read as a message without a look at it."""
    if len(_known) >= _MOST:
        _known.clear()
    _known[text] = message
