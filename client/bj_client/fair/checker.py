"""The checker: hears all messages on one line, and finds those that do not hold.

Pure: no clock, no file, no socket. It is told every message in the order of arrival,
with its text and the time, and every command that is sent, and returns findings as soon
as they are certain.

Theory of operation. Updates are taken in the order of their numbers, each once, and
chained as they came; ``Story`` compares them with the server's signatures. While rounds
are played every balance must follow from the one before. At its end a round is dealt
again from its secret, its call and its links by ``Rounds``: cards, questions, totals
and payouts are then what the rules make of them, or there is a finding.

A message that was not heard is no fault: a client that joins in the middle, loses the
line or falls behind goes on from the next picture, and counts the round as not seen
whole. A picture that is ahead of the updates waits for the missed ones. If they do not
come, the checker goes on from it, and asks for the rounds with our money.

Of a table whose rules are not told, or not known here, the seals and signatures are all
that can be checked.
"""

import re
from collections import deque

from bj_client.fair.answers import NO_ASK, Answers
from bj_client.fair.bets import BetEvent, own_seat_in
from bj_client.fair.finding import RefutedError, Remark, Report, short_number
from bj_client.fair.purse import Fall, Purses, cents_in, foreign_stake
from bj_client.fair.rounds import Rounds
from bj_client.fair.story import Story
from bj_client.fair.ways_out import Ways
from bj_client.words.money import dollars
from bj_game.event import RoundEvent
from bj_protocol import events
from bj_protocol.codec import encode
from bj_protocol.commands import Command, Link, PlaceBet, Recall, Resync
from bj_protocol.messages import Message, Recalled, Refused, Signed, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_protocol.views import Phase, Turn

_KEPT = 16
"""Updates that are compared with what the server says of them a second time."""


