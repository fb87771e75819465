"""Strategies for tests: they answer everything alike, and note what they were asked."""

from typing import Any

from bj_client.model.seat import Hand
from bj_client.model.table import Table
from bj_game.strategies import Hand as HandCopy
from bj_protocol.events import CardDealt


class Says:
    """A strategy that answers everything alike; an exception it raises."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.given: dict[str, tuple[Any, ...]] = {}

    def place_bet(self, balance: int) -> Any:
        return self._say("place_bet", balance)

    def use_ace_hi(self, hand: HandCopy) -> Any:
        return self._say("use_ace_hi", hand)

    def want_card(self, *given: Any) -> Any:
        return self._say("want_card", *given)

    def _say(self, method: str, *given: Any) -> Any:
        self.given[method] = given
        if isinstance(self.answer, type) and issubclass(self.answer, BaseException):
            raise self.answer
        return self.answer


class SaysMore(Says):
    """One that has every method that a strategy may have."""

    def want_double(self, *given: Any) -> Any:
        return self._say("want_double", *given)

    def want_split(self, *given: Any) -> Any:
        return self._say("want_split", *given)

    def want_insurance(self, *given: Any) -> Any:
        return self._say("want_insurance", *given)


class Awkward(int):
    """A number that cannot even be printed or reckoned with."""

    def __repr__(self) -> str:
        raise ValueError

    def __rmul__(self, other: int) -> int:
        raise ArithmeticError


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


def deal(table: Table) -> Table:
    """Deal a pair of eights to ned21, against an ace; return the table."""
    for event in (
        CardDealt(seat=1, hand=0, card="Td", total=10, soft=False),
        CardDealt(seat=2, hand=0, card="8s", total=8, soft=False),
        CardDealt(seat=0, hand=0, card="Ad", total=11, soft=True),
        CardDealt(seat=2, hand=0, card="8h", total=16, soft=False),
        CardDealt(seat=0, hand=0, card="??", total=11, soft=True),
    ):
        table.fold(event)
    table.seats[2].hands = [Hand(["8s", "8h"], 16, stake=1000, insurance=200)]
    return table
