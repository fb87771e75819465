"""The adviser: asks a strategy, and makes sense of its answers.

A strategy may raise, or return nonsense. The first time one remark names the method and
the value that it returned, in words that lead its author to the line; later times are
counted. Each time the safe default is taken.
"""

import builtins
import math
import operator
import reprlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from numbers import Number
from pathlib import PurePath
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from bj_client.model.table import Table
from bj_client.words.money import dollars, short
from bj_game.strategies import Card, Hand, Player, PlayerBank, View
from bj_protocol.action import Action
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask, WagerRange

if TYPE_CHECKING:
    from collections.abc import Callable


STRATEGY_FAULTS = (Exception, SystemExit)
"""The errors that are caught around a strategy. Its ``exit()`` does not end us."""

_LONGEST = 200


def fault_of(error: BaseException) -> str:
    """Return the kind of an error, its message, and the line that raised it.

    >>> fault_of(ValueError("too late"))
    'ValueError: too late'
    """
    try:
        message = str(error)[:_LONGEST]
    except STRATEGY_FAULTS:
        message = ""
    said = f"{type(error).__name__}: {message}" if message else type(error).__name__
    # The message of a syntax error has its own line, that of the faulty source.
    if error.__traceback__ is None or isinstance(error, SyntaxError):
        return said
    *_, (frame, line) = walk_tb(error.__traceback__)
    return f"{said} ({PurePath(frame.f_code.co_filename).name}, line {line})"


def shown(value: object) -> str:
    """Return a value as Python would write it, shortened; never raises.

    >>> shown("hit"), shown(None)
    ("'hit'", 'None')
    """
    try:
        return reprlib.repr(value)[:_LONGEST]
    except STRATEGY_FAULTS:
        return f"a value of type {type(value).__name__}"


def truth_of(value: object) -> bool | None:
    """Return a truth value as a bool, one of another library too; None if it is none.

    Numbers, texts, lists and None are none: whoever returns one has made a mistake.

    >>> truth_of(True), truth_of(1), truth_of(None)
    (True, None, None)
    """
    if value is True or value is False:
        return value
    kind = type(value)
    is_plain = kind.__module__ == builtins.__name__ or isinstance(value, Number)
    if is_plain or not hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
        return None
    try:
        return bool(value)
    except STRATEGY_FAULTS:
        return None


class NoAmountError(ValueError):
    """Something is no amount of money; the first argument is a clause."""


def nearest_amount(asked: object, limits: WagerRange) -> tuple[int, str]:
    """Return the legal cents nearest to ``asked`` dollars, and why they are not those.

    The reason is a clause, empty where the wager is as asked. 0 dollars are no wager,
    and always legal; so is 0 where the limits allow nothing. Where they allow one
    amount alone, the house has decided, and a larger or smaller one is no mistake.

    Raises:
        NoAmountError: if it is no number, or less than nothing.
    """
    dollars, flaw = _whole(asked)
    if dollars < 0:
        raise NoAmountError("less than nothing")
    if dollars == 0 and not flaw:
        return 0, ""
    wanted = 100 * dollars
    most = min(wanted, limits.maximum)
    amount = max(most - most % limits.step, limits.minimum)
    if amount > limits.maximum:
        amount = 0
    if limits.minimum == limits.maximum:
        return amount, flaw
    if wanted > limits.maximum:
        flaw = f"more than the most that is legal, {short(limits.maximum)}"
    elif wanted < limits.minimum:
        flaw = f"less than the least that is legal, {short(limits.minimum)}"
    elif amount != wanted:
        flaw = f"not a whole multiple of {short(limits.step)}"
    return amount, flaw


def _whole(asked: object) -> tuple[int, str]:
    """Return a number without its fraction, and a clause about it.

    A plain int in return, and no method of a subclass is trusted: it may do anything.
    """
    if type(asked) is bool:
        raise NoAmountError("not a number of dollars")
    if isinstance(asked, float) and math.isfinite(amount := float.__float__(asked)):
        return math.floor(amount), "not a whole number of dollars, an int"
    try:
        # A value of any type: having no index is one of the faults that are caught.
        return int.__index__(operator.index(asked)), ""  # type: ignore[arg-type]
    except STRATEGY_FAULTS:
        raise NoAmountError("not a number of dollars") from None


card_of = cache(Card.read)
"""Each card is read once: a shoe of them is copied for each question."""


def _hand(ask: Ask, table: Table) -> Hand:
    """Return a new copy of the hand that ``ask`` is about."""
    hand = table.hand(ask.seat, ask.hand)
    return Hand(map(card_of, hand.cards), hand.total or None)


