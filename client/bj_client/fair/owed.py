"""Rounds that are owed: with our stake, and not proven yet.

A client that loses the line asks for them when it is back. A recalled round must have
the call and the links that were told, follow from the secret, and lead to the balance.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from bj_client.fair.answers import ABOUT_RECALLS, Answers
from bj_client.fair.deal import Deal, Results, stake_of
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
from bj_client.fair.replay import RecalledRound, won_by
from bj_client.fair.ways_out import Ways
from bj_game.event import Funded, RoundEvent
from bj_game.house import House
from bj_game.shoe import ShoeContents
from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.recall import MOST_RECALLED, PastDraw, PastRound, RoundEnd
from bj_protocol.refusal import RefusalCode
from bj_protocol.round_views import dealer_view, hand_views, past_hands
from bj_protocol.views import SeatLink

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
    may_be_lost: bool = True
    """Whether our link may be lost with the line, as far as we have heard."""
    may_be_undone: bool = False
    """Whether a power cut may have undone plays that we have heard."""
    is_undone: bool = False
    """Whether one has, by what is recalled."""

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.draw.number

    @property
    def _staked(self) -> int:
        return self.bet.amount * self.bet.spots

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

    def _forgone_alone(self, secret: str) -> int | None:
        """Return the cents of a round that would have been dealt to us alone."""
        call, house = self.draw.call, self.draw.house
        if call is None or house is None or len(call.bets) > 1:
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
        draw, total = past.draw, self.bet.balance + self._staked
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
            return self._forgone_alone(draw.secret)
        self._check_draw(draw)
        won = self._replay(past, draw)
        is_void = past.end is RoundEnd.VOID
        _check_balance(past, 0 if is_void else won or 0)
        return won if is_void else None

    def _check_draw(self, draw: PastDraw) -> None:
        call, links = self.draw.call, {link.seat: link.link for link in draw.links}
        if call is not None:
            dealt = [b for b in call.bets if not b.commitment or b.seat in links]
            told = draw.head, draw.bets, draw.left, draw.deck, draw.below_cut
            due = self.draw.head, tuple(dealt), call.left, call.deck, call.below_cut
            if told != due:
                raise RefutedError("it is not the round that was called")
        if self.draw.seal is not None:
            check_links(draw.bets, self.draw.seal, draw.links)
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
        house, own = self.draw.house, past.balance_before - self._staked
        assert house is not None
        shoe = drawn_shoe(house, contents_of(draw), draw.secret, draw.head, draw.links)
        stakes = [
            stake_of(bet, own if bet.seat == self.bet.seat else _PLENTY)
            for bet in draw.bets
        ]
        again = RecalledRound(house, shoe, stakes, draw.plays, self.bet.seat)
        self._check_heard(again)
        _check_told(self.bet, past, again)
        return won_by(again.round, stake_of(self.bet, own))

    def _check_heard(self, again: RecalledRound) -> None:
        """See that what we have heard of the round is how it goes on."""
        is_heard = self.deal is not None and self.deal.is_whole
        heard = self.deal.heard if self.deal is not None and is_heard else []
        pairs = zip(map(_moneyless, heard), map(_moneyless, again.events), strict=False)
        if len(heard) > len(again.events) or any(told != due for told, due in pairs):
            if not self.may_be_undone:
                raise RefutedError("it was played otherwise than you have heard")
            self.is_undone = True


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
        self._asked: deque[int] = deque()
        """The oldest round of each recall that is not answered."""
        self._proven: dict[int, Callable[[], Results]] = {}
        """What a recall must tell of our last rounds that were proven."""
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
        elif isinstance(event, events.BetReturned) and owed:
            owed.may_be_lost = False
            if not owed.link:
                del self[draw.number]

    def placed(self, number: int) -> OwedRound | None:
        """Return a round in which we have money, now that no bet is placed any more."""
        owed = self.get(number)
        if owed is not None and not owed.is_placed:
            del self[number]
        return self.get(number)

    def unproven(self, number: int) -> list[OwedRound]:
        """Return the rounds before ``number``, the oldest first."""
        return [self[each] for each in sorted(self) if each < number]

    def wanted(self, number: int) -> int:
        """Return how many rounds to ask for while ``number`` is on; 0 for none."""
        missed = [o.number for o in self.unproven(number) if not o.is_doubtful]
        if self.fell is not None:
            missed.append(self.fell.since)
        return min(MOST_RECALLED, max(1, number - min(missed) + 1)) if missed else 0

    def ask(self, rounds: int, number: int) -> None:
        """Note that so many rounds are asked for, by us or by a player."""
        self._asked.append(number - rounds + 1 if rounds < MOST_RECALLED else 0)

    def refuse(self, code: RefusalCode) -> None:
        """Note what the server refuses, which may be a recall."""
        if code in ABOUT_RECALLS and self._asked:
            self._asked.popleft()

    def lose(self) -> None:
        """Note that the line is lost, with all that was asked for on it."""
        self._asked.clear()

    def recall(
        self, table: str, number: int, past: Sequence[PastRound], run: str
    ) -> None:
        """Check the rounds missed before round ``number``, as they are recalled.

        A player may have asked for fewer than we would: those before them are owed
        still. ``run`` is that of the server that recalls them.
        """
        known = {each.round: each for each in past if each.table == table}
        oldest = self._asked.popleft() if self._asked else 0
        for owed in self.unproven(number):
            owed.may_be_lost = owed.may_be_lost and owed.draw.run == run
            if owed.number >= oldest or owed.number in known:
                self._recall(owed, known.get(owed.number))
        for each, due in self._proven.items():
            if each in known:
                self._compare(each, due(), known[each])
        if self.fell is not None and self.fell.since < oldest:
            return
        fell, self.fell = self.fell, None
        fallen = [] if fell is None else fell.compare(table, past)
        if fell is not None and fallen and fell.is_restarted:
            self.go_back(fell.before, fell.lost)  # by the books of a backup
        else:
            self._report.add(*fallen)

    def prove(self, deal: Deal, house: House | None, seat: int | None) -> None:
        """Remember a round that is proven; the server may be asked for it again."""
        if house is not None and seat is not None and seat in deal.bets:
            for old in list(self._proven)[: 1 - MOST_RECALLED]:
                del self._proven[old]
            self._proven[deal.number] = partial(deal.results, house, seat)

    def _compare(self, number: int, due: Results, past: PastRound) -> None:
        told = past.bet, past.spots, past.hands, past.dealer
        is_other = past.end is not RoundEnd.SETTLED or told != due
        if past.is_retold and is_other:
            what = "it is recalled otherwise than it was proven"
            self._report.find(what, is_alone=True, number=number)

    def doubt(self) -> None:
        """Note that what servers have told meanwhile was missed, maybe a step back."""
        for owed in self.values():
            owed.may_be_undone = True

    def go_back(self, number: int, lost: int | None) -> None:
        """Go on from books of before, as round ``number`` is told to be on."""
        self.clear()
        self._proven.clear()
        self._answers.forget()
        self._report.add(self._ways.go_back(number, self.ended, lost))
        self.ended = min(self.ended, number - 1)

    def _recall(self, owed: OwedRound, told: PastRound | None) -> None:
        if owed.is_doubtful or None in (owed.draw.house, owed.draw.sealer):
            return  # nothing more can be said of it
        try:
            if told is None:
                raise RefutedError("it is not among your last rounds")
            brought = owed.check(told)
            del self[owed.number]
            if owed.is_undone:
                self._report.add(self._ways.play_again(owed.number))
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
        elif owed.link is None:
            return
        elif told.end is RoundEnd.RETURNED and (
            owed.may_be_lost or (brought is not None and brought <= 0)
        ):
            self._report.add(self._ways.leave_out(number))
            if brought is not None and brought > 0:
                self._report.add(*self._ways.miss_win(number))
        else:
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
