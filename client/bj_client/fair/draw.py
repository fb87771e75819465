"""The draw: seal, call and links of a round, and our part in them.

``docs/fairness.md`` has the whole scheme.
"""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from bj_client.fair.bets import Bets
from bj_client.fair.finding import Proof, RefutedError, Report
from bj_game.house import House
from bj_game.shoe import Shoe, ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.proof import (
    NO_HEAD,
    bet_commitment,
    draw_key,
    round_digits,
    seal_of,
    terms_hash,
)
from bj_protocol.views import ClosedBet, SeatLink

_SEALS = 64
"""Seals that are remembered, since none serves two rounds."""


Sealer = partial[str]
"""Makes the seal of a ``round`` and a ``secret``, with all else that it binds."""


def sealer_of(picture: Snapshot) -> Sealer | None:
    """Return the sealer of a picture; None where nothing is proven."""
    story, table = picture.story, picture.table
    if story is None:
        return None
    terms = terms_hash(picture.house.terms)
    return partial(seal_of, key=story.key, run=story.run, table=table, terms=terms)


@dataclass(slots=True, kw_only=True, eq=False)
class Draw:
    """Seal, call and links of one round, as they are told."""

    number: int = 0
    sealer: Sealer | None = None
    """The server that has given the seal; it may be an earlier one."""
    house: House | None = None
    """The rules that were played then; None where they are not known."""
    seal: str | None = None
    commitment: str | None = None
    """The hash that binds us to our link, if we have offered one."""
    call: events.BetsClosed | None = None
    head: str = NO_HEAD
    """The head of the story after the call."""
    called_at: float = 0.0
    is_call_unheard: bool = False
    """Whether we came when the round had been called."""
    is_link_due: bool = False
    """Whether our link is to be sent for the call."""

    @property
    def run(self) -> str | None:
        """The run of the server that has given the seal, if it is proven."""
        return None if self.sealer is None else str(self.sealer.keywords["run"])

    @property
    def committed(self) -> list[int]:
        """The seats that are called and have a link."""
        bets = () if self.call is None else self.call.bets
        return [bet.seat for bet in bets if bet.commitment]

    def is_alone(self, gone: Collection[int | None]) -> bool:
        """Whether each seat that is called is one of those that are ``gone``."""
        bets = () if self.call is None else self.call.bets
        return all(bet.seat in gone for bet in bets)

    def proof(self, links: Sequence[SeatLink], seat: int | None) -> Proof:
        """Return the proof of the round; ``seat`` has our stake, if there is one."""
        is_ours = seat is None or seat in {link.seat for link in links}
        digits = digits_of(self.head, links)
        return Proof(round=self.number, digits=digits, is_ours=is_ours)

    def check_call(self, closed: events.BetsClosed, bets: Bets) -> None:
        """See that a call is of this round, and of the bets that are known.

        Raises:
            RefutedError: if it is not.
        """
        if closed.round != self.number or closed.seal != self.seal:
            raise RefutedError("the call is not of the round that was sealed")
        told = [(bet.seat, bet.handle, bet.amount, bet.spots) for bet in closed.bets]
        due = [
            (seat, bets.handles.get(seat, ""), bet.amount, bet.spots)
            for seat, bet in sorted(bets.standing.items())
        ]
        if told != due:
            what = "the bets that are called are others"
            is_alone = [bet[2:] for bet in told] == [bet[2:] for bet in due]
            raise RefutedError(what, str(told), str(due), is_alone=is_alone)
        own = next((bet for bet in closed.bets if bet.seat == bets.own_seat), None)
        if own is not None and self.commitment not in (None, own.commitment):
            raise RefutedError("your commitment is not in the call", is_alone=True)

    def check_links(self, event: events.RoundBegan, bets: Bets) -> None:
        """See that the seats in the deal, and their links, are those of the call.

        Raises:
            RefutedError: if they are not.
        """
        if self.call is None:
            if event.links or event.missing:
                raise RefutedError("there are links of a round that was not called")
            if self.commitment and bets.own_seat in event.seats:
                what = "the round is dealt without a call, and so without your link"
                raise RefutedError(what, is_alone=True)
            return
        missing, linked = set(event.missing), {link.seat for link in event.links}
        if missing != set(bets.returned):
            raise RefutedError("bets came back of seats whose links are not missing")
        if missing | linked != set(self.committed) or missing & linked:
            raise RefutedError("the links are not those of the call")
        check_links(self.call.bets, self.call.seal, event.links)

    def check_secret(self, secret: str | None) -> None:
        """See that the secret is told, and is the one that was sealed.

        Raises:
            RefutedError: if it is not.
        """
        if self.sealer is None:
            return
        if secret is None:
            raise RefutedError("the secret of the round is not told")
        if self.seal is None:
            return
        try:
            due = self.sealer(round=self.number, secret=secret)
        except OverflowError:
            raise RefutedError("the round has a number that none can have") from None
        if due != self.seal:
            what = "the secret is not the one that was sealed"
            raise RefutedError(what, self.seal, due)

    def shoe(
        self,
        house: House,
        contents: ShoeContents | None,
        secret: str | None,
        links: Sequence[SeatLink],
    ) -> Shoe | None:
        """Return the shoe of the round before its first card, if it can be known.

        Raises:
            RefutedError: if the secret is none, or not the one that was sealed.
        """
        self.check_secret(secret)
        is_sealed = self.sealer is not None and self.seal is not None
        if not is_sealed or secret is None or contents is None:
            return None
        return drawn_shoe(house, contents, secret, self.head, links)


