"""The rounds: calls, cards and results as they are told, each round proven at its end.

The contents of the shoe are followed from round to round, so the counts of each call
are due, and a full shoe only where it is told. A round whose secret is told is dealt
again from all links. Where nothing is proven, only the rules are checked.
"""

from collections.abc import Callable, Sequence

from bj_client.fair.answers import Answers
from bj_client.fair.bets import BetEvent, Bets
from bj_client.fair.deal import Deal
from bj_client.fair.draw import Draw, Draws, sealer_of
from bj_client.fair.finding import RefutedError, Report, short_number
from bj_client.fair.known_shoe import KnownShoe
from bj_client.fair.owed import OwedRound
from bj_client.fair.owing import Owing
from bj_client.fair.story import Story
from bj_client.fair.ways_out import Ways
from bj_game.event import RoundEvent
from bj_game.house import House, known_house
from bj_game.shoe import Shoe
from bj_protocol import events
from bj_protocol.messages import Snapshot
from bj_protocol.proof import NO_HEAD
from bj_protocol.views import Phase, Turn


class Rounds:
    """The round that is bet on or played, and the shoe that it is dealt from."""

    def __init__(
        self, story: Story, answers: Answers, report: Report, ways: Ways
    ) -> None:
        self._report, self._tally = report, report.tally
        self._story = story
        self._answers = answers
        self.ways = ways
        self._shoe = KnownShoe()
        self.bets = Bets(answers, report)
        self._draws = Draws(report)
        self.owing = Owing(self.ways, answers, report)
        """The rounds in which we have money, and which are not proven yet."""
        self.house: House | None = None
        """The rules; None where they are not told, or not known here."""
        self.deal: Deal | None = None
        """The round that is played."""
        self._left_out: OwedRound | None = None
        """Our part in the round, where it is dealt without us."""
        self._last: Deal | None = None
        """The last round that was played again; a refusal may be on its way still."""
        self.is_doubtful = False
        """Whether the server may be another than when bets were opened, with gifts."""

    @property
    def draw(self) -> Draw:
        """The draw of the round that is bet on or played."""
        return self._draws.now

    @property
    def number(self) -> int:
        """The round that is bet on or played."""
        return self.draw.number

    def doubt(self) -> None:
        """Note that the server may be another than before."""
        self.is_doubtful = True
        self._last = None
        if self.deal is None:
            self._shoe.forget()
            return
        self.deal.stop(is_whole=self._story.is_on)

    def join(self, picture: Snapshot) -> None:
        """Go on from a picture, whatever was known before."""
        self._tally.partial += self.deal is not None
        is_playing = picture.phase is Phase.PLAYING
        self.house = known_house(picture.house.terms)
        self.learn(picture)
        self._draws.turn_to(picture.round, picture.seal)
        self.draw.is_call_unheard = picture.phase is Phase.CALLING
        self._shoe.join(picture, self.house, is_playing=is_playing)
        self._last = self.deal = self._left_out = None
        self.is_doubtful = False
        self.bets.join(picture)
        if is_playing:
            self.deal = self.owing.rejoin(picture)

    def learn(self, picture: Snapshot) -> None:
        """Take from a picture by known rules the facts that no update tells."""
        self.bets.check_house(picture, self.house)
        self._draws.sealer, self._draws.house = sealer_of(picture), self.house

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has the seats, the bets and the cards that we know of.

        Of a round that was not heard whole anything agrees.
        """
        deal = self.deal
        is_playing = picture.phase is Phase.PLAYING
        if (deal is not None) != is_playing or not self.bets.agrees(picture):
            return False
        return deal.agrees(picture, self.house) if deal else self._shoe.agrees(picture)

    def finish(self) -> None:
        """Check the rest in the end; a running round as far as it went.

        Raises:
            RefutedError: if that is not how the round went.
        """
        self._check_own()
        deal, self.deal = self.deal, None
        if deal is None:
            return
        self._tally.partial += 1
        if deal.is_whole and self.house is not None:
            deal.replay(self.house, is_over=False)

    def refuse(self, refuted: RefutedError) -> None:
        """Report a finding, and doubt the round if our money is in it."""
        if self.number in self.owing:
            self.owing[self.number].is_doubtful = True
        self._report.find(*refuted.args, is_alone=refuted.is_alone)

    # Before the cards.

    def open(self, event: events.BettingOpened) -> None:
        """Begin with the bets of a round.

        Raises:
            RefutedError: if it is not sealed, or the round before is not over.
        """
        deal, self.deal = self.deal, None
        is_bet = bool(self.bets.standing)
        was_doubtful, self.is_doubtful = self.is_doubtful, False
        due = self.number
        self.bets.open()
        self._tally.partial += deal is not None
        self._draws.open(event, is_sure=deal is None and not was_doubtful)
        if was_doubtful and deal is not None:
            self._shoe.forget()  # the books of a backup have another one
        if was_doubtful or self.house is None:
            return
        if deal is not None:
            raise RefutedError("bets are opened, and the round before was not settled")
        if is_bet:
            what = "bets are opened anew, and those that were placed are gone"
            raise RefutedError(what)
        if event.round != due:
            told = short_number(event.round)
            raise RefutedError("the rounds are counted wrong", told, str(due))

    def bet(self, event: BetEvent) -> None:
        """Take the stake of a seat, or its pass."""
        self.bets.hear(event, self.house)
        if isinstance(event, events.GiftGiven) and event.by_host and self.deal:
            self.deal.given[event.seat] += event.amount
        if event.seat == self.bets.own_seat:
            self.owing.hear(event, self.draw)

    def close(self, event: events.BetsClosed, head: str | None) -> None:
        """Take the call; if all of it is right, our link is due.

        Raises:
            RefutedError: if something in it is not.
        """
        self.bets.close()
        draw, house, owed = self.draw, self.house, self.owing.placed(self.number)
        was_called, draw.is_link_due = draw.call is not None, False
        if house is not None and self.deal is not None:
            raise RefutedError("the round is called when it was dealt")
        draw.call, draw.head = event, head or NO_HEAD
        draw.called_at = self.bets.at
        if house is None:
            return
        if was_called:
            raise RefutedError("the round is called twice")
        draw.check_call(event, self.bets)
        self._shoe.call(event, house)
        draw.is_link_due = head is not None and self.bets.own_seat in draw.committed
        if owed is not None:
            owed.draw.call, owed.draw.head = draw.call, draw.head
            if self._shoe.is_believed:
                self._report.add(*self.ways.believe(self.number))

    def ask_link_again(self) -> None:
        """Have our link told once more for the same call, since the line was lost."""
        owed = self.owing.get(self.number)
        if self.deal is None and owed is not None and owed.link is not None:
            self.draw.is_link_due = self.draw.call is not None

    def tell_link(self, link: str) -> None:
        """Note that our link is told, for the call for which it was due."""
        self.draw.is_link_due = False
        if owed := self.owing.get(self.number):
            owed.link = link

    def shuffle(self, event: events.ShoeShuffled) -> None:
        """Put a new shoe on the table, or shuffle the rest by hand.

        Raises:
            RefutedError: if that is not due.
        """
        is_bet = bool(self.bets.standing or self.deal) and not self.is_doubtful
        is_here = bool(self.bets.handles)
        away = self._shoe.shuffle(event, self.house, is_bet=is_bet, is_here=is_here)
        if away and self._story.is_on:
            self._report.add(self.ways.take_away(self.number, away))

    # The round.

    def begin(self, event: events.RoundBegan) -> None:
        """Begin the deal."""
        house, left = self.house, self._shoe.left
        is_sure = not (self.draw.is_call_unheard or house is None)
        is_sure &= self._story.is_on or not self.is_doubtful
        self._left_out, self.draw.is_link_due = None, False
        try:
            if is_sure and self.is_doubtful:
                raise RefutedError("a round begins by bets of before a restart")
            if is_sure and self.deal is not None:
                raise RefutedError("a round begins within another")
            if is_sure and event.round != self.number:
                raise RefutedError("the round has another number than its bets")
            if house is not None:
                self._shoe.begin(event, house, self.bets.own_seat)
            if is_sure:
                self.draw.check_links(event, self.bets)
            deal = Deal.of(event, self.bets.standing, house)
        except RefutedError as refuted:
            deal = Deal(number=event.round, is_whole=False)
            if is_sure:
                self.refuse(refuted)
        deal.is_whole &= is_sure
        deal.own_seat, deal.until_cut = self.bets.own_seat, event.until_cut
        deal.left, deal.is_left_known = left, self._shoe.is_left_known
        self.deal = deal
        if self.number in self.owing:
            self.owing[self.number].deal = deal
        if self.draw.call is not None:
            self._count_missing(event.missing)
        self.bets.open()
        self.bets.close()

    def _count_missing(self, missing: Sequence[int]) -> None:
        own, committed, named = self.bets.own_seat, self.draw.committed, self.bets.named
        if own in committed and own not in missing:
            others = named([seat for seat in committed if seat != own])
            self._report.add(*self.ways.call(self.number, others, named([*missing])))
        owed = self.owing.pop(self.number, None) if own in missing else None
        if owed is not None and owed.link is not None:
            waited = self.bets.at - self.draw.called_at
            self._report.add(self.ways.leave_out(self.number, waited))
            self._left_out = owed

    def play(self, event: RoundEvent) -> None:
        """Take an event of a round that is played.

        Raises:
            RefutedError: if there cannot be such a card any more.
        """
        deal = self.deal
        if deal is None and self.house is not None:
            what = f"{event.type} is told outside of a round"
            self._report.find(what, is_alone=False)
        if deal is not None:
            is_ours = getattr(event, "seat", 0) == self.bets.own_seat
            deal.hear(event, self.bets.prompt if is_ours else None, self.bets.at)
            if isinstance(event, events.DiscardsShuffled):
                self._shoe.refill(deal.cards)
        self._shoe.show(event, self.house)

    def hear_turn(self, turn: Turn | None, cents: Callable[[int], int | None]) -> None:
        """Compare the asks with the open decisions."""
        if self.deal is not None:
            self.deal.hear_turn(turn)
        elif self.house is not None and not self.is_doubtful:
            self.bets.hear_turn(turn, self.house, cents)

    # The end.

    def end(self, event: events.RoundEnded) -> None:
        """Prove a round that is over, or see that it was played by the rules."""
        self._check_own()
        deal, house = self.deal, self.house
        shoe: Shoe | None = None
        try:
            self._draws.close(event.secret)
            if deal is not None and house is not None:
                shoe = self._replay(deal, event, house)
                self._weigh_left_out(deal, event.secret, house)
            elif deal is not None:
                self._tally.partial += 1
            elif house is not None and not self.is_doubtful:
                raise RefutedError("a round ends that has not begun")
        except RefutedError as refuted:
            self.refuse(refuted)
            shoe = None
        self._shoe.end(event, house, shoe)
        if not self._story.is_on:
            self.owing.pop(self.number, None)
        elif deal is not None and shoe is not None:
            self._tally.proven += 1
            owed = self.owing.pop(deal.number, None)
            self.owing.prove(deal, house, self.bets.own_seat, self._story.run)
            seat = None if owed is None else owed.bet.seat
            self._report.add(self.draw.proof(deal.links, seat))
        self._over(event.round)

    def _over(self, number: int) -> None:
        self._draws.turn_to(number + 1)
        self.deal = self._left_out = None
        self.is_doubtful = self.bets.is_closed = False
        self.owing.ended = number

    def _replay(
        self, deal: Deal, event: events.RoundEnded, house: House
    ) -> Shoe | None:
        """Deal a round again; return its shoe as it is then, if that is proven.

        Raises:
            RefutedError: if something differs.
        """
        if event.round != deal.number:
            raise RefutedError("the round that ends is another than the one that began")
        shoe = self.draw.shoe(house, self._shoe.contents, event.secret, deal.links)
        if shoe is not None:
            self._story.ground()
        if not deal.is_whole:
            self._tally.partial += 1
            return None
        self._tally.whole += 1
        deal.end(event, house, shoe)
        self._last = deal
        return shoe

    def _weigh_left_out(self, deal: Deal, secret: str | None, house: House) -> None:
        """Count a round without our link that it would have won for us."""
        out, contents = self._left_out, self._shoe.contents
        won = out and deal.is_whole and out.forgone(deal, house, contents, secret)
        if won and won > 0:
            self._report.add(*self.ways.miss_win(deal.number))

    def void(self, event: events.RoundVoided) -> None:
        """Count a void round, and tell how much it would have brought us."""
        deal, owed = self.deal, self.owing.pop(self.number, None)
        gone = {self.bets.own_seat, *event.missing, *self.bets.returned}
        brought, is_alone = None, deal is None and self.draw.is_alone(gone)
        try:
            if event.round != self.number and not self.is_doubtful:
                what = "the round that is void is another than the one that is on"
                raise RefutedError(what)
            self._shoe.void(event, self.house)
            self._draws.void(event)
            if self.house is not None:
                brought = self._brought(owed, event.secret, self.house, is_alone)
        except RefutedError as refuted:
            self.refuse(refuted)
        self._tally.void += 1
        if owed is not None and owed.link is not None:
            self._count_void(event, brought, is_alone=is_alone)
        self._last = None
        if deal is not None:
            self.bets.standing = deal.bets  # each of them has to come back
        self._over(event.round)

    def _count_void(
        self, event: events.RoundVoided, brought: int | None, *, is_alone: bool
    ) -> None:
        """Count a void round for which our link was told, in time or not."""
        number, deal, ways = event.round, self.deal, self.ways
        if is_alone and self.bets.own_seat in event.missing:
            waited = self.bets.at - self.draw.called_at
            self._report.add(ways.leave_out(number, waited))
            if brought and brought > 0:
                self._report.add(*ways.miss_win(number))
        else:
            is_shown, how = deal is not None and deal.is_shown, "the round is void"
            self._report.add(ways.break_off(number, how, brought, is_shown=is_shown))

    def _brought(
        self, owed: OwedRound | None, secret: str | None, house: House, is_alone: bool
    ) -> int | None:
        """Return the cents that a void round would have brought us, if known.

        Raises:
            RefutedError: if what was told of it does not follow from its secret.
        """
        deal = self.deal
        if deal is None:
            self.draw.check_secret(secret)
            return owed.forgone_alone(secret) if owed and is_alone else None
        self._weigh_left_out(deal, secret, house)
        shoe = self.draw.shoe(house, self._shoe.contents, secret, deal.links)
        return deal.forgone(house, shoe, 0 if owed is None else owed.bet.seat)

    def _check_own(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            last.check_own(self._answers)
