"""The checker: hears all that is said on one line, and finds what does not hold.

Pure: no clock, no file, no socket. It is told every message in the order of arrival,
and every command that is sent, and returns findings as soon as they are certain.

Theory of operation. Updates are taken in the order of their numbers, each once. While
rounds are played every balance must follow from the one before, and at its end each
round that was heard whole is played again with the cards that were told: totals,
decisions, payouts and the count of the shoe are then what the rules make of them, or
there is a finding. The cards themselves are kept. When the seed of their stream is
told, the shoes are shuffled again, and must have them. Between the rounds ``Cuts``
follows how the next shoe is cut.

What was not heard is no fault: whoever joins in the middle, loses the line or falls
behind goes on from the next picture, and the round is counted as not seen whole. A
picture that is ahead of the updates waits until they are there, since those that were
missed may follow; if they do not, it is where to go on from.

Of a table whose rules are not told, or not known here, the cuts and seeds are all that
can be checked.
"""

from collections import deque

from bj_client.fair.answers import Answers
from bj_client.fair.around import AROUND
from bj_client.fair.cuts import Cuts
from bj_client.fair.due import short_number
from bj_client.fair.finding import Finding, Proof, Remark
from bj_client.fair.purse import Purses
from bj_client.fair.rounds import Rounds
from bj_client.fair.tally import Tally
from bj_client.fair.terms import house_of
from bj_protocol import events
from bj_protocol.commands import Command, RevealCut
from bj_protocol.messages import (
    Answered,
    Message,
    Recalled,
    Refused,
    Snapshot,
    TableList,
    Update,
)
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase

__all__ = ["Checker"]

_KEPT = 16
"""Updates that are compared with what the server says of them a second time."""


