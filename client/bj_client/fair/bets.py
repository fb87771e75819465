"""The bets: the stake of each seat on the coming round, and the limits of its ask."""

import math
from collections import Counter
from collections.abc import Callable

from bj_client.fair.answers import Answers
from bj_client.fair.finding import Note, Report, short_number
from bj_game.house import MOST_SEATS, House
from bj_game.legality import bet_limits
from bj_game.rules import rules_card
from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.handle import canonical_handle
from bj_protocol.messages import Snapshot
from bj_protocol.views import Ask, Turn

_ANY_RUNG = math.inf, 0
_LONGEST = 200
"""The characters of a rule that are repeated."""

BetEvent = events.BetPlaced | events.BetReturned | events.SatOut | events.GiftGiven


class Bets:
    """The bets of one round after the other."""

    def __init__(self, answers: Answers, report: Report) -> None:
        self._report = report
        self._answers = answers
        self.standing: dict[int, events.BetPlaced] = {}
        self.returned: dict[int, events.BetPlaced] = {}
        """Those that came back since the bets were closed."""
        self.handles: dict[int, str] = {}
        """The handles, by seat."""
        self._seats = 0
        """How many seats the table has."""
        self.own_seat: int | None = None
        """Our seat at the update that is told now, not at the last picture."""
        self.prompt: int | None = None
        """The prompt of our question before the update of now; None if unsure.

        It is ``NO_ASK`` where nothing was asked.
        """
        self.is_asked = False
        """Whether we are asked for a bet, and have not answered or gone since."""
        self.at = 0.0
        """When that came, in seconds."""
        self.is_closed = False
        """Whether no bet is taken any more."""
        self._rung: tuple[float, int] = _ANY_RUNG
        """The least bet that we were asked for last, and what we had then."""
        self._misled = "", ""
        """The rules that were shown otherwise than they are played, as it was told."""
        self._given: Counter[int] = Counter()
        """The cents that the host has given each seat since bets were opened."""

    def join(self, picture: Snapshot) -> None:
        """Go on from a picture."""
        self.handles = {seat.seat: seat.handle for seat in picture.seats}
        self._rung = _ANY_RUNG
        self.own_seat, self._seats = own_seat_in(picture), picture.seat_count
        self._check_seats()
        self.open()
        for seat in picture.seats:
            self._given[seat.seat] = seat.balance  # any of it, for all that we know
            if seat.bet:
                self.standing[seat.seat] = events.BetPlaced(
                    seat=seat.seat,
                    amount=seat.bet,
                    spots=seat.spots,
                    balance=seat.balance,
                )

    def agrees(self, picture: Snapshot) -> bool:
        """Whether a picture has the seats and bets that are known, and ours."""
        handles = {seat.seat: seat.handle for seat in picture.seats}
        told = {s.seat: (s.bet, s.spots) for s in picture.seats if s.bet}
        due = {seat: (bet.amount, bet.spots) for seat, bet in self.standing.items()}
        you, ours = picture.you, self.own_seat
        own = None if you is None else (you.seat, you.handle)
        is_own = own == (None if ours is None else (ours, self.handles.get(ours)))
        is_own &= picture.seat_count == self._seats
        return is_own and handles == self.handles and told == due

    def check_house(self, picture: Snapshot, house: House | None) -> None:
        """See that a picture shows the house whose rules it tells."""
        if house is None:
            return
        shown = picture.house
        told = shown.name, shown.title, shown.minimum_bet, picture.dealer.name
        due = house.name, house.title, house.minimum_bet, house.dealer_name
        if (*told, picture.shoe.decks) != (*due, house.decks):
            what = "the house that is shown is another than that of its rules"
            text = ", ".join(map(short_number, told))
            self._report.find(what, text, str(due))
        card, rules = rules_card(house), picture.house.rules
        untold = next((line for line in card if line not in rules), "")
        others = [line for line in rules if line not in card]
        added = others[0] if others else ""
        if picture.story is None or (untold, added) in (("", ""), self._misled):
            return
        self._misled = untold, added
        what = f"the table shows a rule by which it does not play: {added[:_LONGEST]!r}"
        if len(others) > 1:
            what += f", and {len(others) - 1} more"
        if untold:
            what = f"the table does not show the rule by which it plays: {untold!r}"
        self._report.add(Note(round=self._report.round, what=what))

    def seat(self, seat: int, handle: str, *, is_own: bool, is_sure: bool) -> None:
        """Note that a player sits down."""
        if is_sure and seat in self.handles:
            self._report.find(f"seat {seat} is taken, and {handle} sits there")
        self.handles[seat] = handle
        if is_own:
            self.own_seat = seat
        if is_sure:
            self._check_seats()

    def _check_seats(self) -> None:
        """See that each player has a seat of the table, and a handle that can be."""
        handles, most = [*self.handles.values()], min(self._seats, MOST_SEATS)
        if not all(1 <= seat <= most for seat in self.handles):
            told = f"{short_number(self._seats)} seats"
            self._report.find("a player sits where no table has a seat", told)
        if len(set(handles)) < len(handles) or any(
            canonical_handle(handle) != handle for handle in handles
        ):
            what = "a player has the handle of another, or one that nobody can have"
            self._report.find(what, ", ".join(handles))

    def stand_up(self, seat: int, handle: str, *, is_sure: bool) -> None:
        """Note that a player leaves, with all bets: the seat may be another's soon.

        A server that was started anew may have given a bet back at its start.
        """
        if self.handles.pop(seat, None) != handle and is_sure:
            self._report.find(f"{handle} is said to leave, and is not there")
        if self.standing.pop(seat, None) is not None and is_sure:
            what = f"seat {seat} is left, and its bet has not come back"
            self._report.find(what, is_alone=False)
        if seat == self.own_seat:
            self.own_seat, self.is_asked = None, False

    def open(self) -> None:
        """Begin with no bets; what was asked before is over."""
        self.standing, self.is_closed, self.is_asked = {}, False, False
        self.returned.clear()
        self._given.clear()

    def close(self) -> None:
        """Take no bets any more."""
        if self.is_asked:
            self._report.find("the bets are closed while you are asked for yours")
        self.is_asked, self.is_closed = False, True
        self.returned.clear()

    def named(self, seats: list[int]) -> list[str]:
        """Return the handles of seats."""
        return [self.handles.get(seat, f"seat {seat}") for seat in seats]

    def hear(self, event: BetEvent, house: House | None) -> None:
        """Take the stake of a seat on the coming round, or its pass."""
        is_own = event.seat == self.own_seat
        was_asked, self.is_asked = self.is_asked, self.is_asked and not is_own
        match event:
            case events.BetPlaced(amount=amount, spots=spots):
                self._place(event, house)
                self._check_own(event, house, "place_bet", amount, spots)
            case events.BetReturned(seat=seat):
                bet = self.standing.pop(seat, None)
                if bet is not None:
                    self.returned[seat] = bet
            case events.SatOut(by=By.PLAYER):
                self._check_own(event, house, "sit_out")
            case events.SatOut(by=By.CLOCK):
                if is_own and self.prompt is not None:
                    number = self._report.round
                    self._answers.check_default(number, self.prompt, "clock", self.at)
            case events.SatOut():
                if is_own and was_asked and self.prompt is not None:
                    what = "you are passed over while you are asked for your bet"
                    self._report.find(what)
            case events.GiftGiven():
                self._hear_gift(event, house)

    def _place(self, event: events.BetPlaced, house: House | None) -> None:
        if self.is_closed and house is not None:
            what = "a bet is placed after the bets were closed"
            self._report.find(what, is_alone=False)
        elif event.seat in self.standing:
            self._report.find(f"seat {event.seat} has bet twice", is_alone=False)
        elif event.seat not in self.handles:
            self._report.find(f"seat {event.seat} bets, and nobody sits there")
        self.standing[event.seat] = event

    def _hear_gift(self, event: events.GiftGiven, house: House | None) -> None:
        seat = event.seat
        if seat in self.standing:
            known = {"balance": event.balance}
            self.standing[seat] = self.standing[seat].model_copy(update=known)
        if event.by_host:
            self._given[seat] += event.amount
            if event.amount <= 0:
                what = f"a gift of the host takes money from seat {seat}"
                told = f"{short_number(event.amount)} cents"
                self._report.find(what, told, "more than none", is_alone=False)
        elif house is not None:
            self._check_gift(event, house)
            self._check_own(event, house, "accept_gift")

    def _check_gift(self, event: events.GiftGiven, house: House) -> None:
        """See that the donor has given the money of the house, to a broke player."""
        before = event.balance - event.amount
        is_broke = before < house.minimum_bet or house.bet == "ladder"
        if event.amount != house.donor_gift or not is_broke:
            due = f"{house.donor_gift} cents to one with less than {house.minimum_bet}"
            told = f"{short_number(event.amount)} to one with {short_number(before)}"
            what = f"the gift to seat {event.seat} is none that the house gives"
            self._report.find(what, told, due, is_alone=False)

    def _check_own(
        self,
        event: BetEvent,
        house: House | None,
        action: str,
        amount: int = 0,
        spots: int = 1,
    ) -> None:
        number = self._report.round
        if event.seat != self.own_seat or house is None:
            return
        if self.prompt is not None:
            self._answers.check(number, self.prompt, action, amount, spots)
        elif amount:
            said = "player", action, amount, spots
            self._answers.check_unheard(number, self.at, *said)

    def hear_turn(
        self, turn: Turn | None, house: House, cents: Callable[[int], int | None]
    ) -> None:
        """Compare the asks with the bets that the house allows each seat."""
        for ask in () if turn is None else turn.asks:
            known, given = cents(ask.seat), self._given[ask.seat]
            if self.is_closed or not _is_bet_due(house, ask, known, given):
                self._report.find(f"seat {ask.seat} is asked what its house never asks")
                return
            is_own = ask.seat == self.own_seat and house.bet == "ladder"
            if is_own and ask.wager is not None:
                self._climb(house, ask.wager.minimum, known)

    def _climb(self, house: House, least: int, cents: int | None) -> None:
        """See that a ladder of bets leads up by one rung at most, and after a win."""
        most, had = self._rung
        self._rung = _ANY_RUNG if cents is None else (least, cents)
        if cents is not None and cents > had:
            most += house.minimum_bet
        if cents is not None and least > most:
            what = "you are asked for a bet that is too high on the ladder"
            told, due = f"{short_number(least)} cents", f"{most:.0f} cents"
            self._report.find(what, told, due)


