"""The round: one deal, from the first card to the last payout.

Theory of operation. The order of play is written down once, in ``Round._run``, as a
generator that reads like the list in ``specs/cpsc386.txt`` ("order of game play
operations") and yields a ``Prompt`` wherever a person must decide. Outside, a round is
a small machine:

    round = Round(house, shoe, stakes)   # deals, and runs to the first decision
    round.take_events()                  # what has happened since last asked
    round.prompt                         # who must decide what; None once settled
    round.answer(seat, reply)            # runs to the next decision, or refuses

There is no clock and no randomness here: the same house, shoe, stakes and answers give
the same events. So a record of those four is the round, for recovery, replay and tests.
"""

from collections.abc import Generator, Sequence

from bj_game import event
from bj_game.card import Card
from bj_game.event import Event
from bj_game.hand import Hand, Stage, total_of
from bj_game.house import House
from bj_game.illegal import IllegalPlay, Reason
from bj_game.legality import insurance_prompt, play_prompt, split_prompt
from bj_game.play import Decider, Play, Prompt, Reply
from bj_game.player import Player, Stake
from bj_game.settlement import settle_hand, settle_insurance
from bj_game.shoe import Shoe

__all__ = ["DEALER", "Round"]

DEALER = 0
"""The seat number of the dealer."""

_DEALER_STANDS_ON = 17


