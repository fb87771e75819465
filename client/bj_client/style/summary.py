"""The game summary of ``specs/cs220.txt``, as its figures 2 and 3 print it."""

from bj_client.card import HIDDEN
from bj_client.money import plain
from bj_client.seat import Hand, Seat
from bj_client.table import Table
from bj_protocol.views import HandState, Outcome

_RANKS = {"T": "10"}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def summary(table: Table) -> list[str]:
    """Return the lines that sum up a round which is settled and still on the table."""
    lines = ["$$$$$ Game Summary  $$$$$$", "Dealer:", *_hand(table.dealer)]
    for seat in table.seats.values():
        for hand in seat.hands:
            lines += ["", f"Player: {seat.handle}", *_hand(hand)]
            lines += ["Player assets:", _assets(seat, hand)]
    return lines


def cards(dealt: list[str]) -> str:
    """Return cards of the wire as the text's ``Card`` tuples print themselves.

    >>> cards(["6c", "Th"])
    "Card(rank='6', suit='clubs') Card(rank='10', suit='hearts')"
    """
    return " ".join(
        f"Card(rank='{_RANKS.get(card[0], card[0])}', suit='{_SUITS[card[1]]}')"
        for card in dealt
        if card != HIDDEN
    )


def _hand(hand: Hand) -> list[str]:
    return [f"score: {hand.total}", cards(hand.cards)]


def _assets(seat: Seat, hand: Hand) -> str:
    amounts = f"bet {plain(hand.stake)} balance {plain(seat.balance)}"
    return f"{amounts} {_fate(hand)}"


def _fate(hand: Hand) -> str:
    """Say how a hand has ended; the text has no example of a loss without a bust."""
    if hand.outcome is Outcome.WIN:
        return "winner!"
    return "bust." if hand.state is HandState.BUSTED else "loses."
