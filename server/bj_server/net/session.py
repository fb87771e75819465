"""The session: one connection's conversation, from hello to the end.

A plain object: text comes in through ``received`` and goes out through the outbox. It
waits for nothing but a crowded table. A frame is hostile until it has been read as a
command. The hello settles who speaks, and nothing later can change that.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import MessageError, decode_command, encode, version_of
from bj_protocol.commands import (
    Answer,
    Command,
    Hello,
    Leave,
    Link,
    ListTables,
    Recall,
    Resync,
    Watch,
)
from bj_protocol.handle import canonical_handle, is_key
from bj_protocol.messages import Answered, Message, Moved, Recalled, Refused, TableList
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.bank.key import digest_of
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.history.recall import Recalls, Slot
from bj_server.net.address import NOWHERE, Address
from bj_server.net.limits import Limits, Meter, Rates
from bj_server.net.lobby import HostedTable, Lobby, MovedError, Reception
from bj_server.net.newcomers import Origin
from bj_server.net.outbox import Audience, Outbox
from bj_server.net.wire import frame_of
from bj_server.table.inbox import ConnectionLost, FromLine, Join
from bj_server.table.refusal import SENTENCES, RefusalError

if TYPE_CHECKING:
    from bj_server.table.dealer import Dealer

_log = logging.getLogger(__name__)

_GONE_HOME = "Your money has just gone back to the bank of the fleet; join again."
_ANSWERS = (Answer, Link)
"""The commands that the server has asked for."""

_FAULT = "Something went wrong here; your money is safe. Join again."


@dataclass(eq=False)
class Session:
    """One connection, by its line number; nobody has spoken yet."""

    line: int
    outbox: Outbox
    _lobby: Lobby
    _now: Callable[[], float]
    _rates: Rates = field(default_factory=lambda: Rates(Limits()))
    _gauges: Gauges = NO_GAUGES
    _recalls: Recalls = field(default_factory=Recalls)
    address: Address = NOWHERE
    """The source of the line."""
    dealer: "Dealer | None" = field(default=None, init=False)
    audience: Audience | None = field(default=None, init=False)
    _bad_messages: int = field(default=0, init=False)
    _is_over: bool = field(default=False, init=False)
    _is_lost: bool = field(default=False, init=False)
    """Whether the connection is gone."""
    _arriving: asyncio.Task[None] | None = field(default=None, init=False)
    """The way of the money of the handle to this server."""

    def __post_init__(self) -> None:
        self._meter = Meter(self._rates, self._now())
        self._slot = Slot(self._recalls)

    def received(self, text: str | bytes) -> None:
        """Act on one frame; a bad one is answered, and too many end the session."""
        if self._is_over:
            return
        try:
            if isinstance(text, bytes):
                raise MessageError("Messages are text frames, not binary ones.")
            command = decode_command(text)
        except MessageError as error:
            version = version_of(text) if self.dealer is None else None
            if version is None or version == PROTOCOL_VERSION:
                self._refuse_frame(str(error))
            else:  # the first message of another version may well be unreadable here
                self._turn_away(_mismatch(version))
            return
        is_answer = isinstance(command, _ANSWERS)
        try:
            if not is_answer:
                self._pay_for(command)
            elif not self._meter.has_plenty and self._meter.is_empty(self._now()):
                raise RefusalError(RefusalCode.TOO_FAST)
            self._obey(command)
        except RefusalError as refusal:
            if is_answer:
                self._meter.charge(self._now())
            if isinstance(command, Hello | Watch) and not self._is_known:
                self._turn_away(refusal)
            else:
                self._refuse(refusal, getattr(command, "prompt", None))

    def _origin(self) -> Origin:
        return Origin(self.address.place, self._now())

    def expect_hello(self) -> None:
        """End a conversation in which no hello has come in time."""
        if not self._is_known:
            self.close(CloseCode.NO_HELLO, "No hello came in time; join again.")

    @property
    def _is_known(self) -> bool:
        """Whether somebody has said hello, who may be on the way to a table."""
        return self.dealer is not None or self._arriving is not None

    @property
    def has_room(self) -> bool:
        """Whether the table can take more at once."""
        return self.dealer is None or self.dealer.has_room(self.line)

    async def room(self) -> None:
        """Return once the table can take more; a flood waits here, outside it."""
        if self.dealer is not None:
            await self.dealer.room(self.line)

    def lost(self) -> None:
        """Note that the connection is gone."""
        self._slot.give_up()
        self._is_lost = True
        if self.dealer is not None:
            self.dealer.submit(ConnectionLost(self.line))

    async def settled(self) -> None:
        """Wait until nothing is looked up any more for this line."""
        await self._slot.settled()
        if self._arriving is not None:
            await self._arriving

    def show(self) -> None:
        """Have a snapshot sent, to a reader that has missed updates."""
        if self.dealer is not None:
            self.dealer.submit(FromLine(self.line, Resync()))

    def send(self, text: str) -> None:
        """Send one message, unless the reader is behind."""
        self.outbox.send(frame_of(text))

    def tell(self, message: Message) -> None:
        """Send a message of the table to this line alone.

        An answer that was refused, or had been given before, is paid for now.
        """
        self.send(encode(message))
        is_refused = isinstance(message, Refused) and message.prompt is not None
        if is_refused or isinstance(message, Answered):
            self._meter.charge(self._now())
            self._check_patience()

    def close(self, code: int, reason: str) -> None:
        """End the conversation with a reason for people; nothing more is heard."""
        self._is_over = True
        self.outbox.close(code, reason)

    def _pay_for(self, command: Command) -> None:
        """Take the price of a command; that of an answer depends on what it does."""
        if not isinstance(command, Leave):
            self._meter.charge(self._now())
            if self._meter.is_spent(self._now()):
                raise RefusalError(RefusalCode.TOO_FAST)

    def _check_patience(self) -> None:
        """End a conversation that goes on though it was refused for its speed."""
        if not self._is_over and self._meter.is_out_of_patience(self._now()):
            self._note("closed, it is too fast")
            self.close(CloseCode.TOO_FAST, SENTENCES[RefusalCode.TOO_FAST])

    def _obey(self, command: Command) -> None:
        if isinstance(command, Answer) and self.dealer is not None:
            at = self._gauges.now() if self._gauges.is_on else None
            self.dealer.submit(FromLine(self.line, command, at))
            return
        match command:
            case Hello():
                self._hello(command)
            case Watch():
                self._watch(command)
            case ListTables():
                _check_version(command.version)
                found = TableList(
                    version=PROTOCOL_VERSION,
                    tables=self._lobby.tables(),
                    notice=self._lobby.notice,
                    key=self._lobby.key,
                    past_keys=self._lobby.past_keys,
                    fleet=self._lobby.fleet,
                )
                self.send(encode(found))
            case _ if self.dealer is None:
                raise RefusalError(RefusalCode.NOT_JOINED)
            case Recall(rounds=rounds):
                mark = partial(self.dealer.bookmark, self.line)
                self._slot.ask(rounds, mark, self._recalled)
            case Link():
                self.dealer.hear_link(self.line, command)
            case _:
                self.dealer.submit(FromLine(self.line, command))

    def _recalled(self, answer: Recalled | RefusalError) -> None:
        if isinstance(answer, RefusalError):
            self._refuse(answer, None)
        else:
            self.send(encode(answer))

    def _hello(self, hello: Hello) -> None:
        self._check_first(hello.version)
        handle = canonical_handle(hello.handle)
        if handle is None:
            raise RefusalError(RefusalCode.BAD_HANDLE)
        sha256, reception = _hash(hello.key), self._lobby.reception
        if reception is not None and not reception.is_here(handle, sha256):
            arriving = self._arrive(reception, hello, handle, sha256)
            self._arriving = asyncio.get_running_loop().create_task(arriving)
            return
        place = self._lobby.admit(hello, handle, sha256, self._origin())
        self._enter(place, handle, sha256)

    def _enter(self, place: HostedTable, handle: str, sha256: str) -> None:
        place.room.enter(self)
        # The key is right: a stranger never pays from the bucket of another's handle.
        self._meter.charge_to(handle, self._now())
        if self._meter.is_spent(self._now()):
            raise RefusalError(RefusalCode.TOO_FAST)
        self.dealer = place.dealer
        shown = self.address.shown
        join = Join(self.line, handle, sha256, shown, self._open_account)
        self.dealer.submit(join)
        self._note("says hello", handle=handle)

    def _open_account(self) -> None:
        """See that the table may open an account; those of a fleet are opened there."""
        if self._lobby.reception is not None:
            raise RefusalError(RefusalCode.BANK_STALLED, _GONE_HOME)
        self._lobby.newcomers.count_account(self._origin())

    async def _arrive(
        self, reception: Reception, hello: Hello, handle: str, sha256: str
    ) -> None:
        """Join once the money of the handle is here; the line may be gone by then."""
        try:
            place = await reception.receive(hello, handle, sha256, self._origin())
            if self._is_over or self._is_lost:
                reception.give_up(handle, place)
                return
            try:
                self._enter(place, handle, sha256)
            except RefusalError:
                reception.give_up(handle, place)
                raise
        except MovedError as error:
            self.move_on(error.moved)
        except RefusalError as refusal:
            self._turn_away(refusal)
        except Exception:  # noqa: BLE001 - whatever it is, the player is told so
            self._gauges.failed("session")
            _log.exception("a fault of ours keeps a player out")
            self._turn_away(RefusalError(RefusalCode.BANK_STALLED, _FAULT))

    def _watch(self, watch: Watch) -> None:
        self._check_first(watch.version)
        try:
            if self._lobby.reception is not None:
                self._lobby.reception.check_watch(watch)
        except MovedError as error:
            self.move_on(error.moved)
            return
        place = self._lobby.show(watch, self._origin())
        place.room.enter(self)
        self.dealer = place.dealer
        self.dealer.submit(FromLine(self.line, watch))
        self._note("watches")

    def _check_first(self, version: int) -> None:
        if self._is_known:
            raise RefusalError(RefusalCode.ALREADY_JOINED)
        _check_version(version)

    def _turn_away(self, refusal: RefusalError) -> None:
        self._refuse(refusal, None)
        self._note("hello refused", code=refusal.code)
        self.close(CloseCode.REFUSED, refusal.text)

    def move_on(self, moved: Moved) -> None:
        """Have the client say its hello to another server of the fleet."""
        self.send(encode(moved))
        self._note("moved on")
        self.close(CloseCode.MOVED, f"Join at {moved.address}.")

    def _refuse_frame(self, text: str) -> None:
        self._bad_messages += 1
        self._note("sends a bad message")
        self._meter.charge(self._now())
        self._refuse(RefusalError(RefusalCode.BAD_MESSAGE, text), None)
        if self._bad_messages > self._rates.limits.bad_messages:
            last = RefusalError(RefusalCode.TOO_MANY_BAD_MESSAGES)
            self._refuse(last, None)
            self.close(CloseCode.BAD_MESSAGES, last.text)

    def _note(self, what: str, **known: str) -> None:
        table = None if self.dealer is None else self.dealer.name
        known["address"] = self.address.shown
        _log.info(what, extra={"line": self.line, "table": table, **known})

    def _refuse(self, refusal: RefusalError, prompt: int | None) -> None:
        self._gauges.refused(refusal.code)
        self.send(encode(refusal.message(prompt)))
        self._check_patience()


def _hash(key: str | None) -> str:
    """Return the hash of a key; the key itself goes no further."""
    if key is None:
        raise RefusalError(RefusalCode.KEY_NEEDED)
    if not is_key(key):
        raise RefusalError(RefusalCode.BAD_KEY)
    return digest_of(key)


def _check_version(version: int) -> None:
    if version != PROTOCOL_VERSION:
        raise _mismatch(version)


def _mismatch(version: int) -> RefusalError:
    if version > PROTOCOL_VERSION:
        remedy = "ask the host to update bj-server, or use an older client"
    else:
        remedy = "update bj-client, or the program that you play with"
    shown = version if abs(version) < 10**6 else "another version"
    return RefusalError(
        RefusalCode.VERSION_MISMATCH,
        f"You speak protocol {shown}, this server {PROTOCOL_VERSION}: {remedy}.",
    )
