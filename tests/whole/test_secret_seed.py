"""S8: while a real server plays, the secret of a round is nowhere but in the bank."""

import asyncio
import base64
import re
import signal
import stat
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from bj_client.fair.checker import Checker
from bj_client.fair.linker import Linker
from bj_protocol.codec import decode_message, encode
from bj_protocol.messages import Snapshot, Update
from bj_protocol.proof import draw_key
from bj_protocol.views import Ask
from bj_server.host_cli.command import main as give_order
from support.banks import read_bank
from support.gambler import meek_answer
from support.nursery import Child
from support.serving import hello

ROUNDS = 3


class Player:
    """Has a part in each draw, bets and stands, and keeps every frame."""

    def __init__(self, line: ClientConnection) -> None:
        self.frames: list[str] = []
        self.rounds = 0
        self._line = line
        self._checker = Checker()
        self._linker = Linker(self._checker)
        self._seat = self._answered = 0

    async def play(self) -> None:
        """Play until so many rounds have ended, and the next one is called."""
        while self.rounds < ROUNDS or '"betting_opened"' not in self.frames[-1]:
            async with asyncio.timeout(60):
                self.frames.append(str(await self._line.recv()))
            await self._react(self.frames[-1])

    async def _react(self, frame: str) -> None:
        message = decode_message(frame)
        self._checker.hear(message, frame, 0.0)
        for command in self._linker.answer(message):
            self._checker.send(command, 0.0)
            await self._line.send(encode(command))
        if isinstance(message, Snapshot) and message.you:
            self._seat = message.you.seat
        if not isinstance(message, Snapshot | Update):
            return
        self.rounds += frame.count('"round_ended"')
        for ask in message.turn.asks if message.turn else ():
            await self._answer(ask)

    async def _answer(self, ask: Ask) -> None:
        if ask.seat == self._seat and self._answered < ask.prompt:
            self._answered = ask.prompt
            command = self._linker.dress(meek_answer(ask))
            self._checker.send(command, 0.0)
            await self._line.send(encode(command))


def fetch(url: str) -> str:
    """Return all that a page says, its head included."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return str(answer.headers) + str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.headers) + error.read().decode()


async def play(uri: str, admin: str, bank: Path) -> str:
    """Play some rounds, watched by one, and return all that anyone was told."""
    greetings = [hello("ned21"), hello("lia9")]
    greetings.append('{"type": "watch", "version": 2}')
    lines = [await connect(uri, compression=None) for _ in greetings]
    for line, greeting in zip(lines, greetings, strict=True):
        await line.send(greeting)
    players = [Player(line) for line in lines]
    await asyncio.gather(*(player.play() for player in players))
    told = [frame for player in players for frame in player.frames]
    for words in (["tables"], ["bans"], ["say", "hello"]):
        await asyncio.to_thread(give_order, ["--bank", str(bank), *words])
    for page in ("/healthz", "/metrics", "/", "/seed"):
        told.append(await asyncio.to_thread(fetch, admin + page))
    for line in lines:
        await line.close()
    return "\n".join(told)


def forms_of(secret: bytes) -> list[str]:
    """Return the ways in which 32 bytes might be written."""
    number = int.from_bytes(secret, "big")
    encoded = [base64.b64encode(secret), base64.urlsafe_b64encode(secret)]
    texts = [text.decode().rstrip("=") for text in encoded]
    return [secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(number), *texts]


def secrets_of(bank: Path) -> tuple[list[bytes], list[bytes]]:
    """Return the secrets of the rounds that are over, and those of the others.

    The keys of the draws are among the first.
    """
    drawn: dict[int, str] = {}
    over: list[bytes] = []
    for line in read_bank(bank):
        if line["kind"] == "draw":
            drawn[line["round"]] = line["data"]["secret"]
        elif line["kind"] == "deal":
            data = line["data"]
            assert data["links"]
            key = draw_key(data["secret"], data["head"], data["links"])
            over += [key, bytes.fromhex(drawn.pop(line["round"]))]
    return over, [bytes.fromhex(secret) for secret in drawn.values()]


def test_S8_the_seed_is_in_nothing_that_anyone_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = tmp_path / "bank"
    where = ("--port", "0", "--admin-port", "0", "--bank", str(bank))
    server = Child("bj_server", *where, "--log-level", "debug")
    told = ""
    try:
        while "http://" not in (line := server.stdout.readline()):
            told += line
        uri = re.search(r"ws://[\d.]+:\d+", told)
        admin = re.search(r"http://[\d.]+:\d+", line)
        assert uri, told
        assert admin, line
        told += line + asyncio.run(play(uri[0], admin[0], bank))
        modes = {path.name: path.stat().st_mode for path in (bank, *bank.rglob("*"))}
        over, secrets = secrets_of(bank)
    finally:
        server.send_signal(signal.SIGTERM)
        said, logged = server.communicate()
    assert server.returncode == 0, logged
    assert "handle=lia9" in logged
    assert len(over) == 2 * ROUNDS
    assert len(secrets) == 1
    keys, told_secrets = over[::2], over[1::2]
    assert all(secret.hex() in told for secret in told_secrets)
    secrets += keys
    shown = capsys.readouterr()
    assert "ned21, lia9" in shown.out
    told += shown.out + shown.err
    for secret in secrets:
        for form in forms_of(secret):
            assert form not in told
            assert form not in said
            assert form not in logged
    for name, mode in modes.items():
        assert stat.S_IMODE(mode) & 0o077 == 0, name
