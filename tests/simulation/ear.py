"""What is heard in the world: each text is read once, however many hear it."""

from functools import lru_cache

from bj_protocol.codec import decode_message
from bj_protocol.messages import Message


@lru_cache(maxsize=512)
def read(text: str) -> Message:
    return decode_message(text)
