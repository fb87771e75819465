"""The draw: what the cards of the coming round are bound to, and our part in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bj_client.fair.bets import Bets
from bj_client.fair.finding import Refuted
from bj_client.fair.known_shoe import KnownShoe
from bj_game.house import House
from bj_game.shoe import Shoe, ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.draw import ClosedBet, SeatLink
from bj_protocol.events import BetsClosed
from bj_protocol.messages import Snapshot
from bj_protocol.proof import (
    NO_HEAD,
    bet_commitment,
    draw_key,
    round_digits,
    seal_of,
    terms_hash,
)
from bj_protocol.views import Phase

_SEALS = 64
"""Seals that are remembered, since none serves two rounds."""


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


class Draw:
    """Seal, call and links of the round that is bet on or played."""

    def __init__(self, bets: Bets, shoe: KnownShoe) -> None:
        """Start before the first picture."""
        self._bets = bets
        self._shoe = shoe
        self.seal: str | None = None
        self.sealed_by: Sealer | None = None
        """Who has given the seal, which may be a server of before."""
        self.call: Call | None = None
        self.called_at = 0.0
        self.is_call_unheard = False
        """Whether we came when the round had been called."""
        self.commitment: tuple[int, str] | None = None
        """The last round on which we have bet, and what binds us to our link."""
        self.link_due: Call | None = None
        """The call for which our link is due."""
        self._sealer: Sealer | None = None
        self._seals: list[str] = []

    def learn(self, picture: Snapshot) -> None:
        """Take from a picture who seals."""
        story, self._sealer = picture.story, None
        if story is not None:
            terms = terms_hash(picture.house.terms)
            self._sealer = Sealer(
                key=story.key, run=story.run, table=picture.table, terms=terms
            )

    def join(self, picture: Snapshot) -> None:
        """Go on from a picture."""
        self.over()
        self.seal, self.sealed_by = picture.seal, self._sealer
        self.is_call_unheard = picture.phase is Phase.CALLING

    def over(self) -> None:
        """Forget what was of one round."""
        self.seal = self.call = self.link_due = None
        self.is_call_unheard = False

    def open(self, seal: str | None) -> None:
        """Take the seal of a round.

        Raises:
            Refuted: if it is missing, or was used before.
        """
        self.over()
        self.seal, self.sealed_by = seal, self._sealer
        if seal is None:
            if self._sealer is not None:
                raise Refuted("the round is not sealed")
            return
        is_old = seal in self._seals
        self._seals = [*self._seals[1 - _SEALS :], seal]
        if is_old:
            raise Refuted("the seal is that of a round before")

    def close(
        self, event: events.BetsClosed, head: str | None, number: int, house: House
    ) -> None:
        """Take the call; where all of it is right, our link is due.

        Raises:
            Refuted: if something is not.
        """
        is_again, call = self.call is not None, self.hear_call(event, head)
        if is_again:
            raise Refuted("the round is called twice")
        if event.round != number or event.seal != self.seal:
            raise Refuted("the call is not of the round that was sealed")
        self._check_bets(event, number)
        self._shoe.call(event, house)
        if head is not None and self._own_commitment(call):
            self.link_due = call

    def hear_call(self, event: events.BetsClosed, head: str | None) -> Call:
        """Note a call, whatever is in it."""
        self.link_due, self.called_at = None, self._bets.at
        self.call = Call(closed=event, head=head or NO_HEAD)
        return self.call

    def _check_bets(self, event: events.BetsClosed, number: int) -> None:
        told = [(bet.seat, bet.handle, bet.amount, bet.spots) for bet in event.bets]
        due = [
            (seat, self._bets.handles.get(seat, ""), bet.amount, bet.spots)
            for seat, bet in sorted(self._bets.standing.items())
        ]
        if told != due:
            raise Refuted("the bets that are called are others", str(told), str(due))
        offered = self.offered(number)
        is_ours = self._bets.own_seat in self._bets.standing and offered is not None
        if is_ours and self._own_commitment(self.call) != offered:
            raise Refuted("your commitment is not in the call", is_alone=True)

    def offered(self, number: int) -> str | None:
        """Return our commitment for a round, if we have offered one."""
        which, offered = self.commitment or (0, None)
        return offered if which == number else None

    def _own_commitment(self, call: Call | None) -> str | None:
        bets = () if call is None else call.closed.bets
        seat = self._bets.own_seat
        return next((bet.commitment for bet in bets if bet.seat == seat), None)

    def begin(self, event: events.RoundBegan, number: int) -> None:
        """See that those who are dealt to, and their links, are those of the call.

        Raises:
            Refuted: if they are not.
        """
        call, self.link_due = self.call, None
        if call is None:
            if event.links or event.missing:
                raise Refuted("there are links of a round that was not called")
            if self.offered(number) and self._bets.own_seat in event.seats:
                what = "the round is dealt without a call, and so without your link"
                raise Refuted(what, is_alone=True)
            return
        bets = call.closed.bets
        missing, linked = set(event.missing), {link.seat for link in event.links}
        if missing != set(self._bets.returned):
            raise Refuted("bets came back of seats whose links are not missing")
        committed = {bet.seat for bet in bets if bet.commitment}
        if missing | linked != committed or missing & linked:
            raise Refuted("the links are not those of the call")
        check_links(bets, call.closed.seal, event.links)

    def shoe(
        self,
        links: Sequence[SeatLink],
        secret: str | None,
        number: int,
        house: House | None,
    ) -> Shoe | None:
        """Return the shoe of the round, if it can be known.

        Raises:
            Refuted: if the secret is none, or not the one that was sealed.
        """
        if self._sealer is None:
            return None
        if secret is None:
            raise Refuted("the secret of the round is not told")
        if self.seal is None or self.sealed_by is None or house is None:
            return None
        self.sealed_by.check(self.seal, number, secret)
        contents = self._shoe.contents
        if contents is None:
            return None
        head = NO_HEAD if self.call is None else self.call.head
        return drawn_shoe(house, contents, secret, head, links)

    def digits(self, links: Sequence[SeatLink]) -> str:
        """Return the eight digits of the round."""
        return digits_of(NO_HEAD if self.call is None else self.call.head, links)

    @property
    def committed(self) -> list[int]:
        """The seats that are called and have a link."""
        bets = () if self.call is None else self.call.closed.bets
        return [bet.seat for bet in bets if bet.commitment]