class Checker:
    """What one line has heard of its table, and whether it holds."""

    def __init__(self) -> None:
        """Start before the first picture."""
        self.tally = Tally()
        self._seq: int | None = None
        self._ahead: Snapshot | None = None
        self._is_ahead_sure = False
        """Whether it comes from the server that we have heard all along."""
        self._recent: deque[Update] = deque(maxlen=_KEPT)
        self._was_lost = True
        self._purses = Purses()
        self._cuts = Cuts()
        self._answers = Answers()
        self._rounds = Rounds(self._cuts, self._answers, self.tally)

    def send(self, command: Command) -> list[Remark]:
        """Note a command that is sent."""
        self._answers.send(command)
        self._cuts.send(command)
        if isinstance(command, RevealCut):
            return self._count([*self._cuts.check_reveal(command, self._rounds.number)])
        return []

    def lose(self) -> None:
        """Note that the line is lost: what comes next may not follow."""
        self._was_lost = True
        self._recent.clear()
        self._purses.forget()
        self._cuts.lose()
        self._rounds.lose()

    def hear(self, message: Message) -> list[Remark]:
        """Take a message; return what is found, and what is proven."""
        match message:
            case Snapshot():
                return self._count(self._picture(message))
            case Update():
                return self._count(self._hear_update(message))
            case Refused():
                self._answers.refuse(message.prompt)
                if message.code is RefusalCode.CUT_OVER or message.prompt is None:
                    self._cuts.excuse()
                return []
            case Answered() | Recalled() | TableList():
                return []

    def finish(self) -> list[Remark]:
        """Check what is left in the end; a round that runs, as far as it went."""
        return self._count([*self._rounds.finish()])

    def _count(self, remarks: list[Remark]) -> list[Remark]:
        for remark in remarks:
            if isinstance(remark, Proof):
                self.tally.proven += remark.proven
            else:
                self.tally.findings += 1
        return remarks

    # The order of what is heard.

    def _hear_update(self, update: Update) -> list[Remark]:
        if self._seq is None:
            return []
        if update.seq > self._seq + 1:
            ahead = self._ahead
            if ahead is None or update.seq != ahead.seq + 1:
                return []  # it comes once more, after what is missing
            found = self._adopt(ahead)
            return found + self._apply(update)
        if update.seq <= self._seq:
            return [*self._compare_again(update)]
        found = self._apply(update)
        ahead = self._ahead
        if ahead is None or ahead.seq > update.seq:
            return found
        self._ahead = None
        if self._is_ahead_sure and not self._continues(ahead):
            found += self._doubt_picture()
        return found

    def _doubt_picture(self) -> list[Finding]:
        if self._rounds.house is None:
            return []
        what = "the picture of the table does not follow from what was told"
        return [Finding(round=self._rounds.number, what=what)]

    def _compare_again(self, update: Update) -> list[Finding]:
        known = next((old for old in self._recent if old.seq == update.seq), None)
        if known is None or known.events == update.events:
            return []
        which = short_number(update.seq)
        what = f"update {which} was told a second time, with other events"
        return [Finding(round=self._rounds.number, what=what)]

    def _picture(self, picture: Snapshot) -> list[Remark]:
        self._cuts.own_handle = None if picture.you is None else picture.you.handle
        was_lost, self._was_lost = self._was_lost, False
        if self._seq is None:
            return self._adopt(picture)
        is_same_house = house_of(picture.house.terms) == self._rounds.house
        if picture.seq > self._seq and is_same_house:
            self._ahead, self._is_ahead_sure = picture, not was_lost
            return []
        if not (
            is_same_house and picture.seq == self._seq and self._continues(picture)
        ):
            found = [] if was_lost else self._doubt_picture()
            return found + self._adopt(picture)
        if was_lost:
            self._purses.reset(picture)
        self._hear_turn(picture)
        return []

    def _continues(self, picture: Snapshot) -> bool:
        """Whether a picture is of the table as it is known."""
        deal, is_dealt = self._rounds.deal, picture.phase is Phase.PLAYING
        return (
            self._purses.agrees(picture)
            and (deal is not None) == is_dealt
            and (deal is None or deal.number == picture.round)
            and self._cuts.agrees(picture.shoe.stream)
            and self._rounds.agrees(picture)
        )

    def _adopt(self, picture: Snapshot) -> list[Remark]:
        """Go on from a picture, whatever was known before."""
        self._seq, self._ahead = picture.seq, None
        self._recent.clear()
        found: list[Remark] = []
        for told in picture.revealed:
            found += self._cuts.reveal(told, self._rounds.number, self._rounds.house)
        self._purses.reset(picture)
        self._cuts.excuse()
        self._cuts.seats = {seat.seat: seat.handle for seat in picture.seats}
        found += self._cuts.join(picture.shoe.stream, picture.round)
        self._rounds.join(picture)
        self._hear_turn(picture)
        return found

    def _hear_turn(self, message: Snapshot | Update) -> None:
        asks = () if message.turn is None else message.turn.asks
        own = self._cuts.own_seat
        self._rounds.prompt = next((a.prompt for a in asks if a.seat == own), None)

    # What is told.

    def _apply(self, update: Update) -> list[Remark]:
        found: list[Remark] = []
        self._answers.is_sure = self._ahead is None
        if self._rounds.has_bet:
            found += self._cuts.release()
            self._rounds.has_bet = False
        for event in update.events:
            moved = self._purses.fold(event, self._rounds.number)
            found += self._fold(event)
            found += moved if self._rounds.house is not None else []
        self._seq = update.seq
        self._recent.append(update)
        self._hear_turn(update)
        return found

    def _fold(self, event: events.Event) -> list[Remark]:
        if type(event) not in AROUND:
            return [*self._rounds.play(event)]
        match event:
            case (
                events.SeedCommitted()
                | events.CutsCommitted()
                | events.ShoeCut()
                | events.SeedRevealed()
            ):
                rounds = self._rounds
                if isinstance(event, events.ShoeCut):
                    rounds.shuffles.cut()
                return self._cuts.fold(event, rounds.number, rounds.house)
            case events.ShoeShuffled():
                return [*self._rounds.shuffle(event)]
            case (
                events.BettingOpened()
                | events.RoundBegan()
                | events.RoundEnded()
                | events.RoundVoided()
            ):
                return [*self._rounds.turn(event)]
            case (
                events.BetPlaced()
                | events.BetReturned()
                | events.SatOut()
                | events.GiftGiven()
            ):
                return [*self._rounds.bet(event)]
            case events.PlayerJoined(seat=seat, handle=handle):
                self._cuts.seats[seat] = handle
            case events.PlayerLeft(seat=seat):
                self._cuts.seats.pop(seat, None)
            case _:
                pass
        return []
