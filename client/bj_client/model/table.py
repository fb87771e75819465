"""The table as this client knows it: a fold of the server's messages.

Pure: no screen, no socket, no clock. A ``Snapshot`` replaces everything but the
players' own records; an ``Update`` is folded in event by event, so that each event can
be told between two folds. Events about an unknown seat or hand are dropped.

One seat is that of the line on which all this is heard. More may be claimed: those of
the players at the same keyboard.
"""

from bj_client.model.seat import Hand, OwnSeat, Score, Seat, seat_of
from bj_client.model.shoe import Shoe
from bj_protocol import events
from bj_protocol.messages import Snapshot, Update
from bj_protocol.model import HIDDEN
from bj_protocol.recall import PastRound, RoundEnd
from bj_protocol.views import Ask, HandState, Phase, You


class Table:
    """Everything that this client knows of its table."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.ours: dict[int, OwnSeat] = {}
        """By seat number, in the order in which the players were named."""
        self.rounds = 0
        """Rounds in which any of our seats had a hand."""
        self.shoe = Shoe()
        self.reset(snapshot)

    def claim(self, *players: You) -> None:
        """Take the seats of these players for ours, in this order."""
        self.ours = {
            you.seat: self.ours.get(you.seat)
            or OwnSeat(you.handle, self.seat(you.seat))
            for you in players
        }

    def reset(self, snapshot: Snapshot) -> None:
        """Take a complete picture in place of all that was known."""
        self.name = snapshot.table
        self.seq = snapshot.seq
        self.place = place_of(snapshot)
        self.run = run_of(snapshot)
        """The run of the server that has told all this; None without proof."""
        you = snapshot.you
        self.handle = "" if you is None else you.handle
        self.seat_number = 0 if you is None else you.seat
        self.house = snapshot.house
        self.pace = snapshot.pace
        self.seat_count = snapshot.seat_count
        self.phase = snapshot.phase
        self.round = snapshot.round
        self.seats = {view.seat: seat_of(view) for view in snapshot.seats}
        if you is not None and not self.ours:
            self.claim(you)
        for seat in self.seats.values():
            self._follow(seat)
        dealer = snapshot.dealer
        self.dealer_name = dealer.name
        self.dealer = Hand(list(dealer.cards), dealer.total or 0, dealer.soft)
        self.shoe.reset(snapshot)
        self.turn = snapshot.turn

    def apply(self, message: Snapshot | Update) -> None:
        """Fold in a whole message."""
        match message:
            case Snapshot():
                self.reset(message)
            case Update():
                for event in message.events:
                    self.fold(event)
                self.finish(message)

    def finish(self, update: Update) -> None:
        """Take over the turn of an update."""
        self.seq = update.seq
        self.turn = update.turn

    @property
    def asks(self) -> tuple[Ask, ...]:
        """All open asks."""
        return () if self.turn is None else self.turn.asks

    @property
    def my_asks(self) -> tuple[Ask, ...]:
        """The open asks of this player."""
        return tuple(ask for ask in self.asks if ask.seat == self.seat_number)

    @property
    def our_asks(self) -> tuple[Ask, ...]:
        """The open asks at this keyboard, player by player."""
        return tuple(a for number in self.ours for a in self.asks if a.seat == number)

    @property
    def me(self) -> Seat:
        """This player's seat, as it was last known once it is given up."""
        return self.ours[self.seat_number].seat

    @property
    def record(self) -> Score:
        """How this player has fared."""
        return self.ours[self.seat_number].record

    def seat(self, number: int) -> Seat:
        """Return a seat; one that is not known is empty and is not kept."""
        return self.seats.get(number) or Seat(number, f"seat {number}")

    def hand(self, seat: int, hand: int) -> Hand:
        """Return a hand, seat 0 being the dealer; an unknown one is not kept."""
        if seat == 0:
            return self.dealer
        hands = self.seat(seat).hands
        return hands[hand] if hand < len(hands) else Hand()

    def fold(self, event: events.Event) -> None:  # noqa: C901 - one flat match
        """Fold one event in; cases are tried in order, those of each round first."""
        self.shoe.fold(event)
        match event:
            case events.CardDealt():
                hand = self.hand(event.seat, event.hand)
                hand.cards.append(event.card)
                hand.total, hand.soft = event.total, event.soft
            case events.HandStood():
                self.hand(event.seat, event.hand).state = HandState.STOOD
            case events.InsuranceSettled() | events.HandSettled():
                self._settle(event)
            case events.BettingOpened():
                self.round, self.phase = event.round, Phase.BETTING
                self._clear()
                for seat in self.seats.values():
                    seat.bet, seat.spots = 0, 1
            case events.BetPlaced():
                seat = self.seat(event.seat)
                seat.bet, seat.spots = event.amount, event.spots
                seat.balance = event.balance
            case events.RoundBegan():
                self._deal(event)
            case events.RoundEnded():
                self._close_round(event.round, counts=True)
            case events.DealerStood():
                self.dealer.total, self.dealer.natural = event.total, event.blackjack
            case events.HandBusted():
                self.hand(event.seat, event.hand).state = HandState.BUSTED
            case events.PlayerJoined():
                joined = Seat(event.seat, event.handle, event.balance)
                self._follow(joined)
                self.seats = dict(sorted({**self.seats, event.seat: joined}.items()))
            case events.PlayerLeft():
                self.seats.pop(event.seat, None)
            case events.PresenceChanged():
                self.seat(event.seat).presence = event.presence
            case events.BetReturned():
                seat = self.seat(event.seat)
                seat.bet, seat.hands, seat.balance = 0, [], event.balance
            case events.SatOut():
                self.seat(event.seat).bet = 0
            case events.GiftGiven():
                self.seat(event.seat).balance = event.balance
            case events.BetsClosed():
                self.phase = Phase.CALLING
            case events.HoleRevealed():
                cards = (event.card if c == HIDDEN else c for c in self.dealer.cards)
                self.dealer.cards = list(cards)
                self.dealer.total, self.dealer.soft = event.total, event.soft
            case events.HandSplit():
                self._split(event)
            case events.HandInsured():
                self.hand(event.seat, event.hand).insurance = event.amount
                self.seat(event.seat).balance = event.balance
            case events.HandDoubled():
                self.hand(event.seat, event.hand).stake = event.stake
                self.seat(event.seat).balance = event.balance
            case events.AcesValued():
                hand = self.hand(event.seat, event.hand)
                hand.total, hand.soft = event.total, False
            case events.HandReached21():
                hand = self.hand(event.seat, event.hand)
                hand.state, hand.natural = HandState.TWENTY_ONE, event.natural
            case events.HandReachedCharlie():
                self.hand(event.seat, event.hand).state = HandState.CHARLIE
            case events.HandGivenUp():
                self.hand(event.seat, event.hand).state = HandState.GIVEN_UP
            case events.HandSurrendered():
                self.hand(event.seat, event.hand).state = HandState.SURRENDERED
            case events.DealerBusted():
                self.dealer.total, self.dealer.natural = event.total, False
            case events.RoundVoided():
                self._close_round(event.round, counts=False)
                self._clear()
                self.phase = Phase.WAITING
            case (
                events.ShoeShuffled()
                | events.CutCardReached()
                | events.DiscardsShuffled()
                | events.SplitDeclined()
                | events.OfferDeclined()
                | events.EvenMoneyTaken()
                | events.DealerPeeked()
                | events.Announced()
                | events.Proclaimed()
                | events.Said()
            ):
                pass  # of the shoe, or no change to the picture

    def _follow(self, seat: Seat) -> None:
        """Note where a player of ours sits; a seat that was given up may be gone."""
        for own in self.ours.values():
            if own.handle == seat.handle:
                own.seat = seat
        self.ours = {own.seat.number: own for own in self.ours.values()}

    def _close_round(self, number: int, *, counts: bool) -> None:
        self.round = number
        played = [own.close_round(number, counts=counts) for own in self.ours.values()]
        self.rounds += any(played)

    def play_past(self, handle: str, past: PastRound) -> bool:
        """Count a round whose end was not heard; tell whether it was news."""
        own = next((own for own in self.ours.values() if own.handle == handle), None)
        is_first = all(each.last_round < past.round for each in self.ours.values())
        if own is None or not own.play_past(past):
            return False
        self.rounds += is_first and past.end is RoundEnd.SETTLED
        return True

    def _clear(self) -> None:
        self.dealer = Hand()
        for seat in self.seats.values():
            seat.hands = []

    def _deal(self, began: events.RoundBegan) -> None:
        self.round, self.phase = began.round, Phase.PLAYING
        self._clear()
        for seat in self.seats.values():
            if seat.number in began.seats:
                seat.hands = [Hand(stake=seat.bet) for _ in range(seat.spots)]
            seat.bet = 0

    def _split(self, event: events.HandSplit) -> None:
        seat = self.seat(event.seat)
        seat.balance = event.balance
        hand = self.hand(event.seat, event.hand)
        moved = [hand.cards.pop()] if len(hand.cards) > 1 else []
        hand.total, hand.soft, hand.stake = 0, False, event.stake
        seat.hands.insert(event.new_hand, Hand(moved, stake=event.stake))

    def _settle(self, event: events.InsuranceSettled | events.HandSettled) -> None:
        self.seat(event.seat).balance = event.balance
        if isinstance(event, events.HandSettled):
            self.hand(event.seat, event.hand).outcome = event.outcome
        own = self.ours.get(event.seat)
        if own is not None:
            own.settle(event)


def place_of(picture: Snapshot) -> tuple[str, str]:
    """Return the name of a table, and that of its server if it is one of a fleet."""
    fleet = picture.story and picture.story.fleet
    return picture.table, fleet.name if fleet else ""


def run_of(snapshot: Snapshot) -> str | None:
    """Return the run of the server that shows a picture; None without proof."""
    return None if snapshot.story is None else snapshot.story.run
