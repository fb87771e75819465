"""The folder of game summaries: one file for each game, which grows round by round.

A file that is there is never written over: games are numbered on from those of earlier
evenings, and of others who play in the same folder at the same time. When a write
fails, that is told in one remark, nothing more is written, and the numbers go on.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_NAME = re.compile(r"game_summary([1-9][0-9]*)\.txt")


@dataclass
class Folder:
    """The folder for the summaries of the games of one visit."""

    path: Path
    """It is made when the first game begins."""
    _number: int = 0
    _has_rounds: bool = False
    _is_given_up: bool = False
    _remarks: list[str] = field(default_factory=list)

    def begin(self) -> int:
        """Begin the file of the next game, and return the number of that game."""
        self._number += 1
        self._has_rounds = False
        if not self._is_given_up:
            try:
                self._claim()
            except OSError as error:
                self._give_up(error)
        return self._number

    def append(self, lines: Iterable[str]) -> None:
        """Add a round to the file, which is whole on disk after each of them."""
        if self._is_given_up:
            return
        text = "".join(f"{line}\n" for line in lines)
        try:
            with self._file.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"\n{text}" if self._has_rounds else text)
        except OSError as error:
            self._give_up(error)
        self._has_rounds = True

    def remarks(self) -> tuple[str, ...]:
        """Return the faults since the last call, in sentences for people."""
        remarks, self._remarks = tuple(self._remarks), []
        return remarks

    @property
    def _file(self) -> Path:
        return self.path / f"game_summary{self._number}.txt"

    def _claim(self) -> None:
        """Make the file of the first number that is free, from the next one on."""
        if not self.path.exists():
            self.path.mkdir(exist_ok=True)
        names = (_NAME.fullmatch(path.name) for path in self.path.iterdir())
        taken = [int(name[1]) for name in names if name is not None]
        self._number = max([self._number, *(number + 1 for number in taken)])
        while True:
            try:
                self._file.touch(exist_ok=False)
            except FileExistsError:
                self._number += 1  # somebody else has just begun that one
            else:
                return

    def _give_up(self, error: OSError) -> None:
        self._is_given_up = True
        reason = os.strerror(error.errno) if error.errno else str(error)
        self._remarks.append(
            f"The game summaries cannot be written to the folder {self.path} "
            f"({reason}): start bj-client where you may write. The game goes on "
            "without them."
        )
