"""The options of ``bj-odds``: a house, a question, and the form of the answer."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from bj_game.card import parse_cards
from bj_game.house import House
from bj_game.money import cents_of
from bj_protocol.option import OneOf, Option, Parser, between, checked
from bj_server.settings import HOUSES, load_house

_EXAMPLES = """\
examples:
  bj-odds cpsc386                      edge, chart, dealer, rules, and risk
  bj-odds friday.toml --stake 25 --bankroll 2000
  bj-odds vegas-strip --hand "8c 8d" --up Ts    every play of a hand, best first
  bj-odds downtown --hand "Td 6s" --up 9h --seen "5c 5d 4h"
  bj-odds --compare vegas-strip downtown
  bj-odds european --simulate 1000000  play it, on all cores
  bj-odds vegas-strip --html > chart.html       a page to print
  bj-odds vegas-strip --csv | --svg | --json

What takes long is kept in the user's cache folder, and told at once the next time.

exit status:
  0    told
  1    the output cannot be written
  2    the options are wrong, or name no house, no cards or no file
  130  interrupted
"""

FORMS = ("json", "csv", "svg", "html")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices of who asks."""

    houses: tuple[House, ...]
    """The house; two where they are compared."""
    compare: bool
    beside: House
    """The house of reference for the cost of each rule."""
    hand: tuple[str, ...]
    """The cards of a hand; none where the house as a whole is asked about."""
    up: str | None
    seen: tuple[str, ...]
    simulate: int | None
    """How many rounds to play; None for none."""
    seed: int
    stake: int | None
    """Cents; None for the least bet of the house."""
    bankroll: int | None
    """Cents; None for two hundred stakes."""
    rounds: int
    form: str
    """One of ``FORMS``, or ``text``."""


_SUITS = str.maketrans("♠♥♦♣", "shdc")


def _read_cards(text: str) -> tuple[str, ...]:
    """Read cards as typed, or as a screen shows them: ``Td``, ``10♦``, ``10D``."""
    words = text.replace("10", "T").translate(_SUITS).split()
    written = (word[0].upper() + word[1:].lower() for word in words)
    return tuple(map(str, parse_cards(" ".join(written))))


def _read_card(text: str) -> str:
    (card,) = _read_cards(text)
    return card


_CARDS_RULE = 'cards are a rank and a suit each, as in "8c Td As"'
_card = checked(_read_card, _CARDS_RULE)
_cards = checked(_read_cards, _CARDS_RULE)
_rounds = checked(
    lambda text: between(int(text.replace(",", "").replace("_", "")), 1, 10**9),
    "rounds are a whole number, from 1 to a billion",
)
_cents = checked(
    lambda text: between(cents_of(text), 1, 10**15),
    "an amount is dollars, as in 50 or 12.50, up to ten trillion",
)

_ROWS = (
    Option(
        "houses HOUSE|FILE",
        f"the rules: {', '.join(HOUSES)}, or a TOML file",
        load_house,
        count="+",
    ),
    Option("--compare", "tell two houses beside each other"),
    Option(
        "--beside HOUSE|FILE",
        "tell what each rule costs that differs from this house (default: vegas-strip)",
        load_house,
        None,
    ),
)
_HAND = (
    Option("--hand CARDS", "value every play of this hand", _cards),
    Option("--up CARD", "the card that the dealer shows", _card),
    Option("--seen CARDS", "cards that are out of the shoe besides those", _cards, ()),
)
_RISK = (
    Option("--stake DOLLARS", "each first bet (default: the least)", _cents),
    Option("--bankroll DOLLARS", "what is at risk (default: 200 stakes)", _cents),
    Option(
        "--rounds N",
        "the rounds of an evening, for the risk of ruin (default: 1000)",
        _rounds,
        1000,
    ),
)
_PLAYED = (
    Option("--simulate N", "play N rounds by the chart, on all cores", _rounds),
    Option(
        "--seed N",
        "the seed of their cards (default: 1)",
        checked(lambda text: between(int(text), 0, 10**12), "a seed is a whole number"),
        1,
    ),
)
_OUTPUT = (
    OneOf(
        (
            Option("--json", "as JSON, for programs"),
            Option("--csv", "the chart as CSV"),
            Option("--svg", "the chart as a picture"),
            Option("--html", "all of it as one page to print"),
        ),
        required=False,
    ),
)


def make_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser(
        prog="bj-odds",
        description="Tell what the rules of a house are worth, and the best play.",
        epilog=_EXAMPLES,
    )
    parser.add_version()
    parser.add_rows(_ROWS)
    parser.add_rows(_HAND, "a hand")
    parser.add_rows(_RISK, "money")
    parser.add_rows(_PLAYED, "simulation")
    parser.add_rows(_OUTPUT, "form of the answer")
    return parser


def read_options(arguments: Sequence[str] | None = None) -> Options:
    """Return what ``arguments`` ask for."""
    parser = make_parser()
    found = parser.parse_args(arguments)
    houses: tuple[House, ...] = tuple(found.houses)
    if len(houses) != 1 + found.compare:
        many = "two houses are compared" if found.compare else "one house is told of"
        parser.error(f"{many}: name just so many, or see --help.")
    form = next((form for form in FORMS if getattr(found, form)), "text")
    if found.hand is not None:
        _check_hand(parser, houses[0], found)
    elif found.up is not None or found.seen:
        parser.error("--up and --seen are about a hand: name it with --hand.")
    asked = found.compare, found.hand is not None, found.simulate is not None
    if form not in ("text", "json") and any(asked):
        parser.error(f"--{form} is for a whole house: leave the other question out.")
    if sum(asked) > 1:
        parser.error("--compare, --hand and --simulate are three questions: ask one.")
    given = vars(found) | {
        "houses": houses,
        "beside": found.beside or load_house("vegas-strip"),
        "hand": found.hand or (),
        "form": form,
    }
    return Options(**{name: given[name] for name in Options.__slots__})


def _check_hand(parser: Parser, house: House, found: Namespace) -> None:
    if len(found.hand) < 2:
        parser.error("--hand: a hand has two cards or more.")
    if (found.up is None) != (house.deal == "dealer_last"):
        what = "shows no card" if found.up else "shows a card: name it with --up"
        parser.error(f"the dealer of {house.name} {what}.")
    cards = [*found.hand, *found.seen, *filter(None, [found.up])]
    decks = 10**9 if house.shoe == "endless" else house.decks
    for card in dict.fromkeys(cards):
        if cards.count(card) > decks:
            parser.error(f"there are only {decks} of {card} in the shoe.")
