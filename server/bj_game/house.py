"""Houses: a set of rules under a name, read from TOML and checked.

Every rule has one name, its values are few and written out, and rules that contradict
each other are refused. Money is in cents.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

from bj_game.money import MAX_WAGER


def _contradictions(house: "House") -> Iterator[str]:  # noqa: C901 - one flat list
    """Yield a sentence about each rule that contradicts another."""
    if house.even_money and (house.natural == "plain" or house.hole_card == "none"):
        yield "even_money needs a natural that pays, and a hole_card."
    if house.blackjack_beats_21 and not house.knows_blackjack:
        yield "blackjack_beats_21 needs a house with naturals or insurance."
    if house.tie == "dealer" and house.knows_blackjack and not house.blackjack_beats_21:
        yield (
            'tie = "dealer" takes every equal total, so with insurance or a natural '
            "that pays blackjack_beats_21 must be true."
        )
    if house.hole_card == "peek" and not house.knows_blackjack:
        yield 'hole_card = "peek" needs a house with naturals or insurance.'
    if house.hole_card == "peek" and house.insurance_asked != "all_first":
        yield (
            'hole_card = "peek" ends the round before any hand is played, so '
            'insurance_asked must be "all_first".'
        )
    if house.surrender == "late" and house.hole_card != "peek":
        yield 'surrender = "late" comes after the look at a hole_card: "peek".'
    has_upcard = house.insurance != "none" or house.hole_card != "none"
    if house.deal == "dealer_last" and has_upcard:
        yield (
            'deal = "dealer_last" shows no upcard, so insurance and hole_card must '
            'be "none".'
        )
    if house.shoe == "never_refilled" and house.decks != 1:
        yield 'shoe = "never_refilled" is for one deck: decks must be 1.'
    if house.shoe == "never_refilled" and house.split != "none":
        yield (
            'shoe = "never_refilled" may have no card for the second hand of a split, '
            'so split must be "none".'
        )
    if house.shoe == "never_refilled" and house.hole_card == "none":
        yield (
            'shoe = "never_refilled" may have no second card for the dealer once all '
            'have played, so hole_card must be "peek" or "no_peek".'
        )
    if house.bet == "ladder" and house.maximum_bet:
        yield 'bet = "ladder" sets every bet itself, so maximum_bet must be 0.'
    if house.ace == "one" and (house.knows_blackjack or house.hit_soft_17):
        yield (
            'ace = "one" leaves no natural and no soft hand, so natural must be '
            '"plain", insurance "none" and hit_soft_17 false.'
        )
    if house.ace == "player" and (house.knows_blackjack or house.split != "none"):
        yield (
            'ace = "player" is for houses where natural is "plain", and insurance and '
            'split are "none".'
        )
    if not house.complete_at_21 and house.natural != "plain":
        yield 'complete_at_21 = false is for houses where natural is "plain".'
    if house.give_up and house.shoe != "every_round":
        yield 'give_up deals anew, so shoe must be "every_round".'
    is_single = house.bet == "ladder" or house.shoe == "never_refilled"
    if house.max_spots > 1 and is_single:
        yield (
            'max_spots must be 1 where bet = "ladder" or shoe = "never_refilled": both '
            "are for one hand a round."
        )
    hands, most = house.max_seats * house.max_spots, house.most_hands
    if house.max_spots > 1 and most is not None and hands > most:
        yield (
            f"max_spots times max_seats is too many: a full table has {hands} hands, "
            f"and decks = {house.decks} has cards for {most} at most."
        )
    if house.charlie and not house.hit:
        yield "charlie needs hands that may draw: hit must be true."
    if house.double != "none" and not house.hit:
        yield 'hit = false lets nobody draw a card, so double must be "none".'
    if house.dealer_draws == "never" and house.hit_soft_17:
        yield (
            "hit_soft_17 needs a dealer who draws: dealer_draws must be "
            '"needed" or "always".'
        )
    if house.dealer_draws == "never" and house.both_bust == "push":
        yield (
            'both_bust = "push" needs a dealer who can bust: dealer_draws must be '
            '"needed" or "always".'
        )
    if house.opening_balance < house.minimum_bet and not house.donor_gift:
        yield (
            f"opening_balance is {house.opening_balance}, which is not even one "
            f"minimum_bet, {house.minimum_bet}, and donor_gift is 0: nobody could bet."
        )


MOST_SEATS = 7
"""The seats of the largest table."""

_MOST_CENTS = 10**15
_TEXTS = {"name": 40, "title": 80, "dealer_name": 30, "source": 500}
"""The longest texts, in characters."""


class HouseError(ValueError):
    """Rules that cannot be played; the first argument is a sentence."""


_POINTS_OF_A_DECK = 340
"""With aces as 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The rules of one house; the defaults are those of ``specs/cpsc386.txt``."""

    name: str
    title: str
    source: str = ""
    """The text in which the rules are written down, for people."""
    dealer_name: str = "Dealer"
    max_seats: int = 4

    shoe: Literal["cut_card", "every_round", "never_refilled", "endless"] = "cut_card"
    """When the shoe is shuffled: after the cut card, or before every round; what is
    never refilled is shuffled by hand before every round until too little is left; an
    endless one draws every card anew."""
    decks: int = 8
    cut_card_min: int = 60
    """The fewest cards that may lie below the cut card."""
    cut_card_max: int = 80
    """The most cards that may lie below the cut card."""

    deal: Literal["alternating", "by_hand", "dealer_last"] = "alternating"
    """One card to each and the dealer, twice; or two cards a hand at once; or nothing
    to the dealer before the players have played."""
    hole_card: Literal["peek", "no_peek", "none"] = "no_peek"
    """Whether the dealer looks for a blackjack before the players play; ``none`` is a
    second card that is drawn only after they have."""

    ace: Literal["best", "one", "player"] = "best"
    """``player``: whoever holds the hand says whether its aces count 11 or 1; the
    dealer's count best."""
    hit: bool = True
    """Whether players may draw at all."""
    complete_at_21: bool = True
    """Whether a hand of 21 is at its end; else its player may even draw to it."""
    charlie: int = 0
    """A hand of so many cards, not bust, wins at once; 0 for no such rule."""
    hit_soft_17: bool = False
    dealer_draws: Literal["needed", "always", "never"] = "needed"
    """``needed`` stops drawing once no result depends on it any more; where both may
    be bust and push, that of a bust hand does."""

    tie: Literal["push", "dealer"] = "push"
    both_bust: Literal["lose", "push"] = "lose"
    natural: Literal["plain", "1:1", "6:5", "3:2"] = "plain"
    """The pay of an ace and a ten-value as dealt; ``plain`` is a 21 like any other."""
    blackjack_beats_21: bool = False
    """Whether the dealer's blackjack beats a 21 of the player that is no natural."""
    even_money: bool = False
    """Whether a natural may be settled at even money when the dealer shows an ace."""

    insurance: Literal["none", "ace", "ace_or_ten"] = "ace_or_ten"
    insurance_pays: Literal["1:1", "2:1"] = "1:1"
    insurance_limit: Literal["balance", "half_stake"] = "balance"
    insurance_asked: Literal["each_hand", "all_first"] = "each_hand"
    """At each hand's turn, or of everyone before the first play."""

    split: Literal["none", "rank", "value"] = "rank"
    max_hands: int = 2
    """The hands that one dealt hand may become by splitting."""
    resplit_aces: bool = True
    one_card_on_split_aces: bool = False
    double: Literal["none", "any_two", "9-11", "10-11"] = "any_two"
    """On which first two cards; a range means hard totals."""
    double_after_split: bool = True
    surrender: Literal["none", "late", "early"] = "none"

    max_spots: int = 1
    """The spots that one player may bet on, the same amount on each."""
    bet: Literal["free", "ladder"] = "free"
    """The bets that a player may make; on the ladder it is the minimum, one minimum
    more after every win, and one less after every loss."""
    give_up: bool = False
    """Whether a hand may be given up as a loss at any time, to be dealt anew."""
    hints: bool = True
    """Whether players may be told what is best; our client keeps to it."""
    minimum_bet: int = 100
    maximum_bet: int = 0
    """0 for no limit but the balance."""
    bet_step: int = 100
    maximum_wager: int = MAX_WAGER
    """The largest single bet or insurance, whatever the balance."""
    opening_balance: int = 1_000_000
    donor_gift: int = 1_000_000
    """The cents that a broke player is offered; 0 for no donor."""
    donor_wait_rounds: int = 0
    """The rounds that the table plays before the donor offers to a broke player."""

    def __post_init__(self) -> None:
        """Check every rule.

        Raises:
            HouseError: naming the key, its value and what is allowed.
        """
        for key, rule in _rules().items():
            _check_value(key, getattr(self, key), rule)
        for key, longest in _TEXTS.items():
            self._require_text(key, longest)
        for key, lowest, highest in (
            ("max_seats", 1, MOST_SEATS),
            ("decks", 1, 8),
            ("max_hands", 2, 4),
            ("max_spots", 1, 4),
            ("maximum_wager", 1, MAX_WAGER),
            ("bet_step", 1, self.maximum_wager),
            ("minimum_bet", self.bet_step, self.maximum_wager),
            ("opening_balance", 1, _MOST_CENTS),
            ("donor_gift", 0, _MOST_CENTS),
            ("donor_wait_rounds", 0, 1000),
        ):
            self._require(key, lowest, highest)
        if self.shoe == "cut_card":
            half = self.decks * 52 // 2
            self._require("cut_card_min", 0, half)
            self._require("cut_card_max", self.cut_card_min, half)
        if self.charlie:
            self._require("charlie", 5, 10)
        if self.maximum_bet:
            self._require("maximum_bet", self.minimum_bet, self.maximum_wager)
        self._require_whole_steps()
        for sentence in _contradictions(self):
            raise HouseError(sentence)

    @property
    def most_hands(self) -> int | None:
        """For how many hands the decks are enough; None for an endless shoe.

        It is a bound: however the cards lie and the hands are played, with so many
        hands and the dealer's on the table some card is not there yet whenever one is
        drawn. The hand that takes most points from the decks is the one that a ten
        busts: a hand that draws has at most the ``most`` points below, and one that is
        over a ten more, with aces as 1. The dealer draws with at most 16.

        >>> House(name="cpsc386", title="").most_hands, 8 * 340
        (90, 2720)
        """
        if self.shoe == "endless":
            return None
        most = 20 if self.complete_at_21 else 21
        of_a_hand = most + 10 if self.hit else 20
        return (_POINTS_OF_A_DECK * self.decks - 16 - 1) // of_a_hand

    @property
    def knows_blackjack(self) -> bool:
        """Whether an ace and a ten-value is more to this house than a total of 21."""
        return self.natural != "plain" or self.insurance != "none"

    def insures(self, points: int) -> bool:
        """Whether players may insure against an upcard of so many points, 1 an ace."""
        is_ten = self.insurance == "ace_or_ten" and points == 10
        return self.insurance != "none" and (points == 1 or is_ten)

    def _require(self, key: str, lowest: int, highest: int) -> None:
        value: int = getattr(self, key)
        if not lowest <= value <= highest:
            raise HouseError(f"{key} is {value}; it must be {lowest} to {highest}.")

    def _require_text(self, key: str, longest: int) -> None:
        """Texts go to terminals, and the name into the bank's lines."""
        text: str = getattr(self, key)
        if not text.isprintable() or len(text) > longest:
            raise HouseError(
                f"{key} must be printable, on one line, and have at most {longest} "
                "characters."
            )
        if not text.strip() and key in ("name", "dealer_name"):
            raise HouseError(f"{key} is empty; it must say something.")

    def _require_whole_steps(self) -> None:
        for key in ("minimum_bet", "maximum_bet"):
            value: int = getattr(self, key)
            if value % self.bet_step:
                raise HouseError(
                    f"{key} is {value}, which is not a whole multiple of bet_step, "
                    f"{self.bet_step}."
                )


