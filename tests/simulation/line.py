"""Lines between guests and a server: what each end may do, and one over bytes.

``Line`` is what a guest holds. ``WireLine`` speaks the frames of RFC 6455 over a
``Wire``; a server without a net has a line of its own.
"""

import random
from typing import TYPE_CHECKING, Protocol

from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command
from simulation.frames import CLOSE, OPENING, PING, PONG, TEXT, Frames, frame
from simulation.network import Wire

if TYPE_CHECKING:
    from collections.abc import Callable


class Listener(Protocol):
    """A guest, as its line knows it."""

    def hear(self, text: str) -> None: ...

    def closed(self, code: int) -> None:
        """Note that the server has ended the conversation."""

    def lost(self) -> None:
        """Note that the line is gone."""


class Line(Protocol):
    """The end of a guest."""

    @property
    def is_dead(self) -> bool:
        """Whether nothing passes any more, and nobody knows."""

    @property
    def is_over(self) -> bool: ...

    def say(self, command: Command) -> None: ...

    def offend(self, chance: random.Random, answer: AnyAnswer) -> None:
        """Say what no client says, perhaps an answer."""

    def cut(self) -> None:
        """Break in the middle; both ends hear of it."""

    def go_dead(self) -> None: ...

    def freeze(self) -> None:
        """Read no more, until ``thaw``."""

    def thaw(self) -> None: ...

    def hang_up(self) -> None:
        """Close, as the guest; the server hears of it unless the line is dead."""

    def break_down(self) -> None:
        """Let the guest hear at once that the server has dropped the line."""

    def hush(self) -> None:
        """Have nobody listen any more, while the line stays open."""


class Nobody:
    """The end of a line whose guest listens no more."""

    def hear(self, text: str) -> None:
        pass

    def closed(self, code: int) -> None:
        pass

    def lost(self) -> None:
        pass


class WireLine:
    """A line of frames."""

    def __init__(self, guest: Listener) -> None:
        self._guest = guest
        self._frames = Frames()
        self._said = Frames()
        """What the server says, before it is on its way."""
        self._wire: Wire | None = None
        self._tell: Callable[[str], None] = lambda _: None

    def open(self, wire: Wire, tell: "Callable[[str], None]") -> None:
        """Knock; ``tell`` is shown each text at the moment at which it is said."""
        self._wire, self._tell = wire, tell
        wire.knock()
        wire.send(OPENING)

    @property
    def wire(self) -> Wire:
        assert self._wire is not None
        return self._wire

    @property
    def is_dead(self) -> bool:
        return self.wire.is_dead

    @property
    def is_over(self) -> bool:
        return self.wire.is_over

    def say(self, command: Command) -> None:
        self.wire.send(frame(TEXT, encode(command).encode()))

    def offend(self, chance: random.Random, answer: AnyAnswer) -> None:
        text, send = encode(answer).encode(), self.wire.send
        kind = chance.randrange(7)
        if kind == 0:
            send(frame(TEXT, chance.randbytes(chance.randrange(40))))
        elif kind == 1:
            send(frame(2, text))
        elif kind == 2:
            half = len(text) // 2
            send(frame(TEXT, text[:half], is_last=False) + frame(0, text[half:]))
        elif kind == 3:
            send(frame(PING, b"x") * chance.choice((1, 30)))
        elif kind == 4:
            send(frame(TEXT, b'{"type":"hello","version":2,"handle":"ned21"}'))
        elif kind == 5 and chance.random() < 0.2:
            send(frame(TEXT, b" " * 20_000))
        else:
            send(frame(TEXT, text) * chance.choice((1, 1, 2, 5)))

    def cut(self) -> None:
        self.wire.cut()

    def go_dead(self) -> None:
        self.wire.is_dead = True

    def freeze(self) -> None:
        self.wire.is_frozen = True

    def thaw(self) -> None:
        self.wire.thaw()

    def hang_up(self) -> None:
        self.wire.hang_up()

    def break_down(self) -> None:
        self.wire.break_down()

    def hush(self) -> None:
        self._guest = Nobody()

    # As the ear of its wire.

    def overhear(self, data: bytes) -> None:
        """Show what the server says, at the moment at which it says it."""
        for code, content in self._said.take(data):
            if code == TEXT:
                self._tell(content.decode())

    def take(self, data: bytes) -> None:
        for code, content in self._frames.take(data):
            if code == TEXT:
                self._guest.hear(content.decode())
            elif code == PING:
                self.wire.send(frame(PONG, content))
            elif code == CLOSE:
                self.wire.send(frame(CLOSE, content[:2]))
                self.wire.hang_up()
                self._guest.closed(int.from_bytes(content[:2], "big"))
            if self.is_over:
                return
        if self._frames.status not in (None, 101):
            self.wire.hang_up()
            self.lost()

    def lost(self) -> None:
        self._guest.lost()
