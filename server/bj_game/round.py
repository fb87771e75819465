"""The round: one deal, from the first card to the last payout.

Theory of operation. The order of play is written down once, in ``Round._run``, as a
generator that reads like the list in ``specs/cpsc386.txt`` ("order of game play
operations"). It yields the open prompts wherever somebody must decide, and is sent a
seat and its reply. Outside, a round is a small machine:

    round = Round(house, shoe, stakes)   # deals, and runs to the first decision
    round.take_events()                  # what has happened since last asked
    round.prompts                        # who must decide what; none once settled
    round.answer(seat, reply)            # runs to the next decision, or refuses

There is no clock and no randomness here: the same house, shoe, stakes and answers give
the same events. So a record of those four is the round, for recovery, replay and tests.
"""

from collections.abc import Generator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from bj_game import event
from bj_game.event import RoundEvent
from bj_game.hand import Hand, HandState, Player
from bj_game.house import House
from bj_game.layout import Layout
from bj_game.legality import (
    ace_prompt,
    has_offers,
    may_hide_blackjack,
    offer_prompt,
    play_prompt,
    split_prompt,
)
from bj_game.play import (
    By,
    IllegalPlayError,
    Play,
    Prompt,
    Reason,
    Reply,
    Stake,
    require_kind,
    require_whole,
)
from bj_game.shoe import Shoe

if TYPE_CHECKING:
    from bj_game.card import Card

_DEALER_STANDS_ON = 17

