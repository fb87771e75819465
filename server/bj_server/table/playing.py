"""Playing: the phase in which a round is dealt, decided hand by hand, and settled."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Self

from bj_game import event as game
from bj_game.play import By, IllegalPlayError, Play, Reply, Stake
from bj_game.replay import Replay
from bj_game.round import Round
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Insure
from bj_protocol.events import RoundBegan, RoundEnded
from bj_protocol.refusal import RefusalCode
from bj_protocol.round_views import ACTIONS, ask_view
from bj_protocol.views import Ask, Phase, Presence, SeatLink
from bj_server.bank.pending import PendingRound
from bj_server.table.context import TableContext
from bj_server.table.payout import payment_of, result_of, settled_among, wagers_of
from bj_server.table.records import DRAW, AnswerRecord, DealRecord, drawn, stated
from bj_server.table.refusal import RefusalError, refusal_for
from bj_server.table.seat import Seat

_OFFERS = {Action.INSURE, Action.EVEN_MONEY}
_GOING_ON = {Action.HIT, Action.STAND}
_REPLIES = {action: Reply(play=play) for play, action in ACTIONS.items()}
"""The plays of a player by the answers of the wire."""
_WAGERS = {Play.SPLIT, Play.DOUBLE, Play.INSURE}
"""The plays that risk more money."""


class Playing:
    """One round at the table, from the deal to the last payout.

    Every decision, whether a player or the clock made it, is written to the bank's
    journal together with the money that it moves. The settlement of the whole round is
    one entry.
    """

    name = Phase.PLAYING

    def __init__(self, context: TableContext, deal: Round) -> None:
        """Tell nobody yet; callers use ``open`` or ``resume``."""
        self._context = context
        self._began = context.clock.now()
        self.number = context.round
        self.deadline = context.pace.end(context.clock.now(), context.pace.turn_seconds)
        self.is_over = False
        self.deal = deal

    @classmethod
    def open(
        cls,
        context: TableContext,
        links: Sequence[SeatLink] = (),
        missing: Sequence[int] = (),
    ) -> Self:
        """Deal to every seat with a bet, and run to the first decision.

        ``links`` are those of the call, and ``missing`` the seats without one.
        """
        stakes = [
            Stake(
                seat=seat.number,
                amount=seat.bet,
                funds=context.till.balance(seat.handle),
                spots=seat.spots,
            )
            for seat in context.seats
            if seat.bet
        ]
        _record_deal(context, stakes, links)
        context.arrange(links)
        context.outgoing.post(
            RoundBegan(
                round=context.round,
                seats=tuple(stake.seat for stake in stakes),
                links=tuple(links),
                missing=tuple(missing),
                until_cut=context.shoe.until_cut,
            )
        )
        playing = cls(context, Round(context.house, context.shoe, stakes))
        playing._go_on(playing.deal.take_events())
        return playing

    @classmethod
    def resume(cls, context: TableContext, pending: PendingRound) -> Self:
        """Deal the pending round once more, and play it as far as it had come.

        Raises:
            ValueError, IllegalPlayError, ShoeEmptyError: if that cannot be.
        """
        if pending.deal is None:
            raise ValueError("there is no deal")
        dealt = DealRecord.model_validate(pending.deal.data).seats
        for each in dealt:
            seat = context.seats[each.seat]
            seat.bet, seat.spots = each.stake, each.spots
        stakes = [each.as_stake() for each in dealt]
        again = Replay(context.house, context.shoe, stakes)
        for record in pending.answers:
            answer = AnswerRecord.model_validate(record.data)
            again.play(answer.seat, answer.as_reply())
        return cls(context, again.round)

    def ask_again(self, seat: Seat, prompt: int) -> None:
        """Ask again the question that had the id ``prompt`` before the server stopped.

        Raises:
            ValueError: if the round has nothing to ask of the seat.
        """
        open_prompts = {open.seat: open for open in self.deal.prompts}
        if seat.number not in open_prompts:
            raise ValueError(f"seat {seat.number} has nothing to decide")
        seat.ask = ask_view(prompt, open_prompts[seat.number])
        self._start_clock()

    @property
    def at_stake(self) -> dict[str, int]:
        """The cents at risk in the round, insurance included, by handle."""
        return {
            self._context.seats[player.seat].handle: sum(
                hand.stake + hand.insurance for hand in player.hands
            )
            for player in self.deal.players
        }

    def answer(self, seat: Seat, ask: Ask, answer: AnyAnswer) -> None:
        """Carry out what ``seat`` answers to its open ``ask``.

        Raises:
            RefusalError: if the answer is not legal; nothing has changed then.
        """
        reply = _REPLIES.get(answer.type)
        if isinstance(answer, Insure):
            reply = Reply(play=Play.INSURE, amount=answer.amount)
        if reply is None:
            raise RefusalError(RefusalCode.WRONG_ANSWER)
        try:
            self._play(seat, reply)
        except IllegalPlayError as illegal:
            raise refusal_for(illegal.reason, ask) from None

    def excuse(self, seat: Seat, *, is_overdue: bool = False) -> None:
        """Decide for a player who has left for good, or was held for long enough."""
        if seat.ask and (is_overdue or seat.presence is Presence.LEAVING):
            self._decide_for(seat, By.ABSENCE)

    def time_up(self) -> None:
        """Decide for every player who has let the time pass."""
        late = [(seat, seat.ask) for seat in self._context.seats if seat.ask]
        for seat, ask in late:
            if seat.ask is ask:
                self._decide_for(seat, By.CLOCK)
        if self._context.seats.asked:  # about other spots, whose time begins now
            self._start_clock()

    def _decide_for(self, seat: Seat, by: By) -> None:
        if by is By.CLOCK:
            self._context.gauges.decided_by_clock(self._context.name)
        prompt = next(p for p in self.deal.prompts if p.seat == seat.number)
        self._play(seat, Reply(play=prompt.default, by=by))

    def _play(self, seat: Seat, reply: Reply) -> None:
        till, seats = self._context.till, self._context.seats
        funds = {player.seat: player.funds for player in self.deal.players}
        self.deal.answer(seat.number, reply)
        happened = self.deal.take_events()
        if reply.play in _WAGERS or not self.deal.prompts:
            for event in happened:
                if isinstance(event, game.Funded):  # the deal knows of no gift since
                    held = till.balance(seats[event.seat].handle)
                    event.balance += held - funds[event.seat]
        data: dict[str, object] = {"seat": seat.number, "play": str(reply.play)}
        if reply.by is not By.PLAYER:
            data["by"] = str(reply.by)
        if reply.amount:
            data["amount"] = reply.amount
        stakes = wagers_of(seat.handle, happened) if reply.play in _WAGERS else ()
        till.record("answer", self.number, data, stakes)
        seat.ask = None
        self._go_on(happened)

    def _go_on(self, happened: Sequence[game.RoundEvent]) -> None:
        self._context.outgoing.post(*happened)
        if not self.deal.prompts:
            self._settle(happened)
            return
        was_anyone_asked = bool(self._context.seats.asked)
        fresh = self._ask()
        if not was_anyone_asked:
            self._start_clock()
        for seat in fresh:
            if seat.ask and not seat.is_here:
                self._decide_for(seat, By.ABSENCE)

    def _start_clock(self) -> None:
        pace, seconds = self._context.pace, self._context.pace.insurance_seconds
        for seat in self._context.seats.taken:
            if seat.ask and not _is_offer(seat.ask.actions):
                seconds = pace.turn_seconds
        self.deadline = pace.end(self._context.clock.now(), seconds)

    def _ask(self) -> list[Seat]:
        """Ask the questions of the round, and return the seats newly asked."""
        fresh = []
        for prompt in self.deal.prompts:
            seat = self._context.seats[prompt.seat]
            if seat.ask is None:
                seat.ask = ask_view(self._context.next_prompt(), prompt)
                fresh.append(seat)
        return fresh

    def _settle(self, happened: Sequence[game.RoundEvent]) -> None:
        handles = {seat.number: seat.handle for seat in self._context.seats}
        settled = settled_among(happened)
        payments = [payment_of(event, handles) for event in settled]
        data = {"results": [result_of(event, handles) for event in settled]}
        self._context.till.settle(self.number, payments, data)
        if self._context.house.bet == "ladder":
            nets: Counter[int] = Counter()
            for event, paid in zip(settled, payments, strict=True):
                nets[event.seat] += paid.payout - paid.stake
            for number, net in nets.items():
                self._climb(self._context.seats[number], net)
        self.is_over = True
        seconds = self._context.clock.now() - self._began
        self._context.gauges.round_over(self._context.name, seconds)
        shoe = self._context.shoe
        self._context.outgoing.post(
            RoundEnded(
                round=self.number,
                cards_left=shoe.left,
                until_cut=shoe.until_cut,
                secret=self._context.told_secret,
            )
        )

    def _climb(self, seat: Seat, net: int) -> None:
        """Move a seat on the ladder of bets by the ``net`` of its round, in cents.

        Nobody goes below the foot of the ladder, nor above the largest wager.
        """
        house = self._context.house
        if net > 0 and seat.rung + 2 * house.minimum_bet <= house.maximum_wager:
            seat.rung += house.minimum_bet
        elif net < 0:
            seat.rung = max(0, seat.rung - house.minimum_bet)


@cache
def _is_offer(actions: tuple[Action, ...]) -> bool:
    """Whether insurance or even money is asked for, before the play of the hand."""
    return bool(_OFFERS.intersection(actions)) and not _GOING_ON.intersection(actions)


def _record_deal(
    context: TableContext, stakes: Sequence[Stake], links: Sequence[SeatLink]
) -> None:
    context.seed = context.source.seed_of(context.round)
    deal = drawn(context.secret, context.source.contents) | stated(
        draw=DRAW,
        house=context.house.name,
        seal=context.seal,
        head=context.head,
        seed=context.seed,
        links=[[each.seat, each.link] for each in links],
        seats=[_dealt(context.seats[stake.seat], stake) for stake in stakes],
    )
    # The links are lost with the line, so they are safe before anyone sees them.
    is_proven = context.story is not None
    context.till.record("deal", context.round, deal, durable=is_proven)


def _dealt(seat: Seat, stake: Stake) -> dict[str, object]:
    return stated(
        seat=stake.seat,
        handle=seat.handle,
        stake=stake.amount,
        spots=stake.spots,
        funds=stake.funds,
        commitment=seat.commitment,
    )
