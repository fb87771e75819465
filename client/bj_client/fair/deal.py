"""The deal: one round as it is heard, from the first card to its end."""

from collections import Counter
from dataclasses import dataclass, field, replace

from bj_client.fair.answers import Answers
from bj_client.fair.finding import RefutedError, short_number
from bj_client.fair.replay import HeardRound, HeardShoe, won_by
from bj_game.card import CARDS
from bj_game.event import Funded, RoundEvent
from bj_game.house import House
from bj_game.play import By, Stake
from bj_game.shoe import Shoe
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.model import HIDDEN
from bj_protocol.recall import PastHand
from bj_protocol.round_views import dealer_view, hand_views, past_hands
from bj_protocol.views import Ask, ClosedBet, DealerView, SeatLink, Turn

_MOST_EVENTS = 20_000

Results = tuple[int, int, tuple[PastHand, ...], DealerView]
"""The bet and the spots of a seat, its hands, and that of the dealer."""


@dataclass(slots=True, kw_only=True)
class Deal:
    """A round that runs."""

    number: int
    own_seat: int | None = None
    """Our seat then; it may be another's by now."""
    bets: dict[int, events.BetPlaced] = field(default_factory=dict)
    """The bets as they were before the first card."""
    links: tuple[SeatLink, ...] = ()
    left: int | None = None
    """The cards in the shoe before; None if it has no end, or that is not known."""
    until_cut: int | None = None
    """The cards before the cut card, as they were told when the round began."""
    is_whole: bool = True
    """Whether all of it was heard."""
    was_stopped: bool = False
    """Whether the server was started anew since; the host may have given money then."""
    is_left_known: bool = True
    """Whether ``left`` and ``until_cut`` count what is in the shoe for certain."""
    heard: list[RoundEvent] = field(default_factory=list)
    asked: list[tuple[int | None, float]] = field(default_factory=list)
    """For each event, the question to us before it, and when it was heard, in seconds.

    The question is None for the events of others, and where it is not known.
    """
    turns: dict[int, list[tuple[Ask, ...]]] = field(default_factory=dict)
    """The open questions, as they were told, by the number of events before them."""
    given: Counter[int] = field(default_factory=Counter)
    """The cents that the host has given each seat since the deal."""
    again: HeardRound | None = None
    """The round as it was played again, once it is over."""

    @classmethod
    def of(
        cls,
        event: events.RoundBegan,
        bets: dict[int, events.BetPlaced],
        house: House | None,
    ) -> "Deal":
        """Return the round that begins.

        Raises:
            RefutedError: if something is wrong with its bets.
        """
        if sorted(bets) != list(event.seats) or not bets:
            what = "the seats that are dealt to are not those that have bet"
            raise RefutedError(what, str(list(event.seats)), str(sorted(bets)))
        most = 1 if house is None else house.max_spots
        if any(not 1 <= bet.spots <= most for bet in bets.values()):
            raise RefutedError("a seat plays more spots than the house has")
        for bet in bets.values():
            stake_of(bet, bet.balance)
        return cls(number=event.round, bets=bets, links=event.links)

    def hear(self, event: RoundEvent, prompt: int | None, at: float) -> None:
        """Keep an event of the round, unless there are more than a round can have.

        Balances are kept without what the host gave meanwhile, as the rules have them.
        """
        if len(self.heard) == _MOST_EVENTS:
            self.is_whole = False
            return
        given = self.given[getattr(event, "seat", 0)]
        if given and isinstance(event, Funded):
            event = replace(event, balance=event.balance - given)
        self.heard.append(event)
        self.asked.append((prompt, at))

    def hear_turn(self, turn: Turn | None) -> None:
        """Keep the open questions: all of them, if they are told in several ways."""
        asks = () if turn is None else turn.asks
        told = self.turns.setdefault(len(self.heard), [])
        if asks not in told:
            told.append(asks)

    def stop(self, *, is_whole: bool) -> None:
        """Note that the server was started anew; what it asks may be other then."""
        self.was_stopped = True
        self.is_whole &= is_whole
        self.turns.pop(len(self.heard), None)

    @property
    def cards(self) -> tuple[str | None, ...]:
        """The cards that were dealt, in order; None for one never turned."""
        hole = next(
            (e.card for e in self.heard if isinstance(e, events.HoleRevealed)), None
        )
        told = (e.card for e in self.heard if isinstance(e, events.CardDealt))
        turned = None if hole == HIDDEN else hole
        return tuple(turned if card == HIDDEN else card for card in told)

    @property
    def is_shown(self) -> bool:
        """Whether anyone could know by now who wins."""
        ends = events.HoleRevealed | events.HandSettled
        return any(isinstance(event, ends) for event in self.heard)

    def agrees(self, picture: Snapshot, house: House | None) -> bool:
        """Whether a picture has the hands of the round, unless it was heard in part."""
        if self.number != picture.round or not self.is_whole or house is None:
            return self.number == picture.round
        try:
            again = self.replay(house, is_over=False)
        except RefutedError:
            return True  # what is wrong with the round is found at its end
        shown = picture.shoe.cards_left, picture.shoe.until_cut
        is_counted = shown == (again.shoe.left, again.shoe.until_cut)
        told = {view.seat: view.hands for view in picture.seats if view.hands}
        due = {player.seat: hand_views(player) for player in again.round.players}
        return (
            (is_counted or not self.is_left_known)
            and picture.dealer == dealer_view(house, again.round)
            and told == due
        )

    def replay(
        self, house: House, shoe: Shoe | None = None, *, is_over: bool = True
    ) -> HeardRound:
        """Play the round again beside the told events.

        The cards are believed where no ``shoe`` is known.

        Raises:
            RefutedError: if something differs.
        """
        if shoe is None:
            # A hole card that is not turned yet gives no blackjack.
            cards = [CARDS.get(text or "2s", CARDS["2s"]) for text in self.cards]
            shoe = HeardShoe(cards, self.left, self.until_cut, house.decks)
        return HeardRound(
            house,
            shoe,
            [stake_of(bet, bet.balance) for _, bet in sorted(self.bets.items())],
            self.heard,
            self.turns,
            takes_gifts=self.was_stopped,
            is_over=is_over,
        )

    def forgone(self, house: House, shoe: Shoe | None, seat: int) -> int | None:
        """Return the cents that a seat would have won, if nobody decided any more.

        None if that cannot be known.

        Raises:
            RefutedError: if what was told of the round does not follow from the shoe.
        """
        if shoe is None or not self.is_whole or not self.bets:
            return None
        round = self.replay(house, shoe, is_over=False).round
        bet = self.bets.get(seat)
        return None if bet is None else won_by(round, stake_of(bet, bet.balance))

    def results(self, house: House, seat: int) -> Results:
        """Return what a recall must tell of a round that is over, and of a seat."""
        assert self.again is not None
        round = self.again.round
        player = next(each for each in round.players if each.seat == seat)
        hands = past_hands(hand_views(player), seat, self.heard)
        bet, dealer = self.bets[seat], dealer_view(house, round)
        return bet.amount, bet.spots, hands, dealer

    def check_own(self, answers: Answers) -> None:
        """Compare decisions that are said to be ours with our commands."""
        assert self.again is not None
        for choice in self.again.choices:
            (prompt, at), reply = self.asked[choice.at], choice.reply
            if prompt is None:
                if choice.seat == self.own_seat:
                    said = reply.by.value, reply.play.value, reply.amount
                    answers.check_unheard(self.number, at, *said)
            elif reply.by is By.PLAYER:
                play, amount = reply.play.value, reply.amount
                answers.check(self.number, prompt, play, amount, at=at)
            else:
                answers.check_default(self.number, prompt, reply.by.value, at)

    def end(self, event: events.RoundEnded, house: House, shoe: Shoe | None) -> None:
        """Play the whole round again, and compare the shoe in the end.

        Raises:
            RefutedError: if something differs.
        """
        if not self.is_left_known:
            self._count_back(event)
        if shoe is not None and shoe.until_cut != self.until_cut:
            told, due = short_number(self.until_cut), str(shoe.until_cut)
            raise RefutedError("the cut card is at another place", told, due)
        again = self.again = self.replay(house, shoe)
        shown = event.cards_left, event.until_cut
        counts = again.shoe.left, again.shoe.until_cut
        if shown != counts:
            what = "the cards that are left were counted wrong"
            raise RefutedError(what, ", ".join(map(short_number, shown)), str(counts))

    def _count_back(self, event: events.RoundEnded) -> None:
        """Find the contents of the shoe before the round, from those after it."""
        left, until, count = event.cards_left, event.until_cut, len(self.cards)
        self.left = None if left is None else left + count
        self.until_cut = None if until is None else until + count
        cards = 0
        for told in self.heard:
            cards += isinstance(told, events.CardDealt)
            if isinstance(told, events.CutCardReached):
                self.until_cut = cards
            elif isinstance(told, events.DiscardsShuffled):
                self.left = cards


def stake_of(bet: events.BetPlaced | ClosedBet, balance: int) -> Stake:
    """Return the stake of a seat in a round, with the ``balance`` that is left.

    Raises:
        RefutedError: if that is no bet that can be.
    """
    try:
        return Stake(seat=bet.seat, amount=bet.amount, funds=balance, spots=bet.spots)
    except ValueError as flaw:
        raise RefutedError(f"a bet is none that can be: {flaw}") from None
