"""Houses: a set of rules under a name, read from TOML and checked.

Every rule has one name. Money is in cents.
"""

import tomllib
from dataclasses import dataclass, fields

__all__ = ["BadHouse", "House", "parse_house"]


class BadHouse(ValueError):
    """Rules that cannot be played; the first argument is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The rules of one house; the defaults are those of ``specs/cpsc386.txt``."""

    name: str
    title: str
    dealer_name: str = "Dealer"
    max_seats: int = 4
    decks: int = 8
    cut_card_min: int = 60
    """The fewest cards that may lie below the cut card."""
    cut_card_max: int = 80
    """The most cards that may lie below the cut card."""
    minimum_bet: int = 100
    bet_step: int = 100
    maximum_wager: int = 2**53 - 1
    """The largest single bet or insurance, whatever the balance."""
    opening_balance: int = 1_000_000
    donor_gift: int = 1_000_000
    """What a broke player is offered; 0 for no donor."""

    def __post_init__(self) -> None:
        """Check every rule.

        Raises:
            BadHouse: naming the key, its value and what is allowed.
        """
        self._require("max_seats", 1, 7)
        self._require("decks", 1, 8)
        self._require("cut_card_min", 0, self.decks * 52 // 2)
        self._require("cut_card_max", self.cut_card_min, self.decks * 52 // 2)
        self._require("bet_step", 1, self.maximum_wager)
        self._require("minimum_bet", self.bet_step, self.maximum_wager)
        self._require("opening_balance", 1, 10**15)
        self._require("donor_gift", 0, 10**15)
        if self.minimum_bet % self.bet_step:
            raise BadHouse(
                f"minimum_bet is {self.minimum_bet}, which is not a whole multiple of "
                f"bet_step, {self.bet_step}."
            )

    def _require(self, key: str, lowest: int, highest: int) -> None:
        value: int = getattr(self, key)
        if not lowest <= value <= highest:
            raise BadHouse(f"{key} is {value}; it must be {lowest} to {highest}.")


def parse_house(text: str) -> House:
    """Read a house from the text of its TOML file.

    Raises:
        BadHouse: if the text is not TOML, or a key is unknown, missing, of the wrong
            type or out of range; the sentence names the key.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadHouse(f"The rules are not valid TOML: {error}.") from None
    types = {field.name: field.type for field in fields(House)}
    for key, value in values.items():
        _check_type(key, value, types)
    for key in ("name", "title"):
        if key not in values:
            raise BadHouse(f"The rules lack the key {key}.")
    return House(**values)


def _check_type(key: str, value: object, types: dict[str, object]) -> None:
    if key not in types:
        raise BadHouse(f"{key} is not a rule; the rules are {', '.join(types)}.")
    if type(value) is not types[key]:
        wanted = "a whole number" if types[key] is int else "text in quotes"
        raise BadHouse(f"{key} is {value!r}; it must be {wanted}.")
