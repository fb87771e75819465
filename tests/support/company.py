"""Players with real linkers and checkers at a table on a bench."""

import contextlib
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from bj_client.fair import record
from bj_client.fair.checker import Checker
from bj_client.fair.finding import Finding, Note, Proof, Remark
from bj_client.fair.linker import Linker
from bj_client.verify import Verification
from bj_protocol import PROTOCOL_VERSION, commands
from bj_protocol.codec import encode
from bj_protocol.commands import AnyAnswer, Command, Resync, Watch
from bj_protocol.messages import Message, Refused, Signed, Snapshot, Update
from bj_server.history.recall import recall
from bj_server.net.outbox import Recent
from bj_server.table.inbox import FromLine, Halt
from bj_server.table.refusal import RefusalError
from support.rig import KeptOutlet, Rig, hello


class Cheat(Protocol):
    """Changes what is told: to one line, or to all of them if that is None."""

    def __call__(
        self, message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]: ...


def honest(message: Message, text: str, line: int | None) -> list[tuple[Message, str]]:
    return [(message, text)]


class Player:
    """One client, through all its lines; without a handle it watches."""

    def __init__(self, handle: str | None, *, unproven: bool = False) -> None:
        self.handle = handle
        self.unproven = unproven
        self.checker = Checker()
        self.linker = Linker(self.checker)
        self.has_links = True
        """Whether it has a part in the draw."""
        self.remarks: list[Remark] = []
        self.log: list[str] = []
        self.refusals: list[str] = []
        self.refused: dict[int, Command] = {}
        """The bets that were not placed, by how many lines the log had then."""
        self.last_remark = 0
        """How many lines the log had then."""
        self.links: list[str] = []
        """The links that were drawn, in their order."""
        self.at = 0.0
        self.seq = -1

    @property
    def findings(self) -> list[Finding]:
        return [remark for remark in self.remarks if isinstance(remark, Finding)]

    @property
    def notes(self) -> list[Note]:
        return [remark for remark in self.remarks if isinstance(remark, Note)]

    @property
    def proofs(self) -> list[Proof]:
        return [remark for remark in self.remarks if isinstance(remark, Proof)]

    def hear(self, message: Message, text: str) -> list[Command]:
        self.log.append(record.entry(self.handle, self.at, "heard", text))
        if remarks := self.checker.hear(message, text, self.at):
            self.remarks += remarks
            self.last_remark = len(self.log)
        if isinstance(message, Snapshot | Update):
            self.seq = message.seq
        answers: list[Command] = [*self.linker.answer(message)]
        self.linker.is_private(message)
        return answers

    def send(self, command: Command) -> Command | None:
        """Return what the client sends; None for a bet that it does not place."""
        refused = self.linker.why_not(command, is_unproven=self.unproven)
        if refused is not None:
            self.refusals.append(refused.text)
            self.refused[len(self.log)] = command
            return None
        if self.has_links:
            command = self.linker.dress(command)
            if self.linker._link not in ("", *self.links[-1:]):
                self.links.append(self.linker._link)
        self.log.append(record.entry(self.handle, self.at, "sent", encode(command)))
        self.checker.send(command, self.at)
        return command

    def lose(self) -> None:
        self.log += [
            record.entry(self.handle, self.at, "line", state)
            for state in ('"lost"', '"back"')
        ]
        self.checker.lose()
        self.linker.lose()


class LiveOutlet(KeptOutlet):
    """Speaks to the players; ``cheat`` may change what each of them hears."""

    def __init__(self, now: Any) -> None:
        super().__init__()
        self._now = now
        self.players: dict[int, Player] = {}
        self.recent = Recent[tuple[Update | Signed, str]](most=None)
        self.cheat: Cheat = honest
        self.deaf: set[int] = set()
        """Lines on which nothing arrives."""
        self.said: deque[tuple[int, Command]] = deque()

    def announce(self, *told: tuple[Update | Signed, str]) -> None:
        super().announce(*told)
        for message, text in told:
            self.recent.keep(message, (message, text))
            said = self.cheat(message, text, None)
            for line in sorted(self.audience):
                for each, words in said:
                    self._say(line, each, words)

    def tell(self, line: int, message: Message) -> None:
        super().tell(line, message)
        self._say(line, message, encode(message))

    def catch_up(self, line: int, seq: int) -> bool:
        missed = self.recent.after(seq) if line in self.audience else []
        for message, text in missed:
            for each, words in self.cheat(message, text, None):
                self._say(line, each, words)
        return bool(missed)

    def _say(self, line: int, message: Message, text: str) -> None:
        player = self.players.get(line)
        if player is None or line in self.deaf:
            return
        player.at = self._now()
        for each, words in self.cheat(message, text, line):
            for command in player.hear(each, words):
                if player.has_links or not isinstance(command, commands.Link):
                    player.send(command)
                    self.said.append((line, command))


