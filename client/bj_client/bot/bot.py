"""The bot: answers every ask by itself, as a strategy decides; and the choice of one.

The names that ``--bot`` takes are made into bots here.
"""

import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from bj_client.bot.adviser import Adviser, card_of
from bj_client.bot.loader import BotError, load_class, make_strategy
from bj_client.model.decision import DECISIONS
from bj_client.model.table import Table
from bj_client.system import read_written
from bj_game import strategies
from bj_game.house import House, known_house
from bj_game.strategies import Player, ScriptError, ScriptPlayer, View
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask


class Bot:
    """Translates between the table's asks and the questions of a strategy.

    Gifts are accepted. An ask that no strategy is asked about is declined.
    """

    def __init__(self, strategy: Player, *, is_loaded: bool = False) -> None:
        """Play by ``strategy``.

        ``is_loaded`` tells that it is somebody's own: it may think for ever, so it
        must not be asked where others wait.
        """
        self.adviser = Adviser(strategy)
        """Knows the faults of the strategy."""
        self._terms: Mapping[str, object] | None = None
        self._house: House | None = None
        """The house of those terms, if all its rules are known."""
        self._shuffles = 0
        """How often the shoe was shuffled when it was last looked at."""
        self.is_loaded = is_loaded
        self.leaves = False
        """Whether the strategy wants to end its visit."""
        self.name = type(strategy).__name__

    def answer(self, ask: Ask, table: Table) -> AnyAnswer:
        """Return the answer to an ask; it is always a legal one."""
        actions = frozenset(ask.actions)
        if Action.ACCEPT_GIFT in actions:
            return _answer(Action.ACCEPT_GIFT, ask)
        self.adviser.observe(self._view(table))
        if Action.PLACE_BET in actions:
            return self._stake(ask, table)
        cards = table.hand(ask.seat, ask.hand).cards
        if HIDDEN in cards:
            self.adviser.tell("The server hides a card of the hand: it is not played.")
            return _safe(ask)
        if not cards:
            return _safe(ask)
        if self._wants(Action.SURRENDER, ask, table):
            return _answer(Action.SURRENDER, ask)
        if Action.INSURE in actions:
            limits = ask.wager
            amount = self.adviser.insurance(ask, table, limits) if limits else 0
            return _answer(Action.INSURE, ask, amount=amount) if amount else _safe(ask)
        if Action.ACE_HIGH in actions:
            is_high = self.adviser.ace_high(ask, table)
            return _answer(Action.ACE_HIGH if is_high else Action.ACE_LOW, ask)
        for play in (Action.SPLIT, Action.DOUBLE, Action.HIT):
            if self._wants(play, ask, table):
                return _answer(play, ask)
        return _safe(ask)

    def _view(self, table: Table) -> View:
        """Return a view of the table that nobody else holds."""
        if table.house.terms is not self._terms:
            self._terms = table.house.terms
            self._house = known_house(self._terms)
        shuffles, self._shuffles = self._shuffles, table.shoe.shuffles
        return View(
            cards_seen=list(map(card_of, table.shoe.seen)),
            cards_left=table.shoe.cards_left,
            is_shuffled=table.shoe.shuffles != shuffles,
            house=copy(self._house),
            last_result=table.record.last_net,
        )

    def _stake(self, ask: Ask, table: Table) -> AnyAnswer:
        balance = table.seat(ask.seat).balance // 100
        self.leaves = self.adviser.leaves(balance)
        if ask.wager and not self.leaves:
            amount = self.adviser.bet(balance, ask.wager)
            if amount:
                return _answer(Action.PLACE_BET, ask, amount=amount)
        return _answer(Action.SIT_OUT, ask)

    def _wants(self, play: Action, ask: Ask, table: Table) -> bool:
        return play in ask.actions and self.adviser.wants(play, ask, table)


def _safe(ask: Ask) -> AnyAnswer:
    """Return the answer that risks nothing more."""
    safe = (Action.STAND, Action.DECLINE, Action.ACE_LOW)
    action = next((each for each in safe if each in ask.actions), Action.SIT_OUT)
    return _answer(action, ask)


def _answer(action: Action, ask: Ask, **wager: int) -> AnyAnswer:
    return DECISIONS[action].command(prompt=ask.prompt, **wager)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotChoice:
    """A kind of bot, of which any number can be made."""

    name: str
    """As it was written after ``--bot``."""
    takes_bet: bool = False
    """Whether its bet can be set; the others decide on it themselves."""
    strategy: Callable[..., Player]
    """Makes the strategy, with a ``bet`` of so many dollars where that can be set."""
    is_loaded: bool = False
    """Whether it is somebody's own."""

    def make(self, bet: int) -> Bot:
        """Return a new bot; ``bet`` is in cents, a whole number of dollars."""
        given = {"bet": bet // 100} if self.takes_bet else {}
        return Bot(self.strategy(**given), is_loaded=self.is_loaded)


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
        numbers = [kind.read(name, number)] if colon else []
        make = partial(kind.make, *numbers)
        return BotChoice(name=text, takes_bet=kind.takes_bet, strategy=make)
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

    make: Callable[..., Player]
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
    "basic": _Shipped(make=strategies.BasicPlayer),
    "best": _Shipped(make=strategies.BestPlayer),
    "conservative": _Shipped(make=strategies.ConservativePlayer),
    "counting": _Shipped(
        make=strategies.CountingPlayer,
        number="the number of packs in the shoe",
        lowest=1,
        highest=8,
    ),
    "hilo": _Shipped(make=strategies.HiLoPlayer),
    "dealer": _Shipped(make=strategies.DealerPlayer),
    "threshold": _Shipped(
        make=strategies.ThresholdPlayer,
        number="the score at which it stands",
        lowest=2,
        highest=21,
    ),
    "random": _Shipped(
        # Chance is all that is wanted here; nobody gains by guessing a bot's coin.
        make=lambda seed=None: strategies.RandomPlayer(Random(seed)),  # noqa: S311
        takes_bet=False,
        number="the seed of its choices",
        highest=10**12 - 1,
    ),
    "cheating": _Shipped(make=strategies.CheatingPlayer, takes_bet=False),
    "reckless": _Shipped(make=strategies.RecklessPlayer, takes_bet=False),
}
SCRIPT = "script"
"""The name before the file of a script."""


def _scripted(text: str, file: str) -> BotChoice:
    if not file:
        raise BotError(f"The script is missing: name its file, as in {SCRIPT}:FILE.")
    try:
        script = read_written(Path(file))
        ScriptPlayer(script)
    except OSError as error:
        reason = f"cannot be read ({error.strerror}): name a file that can"
        raise BotError(f"The script {file} {reason}.") from None
    except UnicodeDecodeError:
        raise BotError(f"The script {file} cannot be read as a text.") from None
    except ScriptError as error:
        raise BotError(f"{file}: {error}") from None
    make = partial(ScriptPlayer, script)
    return BotChoice(name=text, strategy=make)


def _loaded(text: str) -> BotChoice:
    cls = load_class(text)
    # One is made at once, to tell now what is wrong with it; it is the first to play.
    ready = [make_strategy(cls)]
    return BotChoice(
        name=text,
        is_loaded=True,
        strategy=lambda: ready.pop() if ready else make_strategy(cls),
    )
