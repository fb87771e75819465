"""Length: how many decisions and hands a round can have, so that it comes to its end.

Every card costs a decision, and a hand that holds more points than it may ends. So the
hand that takes longest is the one of the lowest cards there are, and the hand that
takes most points from the decks is the one that a ten busts.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bj_game.house import House

_POINTS_OF_A_DECK = 340
"""With aces as 1."""


def most_hands(house: "House") -> int | None:
    """Return for how many hands the decks are enough; None for an endless shoe.

    It is a bound: however the cards lie and the hands are played, with so many hands
    and the dealer's on the table some card is not there yet whenever one is drawn. A
    hand that draws has at most the ``most`` points below, and one that is over a ten
    more, with aces as 1. The dealer draws with at most 16.

    >>> from bj_game.house import House
    >>> most_hands(House(name="cpsc386", title="")), 8 * 340
    (90, 2720)
    """
    if house.shoe == "endless":
        return None
    most = 20 if house.complete_at_21 else 21
    of_a_hand = most + 10 if house.hit else 20
    return (_POINTS_OF_A_DECK * house.decks - 16 - 1) // of_a_hand


def most_decisions(house: "House") -> int:
    """Return how often one seat can be asked in a round, bets not among it.

    It is a bound: no order of the cards makes the round longer, and a shoe that has the
    cards for it may never come.

    >>> from bj_game.house import House
    >>> most_decisions(House(name="cpsc386", title=""))
    42
    """
    hands = house.max_spots * (house.max_hands if house.split != "none" else 1)
    return hands * _most_of_a_hand(house)


def _most_of_a_hand(house: "House") -> int:
    cards = _most_cards(house)
    plays = cards - 1  # with two cards, with three, and so on
    aces = cards if house.ace == "player" else 0
    is_offer = house.insurance != "none" or house.even_money
    is_offer = is_offer or house.surrender == "early"
    pairs = 0 if house.split == "none" else 1
    if house.insurance_asked == "each_hand" and house.max_hands > 2:
        pairs *= 2  # a half that is a pair again is asked about, and may be kept
    return plays + aces + is_offer + pairs


def _most_cards(house: "House") -> int:
    """Return how many cards a hand can have that is still to be decided about."""
    if not house.hit:
        return 2
    cards, left = 0, 20 if house.complete_at_21 else 21
    for points in range(1, 11):
        copies = left if house.shoe == "endless" else 4 * house.decks
        taken = min(copies, left // points)
        cards += taken
        left -= taken * points
    return min(cards, house.charlie - 1) if house.charlie else cards
