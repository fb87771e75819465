"""Strategies: how to play a hand by a table that is known to be good.

``basic_play`` follows basic strategy for several decks, a dealer who stands on every
17, and doubling after a split.
"""

from collections.abc import Collection, Sequence

from bj_game.card import Card, parse_cards
from bj_game.hand import total_of

__all__ = ["basic_play"]

# Upcards run from 2 to ace; a letter is the play that is best against each.
# H hit, S stand, D double or else hit, T double or else stand, P split.
_UPCARDS = "23456789TA"

_HARD = {
    8: "HHHHHHHHHH",
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHHH",
    16: "SSSSSHHHHH",
    17: "SSSSSSSSSS",
}

_SOFT = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "STTTTSSHHH",
    19: "SSSSSSSSSS",
}

_PAIRS = {
    "2": "PPPPPPHHHH",
    "3": "PPPPPPHHHH",
    "4": "HHHPPHHHHH",
    "5": "DDDDDDDDHH",
    "6": "PPPPPHHHHH",
    "7": "PPPPPPHHHH",
    "8": "PPPPPPPPPP",
    "9": "PPPPPSPPSS",
    "A": "PPPPPPPPPP",
}

_WORDS: dict[str, tuple[str, ...]] = {"H": ("hit",), "S": ("stand",), "P": ("split",)}
_WORDS |= {"D": ("double", "hit"), "T": ("double", "stand")}


def basic_play(cards: Sequence[str], upcard: str, legal: Collection[str]) -> str:
    """Return the best of the ``legal`` plays for a hand against an upcard.

    Cards are texts such as ``Td``; plays are the values of ``Play``. Where only
    splitting or declining is asked, the answer is one of these.

    >>> basic_play(["8s", "8h"], "Td", ["hit", "stand", "split"])
    'split'
    >>> basic_play(["8s", "8h"], "Td", ["hit", "stand"])
    'hit'
    """
    hand = parse_cards(" ".join(cards))
    column = _UPCARDS.index(_column_of(parse_cards(upcard)[0]))
    if "split" in legal and _wants_split(hand, column):
        return "split"
    if "decline" in legal:
        return "decline"
    wishes = _WORDS[_letter(hand, column)]
    return next((wish for wish in wishes if wish in legal), "stand")


def _column_of(card: Card) -> str:
    return "T" if card.is_ten_valued else card.rank


def _wants_split(hand: Sequence[Card], column: int) -> bool:
    first, second = hand[:2]
    row = _PAIRS.get(first.rank, "") if first.rank == second.rank else ""
    return row[column : column + 1] == "P"


def _letter(hand: Sequence[Card], column: int) -> str:
    points, soft = total_of(hand)
    if soft:
        return _SOFT[min(points, 19)][column]
    return _HARD[max(8, min(points, 17))][column]