def own_seat_in(picture: Snapshot) -> int | None:
    """Return our seat in a picture; None if we have none."""
    return None if picture.you is None else picture.you.seat


def _is_bet_due(house: House, ask: Ask, cents: int | None, given: int = 0) -> bool:
    """Whether a house asks a seat with so many free ``cents`` this before a round.

    The host may have ``given`` some of them after the question. On a ladder of bets
    the place of the seat is not known here, but every rung is.
    """
    told, is_ladder = ask.wager, house.bet == "ladder"
    if ask.actions == (Action.ACCEPT_GIFT, Action.SIT_OUT):
        is_broke = cents is None or cents < house.minimum_bet or is_ladder
        return is_broke and ask.gift == house.donor_gift and told is None
    if ask.actions != (Action.PLACE_BET, Action.SIT_OUT) or told is None:
        return False
    rung = told.minimum - house.minimum_bet if is_ladder else 0
    funds = told.maximum if cents is None else cents
    least, most = (bet_limits(house, n, rung=rung) for n in (funds - given, funds))
    is_limited = least.maximum <= told.maximum <= most.maximum
    form = ask.hand, ask.spots, told.minimum, told.step, told.maximum % told.step
    due = 0, house.max_spots, most.minimum, most.step, 0
    is_rung = rung >= 0 and rung % house.minimum_bet == 0
    return form == due and is_limited and is_rung
