"""The choice of a bot: the names that ``--bot`` takes, made into bots."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bj_client.bot.bot import Bot
from bj_client.bot.loader import BotError, load_class, make_strategy
from bj_game.strategies import (
    BasicPlayer,
    BestPlayer,
    CheatingPlayer,
    ConservativePlayer,
    CountingPlayer,
    DealerPlayer,
    HiLoPlayer,
    Player,
    RandomPlayer,
    RecklessPlayer,
    ScriptError,
    ScriptPlayer,
    ThresholdPlayer,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotChoice:
    """A kind of bot, of which any number can be made."""

    name: str
    """As it was written after ``--bot``."""
    takes_bet: bool
    """Whether its bet can be set; the others decide on it themselves."""
    is_loaded: bool
    """Whether it is somebody's own."""
    strategy: Callable[[int], Player]
    """Makes the strategy, which bets so many dollars where the bet can be set."""

    def make(self, bet: int) -> Bot:
        """Return a new bot; ``bet`` is in cents, a whole number of dollars."""
        return Bot(self.strategy(bet // 100), is_loaded=self.is_loaded)


def read_bot(text: str) -> BotChoice:
    """Read the name of a shipped bot, ``script:FILE``, or ``module:Class``.

    >>> read_bot("threshold:15").takes_bet
    True

    Raises:
        BotError: with a sentence, if there is no such bot or it cannot be made.
    """
    name, colon, number = text.partition(":")
    kind = SHIPPED.get(name)
    if kind is not None:
        value = kind.read(name, number) if colon else None
        return BotChoice(
            name=text,
            takes_bet=kind.takes_bet,
            is_loaded=False,
            strategy=lambda bet: kind.make(bet, value),
        )
    if name == SCRIPT:
        return _scripted(text, number)
    if not colon:
        raise BotError(
            f"There is no bot {text!r}: name one of {', '.join(SHIPPED)}, "
            f"{SCRIPT}:FILE, or a class of your own as module:Class."
        )
    return _loaded(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shipped:
    """A strategy that comes with us, and the number that may follow its name."""

    make: Callable[[int, int | None], Player]
    takes_bet: bool = True
    number: str = ""
    """The meaning of the number; empty where there is none."""
    lowest: int = 0
    highest: int = 0

    def read(self, name: str, number: str) -> int:
        if not self.number:
            raise BotError(f"The bot {name} takes no number: write just {name}.")
        is_number = re.fullmatch("[0-9]{1,12}", number) is not None
        if not is_number or not self.lowest <= int(number) <= self.highest:
            raise BotError(
                f"The part after {name}: is {self.number}, {self.lowest} to "
                f"{self.highest}."
            )
        return int(number)


SHIPPED = {
    "basic": _Shipped(make=lambda bet, _: BasicPlayer(bet=bet)),
    "best": _Shipped(make=lambda bet, _: BestPlayer(bet=bet)),
    "conservative": _Shipped(make=lambda bet, _: ConservativePlayer(bet=bet)),
    "counting": _Shipped(
        make=lambda bet, packs: CountingPlayer(packs or 1, bet=bet),
        number="the number of packs in the shoe",
        lowest=1,
        highest=8,
    ),
    "hilo": _Shipped(make=lambda bet, _: HiLoPlayer(bet=bet)),
    "dealer": _Shipped(make=lambda bet, _: DealerPlayer(bet=bet)),
    "threshold": _Shipped(
        make=lambda bet, threshold: ThresholdPlayer(threshold or 17, bet=bet),
        number="the score at which it stands",
        lowest=2,
        highest=21,
    ),
    "random": _Shipped(
        # Chance is all that is wanted here; nobody gains by guessing a bot's coin.
        make=lambda _, seed: RandomPlayer(Random(seed)),  # noqa: S311
        takes_bet=False,
        number="the seed of its choices",
        highest=10**12 - 1,
    ),
    "cheating": _Shipped(make=lambda *_: CheatingPlayer(), takes_bet=False),
    "reckless": _Shipped(make=lambda *_: RecklessPlayer(), takes_bet=False),
}
SCRIPT = "script"
"""The name before the file of a script."""


def _scripted(text: str, file: str) -> BotChoice:
    if not file:
        raise BotError(f"The script is missing: name its file, as in {SCRIPT}:FILE.")
    try:
        script = Path(file).read_text("utf-8-sig")
        ScriptPlayer(script)
    except (OSError, UnicodeDecodeError):
        raise BotError(f"The script {file} cannot be read as a text.") from None
    except ScriptError as error:
        raise BotError(f"{file}: {error}") from None
    return BotChoice(
        name=text,
        takes_bet=False,
        is_loaded=False,
        strategy=lambda _: ScriptPlayer(script),
    )


def _loaded(text: str) -> BotChoice:
    cls = load_class(text)
    # One is made at once, to tell now what is wrong with it; it is the first to play.
    ready = [make_strategy(cls)]
    return BotChoice(
        name=text,
        takes_bet=False,
        is_loaded=True,
        strategy=lambda _: ready.pop() if ready else make_strategy(cls),
    )
