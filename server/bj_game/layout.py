"""The layout: all that lies on the table in one deal, and every act that changes it.

An act is carried out and told: it changes hands, funds and shoe, and appends its event.
Whether it is legal was settled before, in ``legality``; in which order acts come is the
business of ``Round``.
"""

from collections.abc import Sequence

from bj_game import event
from bj_game.card import HIDDEN
from bj_game.hand import Aces, Hand, HandState
from bj_game.house import House
from bj_game.play import By
from bj_game.player import Player, Stake
from bj_game.settlement import settle_hand, settle_insurance
from bj_game.shoe import Shoe

DEALER = 0
"""The seat number of the dealer."""


class Layout:
    """The players' hands, the dealer's, and their events."""

    def __init__(self, house: House, shoe: Shoe, stakes: Sequence[Stake]) -> None:
        """Set the stakes out, in the order of the seats; no card is dealt yet."""
        aces = Aces.ONE if house.ace == "one" else Aces.BEST
        self.house = house
        self.dealer = Hand(aces=aces)
        self.is_hole_hidden = house.hole_card != "none"
        self.players = [
            Player.of(stake, aces)
            for stake in sorted(stakes, key=lambda stake: stake.seat)
        ]
        self.hands = [hand for player in self.players for hand in player.hands]
        """Every player's hand."""
        self.events: list[event.RoundEvent] = []
        self.emit = self.events.append
        """Tells that something has happened."""
        self._shoe = shoe

    @property
    def may_draw(self) -> bool:
        """Whether there is a card to draw, where the house plays a deck to its end."""
        return self.house.shoe != "never_refilled" or self._shoe.left != 0

    def deal_card(
        self, seat: int, index: int, hand: Hand, *, face_up: bool = True
    ) -> None:
        """Deal the next card to a hand; seat 0 is the dealer.

        This is the only place where a card is hidden from those who hear of it.
        If the shoe is empty the discards are shuffled first. Those are the cards of
        the rounds before; what was dealt in this one lies on the table, in hands that
        are over, too.

        Raises:
            ShoeEmptyError: if there is none, on the table or off it.
        """
        if self._shoe.left == 0:
            hands = (self.dealer, *self.hands)
            on_table = sum(len(each.cards) for each in hands)
            cards = self._shoe.refill(on_table)
            self.emit(event.DiscardsShuffled(cards=cards))
        card, shown = self._shoe.draw(), hand.total
        hand.add(card)
        if face_up:
            shown = hand.total
        self.emit(
            event.CardDealt(
                seat=seat,
                hand=index,
                card=card.text if face_up else HIDDEN,
                total=shown.points,
                soft=shown.soft,
            )
        )
        if self._shoe.just_reached_cut:
            self.emit(event.CutCardReached())

    def split(self, player: Player, index: int) -> None:
        """Make two hands of one, and deal a card to each."""
        hand = player.hands[index]
        new, new_index = hand.split(), len(player.hands)
        player.hands.append(new)
        self.hands.append(new)
        player.funds -= new.stake
        self.emit(
            event.HandSplit(
                seat=player.seat,
                hand=index,
                new_hand=new_index,
                stake=hand.stake,
                balance=player.funds,
            )
        )
        self.deal_card(player.seat, index, hand)
        self.deal_card(player.seat, new_index, new)

    def insure(self, player: Player, index: int, amount: int) -> None:
        """Wager ``amount`` cents on the dealer's blackjack."""
        player.hands[index].insurance = amount
        player.funds -= amount
        self.emit(
            event.HandInsured(
                seat=player.seat, hand=index, amount=amount, balance=player.funds
            )
        )

    def double(self, player: Player, index: int) -> None:
        """Double the stake of a hand."""
        hand = player.hands[index]
        player.funds -= hand.stake
        hand.stake *= 2
        self.emit(
            event.HandDoubled(
                seat=player.seat, hand=index, stake=hand.stake, balance=player.funds
            )
        )

    def stand(self, player: Player, index: int, by: By) -> None:
        """End the turn of a hand."""
        hand = player.hands[index]
        hand.state = HandState.STOOD
        total = hand.total.points
        self.emit(event.HandStood(seat=player.seat, hand=index, total=total, by=by))

    def value_aces(self, player: Player, index: int, aces: Aces) -> None:
        """Count the aces of a hand as its player says."""
        hand = player.hands[index]
        hand.value_aces(aces)
        high = aces is Aces.ELEVEN
        total = hand.total.points
        self.emit(
            event.AcesValued(seat=player.seat, hand=index, high=high, total=total)
        )

    def surrender(self, player: Player, index: int) -> None:
        """Give a hand up."""
        player.hands[index].state = HandState.SURRENDERED
        self.emit(event.HandSurrendered(seat=player.seat, hand=index))

    def reveal_hole(self) -> None:
        """Turn the hole card."""
        self.is_hole_hidden = False
        hole, (total, soft) = self.dealer.cards[1], self.dealer.total
        self.emit(event.HoleRevealed(card=hole.text, total=total, soft=soft))

    def settle_insurance(self, player: Player, index: int) -> None:
        """Settle the insurance of a hand that has one."""
        amount = player.hands[index].insurance
        outcome, payout = settle_insurance(self.house, amount, self.dealer)
        player.funds += payout
        self.emit(
            event.InsuranceSettled(
                seat=player.seat,
                hand=index,
                outcome=outcome,
                amount=amount,
                payout=payout,
                balance=player.funds,
            )
        )

    def settle_hand(self, player: Player, index: int) -> None:
        """Settle a hand, and pay it."""
        hand = player.hands[index]
        result = settle_hand(self.house, hand, self.dealer)
        player.funds += result.payout
        self.emit(
            event.HandSettled(
                seat=player.seat,
                hand=index,
                outcome=result.outcome,
                reason=result.ruling,
                stake=hand.stake,
                payout=result.payout,
                balance=player.funds,
            )
        )

    def give_up(self, player: Player, index: int) -> None:
        """Lose a hand at once."""
        player.hands[index].state = HandState.GIVEN_UP
        self.emit(event.HandGivenUp(seat=player.seat, hand=index))

    def is_complete(self, player: Player, index: int) -> bool:
        """Return whether a hand has no more to decide, and tell why once."""
        hand, seat = player.hands[index], player.seat
        if hand.state is not HandState.PLAYING:
            return True
        points = hand.total.points
        if points > 21:
            hand.state = HandState.BUSTED
            self.emit(event.HandBusted(seat=seat, hand=index, total=points))
        elif self.house.charlie and len(hand.cards) >= self.house.charlie:
            hand.state = HandState.CHARLIE
            self.emit(event.HandReachedCharlie(seat=seat, hand=index))
        elif points == 21 and self.house.complete_at_21:
            hand.state = HandState.TWENTY_ONE
            natural = self.house.knows_blackjack and hand.is_natural
            self.emit(event.HandReached21(seat=seat, hand=index, natural=natural))
        return hand.state is not HandState.PLAYING