class Checker:
    """The check of all that one line has heard of its table."""

    def __init__(
        self, key: str | None = None, ways: Ways | None = None, had: int | None = None
    ) -> None:
        """Start before the first picture; ``key`` is the server's one that is due.

        The ``ways`` out and the cents that we ``had`` are those of another table.
        """
        self._report = Report()
        self.tally = self._report.tally
        self.story = Story(self._report, key)
        ways = ways or Ways()
        self.answers = Answers(self._report, ways)
        self.rounds = Rounds(self.story, self.answers, self._report, ways)
        self.handle: str | None = None
        """The player of the line; None for a watcher."""
        self.parted: int | None = None
        """The cents that we had when we left, as the server has signed them."""
        self._rules: object = None
        self._seq: int | None = None
        self._ahead: Snapshot | None = None
        self.awaits_missed = False
        """Whether updates are asked for that lead to the picture ahead."""
        self._recent: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        self.is_lost = True
        """Whether what comes next is on another line."""
        self.purses = Purses(had)

    def send(self, command: Command, at: float = 0.0) -> None:
        """Note a command that is sent."""
        if isinstance(command, PlaceBet):
            self.go_on()
        self.answers.send(command, at)
        if isinstance(command, PlaceBet) and command.commitment is not None:
            seat, rounds = self.rounds.bets.own_seat, self.rounds
            rounds.draw.commitment = command.commitment
            if self.answers.is_offered(command):
                rounds.owing.offer(command, rounds.draw, seat, self.purses.cents(seat))
        if isinstance(command, Link):
            self.rounds.tell_link(command.link)
        if isinstance(command, Recall):
            self.rounds.owing.ask(command.rounds, self.rounds.number)
        if isinstance(command, Resync) and command.seq is not None and self._ahead:
            self.awaits_missed = command.seq < self._ahead.seq
            if not self.awaits_missed:  # the player goes on without them
                self._skip_to(self._ahead)

    def go_on(self) -> None:
        """Go on to the picture, by which a bet is placed, unless more is asked for."""
        if self._ahead and not self.awaits_missed and not self.story.owed:
            self._skip_to(self._ahead)

    def lose(self) -> None:
        """Note that the line is lost: what comes next may not follow."""
        self.is_lost, self.awaits_missed = True, False
        self.story.lose()
        self.rounds.owing.lose()

    def hear(self, message: Message, text: str = "", at: float = 0.0) -> list[Remark]:
        """Take a message; return findings and proofs."""
        rounds, table = self.rounds, self.story.table
        rounds.bets.at = at
        match message:
            case Snapshot():
                self._picture(message)
            case Update():
                self._hear_update(message, text or encode(message))
            case Signed():
                self._hear_signed(message)
            case Refused():
                self.answers.refuse(message, at)
                rounds.owing.refuse(message.code)
            case Recalled():
                run, cents = self.story.run, self.purses.told(rounds.bets.own_seat)
                rounds.owing.recall(table, rounds.number, message.rounds, run, cents)
            case _:
                pass
        return self._take()

    def finish(self) -> list[Remark]:
        """Check the rest in the end; a running round as far as it went."""
        try:
            self.rounds.finish()
        except RefutedError as refuted:
            self.rounds.refuse(refuted)
        return self._take()

    def _take(self) -> list[Remark]:
        remarks = self._report.take()
        self.story.place(remarks, self._seq or 0)
        return remarks

    @property
    def wants_recall(self) -> int:
        """How many rounds to ask for, since some are not proven; 0 for none."""
        if self.is_lost or self._ahead is not None or not self.story.is_on:
            return 0
        is_known = self.handle is not None and self.rounds.house is not None
        return self.rounds.owing.wanted(self.rounds.number) if is_known else 0

    def _hear_signed(self, signed: Signed) -> None:
        if self._seq is None:
            return
        self.story.hear(signed, self._seq)
        handle, _, told = signed.note.rpartition(" ")
        due = self.purses.due(handle, self.rounds.bets.own_seat, told)
        is_ours = signed.kind is StatementKind.GOODBYE and handle == self.handle
        is_ours &= signed.seq <= self._seq  # it says nothing of what is still missing
        if is_ours and due is not None:
            what = "the good-bye has another balance than was told"
            told, wanted = f"{told[:40]} cents", f"{due} cents"
            self._report.find(what, told, wanted, is_alone=False, number=signed.round)
        elif is_ours and self.story.is_on and not self.story.is_broken:
            self.parted = int(told) if re.fullmatch("[0-9]{1,30}", told) else None
        if signed.kind is StatementKind.START and self._ahead is not None:
            self._start(signed, self._ahead)

    def _start(self, signed: Signed, ahead: Snapshot) -> None:
        """Go on to the picture ``ahead`` of a new run, if that began where we are.

        If not, we have missed the last of what the server before has told, or the books
        were put back from a backup.
        """
        if self.story.head is None:
            is_back = self._seq is not None and signed.seq < self._seq
            self._skip_to(ahead, is_back=is_back)
        elif ahead.seq == self._seq:
            self._meet(ahead)

    def _hear_update(self, update: Update, text: str) -> None:
        if self._seq is None:
            return
        if update.table != self.story.table:
            self._report.find("an update is of another table", is_alone=False)
        ahead = self._ahead
        if update.seq > self._seq + 1:
            if self.awaits_missed or ahead is None or update.seq != ahead.seq + 1:
                return  # it comes once more, after what is missing
            self._skip_to(ahead)
            self._apply(update, text)
        elif update.seq <= self._seq:
            self._compare_again(update, text)
        else:
            self._apply(update, text)
            if ahead is not None and ahead.seq <= update.seq:
                self._meet(ahead)

    def _compare_again(self, update: Update, text: str) -> None:
        known = next((old for seq, old in self._recent if seq == update.seq), text)
        if known != text:
            what = f"update {short_number(update.seq)} was told a second time"
            self._report.find(f"{what}, with other words")

    def _picture(self, picture: Snapshot) -> None:
        was_lost, self.is_lost = self.is_lost, False
        self.answers.is_leaving &= not was_lost
        self.handle = None if picture.you is None else picture.you.handle
        self.answers.hear_pace(picture.pace)
        self.answers.hear_turn(picture.turn, own_seat_in(picture), self.rounds.bets.at)
        if self._seq is None:
            self._report.add(*self.purses.compare_move(picture))
            self._report.add(*foreign_stake(picture))
            self._adopt(picture)
            return
        is_new = self._turn_to_run(picture, was_lost=was_lost)
        is_back = picture.seq < self._seq
        if picture.house.terms != self._rules or is_back:
            is_new |= was_lost and picture.story is None  # which tells of no restart
            self._skip_to(picture, is_back=is_new and is_back)
            return
        self.rounds.learn(picture)
        if is_new and picture.story is not None:
            self._ahead = picture  # the next message says where the run began
        elif picture.seq == self._seq:
            self._meet(picture)
        elif was_lost:
            self._ahead = picture  # until all is told that leads to it
        else:
            if self._ahead is None:  # nothing was lost with a line
                seq = short_number(picture.seq)
                what = f"the updates before update {seq} are not told"
                ways, number = self.rounds.ways, self.rounds.number
                self._report.add(ways.leave_untold(number, what))
            self._skip_to(picture)

    def _turn_to_run(self, picture: Snapshot, *, was_lost: bool) -> bool:
        """Take the run of a server from a picture; return whether it is a new one."""
        story, is_new = picture.story, False
        if story is None or story.run != self.story.run or not self.story.is_on:
            is_new = story is not None or self.story.is_on
            if was_lost:
                self.purses.keep(self.rounds.bets.own_seat)
                self.rounds.doubt()
                self.answers.turn_to_run()
                self.purses.forget()
                self._recent.clear()
            elif is_new:
                what = "the server says on the same line that it was started anew"
                self._report.find(what)
        if story is not None and not is_new:
            self._compare_run(picture)
        self.story.turn_to(picture)
        return is_new

    def _compare_run(self, picture: Snapshot) -> None:
        """See that a picture goes on as one run of a server does."""
        if picture.house.terms != self._rules:
            what = "the server has changed the rules, and was not started anew"
            self._report.find(what)
        known = self._seq if self._ahead is None else self._ahead.seq
        if known is not None and picture.seq < known:
            what = "the server has gone back in its story, and was not started anew"
            told, due = (short_number(seq) for seq in (picture.seq, known))
            self._report.find(what, f"update {told}", f"update {due}")

    def _meet(self, picture: Snapshot) -> None:
        """Compare a picture with the known state, now that nothing is between them."""
        self._ahead, self.awaits_missed = None, False
        told = None if picture.story is None else picture.story.head
        rounds = self.rounds
        if self.story.head is not None and told != self.story.head:
            what = "the picture of the table is of another story than was told"
            self._report.find(what)
        self._report.add(*self.purses.compare_restart(picture))
        if self.purses.agrees(picture) and rounds.agrees(picture):
            self.purses.had = None
            if rounds.is_doubtful or self.purses.cents(rounds.bets.own_seat) is None:
                self.purses.reset(picture)
            self.story.head = told
            if picture.phase is Phase.CALLING:
                rounds.ask_link_again()
            self._hear_turn(picture.turn)
            return
        if not rounds.is_doubtful and rounds.house is not None:
            what = "the picture of the table does not follow from the updates"
            self._report.find(what)
        self._adopt(picture)

    def _skip_to(self, picture: Snapshot, *, is_back: bool = False) -> None:
        """Go on from a picture, without the updates in between.

        With ``is_back`` it is of a run that began before what we know.
        """
        rounds, owed = self.rounds, self.rounds.owing.get(picture.round)
        cents, now = self.purses.keep(rounds.bets.own_seat), cents_in(picture)
        if cents is not None and owed is not None and owed.is_placed:
            cents += owed.staked  # which still lies there, or is back
        lost = None if cents is None or now is None else cents - now
        is_back |= picture.round <= rounds.owing.ended
        ours = is_back or (owed is not None and owed.agrees(picture))
        self._report.add(*self.purses.compare_stake(picture, is_ours=ours))
        if is_back:
            rounds.owing.go_back(picture.round, lost)
        elif lost is not None and cents is not None and lost > 0:
            rounds.owing.fell = Fall(
                since=rounds.number,
                before=picture.round,
                cents=cents,
                lost=lost,
                is_restarted=rounds.is_doubtful,
            )
        self._adopt(picture)

    def _adopt(self, picture: Snapshot) -> None:
        """Go on from a picture, whatever was known before."""
        self._seq, self._ahead, self.awaits_missed = picture.seq, None, False
        self._rules = picture.house.terms
        if cents_in(picture) is not None:
            self.purses.had = None
        self._recent.clear()
        if self.rounds.is_doubtful:
            self.rounds.owing.doubt()
        self.story.adopt(picture)
        self.purses.reset(picture)
        self.rounds.join(picture)
        self._hear_turn(picture.turn)

    def _hear_turn(self, turn: Turn | None, due: float | None = None) -> None:
        bets = self.rounds.bets
        due = None if self.rounds.deal is None else due
        self.answers.hear_turn(turn, bets.own_seat, bets.at, due)
        asks = () if turn is None else turn.asks
        bets.prompt = next((a.prompt for a in asks if a.seat == bets.own_seat), NO_ASK)
        bets.is_asked = bets.prompt != NO_ASK and self.rounds.deal is None
        self.rounds.hear_turn(turn, self.purses.cents)

    def _apply(self, update: Update, text: str) -> None:
        rounds = self.rounds
        self.answers.is_sure = self._ahead is None
        if self._ahead is not None or self.answers.is_leaving:
            rounds.bets.prompt, rounds.bets.is_asked = None, False
        self._seq = update.seq
        self._recent.append((update.seq, text))
        self.story.fold(update, text)
        for event in update.events:
            moved = self.purses.fold(event, rounds.number)
            self.purses.follow(event, rounds.bets.own_seat)
            try:
                self._fold(event)
            except RefutedError as refuted:
                rounds.refuse(refuted)
            if moved is not None and rounds.house is not None:
                self._report.add(moved)
        due = self.answers.due(update.turn) if self._ahead is None else None
        self._hear_turn(update.turn, due)

    def _fold(self, event: events.Event) -> None:  # noqa: C901 - one flat match
        rounds, deal, bets = self.rounds, self.rounds.deal, self.rounds.bets
        is_sure = not rounds.is_doubtful
        match event:
            case events.BettingOpened():
                rounds.open(event)
            case _ if isinstance(event, BetEvent):
                rounds.bet(event)
            case events.BetsClosed():
                rounds.close(event, self.story.head)
            case events.ShoeShuffled():
                rounds.shuffle(event)
            case events.RoundBegan():
                rounds.begin(event)
            case events.RoundEnded():
                rounds.end(event)
            case events.RoundVoided():
                rounds.void(event)
            case _ if isinstance(event, RoundEvent):
                rounds.play(event)
            case events.PlayerJoined(seat=seat, handle=handle, balance=balance):
                is_own = handle == self.handle
                bets.seat(seat, handle, is_own=is_own, is_sure=is_sure)
                if is_own:
                    self._sit_down(handle, balance)
            case events.PlayerLeft(seat=seat, handle=handle):
                if deal is not None and seat in deal.bets:
                    what = f"seat {seat} leaves in the middle of a round"
                    self._report.find(what, is_alone=False)
                bets.stand_up(seat, handle, is_sure=is_sure)
            case events.PresenceChanged(seat=seat):
                bets.is_asked &= seat != bets.own_seat
            case events.Said(seat=seat, handle=handle) if is_sure:
                if bets.handles.get(seat) != handle:
                    self._report.find(f"{handle} is said to speak, and is not there")
            case _:
                pass

    def _sit_down(self, handle: str, balance: int) -> None:
        """See that nobody sits us down anew, and that our money is right then."""
        had = self.purses.gone.get(handle)
        if self.answers.is_sure:
            self._report.find("you are seated anew on the same line")
        elif had is not None and had > balance:
            less = dollars(had - balance)
            what = f"you are seated anew with {less} less than you had when you left"
            self._report.add(self.rounds.ways.lack(self.rounds.number, what))
