"""Walks: every sequence of answers to a stacked shoe, down to a depth.

This is the perft of chess engines. A walk has a number of sequences, a sum of nets and
a hash of all that was told; two engines with equal walks play the same rules. What is
told is hashed as its text on the wire. The data files in ``perft/`` are made by
``make_perft``.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from bj_game.card import parse_cards
from bj_game.play import Play, Prompt, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe
from game.transcript import load

FOLDER = Path(__file__).parent / "perft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a walk to a depth comes to; the net is that of all seats, in cents."""

    depth: int
    sequences: int
    net: int
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A house, a stacked shoe and stakes; ``rules`` differ from the shipped house."""

    house: str
    rules: dict[str, Any]
    cards: str
    below_cut: int | None
    stakes: list[dict[str, int]]
    found: list[Found]

    def deal(self) -> Round:
        """Return the round before its first answer."""
        house = replace(load(self.house), **self.rules)
        shoe = Shoe(parse_cards(self.cards), below_cut=self.below_cut)
        return Round(house, shoe, [Stake(**stake) for stake in self.stakes])

    def walk(self, depth: int) -> Found:
        """Play each sequence of so many answers, and go on by the defaults."""
        digest, sequences, net = sha256(), 0, 0
        brought = sum(
            stake["amount"] * stake["spots"] + stake["funds"] for stake in self.stakes
        )
        for played, answers in self.sequences(depth):
            digest.update(" ".join(answers).encode() + b"\n")
            for event in played.take_events():
                told = json.dumps(asdict(event), sort_keys=True)
                digest.update(told.encode() + b"\n")
            sequences += 1
            net += sum(player.funds for player in played.players) - brought
        return Found(depth=depth, sequences=sequences, net=net, told=digest.hexdigest())

    def sequences(self, depth: int) -> Iterator[tuple[Round, list[str]]]:
        """Go through all sequences, the last answer changing first."""
        path: list[int] = []
        while True:
            played = self.deal()
            answers: list[str] = []
            widths: list[tuple[int, int]] = []
            while played.prompts:
                choices = choices_at(played.prompts, is_deep=len(answers) >= depth)
                at = path[len(answers)] if len(answers) < len(path) else 0
                (seat, reply) = choices[at]
                answers.append(f"{seat} {reply.play} {reply.amount}")
                widths.append((at, len(choices)))
                played.answer(seat, reply)
            yield played, answers
            while widths and widths[-1][0] + 1 == widths[-1][1]:
                widths.pop()
            if not widths:
                return
            path = [at for at, _ in widths]
            path[-1] += 1


def choices_at(
    prompts: tuple[Prompt, ...], *, is_deep: bool
) -> list[tuple[int, Reply]]:
    """Return each answer to each open prompt; below the depth only the default."""
    if is_deep:
        return [(prompts[0].seat, Reply(play=prompts[0].default))]
    return [(prompt.seat, reply) for prompt in prompts for reply in replies_to(prompt)]


def replies_to(prompt: Prompt) -> Iterator[Reply]:
    """Go through the legal replies; an insurance is the smallest or the largest."""
    for play in sorted(prompt.plays):
        if play is Play.INSURE and prompt.insurance is not None:
            amounts = {prompt.insurance.minimum, prompt.insurance.maximum}
            for amount in sorted(amounts):
                yield Reply(play=play, amount=amount)
        else:
            yield Reply(play=play)


def read(path: Path) -> list[Case]:
    """Return the cases of a data file."""
    cases = json.loads(path.read_text())
    return [
        Case(**case | {"found": [Found(**found) for found in case["found"]]})
        for case in cases
    ]


def write(path: Path, cases: list[Case]) -> None:
    """Write a data file, a line for each case."""
    lines = ",\n".join(json.dumps(asdict(case)) for case in cases)
    path.write_text(f"[\n{lines}\n]\n")
