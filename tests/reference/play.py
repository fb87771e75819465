"""A whole round, from the first card to the last cent."""

from collections.abc import Iterator, Sequence

from bj_game.house import House
from reference.payout import insurance_end, is_dealer_blackjack, settled
from reference.rule import (
    Hand,
    can_double,
    can_split,
    can_surrender,
    ended_by_cards,
    has_ace,
    is_asked_for_aces,
    is_held_to_one_card,
    is_natural,
    is_soft,
    is_ten_or_ace,
    offers,
    total,
)
from reference.word import Answer, Bet, Question, Settlement


class NoCardError(Exception):
    """The round wants a card more than there are."""


class IllegalAnswerError(Exception):
    """An answer that nobody was asked for, or that the rules do not allow."""


def settle(
    house: House, cards: Sequence[str], bets: Sequence[Bet], answers: Sequence[Answer]
) -> Settlement:
    """Play the round of these bets and answers.

    ``cards`` are those that come out, in that order, and any number after them; where a
    deck is never refilled they are all that is left of it.

    Raises:
        IllegalAnswerError: if an answer is not legal, missing or one too many.
        NoCardError: if there are too few cards.
    """
    return Table(house, cards, bets, answers).play()


class Table:
    """A round under way."""

    def __init__(
        self,
        house: House,
        cards: Sequence[str],
        bets: Sequence[Bet],
        answers: Sequence[Answer],
    ) -> None:
        """Lay everything ready."""
        self.house = house
        self.cards = cards
        self.drawn = 0
        self.answers = iter(answers)
        self.asked: list[tuple[Question, ...]] = []
        self.funds = {bet.seat: bet.funds for bet in bets}
        self.dealer = Hand(seat=0, number=0, spot=0, stake=0)
        self.hands = {
            bet.seat: [
                Hand(seat=bet.seat, number=spot, spot=spot, stake=bet.amount)
                for spot in range(bet.spots)
            ]
            for bet in sorted(bets)
        }

    def play(self) -> Settlement:
        """The deal, the offers to all, the look, the turns, the dealer, the money."""
        before = {
            seat: self.funds[seat] + sum(hand.stake for hand in hands)
            for seat, hands in self.hands.items()
        }
        self.deal()
        if self.house.insurance_asked == "all_first":
            self.offer_to_all()
        if not self.is_blackjack_seen():
            for hand in self.in_turn():
                self.take_turn(hand)
        for answer in self.answers:
            raise IllegalAnswerError(f"{answer} after the end")
        self.draw_for_dealer()
        return self.pay(before)

    def pay(self, before: dict[int, int]) -> Settlement:
        """Settle each insurance and hand, and count what each seat has then."""
        hands = [hand for hands in self.hands.values() for hand in hands]
        insured = [hand for hand in hands if hand.insured]
        insurances = [insurance_end(self.house, hand, self.dealer) for hand in insured]
        ends = [settled(self.house, hand, self.dealer) for hand in hands]
        after = dict(self.funds)
        for seat, payout in [(end.seat, end.payout) for end in ends]:
            after[seat] += payout
        for seat, payout in [(end.seat, end.payout) for end in insurances]:
            after[seat] += payout
        return Settlement(
            dealer=tuple(self.dealer.cards),
            total=total(self.house, self.dealer),
            hands=tuple(ends),
            insurances=tuple(insurances),
            nets={seat: after[seat] - before[seat] for seat in after},
            asked=tuple(self.asked),
            drawn=self.drawn,
        )

    # The cards.

    def is_card_left(self) -> bool:
        """Whether there is a card; only a deck that is never refilled may end."""
        return self.house.shoe != "never_refilled" or self.drawn < len(self.cards)

    def draw(self, hand: Hand) -> None:
        """Deal one card to a hand; how its aces count is open again then."""
        if self.drawn == len(self.cards):
            raise NoCardError(f"card {self.drawn + 1} is wanted")
        hand.cards.append(self.cards[self.drawn])
        hand.aces = ""
        self.drawn += 1

    def deal(self) -> None:
        """One card to each and the dealer, twice; or two to a hand at once.

        The dealer's second card lies face down, or is drawn when all have played; with
        ``dealer_last`` the first one, too.
        """
        hands = [hand for hands in self.hands.values() for hand in hands]
        if self.house.deal == "alternating":
            for hand in hands:
                self.draw(hand)
            self.draw(self.dealer)
            for hand in hands:
                self.draw(hand)
        else:
            for hand in hands:
                self.draw(hand)
                self.draw(hand)
            if self.house.deal == "by_hand":
                self.draw(self.dealer)
        if self.house.hole_card != "none":
            self.draw(self.dealer)

    def upcard(self) -> str | None:
        """The dealer's first card, where it is shown before the play."""
        return self.dealer.cards[0] if self.dealer.cards else None

    def in_turn(self) -> Iterator[Hand]:
        """Seats in order, their spots in order, with the hands that a split adds."""
        for hands in self.hands.values():
            for spot in sorted({hand.spot for hand in hands}):
                done = 0
                while done < len(hands):
                    if hands[done].spot == spot:
                        yield hands[done]
                    done += 1

    # The questions.

    def ask(self, *questions: Question) -> tuple[Question, Answer]:
        """Put questions that may be answered in any order, and take one answer."""
        self.asked.append(questions)
        answer = next(self.answers, None)
        if answer is None:
            raise IllegalAnswerError(f"no answer to {questions}")
        for question in questions:
            if question.seat == answer.seat:
                check(question, answer)
                return question, answer
        raise IllegalAnswerError(f"{answer} to {questions}")

    def offer(self, hand: Hand) -> Question | None:
        """The offers to a hand, if there are any."""
        upcard = self.upcard()
        if upcard is None or hand.is_offer_over or hand.end:
            return None
        return offers(self.house, hand, self.funds[hand.seat], upcard)

    def offer_to_all(self) -> None:
        """Each seat to which something is offered is asked, spot after spot."""
        while True:
            firsts: dict[int, Question] = {}
            for hands in self.hands.values():
                for hand in hands:
                    offer = self.offer(hand)
                    if offer:
                        firsts.setdefault(hand.seat, offer)
            if not firsts:
                return
            question, answer = self.ask(*firsts.values())
            self.take_offer(self.hands[question.seat][question.hand], question, answer)

    def take_offer(self, hand: Hand, question: Question, answer: Answer) -> None:
        """Insure, settle at even money, surrender, or none of it."""
        hand.is_offer_over = True
        hand.was_offered_surrender = "surrender" in question.plays
        if answer.play == "insure":
            hand.insured = answer.amount
            self.funds[hand.seat] -= answer.amount
        elif answer.play == "even_money":
            hand.end = "even_money"
        elif answer.play == "surrender":
            hand.end = "surrendered"

    def is_blackjack_seen(self) -> bool:
        """With an ace or a ten up the dealer looks; a blackjack ends the round."""
        if self.house.hole_card != "peek" or not is_ten_or_ace(self.dealer.cards[0]):
            return False
        return is_dealer_blackjack(self.house, self.dealer)

    def take_turn(self, hand: Hand) -> None:
        """The pair, the offers, the aces, and then play until the hand is over."""
        if self.house.insurance_asked == "each_hand" and not hand.end:
            self.decide_pair(hand)
            offer = self.offer(hand)
            if offer:
                self.take_offer(hand, *self.ask(offer))
        while not hand.end:
            if is_asked_for_aces(self.house, hand):
                ways = frozenset({"ace_high", "ace_low"})
                _, answer = self.ask(Question(hand.seat, hand.number, ways))
                hand.aces = answer.play.removeprefix("ace_")
            hand.end = ended_by_cards(self.house, hand)
            if not hand.end and hand.is_doubled:
                hand.end = "stood"
            if not hand.end:
                self.make_play(hand)

    def decide_pair(self, hand: Hand) -> None:
        """The player must decide to split before the insurance (cpsc386, Rules)."""
        while self.may_split(hand) and self.is_insurance_to_follow(hand):
            ways = frozenset({"split", "decline"})
            _, answer = self.ask(Question(hand.seat, hand.number, ways))
            if answer.play == "split":
                self.split(hand)
            else:
                hand.is_pair_kept = True

    def is_insurance_to_follow(self, hand: Hand) -> bool:
        """Whether an insurance is among the offers to a hand."""
        offer = self.offer(hand)
        return offer is not None and "insure" in offer.plays

    def plays(self, hand: Hand) -> frozenset[str]:
        """Stand, and those of the others that are legal."""
        funds = self.funds[hand.seat]
        may = {
            "stand": True,
            "hit": self.house.hit and not is_held_to_one_card(self.house, hand),
            "double": can_double(self.house, hand, funds),
            "split": self.may_split(hand),
            "surrender": can_surrender(self.house, hand),
            "give_up": self.house.give_up,
        }
        return frozenset(play for play, is_legal in may.items() if is_legal)

    def may_split(self, hand: Hand) -> bool:
        """Whether the pair of a hand may be split now."""
        mine = self.hands[hand.seat]
        on_spot = sum(other.spot == hand.spot for other in mine)
        everyone = sum(len(hands) for hands in self.hands.values())
        return can_split(self.house, hand, self.funds[hand.seat], on_spot, everyone)

    def make_play(self, hand: Hand) -> None:
        """Ask how to go on; a hand that could only stand is not asked.

        Once no card is left of a deck that is never refilled, everyone stands.
        """
        plays = self.plays(hand)
        play = "stand"
        if plays != {"stand"} and self.is_card_left():
            _, answer = self.ask(Question(hand.seat, hand.number, plays))
            play = answer.play
        if play == "split":
            self.split(hand)
            return
        hand.has_decided = True
        if play == "hit":
            self.draw(hand)
        elif play == "double":
            self.funds[hand.seat] -= hand.stake
            hand.stake *= 2
            hand.is_doubled = True
            self.draw(hand)
        else:
            ends = {"stand": "stood", "surrender": "surrendered", "give_up": "given_up"}
            hand.end = ends[play]

    def split(self, hand: Hand) -> None:
        """Two hands of a pair, for a second stake; each half gets one card."""
        hands = self.hands[hand.seat]
        self.funds[hand.seat] -= hand.stake
        half = Hand(hand.seat, len(hands), hand.spot, hand.stake, [hand.cards.pop()])
        hands.append(half)
        for one in (hand, half):
            one.is_split = True
            one.is_of_split_aces = has_ace(one.cards)
        for one in (hand, half):
            self.draw(one)

    # The dealer.

    def draw_for_dealer(self) -> None:
        """The second card where it is not there yet, and then to 17.

        From an empty deck nothing is drawn.
        """
        hands = [hand for hands in self.hands.values() for hand in hands]
        if self.house.dealer_draws == "always" or any(map(self.is_against, hands)):
            while len(self.dealer.cards) < 2:
                self.draw(self.dealer)
        while self.is_dealer_short() and self.is_card_left():
            self.draw(self.dealer)

    def is_against(self, hand: Hand) -> bool:
        """The second card is drawn when all have played, unless none is left to beat.

        An insurance waits for it, too (docs/houses.md, european).
        """
        return bool(hand.insured) or not self.is_lost(hand)

    def is_lost(self, hand: Hand) -> bool:
        """A bust hand is lost, except where both may be bust and push."""
        is_bust = hand.end == "busted" and self.house.both_bust == "lose"
        return is_bust or hand.end in ("surrendered", "given_up")

    def is_dealer_short(self) -> bool:
        """The dealer draws below 17 and stands on 17 (cpsc386, Rules).

        On a soft 17 the dealer draws where the house says so.
        """
        if self.house.dealer_draws == "never":
            return False
        if self.house.dealer_draws == "needed" and not self.is_needed():
            return False
        points = total(self.house, self.dealer)
        soft = is_soft(self.house, self.dealer.cards)
        return points < 17 or (points == 17 and soft and self.house.hit_soft_17)

    def is_needed(self) -> bool:
        """The dealer draws nothing once no hand is left to beat.

        A natural that is paid is beaten by the first two cards or never, a hand of so
        many cards has won, and an insurance is settled by the first two cards.
        """
        for hands in self.hands.values():
            for hand in hands:
                paid = self.house.natural != "plain" and is_natural(self.house, hand)
                won = hand.end in ("charlie", "even_money") or paid
                if not won and not self.is_lost(hand):
                    return True
        return False


def check(question: Question, answer: Answer) -> None:
    """Do nothing if an answer is legal.

    Raises:
        IllegalAnswerError: if it is not.
    """
    is_legal = answer.play in question.plays
    if is_legal and answer.play == "insure" and question.insurance:
        least, most, step = question.insurance
        is_legal = least <= answer.amount <= most and answer.amount % step == 0
    if not is_legal:
        raise IllegalAnswerError(f"{answer} to {question}")