class Draws:
    """The draws of one round after the other."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.now = Draw()
        """The draw of the round that is bet on or played."""
        self.sealer: Sealer | None = None
        """The server that seals the next one."""
        self.house: House | None = None
        self._seals: deque[str] = deque(maxlen=_SEALS)
        self._secrets: deque[tuple[int, str]] = deque(maxlen=_SEALS)

    def turn_to(self, number: int, seal: str | None = None) -> None:
        """Begin with the draw of a round; our commitment is good for one number."""
        self._report.round = number
        kept = self.now.commitment if self.now.number == number else None
        self.now = Draw(
            number=number,
            sealer=self.sealer,
            house=self.house,
            seal=seal,
            commitment=kept,
        )
        if seal is not None:
            self._seals.append(seal)

    def open(self, event: events.BettingOpened, *, is_sure: bool) -> None:
        """Begin with the draw of a round that is sealed.

        Raises:
            RefutedError: if it is not, or by a seal that was used before, or if the
                round that was called is not over.
        """
        seal, is_old = event.seal, event.seal in self._seals
        is_called = self.now.call is not None
        self.turn_to(event.round, seal)
        if seal is None and self.sealer is not None:
            raise RefutedError("the round is not sealed")
        if is_called and is_sure:
            what = "bets are opened anew, and the round that was called is not over"
            raise RefutedError(what)
        if is_old:
            raise RefutedError("the seal is that of a round before", is_alone=True)

    def close(self, secret: str | None) -> None:
        """Take the secret of a round that is over, which anyone knows by now.

        A round that books from a backup play again has its secret again.

        Raises:
            RefutedError: if another round had it, so that it was known when bets were
                open.
        """
        number = self.now.number
        if any(old == secret and of != number for of, old in self._secrets):
            raise RefutedError("the secret is that of a round before", is_alone=True)
        if secret is not None:
            self._secrets.append((number, secret))

    def void(self, event: events.RoundVoided) -> None:
        """Take the secret of a round that is void.

        Raises:
            RefutedError: as ``close``, or if links are missing that nobody called for.
        """
        self.close(event.secret)
        was_called = self.now.call is not None or self.now.is_call_unheard
        if event.missing and not was_called:
            raise RefutedError("links are missing of a round that was not called")


def check_links(
    bets: Sequence[ClosedBet], seal: str, links: Sequence[SeatLink]
) -> None:
    """See that each link is the one that its seat was committed to.

    Raises:
        RefutedError: at one that is another, or nobody's, or out of order.
    """
    by_seat = {bet.seat: bet for bet in bets}
    seats = [link.seat for link in links]
    if seats != sorted(set(seats)):
        raise RefutedError("the links are not in the order of the seats", str(seats))
    for link in links:
        bet = by_seat.get(link.seat)
        if bet is None or bet.commitment is None:
            raise RefutedError(f"there is a link of seat {link.seat}, which has none")
        due = bet_commitment(
            seal=seal, seat=link.seat, handle=bet.handle, link=link.link
        )
        if due != bet.commitment:
            raise RefutedError(
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
        RefutedError: if the house has no such shoe.
    """
    try:
        shoe = shoe_of(house, contents)
    except ValueError as flaw:
        raise RefutedError(f"the shoe is none of this house: {flaw}") from None
    shoe.arrange(KeyedStream(draw_key(secret, head, _pairs(links))))
    return shoe


def digits_of(head: str, links: Sequence[SeatLink]) -> str:
    """Return the eight digits of a round."""
    return round_digits(head, _pairs(links))


def _pairs(links: Sequence[SeatLink]) -> list[tuple[int, str]]:
    return [(link.seat, link.link) for link in links]
