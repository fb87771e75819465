"""The bare server: the same conversation without rules, models, bank or checks.

It sends frames of the same number and about the same size as a real table, made by
string formatting, so that what the real server adds to the network can be seen.
"""

import asyncio
import json
import sys
from collections import defaultdict

from websockets.asyncio.server import ServerConnection, broadcast, serve

_EVENT = '{"type":"card_dealt","seat":1,"hand":0,"card":"5h","total":5,"soft":false}'


class Table:
    """Counts answers, and says the next line of the script to everyone."""

    def __init__(self, seats: int) -> None:
        """Wait for ``seats`` players."""
        self.seats = seats
        self.lines: list[ServerConnection] = []
        self.step = 0
        self.prompt = 0

    def join(self, line: ServerConnection) -> None:
        """Seat a player; the last one starts the game."""
        self.lines.append(line)
        seat = len(self.lines)
        you = f'{{"type":"snapshot","you":{{"seat":{seat}}},"turn":null}}'
        broadcast([line], you)
        if seat == self.seats:
            self.say([self.bet_ask(n) for n in range(1, self.seats + 1)], 1)

    def answered(self) -> None:
        """Go on by one answer: bets first, then one play a seat."""
        self.step += 1
        if self.step < self.seats:
            self.say([], 1)
        elif self.step < 2 * self.seats:
            first = self.step == self.seats
            events = 2 + 2 * (self.seats + 1) if first else 2
            self.say([self.play_ask(self.step - self.seats + 1)], events)
        else:
            self.step = 0
            asks = [self.bet_ask(n) for n in range(1, self.seats + 1)]
            self.say(asks, 5 + self.seats, '{"type":"round_ended"}')

    def bet_ask(self, seat: int) -> str:
        """Return a call for a bet."""
        self.prompt += 1
        return (
            f'{{"prompt":{self.prompt},"seat":{seat},"hand":0,"actions":["place_bet",'
            f'"sit_out"],"wager":{{"minimum":100,"maximum":999900,"step":100}}}}'
        )

    def play_ask(self, seat: int) -> str:
        """Return a question for a play."""
        self.prompt += 1
        return (
            f'{{"prompt":{self.prompt},"seat":{seat},"hand":0,"actions":["hit","stand",'
            f'"double"],"wager":null,"gift":null}}'
        )

    def say(self, asks: list[str], events: int, last: str = _EVENT) -> None:
        """Send one update to everyone."""
        told = ",".join([*[_EVENT] * (events - 1), last])
        broadcast(
            self.lines,
            f'{{"type":"update","seq":1,"events":[{told}],"turn":{{"asks":'
            f'[{",".join(asks)}],"milliseconds":30000}}}}',
        )


async def main(seats: int) -> None:
    """Serve until standard input ends."""
    tables: dict[str, Table] = defaultdict(lambda: Table(seats))

    async def converse(line: ServerConnection) -> None:
        table = tables[json.loads(await line.recv())["table"]]
        table.join(line)
        async for _ in line:
            table.answered()

    async with serve(converse, "127.0.0.1", 0, compression=None) as server:
        print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(int(sys.argv[1])))
