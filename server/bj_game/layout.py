"""The layout: all that lies on the table in one deal, and every act that changes it.

An act is carried out and told: it changes hands, funds and shoe, and appends its event.
Whether it is legal was settled before, in ``legality``; in which order acts come is the
business of ``Round``.
"""

from collections.abc import Sequence
from operator import attrgetter

from bj_game import event
from bj_game.card import HIDDEN
from bj_game.hand import Aces, Hand, HandState, Player
from bj_game.house import House
from bj_game.play import By, Stake
from bj_game.settlement import settle_hand, settle_insurance
from bj_game.shoe import Shoe, ShoeEmptyError

_SEAT = attrgetter("seat")
_PLAYING = HandState.PLAYING  # looked up once: every card asks for it


class Layout:
    """The players' hands, the dealer's, and their events."""

    def __init__(self, house: House, shoe: Shoe, stakes: Sequence[Stake]) -> None:
        """Set the stakes out, in the order of the seats; no card is dealt yet."""
        aces = Aces.ONE if house.ace == "one" else Aces.BEST
        self.house = house
        self.dealer = Hand(aces=aces)
        self.is_hole_hidden = house.hole_card != "none"
        self.players: list[Player] = []
        self.hands: list[Hand] = []
        """Every player's hand."""
        for stake in sorted(stakes, key=_SEAT):
            hands = [
                Hand([], stake.seat, spot, spot, stake.amount, aces)
                for spot in range(stake.spots)
            ]
            self.players.append(Player(stake.seat, stake.funds, hands))
            self.hands += hands
        self.events: list[event.RoundEvent] = []
        self.emit = self.events.append
        """Tells that something has happened."""
        self._shoe = shoe

    def may_draw(self) -> bool:
        """Return whether there is a card, where the house plays a deck to its end."""
        return self.house.shoe != "never_refilled" or self._shoe.left != 0

    def deal_card(self, hand: Hand, *, face_up: bool = True) -> None:
        """Deal the next card to a hand.

        This is the only place where a card is hidden from those who hear of it.
        If the shoe is empty the discards are shuffled first. Those are the cards of
        the rounds before; what was dealt in this one lies on the table, in hands that
        are over, too.

        Raises:
            ShoeEmptyError: if there is none, on the table or off it.
        """
        shoe = self._shoe
        try:
            card = shoe.draw()
        except ShoeEmptyError:
            on_table = sum(len(each.cards) for each in (self.dealer, *self.hands))
            self.emit(event.DiscardsShuffled(shoe.refill(on_table)))
            card = shoe.draw()
        text, total = HIDDEN, hand.total
        hand.add(card)
        if face_up:
            text, total = card.text, hand.total
        self.emit(
            event.CardDealt(hand.seat, hand.index, text, total.points, total.soft)
        )
        if shoe.just_reached_cut:
            self.emit(event.CutCardReached())

    def split(self, player: Player, hand: Hand) -> None:
        """Make two hands of one, and deal a card to each."""
        new = hand.split(len(player.hands))
        player.hands.append(new)
        self.hands.append(new)
        player.funds -= new.stake
        self.emit(
            event.HandSplit(hand.seat, hand.index, new.index, hand.stake, player.funds)
        )
        self.deal_card(hand)
        self.deal_card(new)

    def insure(self, player: Player, hand: Hand, amount: int) -> None:
        """Wager ``amount`` cents on the dealer's blackjack."""
        hand.insurance = amount
        player.funds -= amount
        self.emit(event.HandInsured(hand.seat, hand.index, amount, player.funds))

    def double(self, player: Player, hand: Hand) -> None:
        """Double the stake of a hand."""
        player.funds -= hand.stake
        hand.stake *= 2
        self.emit(event.HandDoubled(hand.seat, hand.index, hand.stake, player.funds))

    def stand(self, hand: Hand, by: By) -> None:
        """End the turn of a hand."""
        hand.state = HandState.STOOD
        self.emit(event.HandStood(hand.seat, hand.index, hand.total.points, by))

    def value_aces(self, hand: Hand, *, high: bool) -> None:
        """Count the aces of a hand as its player says."""
        hand.value_aces(Aces.ELEVEN if high else Aces.ONE)
        self.emit(event.AcesValued(hand.seat, hand.index, high, hand.total.points))

    def surrender(self, hand: Hand) -> None:
        """Give a hand up."""
        hand.state = HandState.SURRENDERED
        self.emit(event.HandSurrendered(hand.seat, hand.index))

    def reveal_hole(self) -> None:
        """Turn the hole card."""
        self.is_hole_hidden = False
        hole, (total, soft) = self.dealer.cards[1], self.dealer.total
        self.emit(event.HoleRevealed(hole.text, total, soft))

    def settle_insurance(self, player: Player, hand: Hand) -> None:
        """Settle the insurance of a hand that has one."""
        amount = hand.insurance
        outcome, payout = settle_insurance(self.house, amount, self.dealer)
        player.funds += payout
        self.emit(
            event.InsuranceSettled(
                hand.seat, hand.index, outcome, amount, payout, player.funds
            )
        )

    def settle_hand(self, player: Player, hand: Hand) -> None:
        """Settle a hand, and pay it."""
        outcome, reason, payout = settle_hand(self.house, hand, self.dealer)
        player.funds += payout
        self.emit(
            event.HandSettled(
                hand.seat, hand.index, outcome, reason, hand.stake, payout, player.funds
            )
        )

    def give_up(self, hand: Hand) -> None:
        """Lose a hand at once."""
        hand.state = HandState.GIVEN_UP
        self.emit(event.HandGivenUp(hand.seat, hand.index))

    def is_complete(self, hand: Hand) -> bool:
        """Return whether a hand has no more to decide, and tell why once."""
        house = self.house
        if hand.state is not _PLAYING:
            return True
        points = hand.total.points
        if points > 21:
            hand.state = HandState.BUSTED
            self.emit(event.HandBusted(hand.seat, hand.index, points))
        elif house.charlie and len(hand.cards) >= house.charlie:
            hand.state = HandState.CHARLIE
            self.emit(event.HandReachedCharlie(hand.seat, hand.index))
        elif points == 21 and house.complete_at_21:
            hand.state = HandState.TWENTY_ONE
            natural = house.knows_blackjack and hand.is_natural
            self.emit(event.HandReached21(hand.seat, hand.index, natural))
        else:
            return False
        return True