class Round:
    """One deal under the rules of a house.

    >>> from bj_game.card import parse_cards
    >>> shoe = Shoe(parse_cards("Th 9d 9c 8h"), below_cut=0)
    >>> house = House(name="cpsc386", title="")
    >>> round = Round(house, shoe, [Stake(seat=1, amount=5000, funds=0)])
    >>> [play.value for play in round.prompt.plays]
    ['hit', 'stand']
    >>> round.answer(1, Reply(play=Play.STAND))
    >>> round.take_events()[-1].outcome.value
    'win'
    """

    def __init__(self, house: House, shoe: Shoe, stakes: Sequence[Stake]) -> None:
        """Deal, and run to the first decision.

        Raises:
            ShoeEmpty: if the shoe runs out; the round cannot go on.
        """
        self.dealer = Hand()
        self.is_hole_hidden = True
        self.prompt: Prompt | None = None
        self.players = [
            Player.of(stake) for stake in sorted(stakes, key=lambda stake: stake.seat)
        ]
        self._house = house
        self._shoe = shoe
        self._events: list[Event] = []
        self._course = self._run()
        self._advance(None)

    def answer(self, seat: int, reply: Reply) -> None:
        """Play ``reply`` for ``seat``, and run to the next decision.

        Raises:
            IllegalPlay: if it is not legal; nothing has changed then.
            ShoeEmpty: if the shoe runs out; the round cannot go on.
        """
        if self.prompt is None:
            raise IllegalPlay(Reason.ROUND_OVER)
        if seat != self.prompt.seat:
            raise IllegalPlay(Reason.NOT_YOUR_TURN)
        self.prompt.check(reply)
        self._advance(reply)

    def take_events(self) -> tuple[Event, ...]:
        """Return what has happened since this was last called, in order."""
        events, self._events = tuple(self._events), []
        return events

    # The order of play.

    def _run(self) -> Generator[Prompt, Reply, None]:
        self._deal()
        for player in self.players:
            yield from self._take_turn(player)
        self._play_dealer()
        self._settle()

    def _deal(self) -> None:
        for face_up in (True, False):
            for player in self.players:
                self._deal_card(player.seat, 0, player.hands[0])
            self._deal_card(DEALER, 0, self.dealer, face_up=face_up)

    def _take_turn(self, player: Player) -> Generator[Prompt, Reply, None]:
        yield from self._decide_split(player)
        for index, hand in enumerate(player.hands):  # a split appends to it
            hand.stage = Stage.PLAYING
            yield from self._decide_insurance(player, index)
            yield from self._play_hand(player, index)

    def _decide_split(self, player: Player) -> Generator[Prompt, Reply, None]:
        prompt = split_prompt(self._house, player, self._upcard)
        if prompt is None:
            return
        reply = yield prompt
        if reply.play is Play.SPLIT:
            self._split(player, 0)
        else:
            player.hands[0].is_split_declined = True
            self._emit(event.SplitDeclined(seat=player.seat, hand=0, by=reply.by))

    def _decide_insurance(
        self, player: Player, index: int
    ) -> Generator[Prompt, Reply, None]:
        prompt = insurance_prompt(self._house, player, index, self._upcard)
        if prompt is None:
            return
        reply = yield prompt
        if reply.play is Play.INSURE:
            self._insure(player, index, reply.amount)
        else:
            self._emit(
                event.InsuranceDeclined(seat=player.seat, hand=index, by=reply.by)
            )

    def _play_hand(self, player: Player, index: int) -> Generator[Prompt, Reply, None]:
        hand = player.hands[index]
        while not self._is_complete(player, index):
            reply = yield play_prompt(player, index)
            if reply.play is Play.SPLIT:
                self._split(player, index)
                continue
            if reply.play is Play.DOUBLE:
                self._double(player, index)
            if reply.play is not Play.STAND:
                self._deal_card(player.seat, index, hand)
            if reply.play is not Play.HIT and hand.total.points < 21:
                self._stand(player, index, reply.by)

    def _play_dealer(self) -> None:
        self._reveal_hole()
        while self._must_draw():
            self._deal_card(DEALER, 0, self.dealer)
        total = self.dealer.total
        if self.dealer.is_busted:
            self._emit(event.DealerBusted(total=total))
        else:
            blackjack = self.dealer.is_natural
            self._emit(event.DealerStood(total=total, blackjack=blackjack))

    def _settle(self) -> None:
        for player in self.players:
            for index in range(len(player.hands)):
                self._settle_insurance(player, index)
                self._settle_hand(player, index)

    def _must_draw(self) -> bool:
        everyone_is_bust = all(
            hand.is_busted for player in self.players for hand in player.hands
        )
        return not everyone_is_bust and self.dealer.total.points < _DEALER_STANDS_ON

    @property
    def _upcard(self) -> Card:
        return self.dealer.cards[0]

    # What happens.

    def _advance(self, reply: Reply | None) -> None:
        try:
            # A generator takes None to start and a reply ever after.
            self.prompt = self._course.send(reply)  # type: ignore[arg-type]
        except StopIteration:
            self.prompt = None

    def _emit(self, happened: Event) -> None:
        self._events.append(happened)

    def _deal_card(
        self, seat: int, index: int, hand: Hand, *, face_up: bool = True
    ) -> None:
        card = self._shoe.draw()
        shown = [*hand.cards, card] if face_up else hand.cards
        total = total_of(shown)
        hand.cards.append(card)
        self._emit(
            event.CardDealt(
                seat=seat, hand=index, card=card, face_up=face_up, total=total
            )
        )
        if self._shoe.just_reached_cut:
            self._emit(event.CutCardReached())

    def _split(self, player: Player, index: int) -> None:
        hand = player.hands[index]
        hand.is_split = True
        new = Hand(cards=[hand.cards.pop()], stake=hand.stake, is_split=True)
        new_index = len(player.hands)
        player.hands.append(new)
        player.wager(new.stake)
        self._emit(
            event.HandSplit(
                seat=player.seat,
                hand=index,
                new_hand=new_index,
                stake=hand.stake,
                funds=player.funds,
            )
        )
        self._deal_card(player.seat, index, hand)
        self._deal_card(player.seat, new_index, new)

    def _insure(self, player: Player, index: int, amount: int) -> None:
        player.hands[index].insurance = amount
        player.wager(amount)
        self._emit(
            event.HandInsured(
                seat=player.seat, hand=index, amount=amount, funds=player.funds
            )
        )

    def _double(self, player: Player, index: int) -> None:
        hand = player.hands[index]
        player.wager(hand.stake)
        hand.stake *= 2
        self._emit(
            event.HandDoubled(
                seat=player.seat, hand=index, stake=hand.stake, funds=player.funds
            )
        )

    def _stand(self, player: Player, index: int, by: Decider) -> None:
        hand = player.hands[index]
        hand.stage = Stage.STOOD
        self._emit(
            event.HandStood(seat=player.seat, hand=index, total=hand.total, by=by)
        )

    def _is_complete(self, player: Player, index: int) -> bool:
        hand, seat = player.hands[index], player.seat
        if hand.is_busted:
            hand.stage = Stage.BUSTED
            self._emit(event.HandBusted(seat=seat, hand=index, total=hand.total))
        elif hand.total.points == 21:
            hand.stage = Stage.TWENTY_ONE
            natural = hand.is_natural
            self._emit(event.HandReached21(seat=seat, hand=index, natural=natural))
        return hand.stage is not Stage.PLAYING

    def _reveal_hole(self) -> None:
        self.is_hole_hidden = False
        hole = self.dealer.cards[1]
        self._emit(event.HoleRevealed(card=hole, total=self.dealer.total))

    def _settle_insurance(self, player: Player, index: int) -> None:
        amount = player.hands[index].insurance
        if not amount:
            return
        outcome, payout = settle_insurance(amount, self.dealer)
        player.pay(payout)
        self._emit(
            event.InsuranceSettled(
                seat=player.seat,
                hand=index,
                outcome=outcome,
                amount=amount,
                payout=payout,
                funds=player.funds,
            )
        )

    def _settle_hand(self, player: Player, index: int) -> None:
        hand = player.hands[index]
        result = settle_hand(hand, self.dealer)
        player.pay(result.payout)
        self._emit(
            event.HandSettled(
                seat=player.seat,
                hand=index,
                outcome=result.outcome,
                ruling=result.ruling,
                stake=hand.stake,
                payout=result.payout,
                funds=player.funds,
            )
        )
