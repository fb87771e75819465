"""The whole client, to which a server says what a player on a bench has heard.

A player on a bench keeps all that it hears and sends. Here the same is said once more,
byte for byte and at the same times, to ``bj-client`` itself over a socket, and what the
player has answered is typed by a person: as lines, or as keys of the screen. The links
are drawn as they were, so the client says what the player has said, or the conversation
does not go on.
"""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from io import StringIO
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from bj_client import command
from bj_client.app import App
from bj_client.fair import linker, record
from bj_client.fair.finding import Remark
from bj_client.fair.record import Entry, read
from bj_client.net import reconnect as rejoin
from bj_client.options import read_options
from bj_client.play.visit import Visit
from bj_client.question.question import Complaint, Kind
from bj_client.verify import verify
from bj_client.words.money import plain
from bj_protocol import PROTOCOL_VERSION, commands
from bj_protocol.codec import decode_command, encode
from bj_protocol.commands import Answer, Command
from bj_protocol.messages import Recalled, Snapshot, TableList, Update
from bj_protocol.refusal import CloseCode
from support.company import Player
from support.hands import LOUD, Keys, Seen
from support.nursery import PATIENCE
from support.returning import AT_ONCE

_TURNS = 40
"""Turns of the loop in which a client is done with what it has heard."""
_NO_BET = "so your client does not bet here"


class _Over(Exception):
    """The client has ended."""