def parse_house(text: str) -> House:
    """Read a house from the text of its TOML file.

    Raises:
        HouseError: if the text is not TOML, or a key is unknown, missing, of the wrong
            type or out of range; the sentence names the key.
    """
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise HouseError(f"The rules are not valid TOML: {error}.") from None
    return house_of(values)


def house_of(rules: Mapping[str, object]) -> House:
    """Return the house of named rules; what they do not name is at its default.

    Raises:
        HouseError: if a rule is unknown, missing, of the wrong type or out of range;
            the sentence names it.
    """
    for key in rules:
        if key not in _rules():
            raise HouseError(
                f"{key} is not a rule; the rules are {', '.join(_rules())}."
            )
    for key in ("name", "title"):
        if key not in rules:
            raise HouseError(f"The rules lack the key {key}.")
    return House(**rules)  # type: ignore[arg-type]


def rules_of(house: House) -> dict[str, Any]:
    """Return the rules of a house by name, of which ``house_of`` makes it again.

    ``hints`` is among them only where they are forbidden: programs that do not know the
    rule know all others of the house.
    """
    rules = {key: getattr(house, key) for key in _rules()}
    if house.hints:
        del rules["hints"]
    return rules


def known_house(rules: Mapping[str, object]) -> House | None:
    """Return the house of named rules; None if this program does not know them."""
    try:
        return house_of(rules)
    except ValueError:
        return None


@cache
def _rules() -> Mapping[str, Any]:
    """Return the type of each rule, or the texts that it may be."""
    return {key: get_args(rule) or rule for key, rule in get_type_hints(House).items()}


def _check_value(key: str, value: object, rule: Any) -> None:
    if isinstance(rule, tuple):
        if value not in rule or isinstance(value, bool):
            listed = ", ".join(f'"{choice}"' for choice in rule)
            raise HouseError(f"{key} is {value!r}; it must be one of {listed}.")
    elif type(value) is not rule:
        wanted = {int: "a whole number", bool: "true or false", str: "text in quotes"}
        raise HouseError(f"{key} is {value!r}; it must be {wanted[rule]}.")
