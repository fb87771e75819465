"""The game of ``specs/dsc20.txt``: its rounds, its file, and when it stops.

A game begins with a new deck and goes on until there are too few cards for another
round, or too little money for the bet. The table plays on then: with a fresh deck, in
the next game, or with the lowest bet, in the same one. The ladder of bets climbs by the
house's minimum.

Each game has a file of its summaries, which grows round by round. A file that is there
is never written over: games are numbered on from those of earlier evenings, and of
others who play in the same folder at the same time. When a write fails, that is told in
one remark, nothing more is written, and the numbers go on.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bj_client.model.seat import Faces, rank
from bj_client.model.table import Table
from bj_client.words.money import plain
from bj_protocol import events
from bj_protocol.model import HIDDEN
from bj_protocol.views import Outcome

_NAME = re.compile(r"game_summary([1-9][0-9]*)\.txt")


@dataclass
class Folder:
    """The folder for the summaries of the games of one visit.

    The first fault ends the writing, and is returned as a sentence for people.
    """

    path: Path = Path("game_summaries")
    """It is made when the first game begins."""
    number: int = 0
    """That of the game which was begun last."""
    _is_given_up: bool = False

    def begin(self) -> str:
        """Begin the file of the next game."""
        self.number += 1
        return self._try(self._claim)

    def append(self, lines: Iterable[str]) -> str:
        """Add a round to the file, which is whole on disk after each of them."""
        text = "".join(f"{line}\n" for line in lines)

        def add() -> None:
            with self._file.open("a", encoding="utf-8", newline="\n") as file:
                if file.tell():
                    file.write("\n")
                file.write(text)

        return self._try(add)

    @property
    def _file(self) -> Path:
        return self.path / f"game_summary{self.number}.txt"

    def _claim(self) -> None:
        """Make the file of the first number that is free, from the next one on."""
        if not self.path.exists():
            self.path.mkdir(exist_ok=True)
        names = (_NAME.fullmatch(path.name) for path in self.path.iterdir())
        taken = [int(name[1]) for name in names if name is not None]
        self.number = max([self.number, *(number + 1 for number in taken)])
        while True:
            try:
                self._file.touch(exist_ok=False)
            except FileExistsError:
                self.number += 1  # somebody else has just begun that one
            else:
                return

    def _try(self, write: Callable[[], None]) -> str:
        if self._is_given_up:
            return ""
        try:
            write()
        except OSError as error:
            self._is_given_up = True
            reason = os.strerror(error.errno) if error.errno else str(error)
            return (
                f"The game summaries cannot be written to the folder {self.path} "
                f"({reason}): start bj-client where you may write. The game goes on "
                "without them."
            )
        return ""


_TOO_FEW_CARDS = "Not enough cards for a game."
_STEPS = {Outcome.WIN: 1, Outcome.LOSE: -1, Outcome.PUSH: 0}


def too_little_money(wallet: int, bet: int) -> str:
    """Say that a wallet does not cover a bet; both are cents.

    >>> too_little_money(500, 1000)
    'Wallet amount $5 is less than bet amount $10.'
    """
    return f"Wallet amount ${plain(wallet)} is less than bet amount ${plain(bet)}."


def is_penniless(table: Table) -> bool:
    """Whether there is too little for the lowest bet, and no donor who offers more."""
    is_idle = not table.my_asks and not table.me.hands
    return is_idle and table.me.balance < table.house.minimum_bet


@dataclass
class Game:
    """Whether a game is on, and how far it has come."""

    is_on: bool = False
    rounds: int = 0
    """Rounds of the game that are over."""
    _bet: int = 0
    """Cents that the next round costs; 0 before that is known."""
    _left: int | None = None
    """The cards that were left when last looked at."""
    _has_deck: bool = False
    """Whether the deck is that of the game which was on last."""

    def begin(self) -> bool:
        """Begin a game, or go on with one that has its deck; tell whether it is new."""
        is_new = not self._has_deck
        self.is_on = self._has_deck = True
        self.rounds = 0 if is_new else self.rounds
        self._bet = 0
        return is_new

    def close_round(self, stake: int, outcome: Outcome, rung: int) -> None:
        """Count a round, and work out the next bet, never less than one ``rung``."""
        self.rounds += 1
        self._bet = max(rung, stake + _STEPS[outcome] * rung)

    def stop(self, event: events.Event | None, table: Table) -> str:
        """Return why the game stops with an event that was just folded in, or nothing.

        It may have stopped behind our back where there is no event, but a picture. The
        cards are looked at before the money, as in the text.
        """
        fresh = self.look(table)
        match event:
            case events.ShoeShuffled() | None if fresh and self.is_on:
                self.is_on = False
                return _TOO_FEW_CARDS
            case events.BettingOpened() if self.is_on and table.me.balance < self._bet:
                self.is_on = False
                return too_little_money(table.me.balance, self._bet)
            case _:
                return ""

    def look(self, table: Table) -> bool:
        """Look at the deck; tell whether it has more cards than before."""
        before, self._left = self._left, table.shoe.cards_left
        fresh = before is not None and self._left is not None and self._left > before
        self._has_deck &= not fresh
        return fresh


_RANKS = "23456789TJQKA"
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
"""From the lowest to the highest, which is the order of the alphabet."""


def row(cards: Iterable[str]) -> str:
    """Return cards of the wire in short, on one line.

    >>> row(["As", "Td", "??"])
    '(A, spades) (10, diamonds) (?, ?)'
    """
    return " ".join(f"({rank(card)}, {_SUITS.get(card[1], '?')})" for card in cards)


def drawing(cards: Iterable[str], faces: Faces) -> list[str]:
    r"""Return cards as drawings, each below the last with a blank line between.

    They are drawn as in the summary of the text, where a rank has room for two marks.

    >>> print("\n".join(drawing(["Ts", "??"], Faces(symbols=False))))
    ----
    |10  |
    | S  |
    |--10|
    <BLANKLINE>
    ----
    |?   |
    | ?  |
    |--? |
    """
    lines: list[str] = []
    for card in cards:
        name = rank(card)
        suit = "?" if card == HIDDEN else faces.card(card)[-1]
        lines += ["", "----", f"|{name:<4}|", f"| {suit}  |", f"|--{name:<2}|"]
    return lines[1:]


def in_order(cards: Iterable[str]) -> list[str]:
    """Return face-up cards by rank, two to ace, and by suit, clubs to spades.

    >>> in_order(["As", "2h", "Ac", "Td", "2d"])
    ['2d', '2h', 'Td', 'Ac', 'As']
    """
    return sorted(cards, key=lambda card: (_RANKS.index(card[0]), card[1]))


def shown(cards: Sequence[str]) -> list[str]:
    """Return a hand as it lies there: in order, unless a card of it is hidden."""
    return list(cards) if HIDDEN in cards else in_order(cards)
