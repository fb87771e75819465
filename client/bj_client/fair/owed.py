"""An owed round: one with our stake that is not proven yet.

A recalled round must have the call and the links that were told, follow from the
secret, and lead to the balance.
"""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from bj_client.fair.bets import own_seat_in
from bj_client.fair.deal import Deal, stake_of
from bj_client.fair.draw import Draw, check_links, drawn_shoe
from bj_client.fair.finding import RefutedError, short_number
from bj_client.fair.known_shoe import contents_of
from bj_client.fair.replay import PLENTY, RecalledRound, won_by
from bj_game.event import Funded, RoundEvent
from bj_game.house import House
from bj_game.shoe import ShoeContents
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.recall import PastDecision, PastDraw, PastRound, RoundEnd
from bj_protocol.round_views import dealer_view, hand_views, past_hands
from bj_protocol.views import SeatLink


@dataclass(slots=True, kw_only=True)
class OwedRound:
    """A round in which we have money, as far as we know it."""

    bet: events.BetPlaced
    """Ours; it is what we have sent, until we hear that it was placed."""
    others: list[events.BetPlaced] = field(default_factory=list)
    """What we have sent beside it, of which the server takes one at most."""
    draw: Draw
    deal: Deal | None = None
    """The round, as far as it was heard, once it was dealt."""
    rest: list[tuple[Snapshot, Deal]] = field(default_factory=list)
    """Each picture by which we came back into the round, and what was heard then."""
    link: str | None = None
    """Ours, once it was told."""
    is_placed: bool = True
    """Whether we have heard that our bet was placed, and not only sent it."""
    is_doubtful: bool = False
    """Whether it was shown to be wrong."""
    may_be_lost: bool = True
    """Whether our link may be lost with the line, as far as we have heard."""
    may_be_undone: bool = False
    """Whether a power cut may have undone plays that we have heard."""
    is_undone: bool = False
    """Whether one has, by what is recalled."""
    unheard: list[PastDecision] = field(default_factory=list)
    """Our decisions that are recalled and were not heard."""

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.draw.number

    @property
    def staked(self) -> int:
        """The cents of our bet on all of its spots."""
        return self.bet.amount * self.bet.spots

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture shows no other bet of ours than we have sent."""
        own = own_seat_in(picture)
        sent = {(bet.amount, bet.spots) for bet in (self.bet, *self.others)}
        told = {(s.bet, s.spots) for s in picture.seats if s.seat == own and s.bet}
        return told <= sent

    def forgone(
        self,
        deal: Deal,
        house: House,
        contents: ShoeContents | None,
        secret: str | None,
    ) -> int | None:
        """Return the cents that we would have won in a round that begins without us.

        None if that cannot be known.

        Raises:
            RefutedError: if the secret is not the one that was sealed.
        """
        if self.link is None:
            return None
        own = SeatLink(seat=self.bet.seat, link=self.link)
        links = sorted((*deal.links, own), key=lambda each: each.seat)
        joined = Deal(number=deal.number, bets=deal.bets | {own.seat: self.bet})
        shoe = self.draw.shoe(house, contents, secret, links)
        return joined.forgone(house, shoe, own.seat)

    def forgone_alone(self, secret: str | None) -> int | None:
        """Return the cents of a round that would have been dealt to us alone."""
        call, house = self.draw.call, self.draw.house
        if call is None or house is None:
            return None
        deal = Deal(number=self.number, bets={})
        return self.forgone(deal, house, contents_of(call), secret)

    def check(self, past: PastRound) -> int | None:
        """Check a round that was not heard to its end, as it is recalled.

        Returns:
            The cents that it would have brought us, if the bet came back; None if it
            is settled, or nobody can know.

        Raises:
            RefutedError: if something does not hold.
        """
        for other in () if self.is_placed else self.others:
            if (other.amount, other.spots) == (past.bet, past.spots):
                self.bet = other
        draw, total = past.draw, self.bet.balance + self.staked
        if past.balance_before < total:
            told = short_number(past.balance_before)
            raise RefutedError("the balance before it is wrong", told, str(total))
        is_dealt = self.deal is not None and self.bet.seat in self.deal.bets
        if past.end is RoundEnd.RETURNED and is_dealt and self.may_be_lost:
            raise RefutedError("your bet is back, and the cards were dealt to it")
        if past.end is RoundEnd.RETURNED and self.link is None:
            _check_balance(past, 0)
            return None  # nobody could know the result
        if draw is None or not past.is_retold:
            raise RefutedError("its secret and plays are not told")
        self.draw.check_secret(draw.secret)
        if past.end is RoundEnd.RETURNED:
            _check_balance(past, 0)
            return self._forgone_in(draw)
        self._check_draw(draw)
        won = self._replay(past, draw)
        is_void = past.end is RoundEnd.VOID
        _check_balance(past, 0 if is_void else won or 0)
        return won if is_void else None

    def _forgone_in(self, draw: PastDraw) -> int | None:
        """Return the cents of a round that was dealt without us, as it is recalled."""
        call, house = self.draw.call, self.draw.house
        if call is not None and len(call.bets) == 1:
            return self.forgone_alone(draw.secret)
        if house is None or not draw.bets:
            return None
        self._check_called(draw)
        bets = {
            bet.seat: events.BetPlaced(
                seat=bet.seat, amount=bet.amount, spots=bet.spots, balance=0
            )
            for bet in draw.bets
        }
        deal = Deal(number=self.number, bets=bets, links=draw.links)
        return self.forgone(deal, house, contents_of(draw), draw.secret)

    def _check_called(self, draw: PastDraw) -> None:
        call, links = self.draw.call, {link.seat for link in draw.links}
        if call is not None:
            dealt = [b for b in call.bets if not b.commitment or b.seat in links]
            told = draw.head, draw.bets, draw.left, draw.deck, draw.below_cut
            due = self.draw.head, tuple(dealt), call.left, call.deck, call.below_cut
            if told != due:
                raise RefutedError("it is not the round that was called")
        if self.draw.seal is not None:
            check_links(draw.bets, self.draw.seal, draw.links)

    def _check_draw(self, draw: PastDraw) -> None:
        self._check_called(draw)
        links = {link.seat: link.link for link in draw.links}
        seat, bet = self.bet.seat, self.bet
        ours = next((bet for bet in draw.bets if bet.seat == seat), None)
        if ours is None or (ours.amount, ours.spots) != (bet.amount, bet.spots):
            raise RefutedError("your bet is not in it")
        if ours.commitment != self.draw.commitment:
            raise RefutedError("your commitment is not in it")
        if ours.commitment is not None and seat not in links:
            raise RefutedError("it was dealt to you without your link")
        if self.link is not None and links.get(seat) != self.link:
            raise RefutedError("your link is not in it")

    def _replay(self, past: PastRound, draw: PastDraw) -> int | None:
        """Play the round again; return the cents that it has brought us."""
        own = past.balance_before - self.staked
        try:
            return self._replay_with(own, past, draw)
        except RefutedError:
            # The host may have given it after the bet, before the deal.
            given = past.balance_after - past.balance_before - _brought(past)
            if given > 0:
                with contextlib.suppress(RefutedError):
                    return self._replay_with(own + given, past, draw)
            raise

    def _replay_with(self, own: int, past: PastRound, draw: PastDraw) -> int | None:
        """Play the round again, with our ``own`` cents beside the bet."""
        house = self.draw.house
        assert house is not None
        shoe = drawn_shoe(house, contents_of(draw), draw.secret, draw.head, draw.links)
        stakes = [
            stake_of(bet, own if bet.seat == self.bet.seat else PLENTY)
            for bet in draw.bets
        ]
        heard = [] if self.deal is None else self.deal.heard
        least = math.inf if past.end is RoundEnd.SETTLED else len(heard)
        seat = self.bet.seat
        again = RecalledRound(house, shoe, stakes, draw.plays, seat, least)
        self._check_heard(again, heard)
        _check_told(self.bet, past, again)
        return won_by(again.round, stake_of(self.bet, own))

    def _check_heard(self, again: RecalledRound, heard: Sequence[RoundEvent]) -> None:
        """See that what we have heard of the round is how it goes on."""
        known = zip(again.decisions, again.places, strict=True)
        self.unheard = [decision for decision, at in known if at >= len(heard)]
        is_right = _has(again, 0, heard) and all(
            any(
                at.agrees(picture)
                and _has(again, at.place, rest.heard)
                and self._is_offered(again, at.place, rest)
                for at in again.views
            )
            for picture, rest in self.rest
        )
        if not is_right:
            if not self.may_be_undone:
                raise RefutedError("it was played otherwise than you have heard")
            self.is_undone = True

    def _is_offered(self, again: RecalledRound, start: int, rest: Deal) -> bool:
        """Whether our questions from a place on have offered all that the rules do.

        More may be offered to who was given money meanwhile.
        """
        for place, told in rest.turns.items():
            due = [view.plays for view in again.views if view.place == start + place]
            for asks in told:
                plays = {
                    p for ask in asks if ask.seat == self.bet.seat for p in ask.actions
                }
                if plays and due and not any(each <= plays for each in due):
                    return False
        return True


def _has(again: RecalledRound, place: int, heard: Sequence[RoundEvent]) -> bool:
    """Whether a round goes on from a place as it was heard."""
    due = again.events[place : place + len(heard)]
    return list(map(_moneyless, due)) == list(map(_moneyless, heard))


def _moneyless(event: RoundEvent) -> RoundEvent:
    """Return an event without what its player has, which a recall need not tell."""
    return replace(event, balance=0) if isinstance(event, Funded) else event


def _check_told(bet: events.BetPlaced, past: PastRound, again: RecalledRound) -> None:
    """Compare all that is recalled of a round but the money before and after."""
    seat = bet.seat
    player = next(player for player in again.round.players if player.seat == seat)
    if (past.seat, past.bet, past.spots) != (seat, bet.amount, bet.spots):
        raise RefutedError("your bet is not in it")
    hands = past_hands(hand_views(player), seat, again.events)
    result = attrgetter("outcome", "reason", "stake", "payout")
    told, due = (
        [result(hand) for hand in each if hand.outcome] for each in (past.hands, hands)
    )
    is_open = past.end is RoundEnd.SETTLED and again.round.prompts
    if is_open or told != due:
        raise RefutedError("its results are others", str(told), str(due))
    dealer = dealer_view(again.house, again.round)
    if (past.hands, past.dealer) != (hands, dealer):
        raise RefutedError("its cards are others")
    if list(past.decisions) != again.decisions:
        raise RefutedError("its decisions are others")


def _brought(past: PastRound) -> int:
    """Return the cents that a round has brought, by the results that are told."""
    if past.end is not RoundEnd.SETTLED:
        return 0
    bought = [hand.insured for hand in past.hands if hand.insured]
    return sum(hand.payout - hand.stake for hand in past.hands) + sum(
        each.payout - each.amount for each in bought
    )


def _check_balance(past: PastRound, won: int) -> None:
    wanted = past.balance_before + won
    if past.balance_after < wanted:  # the host may have given more
        told = short_number(past.balance_after)
        raise RefutedError("the balance after it is wrong", told, str(wanted))
