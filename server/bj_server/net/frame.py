"""The frame: a text message as the bytes of the wire (RFC 6455, 5.2)."""

_TEXT = 0x81
"""The first byte of a text message in one frame."""


def frame_of(text: str) -> bytes:
    r"""Return the frame of a text; no extension is agreed on, and none is masked.

    >>> frame_of("hi")
    b'\x81\x02hi'
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((_TEXT, size)) + data
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + data
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + data
