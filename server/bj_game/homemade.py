"""Homemade shuffles: the modified overhand and the mongean of ``specs/dsc20.txt``.

Both only move cards about by a fixed rule; how often they are done is all that is
random in that house.
"""

from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


def modified_overhand(cards: Sequence[_T], number: int) -> list[_T]:
    """Put ``number`` cards from the middle on top, then one fewer, down to one.

    The first card is the top. Where the middle cannot be met evenly, the odd card is
    taken from the bottom of the top half (``specs/dsc20.txt``, question 3.1).

    Raises:
        ValueError: if there are not so many cards.

    >>> modified_overhand([1, 2, 3, 4, 5, 6], 3)
    [2, 4, 1, 3, 5, 6]
    """
    if number > len(cards):
        raise ValueError(f"{number} cards cannot be taken from {len(cards)}")
    order = list(cards)
    half, is_odd = divmod(len(order), 2)
    for taken in range(number, 0, -1):
        start = half - (taken if is_odd else taken + 1) // 2
        middle = order[start : start + taken]
        order = middle + order[:start] + order[start + taken :]
    return order


def mongean(cards: Sequence[_T]) -> list[_T]:
    """Move the cards one by one to a new pile: the second above, the third below.

    >>> mongean([1, 2, 3, 4, 5, 6])
    [6, 4, 2, 1, 3, 5]
    """
    above, below = list(cards[1::2]), list(cards[0::2])
    return above[::-1] + below
