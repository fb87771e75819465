"""A frame of our own making, beside the library's."""

import pytest
from websockets.frames import Frame, Opcode

from bj_server.net.wire import frame_of


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_a_frame_has_the_bytes_of_the_librarys(size: int) -> None:
    text = "\u00e9" * (size // 2) + "x" * (size % 2)
    assert frame_of(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
