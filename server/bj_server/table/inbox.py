"""The inbox: everything that can happen to a table, one command after another.

Commands of clients, connections that come and go, and time that passes arrive in the
same way, so a test can play any of them in any order.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bj_protocol.commands import AnyAnswer, Chat, Leave, Resync, Watch

if TYPE_CHECKING:
    from bj_server.table.clock import Pace

_CROWDED = 64
_OF_ONE_LINE = 8
"""Commands of one line that may wait, so that none delays another's by more."""


def _freely() -> None:
    """Let an account be opened."""


BY_HOST = "The host has sent you away from this table"


@dataclass(frozen=True, slots=True)
class Join:
    """A player has said hello on a line; ``handle`` is canonical."""

    line: int
    handle: str
    sha256: str = field(repr=False)
    """The hash of the key that was shown."""
    address: str | None = None
    """The address of the line, for the log."""
    open_account: Callable[[], None] = field(default=_freely, repr=False)
    """Is called before an account is opened; a ``RefusalError`` keeps it from that."""


@dataclass(slots=True)
class FromLine:
    """A command of a client, with the line it came by; chat is not cleaned yet."""

    line: int
    command: Watch | Leave | Resync | Chat | AnyAnswer
    received_at: float | None = None
    """When it came, in seconds of the gauges; None if nobody measures."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """A line is gone without a word."""

    line: int


@dataclass(frozen=True, slots=True)
class Linked:
    """All links of a call are here."""


@dataclass(frozen=True, slots=True)
class Proclaim:
    """The host says something to everyone at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class SendAway:
    """A player has to leave the table; a live hand is stood and settled."""

    handle: str
    why: str = BY_HOST
    """The begin of a sentence."""


@dataclass(frozen=True, slots=True)
class Mute:
    """The host lets a player chat no more, or again."""

    handle: str
    is_muted: bool


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The host wants a new shoe as soon as no cards are out."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The host wants everybody to know something, also those who come later."""

    text: str
    """One line; empty to take the notice back."""


@dataclass(frozen=True, slots=True)
class Give:
    """The host gives a player money, whether the player sits here or not."""

    handle: str
    amount: int
    done: asyncio.Future[bool]
    """True once it is on the disk and told; False if the bank cannot write."""


@dataclass(frozen=True, slots=True)
class ResetKey:
    """The host has the key of a handle forgotten."""

    handle: str
    done: asyncio.Future[bool]
    """True once it is on the disk; False if the bank cannot write."""


@dataclass(frozen=True, slots=True)
class ChangePace:
    """The host wants other times; they count from the next decision on."""

    pace: "Pace"


@dataclass(frozen=True, slots=True)
class Drain:
    """No round begins any more; bets that no cards are dealt to go back."""

    text: str
    """The sentence for everyone."""
    rested: Callable[[], None]
    """Is called once no round is on, and everyone has been told how it ended."""


@dataclass(frozen=True, slots=True)
class Dissolve:
    """The table is no more: everybody is sent away. It was drained before."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The moment has come for which the table asked to be woken."""


@dataclass(frozen=True, slots=True)
class Halt:
    """The server stops: play no more; the next one goes on from here."""


Command = (
    Join
    | FromLine
    | ConnectionLost
    | Linked
    | Proclaim
    | Notice
    | SendAway
    | Mute
    | Give
    | ResetKey
    | ChangePace
    | Reshuffle
    | Drain
    | Dissolve
    | TimeUp
    | Halt
)


def report(done: asyncio.Future[bool], is_done: bool) -> None:
    """Tell the host the result of an order, unless nobody waits any more."""
    if not done.done():
        done.set_result(is_done)


class Inbox:
    """A queue of commands, taken all at once by the one task that owns it."""

    def __init__(self) -> None:
        """Start empty."""
        self._commands: deque[Command] = deque()
        self._taker: asyncio.Future[None] | None = None
        """Is done once a command has come, for the task that waits for one."""
        self._roomy = asyncio.Event()
        self._roomy.set()
        self._is_closed = False

    def submit(self, command: Command) -> None:
        """Queue ``command``; it is never refused, and lost once this is closed."""
        if self._is_closed:
            _lose(command)
            return
        self._commands.append(command)
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)
        if not self.has_room(getattr(command, "line", None)):
            self._roomy.clear()

    def close(self) -> None:
        """Take no more, since nobody carries it out; nobody waits for room either."""
        self._is_closed = True
        for command in self._commands:
            _lose(command)
        self._commands.clear()
        self._roomy.set()

    def return_first(self, commands: Sequence[Command]) -> None:
        """Put commands that were taken back before all others, in their order."""
        self._commands.extendleft(reversed(commands))

    def has_room(self, line: int | None) -> bool:
        """Whether the queue is short, and has few commands of ``line``."""
        waiting = len(self._commands)
        if waiting < _OF_ONE_LINE or waiting >= _CROWDED:
            return waiting < _OF_ONE_LINE
        lines = [getattr(command, "line", None) for command in self._commands]
        return line is None or lines.count(line) < _OF_ONE_LINE

    async def room(self, line: int) -> None:
        """Return once the queue is short, and has few commands of ``line``.

        Readers of sockets slow down here.
        """
        while not self.has_room(line):
            await self._roomy.wait()

    async def take(self) -> list[Command]:
        """Wait for a command, and return all that have come, in order."""
        if not self._commands:
            self._taker = asyncio.get_running_loop().create_future()
            await self._taker
        batch = list(self._commands)
        self._commands.clear()
        self._roomy.set()
        return batch


def _lose(command: Command) -> None:
    """Tell the host that an order is not carried out, if it is one."""
    if isinstance(command, Give | ResetKey):
        report(command.done, False)
