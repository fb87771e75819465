"""What is heard in the world: each text is read once, however many hear it."""

from functools import lru_cache

from bj_protocol.codec import decode_message
from bj_protocol.messages import Message

decode = lru_cache(maxsize=512)(decode_message)


@lru_cache(maxsize=512)
def text_of(data: bytes) -> str | None:
    """Return the text of a server's frame; None for other bytes."""
    if data[:1] != b"\x81":
        return None
    start = {126: 4, 127: 10}.get(data[1], 2)
    return data[start:].decode()


def read(text: str) -> Message:
    return decode(text)