def _copies(ask: Ask, table: Table) -> tuple[Hand, PlayerBank, list[Card], list[Card]]:
    """Return new arguments for a strategy, none of which belongs to the table.

    They are the hand, the bank, the dealer's one upcard, or nothing, and every card
    that was face up since the last shuffle, oldest first.
    """
    seat = table.seat(ask.seat)
    wager = sum(other.stake + other.insurance for other in seat.hands)
    bank = PlayerBank(seat.balance // 100, wager // 100)
    shown = [card for card in table.dealer.cards if card != HIDDEN]
    dealer_up = list(map(card_of, shown[:1]))
    return _hand(ask, table), bank, dealer_up, list(map(card_of, table.shoe.seen))


_WISHES = {
    Action.HIT: ("want_card", "the hand stands"),
    Action.DOUBLE: ("want_double", "it does not double"),
    Action.SPLIT: ("want_split", "it does not split"),
    Action.SURRENDER: ("want_surrender", "it does not surrender"),
}
"""The method that is asked about each play, and what is done without advice."""
_WHAT = {"raised": "raised an error", "returned": "returned a wrong value"}


class _NoAdviceError(Exception):
    """A strategy gave no usable answer; the first argument is a clause."""


@dataclass(eq=False)
class Adviser:
    """One strategy, asked with care."""

    strategy: Player
    _remarks: list[str] = field(default_factory=list, init=False)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter, init=False)
    faults: int = field(default=0, init=False)
    """How often there was no usable answer; one that is only too high is usable."""

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks since the last call."""
        remarks, self._remarks = tuple(self._remarks), []
        return remarks

    def tell(self, sentence: str) -> None:
        """Add a remark that is none of the strategy's faults."""
        self._remarks.append(sentence)

    def tally(self) -> tuple[str, ...]:
        """Return how often each method has failed, in sentences."""
        name = type(self.strategy).__name__
        return tuple(
            f"{name}.{method} {_WHAT[verb]} {'once' if n == 1 else f'{n} times'}."
            for (method, verb), n in self._counts.items()
        )

    def observe(self, view: View) -> None:
        """Show the strategy the view, if it wants one."""
        try:
            self._ask("observe", (view,), absent=None)
        except _NoAdviceError as reason:
            self._remark("observe", str(reason), "it is asked all the same")

    def leaves(self, balance: int) -> bool:
        """Tell whether the strategy ends its visit now; without advice, no."""
        return self._wish("want_to_leave", (balance,), "it stays")

    def bet(self, balance: int, limits: WagerRange) -> int:
        """Return the bet in cents, 0 to sit out; without advice, the least one."""
        least = limits.minimum if limits.minimum <= limits.maximum else 0
        return self._amount("place_bet", (balance,), limits, least, "bets")

    def insurance(self, ask: Ask, table: Table, limits: WagerRange) -> int:
        """Return the insurance in cents; without advice, 0 for none."""
        given = _copies(ask, table)
        return self._amount("want_insurance", given, limits, 0, "insures for")

    def wants(self, action: Action, ask: Ask, table: Table) -> bool:
        """Tell whether to play a hand so; without advice, no."""
        method, instead = _WISHES[action]
        return self._wish(method, _copies(ask, table), instead)

    def ace_high(self, ask: Ask, table: Table) -> bool:
        """Tell whether aces count 11; without advice, unless that busts."""
        default = _hand(ask, table).score_hand(ace_hi=True) <= 21
        says = f"the ace counts {'11' if default else '1'}"
        return self._wish("use_ace_hi", (_hand(ask, table),), says, default)

    def _wish(
        self, method: str, given: tuple[Any, ...], instead: str, default: bool = False
    ) -> bool:
        try:
            wish = self._ask(method, given, absent=False)
            if (truth := truth_of(wish)) is not None:
                return truth
            self._remark(method, f"returned {shown(wish)}, not True or False", instead)
        except _NoAdviceError as reason:
            self._remark(method, str(reason), instead)
        return default

    def _amount(
        self,
        method: str,
        given: tuple[Any, ...],
        limits: WagerRange,
        default: int,
        verb: str,
    ) -> int:
        try:
            asked = self._ask(method, given, absent=0)
            amount, flaw = nearest_amount(asked, limits)
            self.faults -= bool(flaw)  # as near as may be is no fault
        except _NoAdviceError as reason:
            amount, flaw = default, str(reason)
        except NoAmountError as reason:
            amount, flaw = default, f"returned {shown(asked)}, {reason}"
        else:
            flaw = flaw and f"returned {shown(asked)}, {flaw}"
        if flaw:
            instead = f"it {verb} {dollars(amount)}" if amount else "it does not wager"
            self._remark(method, flaw, instead)
        return amount

    def _ask(self, method: str, given: tuple[Any, ...], absent: object) -> object:
        """Return the answer of the strategy, ``absent`` where it has no such method."""
        try:
            asked: Callable[..., object] | None = getattr(self.strategy, method, None)
            return absent if asked is None else asked(*given)
        except BaseException as error:  # noqa: BLE001 - no Ctrl-C comes to its thread
            raise _NoAdviceError(f"raised {fault_of(error)}") from None

    def _remark(self, method: str, flaw: str, instead: str) -> None:
        name = type(self.strategy).__name__
        self.faults += 1
        self._counts[method, verb := flaw.split()[0]] += 1
        if self._counts[method, verb] > 1:
            return
        self._remarks.append(f"{name}.{method} {flaw}: {instead}.")
