"""The rounds: bets, cards and results as they are told, each round checked at its end.

Keeps what is known of the shoe on the table, too: how many cards are left, where the
cut card is, and to which shoe of which stream the cards of a round belong.
"""

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from bj_client.fair.answers import Answers
from bj_client.fair.cuts import Cuts
from bj_client.fair.deal import Bet, Deal
from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding
from bj_client.fair.pack import Pack
from bj_client.fair.shuffles import Shuffles
from bj_client.fair.stream import Span
from bj_client.fair.tally import Tally
from bj_client.fair.terms import house_of
from bj_protocol import events
from bj_protocol.cut import CutStep
from bj_protocol.messages import Snapshot
from bj_protocol.views import Phase

if TYPE_CHECKING:
    from bj_client.fair.retelling import Choice
    from bj_game.house import House

__all__ = ["Rounds"]


class Rounds:
    """The round that is bet on or played, and the shoe that it is dealt from."""

    def __init__(self, cuts: Cuts, answers: Answers, tally: Tally) -> None:
        """Start before the first picture."""
        self._cuts = cuts
        self._answers = answers
        self._tally = tally
        self.house: House | None = None
        """The rules; None where they are not told, or not known here."""
        self.number = 0
        """The round that is bet on or played."""
        self.prompt: int | None = None
        """What we were asked before the update that is told now."""
        self.has_bet = False
        """Whether a bet of ours was taken since this was last cleared."""
        self.deal: Deal | None = None
        """The round that is played."""
        self._bets: dict[int, Bet] = {}
        self._choices: tuple[Deal, list[Choice]] | None = None
        """Our decisions of the last round; a refusal may be on its way still."""
        self._pack = Pack()
        self.shuffles = Shuffles()
        self._span: Span | None = None
        self._left: int | None = None
        self._until_cut: int | None = None
        self._is_left_known = True
        self._is_doubtful = False
        """Whether the server may have been started anew since bets were last opened.

        Then it may have dealt on with money that was given meanwhile.
        """

    def lose(self) -> None:
        """Note that the line is lost: the server may be another when it is back."""
        self._choices = None
        self._is_doubtful = True
        self.shuffles.lose()
        if self.deal is not None:
            self.deal.is_whole = False

    def join(self, picture: Snapshot) -> None:
        """Go on from a picture, whatever was known before."""
        if self.deal is not None and self.deal.number != picture.round:
            self._tally.partial += 1
        self.number = picture.round
        self.house = house_of(picture.house.terms)
        self._pack.clear()
        self.shuffles.forget()
        self.shuffles.seats = picture.seat_count
        self._choices = None
        self._bets = {
            seat.seat: Bet(amount=seat.bet, spots=seat.spots, balance=seat.balance)
            for seat in picture.seats
            if seat.bet
        }
        self._left, self._until_cut = picture.shoe.cards_left, picture.shoe.until_cut
        self._is_left_known = True
        self.deal = None
        if picture.phase is Phase.PLAYING:
            self.deal = Deal(
                number=picture.round,
                left=self._left,
                until_cut=self._until_cut,
                on_table=sum(len(hand) for hand in _hands(picture)),
                is_whole=False,
            )
        self._join_span(picture)

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has the cards on the table, and in the shoe, that we have.

        Of a round that was not heard whole, and between two shoes, anything agrees.
        """
        deal, stream = self.deal, self._cuts.current
        if deal is None:
            left, dealt = self._left, 0
        elif not deal.is_whole:
            return True
        else:
            told = Counter(card or "??" for card in deal.cards)
            if told != Counter(chain(*_hands(picture))):
                return False
            left, dealt = deal.left_now, sum(told.values())
        if stream is None or stream.is_over or stream.step is not CutStep.CUT:
            return True
        until = None if self._until_cut is None else max(0, self._until_cut - dealt)
        shown = picture.shoe.cards_left, picture.shoe.until_cut
        return not self._is_left_known or shown == (left, until)

    def finish(self) -> list[Finding]:
        """Check what is left in the end; a round that runs, as far as it went."""
        found = self._check_choices()
        deal, self.deal = self.deal, None
        if deal is None:
            return found
        self._tally.partial += 1
        if deal.is_whole and self.house is not None:
            found += deal.check(self.house, None, is_over=False)[0]
        return found

    def play(self, event: events.Event) -> list[Finding]:
        """Take an event of a round that is played, or talk in between."""
        found = self._pack.fold(event, self.number, self.house)
        if self.deal is not None:
            self.deal.hear(event, self.prompt)
            if isinstance(event, events.DiscardsShuffled):
                self._pack.keep(self.deal.cards)
        elif isinstance(event, events.CardDealt) and self.house is not None:
            found.append(self._finding("a card is dealt outside of a round"))
        return found

    def shuffle(self, event: events.ShoeShuffled) -> list[Finding]:
        """Put a new shoe on the table."""
        self._left, self._until_cut = event.cards, event.until_cut
        self._is_left_known = True
        if not event.by_hand:
            self._pack.clear()
        self._span, found = self._cuts.shuffle(event, self.number)
        house = self.house
        if house is not None:
            found += self.shuffles.shuffle(event, self.number)
        if house is not None and not event.by_hand:
            cards = None if house.shoe == "endless" else 52 * house.decks
            if event.cards != cards or event.decks != house.decks:
                what = "the new shoe has not the cards that the house has"
                found.append(Finding(round=self.number, what=what))
        return found

    def bet(
        self,
        event: events.BetPlaced | events.BetReturned | events.SatOut | events.GiftGiven,
    ) -> list[Finding]:
        """Take what a seat stakes, or does not."""
        is_own = event.seat == self._cuts.own_seat
        match event:
            case events.BetPlaced(seat=seat, amount=amount, spots=spots):
                bet = Bet(amount=amount, spots=spots, balance=event.balance)
                self._bets[seat] = bet
                self.has_bet = self.has_bet or is_own
                return self._check_own("place_bet", amount, spots) if is_own else []
            case events.BetReturned(seat=seat):
                self._bets.pop(seat, None)
            case events.SatOut(by=by):
                if is_own and by is events.By.PLAYER:
                    return self._check_own("sit_out")
            case events.GiftGiven(by_host=True):
                self._take_gift(event)  # the house has no say in it
            case events.GiftGiven():
                found = self._check_own("accept_gift") if is_own else []
                return self._check_gift(event) + found
        return []

    def _take_gift(self, gift: events.GiftGiven) -> None:
        """Count what the host gives: in time for a deal, or beside one that is on."""
        if (bet := self._bets.get(gift.seat)) is not None:
            self._bets[gift.seat] = replace(bet, balance=gift.balance)
        if self.deal is not None:
            self.deal.given[gift.seat] += gift.amount

    def _check_gift(self, event: events.GiftGiven) -> list[Finding]:
        """See that the donor has given what the house says, to one who is broke."""
        house = self.house
        if house is None:
            return []
        before = event.balance - event.amount
        if event.amount == house.donor_gift and before < house.minimum_bet:
            return []
        due = f"{house.donor_gift} cents to who has less than {house.minimum_bet}"
        told = f"{short_number(event.amount)} to who has {short_number(before)}"
        what = f"the gift to seat {event.seat} is none that the house gives"
        return [Finding(round=self.number, what=what, told=told, due=due)]

    def _check_own(self, action: str, amount: int = 0, spots: int = 1) -> list[Finding]:
        prompt = self.prompt
        if prompt is None or self.house is None:
            return []
        return self._answers.check(self.number, prompt, action, amount, spots)

    def turn(
        self,
        event: events.BettingOpened
        | events.RoundBegan
        | events.RoundEnded
        | events.RoundVoided,
    ) -> list[Finding]:
        """Begin or end a round, or its bets."""
        match event:
            case events.BettingOpened():
                self.number = event.round
                return self._open()
            case events.RoundBegan():
                return self._begin(event)
            case events.RoundVoided():
                self.number = event.round + 1
                self._void()
            case events.RoundEnded():
                return self._end(event)
        return []

    def _open(self) -> list[Finding]:
        self._bets.clear()
        deal, self.deal = self.deal, None
        was_doubtful, self._is_doubtful = self._is_doubtful, False
        if deal is None:
            return []
        self._tally.partial += 1
        if was_doubtful or self.house is None:
            return []
        return [self._finding("bets are opened, and the round before was not settled")]

    def _begin(self, event: events.RoundBegan) -> list[Finding]:
        found = []
        if self.deal is not None and not self._is_doubtful:
            found.append(self._finding("a round begins within another"))
        if event.round != self.number:
            what = "the round has another number than its bets"
            found.append(Finding(round=self.number, what=what))
        early = self.shuffles.begin(event.round)
        if self._cuts.current is not None and self.house is not None:
            found += early
        self.deal, wrong = Deal.of(event, self._bets, self.house)
        if self.house is None or self._is_doubtful:
            self.deal.is_whole, found, wrong = False, [], []
        self.deal.left, self.deal.until_cut = self._left, self._until_cut
        self.deal.is_left_known = self._is_left_known
        self._bets.clear()
        stream = self._cuts.current
        if stream is not None and stream.is_over:
            what = "cards are dealt from a stream whose seed was told"
            found.append(Finding(round=event.round, what=what))
        return found + wrong

    def _void(self) -> None:
        """Forget the round; cards may have been dealt that nobody was told of."""
        if self.deal is not None:
            self._tally.void += 1
            if self._span is not None and self.deal.is_left_known:
                self.deal.is_whole = False
                self._span.dealt.append(self.deal.dealt)
        if self._span is not None and self._left is None:
            self._span.is_broken, self._span = True, None
        self.deal = None
        self._is_left_known = False
        self.shuffles.forget()

    def _end(self, event: events.RoundEnded) -> list[Finding]:
        found = self._check_choices()
        deal, house = self.deal, self.house
        self.deal = None
        self.number = event.round + 1
        self._left, self._until_cut = event.cards_left, event.until_cut
        self._is_left_known = True
        self._is_doubtful = False
        if deal is None:
            if house is not None:
                found.append(self._finding("a round ends that has not begun"))
            return found
        wrong = deal.end(event)
        if self._span is not None:
            self._span.dealt.append(deal.dealt)
        if house is None:
            self._tally.partial += 1
            return found
        found += wrong
        if self._cuts.current is not None:
            found += self.shuffles.end(event, house)
        if not deal.is_whole:
            self._tally.partial += 1
            return found
        self._tally.whole += 1
        self._tally.uncut += self._cuts.current is None
        wrong, choices = deal.check(house, self._cuts.own_seat)
        self._choices = (deal, choices)
        return found + wrong

    def _join_span(self, picture: Snapshot) -> None:
        self._span = None
        view, stream = picture.shoe.stream, self._cuts.current
        if view is None or stream is None or view.step is not CutStep.CUT:
            return
        self._span = Span(
            round=picture.round,
            words=view.words,
            lefts=view.lefts,
            left=self._left,
            until_cut=self._until_cut,
            discards=view.discards,
            is_joined=True,
        )
        stream.spans.append(self._span)

    def _check_choices(self) -> list[Finding]:
        if self._choices is None:
            return []
        deal, choices = self._choices
        self._choices = None
        return deal.check_own(choices, self._answers)

    def _finding(self, what: str) -> Finding:
        return Finding(round=self.number, what=what)


def _hands(picture: Snapshot) -> list[tuple[str, ...]]:
    """Return the cards of every hand on the table, the dealer's first."""
    hands = [hand.cards for seat in picture.seats for hand in seat.hands]
    return [picture.dealer.cards, *hands]