class _Server:
    """Says what a player has heard, and hears what the client sends."""

    def __init__(self, entries: list[Entry], refused: dict[int, Command]) -> None:
        self._entries = entries
        self._refused = refused
        self.at = 0.0
        self.heard = 0
        """How many messages the client has taken in."""
        self._key: str | None = None
        self._socket: ServerConnection | None = None
        self._sent: deque[Command] = deque()
        self._recalls = 0
        """The recalls that the client has asked for and was not answered."""
        self._told_early: set[int] = set()
        """The recalls that were answered before their places."""
        self._open: set[int] = set()
        """The prompts that were open when something was said last."""
        self._answered: set[int] = set()
        """The prompts that were answered; a lost line has such an answer sent again."""
        self.playing: asyncio.Task[int]
        self.visit: Any = None
        self.last = ""

    async def handle(self, socket: ServerConnection) -> None:
        first = decode_command(await socket.recv())
        if isinstance(first, commands.ListTables):
            tables = TableList(version=PROTOCOL_VERSION, tables=(), key=self._key)
            await socket.send(encode(tables))
            first = decode_command(await socket.recv())
        assert isinstance(first, commands.Hello | commands.Watch)
        self._socket = socket
        self._recalls = 0
        async for text in socket:
            self._sent.append(decode_command(text))
            self._recalls += isinstance(self._sent[-1], commands.Recall)

    async def play(self, hand: Any) -> None:
        """Have the whole conversation."""
        for place, entry in enumerate(self._entries):
            self.at = entry.at
            if place in self._refused:
                await self._try(hand, self._refused[place])
            await self._recall(place)
            if place in self._told_early:
                pass
            elif entry.heard is not None:
                await self._say(entry)
            elif entry.sent is not None:
                await self._expect(hand, entry.sent)
            elif entry.line == "lost":
                assert self._socket is not None
                self._socket.transport.abort()
                self._socket = None
        self.last = hand.look()
        await self._part(hand)

    async def _recall(self, place: int) -> None:
        """Answer what the client asks for earlier, or more often, than the player."""
        while self._recalls:
            later = enumerate(self._entries[place:], place)
            ahead = takewhile(lambda each: each[1].line != "lost", later)
            told = (n for n, each in ahead if isinstance(each.heard, Recalled))
            answer = next(told, None)
            if answer is None:
                return
            self._told_early.add(answer)
            await self._say(self._entries[answer])

    async def _say(self, entry: Entry) -> None:
        await self._until(lambda: self._socket is not None, "a hello")
        assert self._socket is not None
        story = getattr(entry.heard, "story", None)
        self._key = self._key if story is None else story.key
        if isinstance(entry.heard, Snapshot | Update):
            turn = entry.heard.turn
            self._open = {ask.prompt for ask in turn.asks} if turn else set()
        due = self.heard + 1
        self._recalls -= isinstance(entry.heard, Recalled) and self._recalls > 0
        await self._socket.send(entry.text)
        await self._until(lambda: self.heard >= due, f"to hear {entry.text[:60]}")
        await self._rest()

    async def _expect(self, hand: Any, sent: Command) -> None:
        match sent:
            case commands.Recall() | commands.Resync() | commands.Chat():
                return  # the client asks when it wants to know
            case commands.Leave():
                await self._leave(hand)
                return
            case commands.Link():
                pass
            case _:
                await self._type(hand, sent)
        await self._until(lambda: self._take(sent), f"{sent}, not {self._sent}")

    def _take(self, due: Command) -> bool:
        """Whether the client has sent what was due; what it asks for is let be."""
        while self._sent:
            sent = self._sent.popleft()
            if sent == due:
                if isinstance(sent, Answer):
                    self._answered.add(sent.prompt)
                return True
            asks = isinstance(sent, commands.Recall | commands.Resync)
            is_known = isinstance(sent, Answer) and sent.prompt in self._answered
            assert asks or is_known, f"{sent} in the place of {due}"
        return False

    async def _try(self, hand: Any, bet: Command) -> None:
        """Have the client refuse a bet, and say why."""
        before = hand.look().count(_NO_BET)
        await self._type(hand, bet)
        # What is no longer on view was seen: the log of a screen scrolls.
        await self._until(lambda: self._is_refused(hand, before), "a refusal of a bet")
        await self._rest()

    def _is_refused(self, hand: Any, before: int) -> bool:
        assert not any(isinstance(sent, commands.PlaceBet) for sent in self._sent)
        seen = Seen()
        hand.see(seen)
        return sum(_NO_BET in line for line in seen.told) > before

    async def _type(self, hand: Any, answer: Any) -> None:
        if answer.prompt not in self._open:  # it is late, and no person can say it
            await self.visit.hotseat.members[0].send(answer)
            return
        await self._until(
            lambda: hand.question is not None, f"to be asked for {answer}"
        )
        if hand.question.kind is Kind.AGAIN:
            hand.type("y")
            await self._until(lambda: self._is_asked(hand, answer), f"to ask {answer}")
        await self._until(lambda: self._is_asked(hand, answer), f"to ask {answer}")
        text = _typed(answer)
        if isinstance(hand.question.read(text), Complaint):
            await self.visit.hotseat.members[0].send(answer)  # no person can say it
        else:
            hand.type(text)

    def _is_asked(self, hand: Any, answer: Any) -> bool:
        question = hand.question
        ask = None if question is None else question.ask
        return ask is not None and ask.prompt == answer.prompt

    async def _leave(self, hand: Any) -> None:
        if hand.question is not None or isinstance(hand, Keys):
            hand.type("q")
            await self._rest()
            if isinstance(hand, Keys):
                hand.type("q")

    async def _part(self, hand: Any) -> None:
        await self._leave(hand)
        if self._socket is not None:
            await self._rest()
            await self._socket.close(CloseCode.LEFT)
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({self.playing})

    async def _rest(self) -> None:
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    async def _until(self, is_so: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            if self.playing.done():
                raise _Over(what)
            assert time.monotonic() < end, f"waited for {what}"
            await asyncio.sleep(0.0005)  # so that the loop has nothing else to do


def _typed(answer: Any) -> str:
    match answer:
        case commands.PlaceBet(amount=amount, spots=spots):
            return plain(amount) if spots == 1 else f"{plain(amount)} x {spots}"
        case commands.Insure(amount=amount):
            return f"i {plain(amount)}"
        case commands.SitOut():
            return "o"
        case commands.Decline():
            return "n"
        case commands.AcceptGift():
            return "y"
        case _:
            return _LETTERS[type(answer)]


_LETTERS: dict[type[Any], str] = {
    commands.Hit: "h",
    commands.Stand: "s",
    commands.Double: "d",
    commands.Split: "p",
    commands.EvenMoney: "e",
    commands.Surrender: "u",
    commands.GiveUp: "g",
    commands.AceHigh: "h",
    commands.AceLow: "l",
}


def visit(player: Player, hand_of: type[Any], folder: Path) -> Seen:
    """Have the whole client hear what a player has heard; return what was seen."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "record.jsonl"
    start = record.header("127.0.0.1", "main")
    after = (at for at in player.refused if at >= player.last_remark)
    end = next(after, len(player.log)) + 1  # what follows says nothing new
    lines = [line.encode() for line in (start, *player.log[:end])]
    entries = [entry for _, entry in read(lines) if isinstance(entry, Entry)]
    server = _Server(entries, player.refused)
    seen = Seen(record=path)
    errors = StringIO()
    links = iter(player.links)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setattr(sys, "stderr", errors)
        patch.setattr(rejoin, "_SIGNATURE_SECONDS", 0.02)
        drawn = SimpleNamespace(token_bytes=lambda _: bytes.fromhex(next(links)))
        patch.setattr(linker, "secrets", drawn)
        hand = hand_of(stack, patch)

        class Known(App):
            """An evening whose clock and hand are ours."""

            def __init__(self, *given: Any) -> None:
                super().__init__(*given)
                witness = self.witness
                witness._began, witness._now = 0.0, lambda: server.at
                note = witness.note

                def noted(remarks: list[Remark]) -> None:
                    note(remarks)
                    server.heard += 1

                patch.setattr(witness, "note", noted)
                hand.open(self)

            def _visit_to(self, *given: Any, **more: Any) -> Visit:
                visit = super()._visit_to(*given, **more)
                visit.policy = AT_ONCE
                server.visit = visit
                return visit

        patch.setattr("bj_client.app.App", Known)

        async def run() -> int:
            async with serve(
                *(server.handle, "127.0.0.1", 0),
                compression=None,
                open_timeout=PATIENCE,
                ping_timeout=PATIENCE,
                close_timeout=1,
            ) as served:
                port = next(iter(served.sockets)).getsockname()[1]
                who: tuple[str, ...] = ("--watch",)
                if player.handle is not None:
                    who = ("--handle", player.handle)
                words = [
                    *("--server", f"127.0.0.1:{port}", *who, *hand.arguments),
                    *("--record", str(path)),
                    *(["--unproven"] if player.unproven else []),
                ]
                server.playing = asyncio.create_task(
                    command._play(read_options(words, {}))
                )
                try:
                    await asyncio.sleep(0)
                    await server.play(hand)
                except _Over as over:
                    seen.errors = f"It has ended, and did not come {over}. "
                finally:
                    server.playing.cancel()
                    await asyncio.wait({server.playing})
                    hand.see(seen)
                return server.playing.result()

        seen.code = asyncio.run(run())
    seen.last = server.last
    seen.errors += errors.getvalue()
    return seen


def assert_seen(player: Player, hand_of: type[Any], folder: Path) -> None:
    """See that the whole client tells people what the check of a player has found."""
    seen = visit(player, hand_of, folder)
    findings = list(dict.fromkeys(map(str, player.findings)))
    others = [str(each) for each in player.remarks if str(each) not in findings]
    if not any('"sent": {"type":"leave"' in line for line in player.log):
        assert seen.loud == [f"{LOUD}{each}" for each in findings], seen.errors
        shown = [each for each in others if each in seen.told]
        assert shown == others[-len(shown) :]  # a screen keeps the last of many lines
    if not findings:
        assert seen.code in (0, 6), seen.errors
        return
    assert seen.code == 11
    assert LOUD[:-2] in seen.last or seen.late == seen.loud, seen.last
    things = "1 thing" if len(findings) == 1 else f"{len(findings)} things"
    assert f"does not hold: {things} found. The evidence is in" in seen.errors
    assert len(list(folder.glob("state/**/evidence-*"))) == 1
    verdict = _verified(seen.record)
    assert all(finding in verdict for finding in findings), verdict


def _verified(path: Path) -> str:
    """Return what ``bj-client verify`` says of a record that does not hold."""
    with pytest.MonkeyPatch.context() as patch:
        output = StringIO()
        patch.setattr(sys, "stdout", output)
        assert verify([str(path)]) == 11
    return output.getvalue()
