"""What is heard in the world: each text is read once, however many hear it."""

from functools import lru_cache

from bj_protocol.codec import decode_message
from bj_protocol.messages import Message

decode = lru_cache(maxsize=512)(decode_message)


@lru_cache(maxsize=512)
def texts_of(data: bytes) -> tuple[str, ...]:
    """Return the texts of whole frames that a server has written at once."""
    if data[:1] < b"\x80":  # it still talks of the upgrade
        return ()
    texts = []
    while data:
        size, start = data[1], {126: 4, 127: 10}.get(data[1], 2)
        end = start + (int.from_bytes(data[2:start], "big") if size >= 126 else size)
        if data[0] == 0x81:
            texts.append(data[start:end].decode())
        data = data[end:]
    return tuple(texts)


def read(text: str) -> Message:
    return decode(text)
