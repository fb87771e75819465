"""Splits as the published program reckons them, and the edge with them.

Its author says that it knows how many hands there are, and not what the other hands
got. The rest was found from some thousand printed splits. Both ways below meet each
printed edge. ``in_turn`` meets the splits against 2 to 9 within 0.000002, and those
against tens and aces within 0.00003 with two decks, and 0.00014 with one.

https://wizardofodds.com/games/blackjack/appendix/9/1ds17r4/ and its neighbours.
"""

from functools import cache
from typing import NamedTuple

from bj_game import odds
from bj_game.house import House
from bj_game.odds.column import Cell
from bj_game.odds.hand import Hand, end_of, may_double
from bj_game.odds.position import full_shoe, worth_of
from bj_game.odds.ranks import ACE, TEN
from bj_game.odds.split import is_frozen
from bj_game.odds.worth import State, Worth
from bj_game.play import Play

# How many cards of a rank the dealer hides on average, who shows this and has looked.
_HIDDEN = {TEN: 1 / 12, ACE: 1 / 9}


class Halves(NamedTuple):
    """What a half is worth on average while some cards of the pair's rank are out."""

    any_card: float
    """With whatever comes as its second card."""
    others: float
    """The part of it that second cards of another rank bring."""
    like: int
    """How many cards of the pair's rank are left."""
    left: int
    """How many cards are left."""


def in_turn(out: list[Halves], hidden: float | None) -> float:
    """Return a split as the pages with a hole card have it, four hands at most.

    Hands are played one after the other, each with the pair's cards out that were out
    when its turn came. That another card came is reckoned from all cards, but that the
    pair's came from one card less for each hand before. Of the five ways to four hands
    two lack a factor: ``split_later`` that the first hand was none to split, and
    ``waited`` one of the hands that were not split again.
    """

    def chance(further: int, unlike: int) -> float:
        like, left = out[further].like, out[further].left - unlike
        if hidden is None or not like:
            return like / left
        return (like - hidden) / (left - 1)

    two, three, four = out[0].others, out[1].others, out[2].any_card
    first, second = chance(0, 0), chance(0, 1)
    again = [chance(1, unlike) for unlike in range(3)]
    once = [1 - each for each in again]
    late = (1 - first) * second
    three_hands = first * (1 + once[0] * (1 + once[1])) + late * (1 + once[1])
    waited = first * once[0] * again[2]
    split_later = second * again[1]
    four_hands = first * (4 * again[0] + 3 * once[0] * again[1]) + 2 * waited
    four_hands += 3 * split_later + 2 * late * once[1] * again[2]
    return (2 - first) * two + three_hands * three + four_hands * four


def by_final_count(out: list[Halves], max_hands: int) -> float:
    """Return a split as the pages without a hole card have it.

    How many hands there become is exact, and each is reckoned by how many there are in
    the end.
    """

    @cache
    def of(waiting: int, hands: int, unlike: int) -> float:
        halves = out[hands - 2]
        if hands == max_hands:
            return hands * halves.any_card
        if not waiting:
            return hands * halves.others / (1 - halves.like / halves.left)
        again = halves.like / (halves.left - unlike)
        worth = (1 - again) * of(waiting - 1, hands, unlike + 1)
        return worth + again * of(waiting + 1, hands + 1, unlike)

    return of(2, 2, 0)


def published_split(
    house: House, rank: int, upcard: int, *, doubled: bool = True
) -> float:
    """Return the worth of splitting a pair, the dealer having no blackjack if he looks.

    Halves may be ``doubled`` or not; tens, which nobody splits, are not reckoned.
    """
    worth = worth_of(house, upcard, full_shoe(house, upcard))
    out = list(_halves(worth, rank, doubled=doubled))
    if is_frozen(house, rank):
        return 2 * out[0].any_card
    if house.hole_card == "none":
        return by_final_count(out, house.max_hands)
    return in_turn(out, _HIDDEN.get(upcard))


def published_edge(house: House, *, doubled: bool = True) -> float:
    """Return what a round brings, with splits as the published program has them."""
    return sum(
        column.chance * cell.chance * _best(house, column.upcard or 0, cell, doubled)
        for column in (odds.column(house, upcard) for upcard in odds.upcards_of(house))
        for cell in column.cells
    )


def _best(house: House, upcard: int, cell: Cell, doubled: bool) -> float:
    rank, second = cell.ranks
    if rank != second or rank == TEN:
        return cell.worth
    plays = [worth for play, worth in cell.values.items() if play is not Play.SPLIT]
    best = max(*plays, published_split(house, rank, upcard, doubled=doubled))
    return cell.clear * best - (1 - cell.clear)


def _halves(worth: Worth, rank: int, *, doubled: bool) -> list[Halves]:
    """Return the halves of two, three and four hands."""
    pair = worth.state(Hand.of((rank, rank)), (rank, rank))
    state = pair._replace(hand=Hand.of((rank,)))
    found: list[Halves] = []
    for _ in range(3):
        clear, like = worth.clear(state), worth.count(state, rank)
        parts = {
            second: share * _half(worth, rank, half, doubled) / clear
            for second, share, half in worth.seconds(state)
        }
        any_card = sum(parts.values())
        others = any_card - parts.get(rank, 0.0)
        found.append(Halves(any_card, others, like, worth.left(state)))
        state = worth.without(state, rank) if like else state
    return found


def _half(worth: Worth, rank: int, half: State, doubled: bool) -> float:
    house = worth.house
    if is_frozen(house, rank):
        return worth.stand(half)
    best = worth.after(half)
    if doubled and end_of(house, half.hand) is None and may_double(house, half.hand):
        return max(best, worth.double(half))
    return best