_Turn = Generator[tuple[Prompt, ...], tuple[int, Reply], None]
"""Questions that are open at once; a seat and its reply are sent back."""


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
            ShoeEmptyError: if the shoe runs out; the round cannot go on.
            TypeError: if something is of another type.
            ValueError: if there is no stake, two for a seat, or more spots than the
                house has.
        """
        require_kind("house", house, House)
        require_kind("shoe", shoe, Shoe)
        _check_stakes(house, stakes)
        self._house = house
        self._layout = Layout(house, shoe, stakes)
        self.players: Sequence[Player] = self._layout.players
        """The seats of the round, in the order of play."""
        self.dealer = self._layout.dealer
        """The dealer's hand, the hole card included."""
        self._upcard: Card | None = None
        self._has_offers = False
        self._course = self._run()
        self.prompts = next(self._course, ())
        """The open prompts, in the order of play; none once the round is settled."""

    @property
    def is_hole_hidden(self) -> bool:
        """Whether the dealer's second card lies face down, or will."""
        return self._layout.is_hole_hidden

    @property
    def prompt(self) -> Prompt | None:
        """The first of the open prompts; None once the round is settled."""
        return self.prompts[0] if self.prompts else None

    def answer(self, seat: int, reply: Reply) -> None:
        """Play ``reply`` for ``seat``, and run to the next decision.

        Raises:
            IllegalPlayError: if it is not legal; nothing has changed then.
            ShoeEmptyError: if the shoe runs out; the round cannot go on.
            TypeError: if it is no seat's number and no reply.
        """
        if type(seat) is not int or type(reply) is not Reply:
            require_whole("seat", seat)
            require_kind("reply", reply, Reply)
        for prompt in self.prompts:
            if prompt.seat == seat:
                prompt.check(reply)
                self.prompts = _go_on(self._course, seat, reply)
                return
        raise IllegalPlayError(
            Reason.NOT_YOUR_TURN if self.prompts else Reason.ROUND_OVER
        )

    def take_events(self) -> tuple[RoundEvent, ...]:
        """Return what has happened since this was last called, in order."""
        events = tuple(self._layout.events)
        self._layout.events.clear()
        return events

    # The order of play.

    def _run(self) -> _Turn:
        self._deal()
        if self._has_offers and self._house.insurance_asked == "all_first":
            yield from _at_once(
                {player.seat: self._consider_all(player) for player in self.players}
            )
        if not self._peek():
            for player in self.players:
                yield from self._take_turn(player)
        self._play_dealer()
        self._settle()

    def _deal(self) -> None:
        layout, dealer = self._layout, self.dealer
        if self._house.deal == "alternating":
            for face_up in (True, False):
                for hand in layout.hands:
                    layout.deal_card(hand)
                if face_up or layout.is_hole_hidden:
                    layout.deal_card(dealer, face_up=face_up)
        else:
            for hand in layout.hands:
                layout.deal_card(hand)
                layout.deal_card(hand)
            if self._house.deal == "by_hand":
                layout.deal_card(dealer)
                if layout.is_hole_hidden:
                    layout.deal_card(dealer, face_up=False)
        if dealer.cards:
            self._upcard = dealer.cards[0]
            self._has_offers = has_offers(self._house, self._upcard)

    def _consider_all(self, player: Player) -> _Turn:
        for hand in player.hands:
            yield from self._consider(player, hand)

    def _take_turn(self, player: Player) -> _Turn:
        """Play spot after spot; each begins with the hand that was dealt there."""
        is_offered = self._has_offers and self._house.insurance_asked == "each_hand"
        for spot in range(len(player.hands)):
            for hand in player.hands:  # a split adds to them meanwhile
                if hand.spot != spot or hand.state is HandState.SURRENDERED:
                    continue
                if is_offered:
                    yield from self._decide_split(player, hand)
                hand.state = HandState.PLAYING
                if is_offered:
                    yield from self._consider(player, hand)
                yield from self._play_hand(player, hand)

    def _decide_split(self, player: Player, hand: Hand) -> _Turn:
        while prompt := split_prompt(
            self._house, player, hand, self._upcard, len(self._layout.hands)
        ):
            _, reply = yield (prompt,)
            if reply.play is Play.SPLIT:
                self._layout.split(player, hand)
            else:
                hand.is_split_declined = True
                self._layout.emit(event.SplitDeclined(hand.seat, hand.index, reply.by))

    def _consider(self, player: Player, hand: Hand) -> _Turn:
        """Ask what is to be decided about a hand before its play."""
        prompt = offer_prompt(self._house, player, hand, self._upcard)
        if prompt is None:
            return
        _, reply = yield (prompt,)
        match reply.play:
            case Play.INSURE:
                self._layout.insure(player, hand, reply.amount)
            case Play.EVEN_MONEY:
                hand.is_at_even_money = True
                self._layout.emit(event.EvenMoneyTaken(hand.seat, hand.index))
            case Play.SURRENDER:
                self._layout.surrender(hand)
            case _:
                self._layout.emit(event.OfferDeclined(hand.seat, hand.index, reply.by))

    def _play_hand(self, player: Player, hand: Hand) -> _Turn:
        if self._house.ace == "player":
            yield from self._value_aces(hand)
        while not self._layout.is_complete(hand):
            prompt = play_prompt(
                self._house, player, hand, self._upcard, len(self._layout.hands)
            )
            # To stand is always legal; where nothing else is, nobody is asked.
            if len(prompt.plays) == 1 or not self._layout.may_draw():
                self._layout.stand(hand, By.RULES)
                continue
            _, reply = yield (prompt,)
            is_last = self._play(player, hand, reply)
            if self._house.ace == "player":
                yield from self._value_aces(hand)
            if is_last and not self._layout.is_complete(hand):
                self._layout.stand(hand, reply.by)

    def _value_aces(self, hand: Hand) -> _Turn:
        prompt = ace_prompt(hand)
        if prompt is not None:
            _, reply = yield (prompt,)
            self._layout.value_aces(hand, high=reply.play is Play.ACE_HIGH)

    def _play(self, player: Player, hand: Hand, reply: Reply) -> bool:
        """Carry a reply out; return whether the hand gets no other card."""
        match reply.play:
            case Play.HIT:
                self._layout.deal_card(hand)
            case Play.STAND:
                self._layout.stand(hand, reply.by)
            case Play.SPLIT:
                self._layout.split(player, hand)
            case Play.SURRENDER:
                self._layout.surrender(hand)
            case Play.GIVE_UP:
                self._layout.give_up(hand)
            case _:
                self._layout.double(player, hand)
                self._layout.deal_card(hand)
                return True
        return False

    def _peek(self) -> bool:
        """Look for the dealer's blackjack if the house does; return whether it is one.

        Only an ace or a ten-value can hide one (``specs``: houses of casinos).
        """
        if self._house.hole_card != "peek" or not may_hide_blackjack(self._upcard):
            return False
        self._layout.emit(event.DealerPeeked(self.dealer.is_natural))
        return self.dealer.is_natural

    def _play_dealer(self) -> None:
        if self._layout.is_hole_hidden:
            self._layout.reveal_hole()
        elif self._needs_second_card():
            while len(self.dealer.cards) < 2:
                self._layout.deal_card(self.dealer)
        if self._may_draw():
            while self._is_short() and self._layout.may_draw():
                self._layout.deal_card(self.dealer)
        if len(self.dealer.cards) < 2:
            return
        total = self.dealer.total.points
        if total > 21:
            self._layout.emit(event.DealerBusted(total))
        else:
            blackjack = self._house.knows_blackjack and self.dealer.is_natural
            self._layout.emit(event.DealerStood(total, blackjack))

    def _needs_second_card(self) -> bool:
        """Whether some hand is not decided without the dealer, or is insured."""
        hands = self._layout.hands
        return any(not self._is_out(hand) or hand.insurance for hand in hands)

    def _is_out(self, hand: Hand) -> bool:
        """Whether ``hand`` has lost already, whatever the dealer may get."""
        if hand.state is HandState.BUSTED:
            return self._house.both_bust == "lose"
        return hand.state in (HandState.SURRENDERED, HandState.GIVEN_UP)

    def _is_short(self) -> bool:
        """Whether the dealer's total wants a card, a soft 17 as the house says."""
        points, soft = self.dealer.total
        is_soft_17 = soft and points == _DEALER_STANDS_ON
        return points < _DEALER_STANDS_ON or (is_soft_17 and self._house.hit_soft_17)

    def _may_draw(self) -> bool:
        """Whether the dealer draws at all."""
        if self._house.dealer_draws != "needed":
            return self._house.dealer_draws == "always"
        return any(self._needs_dealer(hand) for hand in self._layout.hands)

    def _needs_dealer(self, hand: Hand) -> bool:
        """Whether what the dealer draws can still change the result of ``hand``."""
        is_paid = hand.is_natural and self._house.natural != "plain"
        return not (self._is_out(hand) or hand.state is HandState.CHARLIE or is_paid)

    def _settle(self) -> None:
        for player in self.players:
            for hand in player.hands:
                if hand.insurance:
                    self._layout.settle_insurance(player, hand)
                self._layout.settle_hand(player, hand)


def _at_once(turns: Mapping[int, _Turn]) -> _Turn:
    """Take the turns of several seats at once, each at its own pace."""
    asked = {seat: next(turn, ()) for seat, turn in turns.items()}
    while prompts := tuple(chain.from_iterable(asked.values())):
        seat, reply = yield prompts
        asked[seat] = _go_on(turns[seat], seat, reply)


def _go_on(turn: _Turn, seat: int, reply: Reply) -> tuple[Prompt, ...]:
    """Return the next questions of a turn that is sent a reply; none at its end."""
    try:
        return turn.send((seat, reply))
    except StopIteration:
        return ()


def _check_stakes(house: House, stakes: Sequence[Stake]) -> None:
    if not stakes:
        raise ValueError("stakes is empty; a round needs at least one.")
    for stake in stakes:
        require_kind("stake", stake, Stake)
        if stake.spots > house.max_spots:
            raise ValueError(
                f"spots is {stake.spots}; this house has at most {house.max_spots}."
            )
    seats = [stake.seat for stake in stakes]
    if len(set(seats)) < len(seats):
        raise ValueError(f"stakes are for seats {seats}; each seat has one.")
