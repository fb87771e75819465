"""The proof of a round: that its shoe is the one that was sealed, called and linked.

Pure functions; what they take is what the table has told. ``docs/fairness.md`` has the
whole scheme.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bj_game.card import PACK, Card
from bj_game.house import House
from bj_game.shoe import Shoe, ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol.draw import ClosedBet, PastDraw, SeatLink
from bj_protocol.events import BetsClosed
from bj_protocol.proof import bet_commitment, draw_key, round_digits, seal_of

_CARDS = {str(card): card for card in PACK}


class Refuted(Exception):
    """What was told cannot be so; all three are texts, the last two may be empty."""

    def __init__(
        self, what: str, told: str = "", due: str = "", *, is_alone: bool = False
    ) -> None:
        """Remember them, and whether only the player can know it."""
        super().__init__(what, told, due)
        self.what, self.told, self.due = what, told, due
        self.is_alone = is_alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call, and the head of the story after it."""

    closed: BetsClosed
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealer:
    """All that a seal binds beside the secret."""

    key: str
    run: str
    table: str
    terms: str

    def check(self, seal: str, number: int, secret: str) -> None:
        """See that a secret is the one that was sealed.

        Raises:
            Refuted: if it is another.
        """
        try:
            due = seal_of(
                key=self.key,
                run=self.run,
                table=self.table,
                round=number,
                terms=self.terms,
                secret=secret,
            )
        except OverflowError:
            raise Refuted("the round has a number that none can have") from None
        if due != seal:
            raise Refuted("the secret is not the one that was sealed", seal, due)


def contents_of(told: BetsClosed | PastDraw) -> ShoeContents:
    """Return what a call, or the recall of a round, says of the shoe.

    Raises:
        Refuted: if there is a hidden card in it.
    """
    deck: list[Card] = []
    for text in told.deck:
        if text not in _CARDS:
            raise Refuted("the deck has a card in it that is hidden")
        deck.append(_CARDS[text])
    return ShoeContents(left=told.left, deck=tuple(deck), below_cut=told.below_cut)


def check_links(
    bets: Sequence[ClosedBet], seal: str, links: Sequence[SeatLink]
) -> None:
    """See that each link is the one that its seat was committed to.

    Raises:
        Refuted: at one that is another, or nobody's, or out of order.
    """
    by_seat = {bet.seat: bet for bet in bets}
    seats = [link.seat for link in links]
    if seats != sorted(set(seats)):
        raise Refuted("the links are not in the order of the seats", str(seats))
    for link in links:
        bet = by_seat.get(link.seat)
        if bet is None or bet.commitment is None:
            raise Refuted(f"there is a link of seat {link.seat}, which has none")
        due = bet_commitment(
            seal=seal, seat=link.seat, handle=bet.handle, link=link.link
        )
        if due != bet.commitment:
            raise Refuted(
                f"the link of seat {link.seat} is not the one that it committed to",
                due,
                bet.commitment,
            )


def drawn_shoe(
    house: House,
    contents: ShoeContents,
    secret: str,
    head: str,
    links: Sequence[SeatLink],
) -> Shoe:
    """Return the shoe of a round, before its first card.

    Raises:
        Refuted: if the house has no such shoe.
    """
    try:
        shoe = shoe_of(house, contents)
    except ValueError as flaw:
        raise Refuted(f"the shoe is none of this house: {flaw}") from None
    shoe.arrange(KeyedStream(draw_key(secret, head, _pairs(links))))
    return shoe


def digits_of(head: str, links: Sequence[SeatLink]) -> str:
    """Return the eight digits of a round."""
    return round_digits(head, _pairs(links))


def _pairs(links: Sequence[SeatLink]) -> list[tuple[int, str]]:
    return [(link.seat, link.link) for link in links]