class Company(Rig):
    """A table at which everyone who sits there has a part in the draw."""

    outlet: LiveOutlet

    def __init__(self, folder: Path, **options: Any) -> None:
        super().__init__(folder, **{"seed": None} | options)
        self.unproven = "stack" in options or "seed" in options
        self.outlet = LiveOutlet(self.clock.now)
        self.dealer._outlet = self.outlet
        self.players: dict[str, Player] = {}
        self.watchers: list[Player] = []
        self.mute: set[str] = set()
        """Players whose links do not arrive."""
        self.ends = 0
        """How often the server has ended, in order or not."""
        self.lies: int | None = None
        """How many updates were told otherwise; None where nobody counts."""

    def send(self, *batch: Any) -> None:
        super().send(*batch)
        while self.outlet.said:
            line, command = self.outlet.said.popleft()
            self.carry(line, command)

    def carry(self, line: int, command: Command) -> None:
        """Bring a command of a client to the table, if it is one for it."""
        player = self.outlet.players.get(line)
        name = "" if player is None else player.handle or ""
        match command:
            case commands.Link() if name not in self.mute:
                self.link(line, command)
            case commands.Recall():
                self.recall(line, command)
            case _:
                pass

    def recall(self, line: int, command: commands.Recall) -> None:
        """Tell a player the last rounds, as the session does."""
        try:
            mark = replace(self.dealer.bookmark(line), synced=2**62)
        except RefusalError:
            return  # who asked has left
        self.outlet.tell(line, recall(mark, command.rounds))

    def join(self, handle: str, *, asks: bool = True) -> int:
        """Join, or come back on another line; ``asks`` for what was missed."""
        player = self.players.setdefault(handle, Player(handle, unproven=self.unproven))
        if player.seq >= 0:
            player.lose()
        before = player.seq
        self._lines += 1
        line = self._lines
        for old, other in list(self.outlet.players.items()):
            if other is player:
                del self.outlet.players[old]
        self.outlet.players[line] = player
        self.line[handle] = line
        self.send(hello(line, handle))
        if asks and before >= 0 and player.seq > before:
            player.send(commands.Resync(seq=before))
            self.send(FromLine(line, Resync(seq=before)))
        return line

    def watch(self) -> None:
        self._lines += 1
        player = Player(None)
        self.watchers.append(player)
        self.outlet.players[self._lines] = player
        self.send(FromLine(self._lines, Watch(version=PROTOCOL_VERSION)))

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        line = self.line[handle]
        player = self.outlet.players.get(line)
        if player is None:
            return super().answer(handle, answer)
        player.at = self.clock.now()
        sent = player.send(answer)
        if sent is None:
            sat_out = commands.SitOut(prompt=answer.prompt)
            player.send(sat_out)
            return super().answer(handle, sat_out)
        assert isinstance(sent, commands.Answer)
        return super().answer(handle, sent)

    def everyone(self) -> list[Player]:
        return [*self.players.values(), *self.watchers]

    def kill(self) -> None:
        self._hang_up()
        super().kill()

    def restore(self, folder: Path) -> None:
        """Start a server on another folder, as after a disaster."""
        self._hang_up()
        self.line.clear()
        self.settings = replace(self.settings, bank=folder)
        self._open(folder)

    def restart(self, **changes: Any) -> None:
        self.send(Halt())
        self._hang_up()
        super().restart(**changes)

    def _hang_up(self) -> None:
        """Lose every line, as a server that ends does."""
        self.ends += 1
        self.outlet.audience.clear()
        self.outlet.updates.clear()
        self.outlet.recent.clear()
        self.outlet.players.clear()
        for watcher in self.watchers:
            watcher.lose()


@contextlib.contextmanager
def repeatable(chance: random.Random) -> Iterator[None]:
    """Have all secrets follow from ``chance``, so that what fails fails again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", chance.randbytes)
        patch.setattr("secrets.token_hex", lambda size: chance.randbytes(size).hex())
        yield


def record_of(*players: Player) -> list[bytes]:
    """Return the record that the clients of these players would have written."""
    lines = [record.header("127.0.0.1:8765", "main")]
    lines += [line for player in players for line in player.log]
    return [line.encode() for line in lines]


def verified(
    lines: list[bytes], server_key: str | None = None
) -> tuple[list[Remark], Verification]:
    """Return what the check of a record says."""
    verification = Verification(server_key)
    return [noted.remark for noted in verification.run(lines)], verification
