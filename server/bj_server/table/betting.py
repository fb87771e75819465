"""Betting: the phase in which every seat stakes on the coming round, or passes."""

from collections.abc import Sequence
from typing import Self

from bj_game.legality import bet_limits
from bj_game.money import dollars
from bj_game.play import WagerRange
from bj_protocol.action import Action, By
from bj_protocol.commands import AcceptGift, AnyAnswer, PlaceBet, SitOut
from bj_protocol.events import Announced, BetPlaced, BettingOpened, GiftGiven, SatOut
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask, Phase
from bj_server.table.context import TableContext
from bj_server.table.refusal import RefusalError, refusal_for
from bj_server.table.seat import Seat

_MORE = (
    "{} has money elsewhere in this fleet, so the donor offers none: leave, and join "
    "again to have what is at rest."
)

_SHARES = 512
"""Bets of what the bank can still count may be on the tables at once."""


class Betting:
    """One call for bets.

    All seats that are here are asked at once and answer in any order. It is over when
    every one of them has answered and there is a bet, or when the time is up.
    """

    name = Phase.BETTING

    def __init__(self, context: TableContext) -> None:
        """Give everyone the full time; callers use ``call``."""
        self._context = context
        self.deadline = context.pace.end(context.clock.now(), context.pace.bet_seconds)
        self._is_time_up = False

    @classmethod
    def call(cls, context: TableContext) -> Self:
        """Open the bets for everyone who is here."""
        context.prepare()
        betting = cls(context)
        context.outgoing.post(BettingOpened(round=context.round, seal=context.seal))
        able: dict[int, WagerRange] = {}
        for seat in context.seats.taken:
            seat.bet, seat.spots, seat.commitment = 0, 1, None
            seat.has_passed = False
            limits = betting._limits(seat)
            if not limits.is_possible and seat.rung:
                seat.rung = 0  # too high for the balance: back to the foot
                limits = betting._limits(seat)
            if limits.is_possible:
                able[seat.number] = limits
                seat.rounds_broke = 0
        taken = context.seats.taken
        players = [seat for seat in taken if seat.is_here and seat.number in able]
        betting._let_sit_out(players)
        for seat in context.seats.taken:
            if seat.number not in able:
                betting._count_broke(seat, can_play=bool(players))
            betting.invite(seat, able.get(seat.number))
        return betting

    @property
    def is_over(self) -> bool:
        """Whether the bets are closed; without a clock that is once all have passed."""
        if self._is_time_up or self._context.seats.asked:
            return self._is_time_up
        return self.has_bets or not self._context.pace.has_clock

    @property
    def has_bets(self) -> bool:
        """Whether there is anything to play for."""
        return any(seat.bet for seat in self._context.seats)

    @property
    def is_to_be_called(self) -> bool:
        """Whether somebody who has bet is committed to a link."""
        return any(seat.bet and seat.commitment for seat in self._context.seats)

    def invite(self, seat: Seat, limits: WagerRange | None = None) -> None:
        """Ask ``seat`` for its bet, unless it has decided or cannot answer.

        ``limits`` are those of the bet, where they are known already.
        """
        seat.ask = None
        if seat.has_decided or not seat.is_here:
            return
        if limits is None:
            limits = self._limits(seat)
        house, prompt = self._context.house, self._context.last_prompt + 1
        if limits.is_possible:
            seat.rounds_broke = 0  # the donor or the host may have helped
            seat.ask = Ask(
                prompt=prompt,
                seat=seat.number,
                hand=0,
                actions=(Action.PLACE_BET, Action.SIT_OUT),
                wager=limits,
                spots=house.max_spots,
            )
        elif self._is_gift_due(seat):
            seat.ask = Ask(
                prompt=prompt,
                seat=seat.number,
                hand=0,
                actions=(Action.ACCEPT_GIFT, Action.SIT_OUT),
                gift=house.donor_gift,
            )
        else:
            seat.rounds_broke = seat.rounds_broke or 1
        if seat.ask:
            self._context.last_prompt = prompt

    def wait_of(self, seat: Seat) -> str:
        """Say why a broke player has no gift, or for how many rounds; else nothing."""
        house = self._context.house
        if seat.rounds_broke and self._has_more(seat):
            return _MORE.format(seat.handle)
        left = house.donor_wait_rounds + 1 - seat.rounds_broke
        if not seat.rounds_broke or not house.donor_gift or left <= 0:
            return ""
        rounds = "1 more round" if left == 1 else f"{left} more rounds"
        return (
            f"{seat.handle} is broke: the donor offers "
            f"{dollars(house.donor_gift)} after {rounds}."
        )

    def answer(self, seat: Seat, ask: Ask, answer: AnyAnswer) -> None:
        """Carry out what ``seat`` answers to its open ``ask``.

        Raises:
            RefusalError: if the answer is not legal; nothing has changed then.
        """
        match answer:
            case PlaceBet() if Action.PLACE_BET in ask.actions:
                self._place(seat, ask, answer)
            case AcceptGift() if Action.ACCEPT_GIFT in ask.actions:
                self._give(seat)
            case SitOut():
                self._pass(seat, By.PLAYER)
            case _:
                raise RefusalError(RefusalCode.WRONG_ANSWER)

    def excuse(self, seat: Seat, *, is_overdue: bool = False) -> None:
        """Wait no longer for a seat whose player is gone; a bet stays on the table."""
        seat.ask = None

    def time_up(self) -> None:
        """Close the bets; a seat that has not answered lets the round pass."""
        for seat in self._context.seats:
            if seat.ask:
                seat.missed_bets += 1
                self._context.gauges.decided_by_clock(self._context.name)
                self._pass(seat, By.CLOCK)
        self._is_time_up = True

    def take_back(self, seat: Seat) -> None:
        """Return the undealt bet of a player who leaves."""
        back = self._context.till.refund(self._context.round, seat.handle)
        seat.ask, seat.bet = None, 0
        self._context.post_return(seat, back[seat.handle])

    def _has_more(self, seat: Seat) -> bool:
        cage = self._context.cage
        return cage is not None and cage.has_more(seat.handle)

    def _count_broke(self, seat: Seat, *, can_play: bool) -> None:
        """Count on for a broke player, and say for how many rounds there is no donor.

        Rounds count that the table plays. If nobody can play one, each call for bets
        counts as a round, and without a clock nobody waits.
        """
        house, has_clock = self._context.house, self._context.pace.has_clock
        if not seat.rounds_broke or not can_play:
            is_timed = has_clock or can_play
            seat.rounds_broke += 1 if is_timed else house.donor_wait_rounds + 1
        text = self.wait_of(seat)
        if text and seat.is_here:
            self._context.outgoing.post(Announced(text=text))

    def _let_sit_out(self, able: Sequence[Seat]) -> None:
        """Pass over seats whose links did not come, as long as others can play."""
        others = any(not seat.sits_out for seat in able)
        for seat in self._context.seats:
            if not others:
                seat.sits_out = 0
            if seat.sits_out and seat.is_here:
                self._pass(seat, By.RULES)

    def _limits(self, seat: Seat) -> WagerRange:
        house, till = self._context.house, self._context.till
        balance, room = till.balance(seat.handle), till.room // _SHARES
        # All seats together must not win more than a bank can count.
        return bet_limits(house, balance, rung=seat.rung, room=room)

    def _is_gift_due(self, seat: Seat) -> bool:
        house = self._context.house
        wait = house.donor_wait_rounds
        if not house.donor_gift or (wait and seat.rounds_broke <= wait):
            return False
        return not self._has_more(seat)

    def _place(self, seat: Seat, ask: Ask, placed: PlaceBet) -> None:
        amount, spots = placed.amount, placed.spots
        assert ask.wager is not None  # it comes with the question for a bet
        reason = ask.wager.why_not(amount)
        if reason is not None:
            raise refusal_for(reason, ask)
        till = self._context.till
        self._check_spots(amount, spots, till.balance(seat.handle))
        till.stake(self._context.round, seat.handle, amount * spots)
        seat.ask, seat.bet, seat.spots = None, amount, spots
        seat.commitment = None if self._context.story is None else placed.commitment
        balance = till.balance(seat.handle)
        self._context.outgoing.post(
            BetPlaced(seat=seat.number, amount=amount, spots=spots, balance=balance)
        )

    def _check_spots(self, amount: int, spots: int, balance: int) -> None:
        most = self._context.house.max_spots
        if not 1 <= spots <= most:
            text = f"This house has 1 to {most} spots for a player, not {spots}."
            if most == 1:
                text = "This house has one spot for each player."
            raise RefusalError(RefusalCode.NO_SUCH_SPOTS, text)
        if amount * spots > balance:
            text = f"Your balance does not cover that bet on {spots} spots."
            raise RefusalError(RefusalCode.NOT_ENOUGH_FUNDS, text)

    def _give(self, seat: Seat) -> None:
        gift, till = self._context.house.donor_gift, self._context.till
        till.give(seat.handle, gift)
        balance = till.balance(seat.handle)
        self._context.outgoing.post(
            GiftGiven(seat=seat.number, amount=gift, balance=balance)
        )
        self.invite(seat)

    def _pass(self, seat: Seat, by: By) -> None:
        seat.ask, seat.has_passed = None, True
        self._context.outgoing.post(SatOut(seat=seat.number, by=by))
