"""Rounds that are owed: with our stake, and not proven yet.

A client that loses the line asks for them when it is back. A recalled round must have
the call and the links that were told, follow from the secret, and lead to the balance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from bj_client.fair.answers import Answers
from bj_client.fair.deal import Deal, stake_of
from bj_client.fair.draw import Draw, check_links, digits_of, drawn_shoe
from bj_client.fair.finding import (
    Finding,
    Proof,
    RefutedError,
    Remark,
    Report,
    short_number,
)
from bj_client.fair.known_shoe import contents_of
from bj_client.fair.replay import replay_plays, won_by
from bj_client.fair.ways_out import Ways
from bj_game.event import HandSettled
from bj_game.house import House
from bj_game.replay import Replay
from bj_game.shoe import ShoeContents
from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.draw import PastDraw, SeatLink
from bj_protocol.model import HIDDEN
from bj_protocol.recall import MOST_RECALLED, PastRound, RoundEnd

if TYPE_CHECKING:
    from bj_client.fair.purse import Fall

_PLENTY = 2**60
"""Cents of the others, whose purses a recall does not tell."""


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
    link: str | None = None
    """Ours, once it was told."""
    is_placed: bool = True
    """Whether we have heard that our bet was placed, and not only sent it."""
    is_doubtful: bool = False
    """Whether it was shown to be wrong."""

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.draw.number

    @property
    def is_shown(self) -> bool:
        """Whether anyone could know who wins, when we heard of it last."""
        return self.deal is not None and self.deal.is_shown

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

    def check(self, past: PastRound, house: House) -> int | None:
        """Check a round that was not heard to its end, as it is recalled.

        Returns:
            The cents that it would have brought us, if it is void; None if it is
            settled, or nobody can know.

        Raises:
            RefutedError: if something does not hold.
        """
        for other in () if self.is_placed else self.others:
            if (other.amount, other.spots) == (past.bet, past.spots):
                self.bet = other
        draw, total = past.draw, self.bet.balance + self.bet.amount * self.bet.spots
        if past.balance_before < total:
            told = short_number(past.balance_before)
            raise RefutedError("the balance before it is wrong", told, str(total))
        if past.end is RoundEnd.RETURNED and self.link is None:
            _check_balance(past, 0)
            return None  # nobody could know the result
        if draw is None or not past.is_retold:
            raise RefutedError("its secret and plays are not told")
        self.draw.check_secret(draw.secret)
        if past.end is RoundEnd.RETURNED:
            _check_balance(past, 0)
            return None
        self._check_draw(draw)
        won = self._replay(past, draw, house)
        is_void = past.end is RoundEnd.VOID
        _check_balance(past, 0 if is_void else won or 0)
        return won if is_void else None

    def _check_draw(self, draw: PastDraw) -> None:
        call, links = self.draw.call, {link.seat: link.link for link in draw.links}
        if call is not None:
            known = call.closed
            dealt = [b for b in known.bets if not b.commitment or b.seat in links]
            told = draw.head, draw.bets, draw.left, draw.deck, draw.below_cut
            due = call.head, tuple(dealt), known.left, known.deck, known.below_cut
            if told != due:
                raise RefutedError("it is not the round that was called")
        if self.draw.seal is not None:
            check_links(draw.bets, self.draw.seal, draw.links)
        seat, bet = self.bet.seat, self.bet
        ours = next((bet for bet in draw.bets if bet.seat == seat), None)
        if ours is None or (ours.amount, ours.spots) != (bet.amount, bet.spots):
            raise RefutedError("your bet is not in it")
        if not self.draw.is_ours(ours.commitment):
            raise RefutedError("your commitment is not in it")
        if ours.commitment is not None and seat not in links:
            raise RefutedError("it was dealt to you without your link")
        if self.link is not None and links.get(seat) != self.link:
            raise RefutedError("your link is not in it")

    def _replay(self, past: PastRound, draw: PastDraw, house: House) -> int | None:
        """Play the round again; return the cents that it has brought us."""
        own = past.balance_before - self.bet.amount * self.bet.spots
        shoe = drawn_shoe(house, contents_of(draw), draw.secret, draw.head, draw.links)
        stakes = [
            stake_of(bet, own if bet.seat == self.bet.seat else _PLENTY)
            for bet in draw.bets
        ]
        again = replay_plays(house, shoe, stakes, draw.plays)
        if past.end is RoundEnd.SETTLED:
            _check_hands(self.bet.seat, past, again)
        return won_by(again.round, stake_of(self.bet, own))


def _check_hands(seat: int, past: PastRound, again: Replay) -> None:
    round = again.round
    happened = (e for e in again.happened if isinstance(e, HandSettled))
    ours = [event for event in happened if event.seat == seat]
    result = attrgetter("outcome", "reason", "stake", "payout")
    told = [result(hand) for hand in past.hands]
    wanted = [result(each) for each in sorted(ours, key=lambda event: event.hand)]
    if round.prompts or wanted != told:
        raise RefutedError("its results are others", str(told), str(wanted))
    player = next(player for player in round.players if player.seat == seat)
    cards = [tuple(map(str, hand.cards)) for hand in player.hands]
    dealer = tuple(map(str, round.dealer.cards))
    shown = () if past.dealer is None else past.dealer.cards
    is_same = all(
        card in (HIDDEN, real) for card, real in zip(shown, dealer, strict=False)
    )
    if cards != [hand.cards for hand in past.hands] or not is_same:
        raise RefutedError("its cards are others")


def _check_balance(past: PastRound, won: int) -> None:
    wanted = past.balance_before + won
    if past.balance_after < wanted:  # the host may have given more
        told = short_number(past.balance_after)
        raise RefutedError("the balance after it is wrong", told, str(wanted))


class Owing(dict[int, OwedRound]):
    """The rounds that are owed, by their numbers."""

    def __init__(self, ways: Ways, answers: Answers, report: Report) -> None:
        """Start with none."""
        super().__init__()
        self._ways, self._answers, self._report = ways, answers, report
        self.ended = 0
        """The last round that was heard to its end."""
        self.fell: Fall | None = None
        """Money that is gone since we missed something."""

    def offer(
        self, sent: PlaceBet, draw: Draw, seat: int | None, cents: int | None
    ) -> None:
        """Note a bet that is sent: whether it was placed may never be told.

        ``cents`` are what we are free to wager, if that is known.
        """
        if seat is None:
            return
        left = max(0, (cents or 0) - sent.amount * sent.spots)
        bet = events.BetPlaced(
            seat=seat, amount=sent.amount, spots=sent.spots, balance=left
        )
        offered = OwedRound(bet=bet, draw=draw, is_placed=False)
        self.setdefault(draw.number, offered).others.append(bet)

    def hear(self, event: events.Event, draw: Draw) -> None:
        """Take our stake on the round of ``draw``, or the stake that comes back."""
        owed = self.get(draw.number)
        if isinstance(event, events.BetPlaced):
            self[draw.number] = OwedRound(bet=event, draw=draw)
        elif isinstance(event, events.BetReturned) and owed and not owed.link:
            del self[draw.number]

    def unproven(self, number: int) -> list[OwedRound]:
        """Return the rounds before ``number``, the oldest first."""
        return [self[each] for each in sorted(self) if each < number]

    def wanted(self, number: int) -> int:
        """Return how many rounds to ask for while ``number`` is on; 0 for none."""
        missed = [o.number for o in self.unproven(number) if not o.is_doubtful]
        if self.fell is not None:
            missed.append(self.fell.since)
        return min(MOST_RECALLED, max(1, number - min(missed) + 1)) if missed else 0

    def recall(
        self, table: str, number: int, past: Sequence[PastRound], house: House | None
    ) -> None:
        """Check the rounds missed before round ``number``, as they are recalled."""
        known = {each.round: each for each in past if each.table == table}
        if house is not None:
            for owed in self.unproven(number):
                self._recall(owed, known.get(owed.number), house)
        fell, self.fell = self.fell, None
        fallen = [] if fell is None else fell.compare(table, past)
        if fell is not None and fallen and fell.is_restarted:
            self.go_back(fell.before, fell.lost)  # by the books of a backup
        else:
            self._report.add(*fallen)

    def go_back(self, number: int, lost: int | None) -> None:
        """Go on from books of before, as round ``number`` is told to be on."""
        self.clear()
        self._answers.forget()
        self._report.add(self._ways.go_back(number, self.ended, lost))
        self.ended = min(self.ended, number - 1)

    def _recall(self, owed: OwedRound, told: PastRound | None, house: House) -> None:
        if owed.is_doubtful:
            return
        try:
            if told is None:
                raise RefutedError("it is not among your last rounds")
            brought = owed.check(told, house)
            del self[owed.number]
            self._tell(owed, told, brought)
        except RefutedError as refuted:
            if told is not None or owed.is_placed:
                is_told = told is not None and told.draw is not None
                self._refuse(owed, refuted, is_told=is_told)
            else:
                del self[owed.number]  # it never came, as nothing says

    def _tell(self, owed: OwedRound, told: PastRound, brought: int | None) -> None:
        draw, number = told.draw, owed.number
        if told.end is RoundEnd.SETTLED and draw is not None:
            digits = digits_of(draw.head, draw.links)
            is_ours = bool(owed.link)
            self._report.add(Proof(round=number, digits=digits, is_ours=is_ours))
        elif owed.link is not None:
            is_void, is_shown = told.end is RoundEnd.VOID, owed.is_shown
            how = "the round is void" if is_void else "your bet is back"
            self._report.add(
                self._ways.break_off(number, how, brought, is_shown=is_shown)
            )

    def _refuse(self, owed: OwedRound, refuted: RefutedError, *, is_told: bool) -> None:
        if is_told:
            what = f"as it is recalled, {refuted.what}"
            remark: Remark = refuted.finding(owed.number, what, is_alone=True)
        else:
            what = f"you have not heard its end, and {refuted.what}"
            remark = self._ways.leave_untold(owed.number, what)
        self._report.add(remark)
        if isinstance(remark, Finding):
            owed.is_doubtful = True
        else:
            del self[owed.number]
