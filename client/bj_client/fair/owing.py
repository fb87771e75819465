"""Owing: the rounds with our stake that are not proven yet, asked for and weighed.

A client that loses the line asks for them when it is back.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from bj_client.fair.answers import ABOUT_RECALLS, Answers
from bj_client.fair.deal import Deal, Results
from bj_client.fair.draw import Draw, digits_of
from bj_client.fair.finding import Finding, Proof, RefutedError, Report
from bj_client.fair.owed import OwedRound
from bj_client.fair.purse import Fall
from bj_client.fair.ways_out import Ways
from bj_client.words.money import dollars
from bj_game.house import House
from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Snapshot
from bj_protocol.recall import MOST_RECALLED, PastRound, RoundEnd
from bj_protocol.refusal import RefusalCode


class Owing(dict[int, OwedRound]):
    """The rounds that are owed, by their numbers."""

    def __init__(self, ways: Ways, answers: Answers, report: Report) -> None:
        super().__init__()
        self._ways, self._answers, self._report = ways, answers, report
        self.ended = 0
        """The last round that was heard to its end."""
        self._asked: deque[int] = deque()
        """The oldest round of each recall that is not answered."""
        self._proven: dict[int, tuple[str, Callable[[], Results]]] = {}
        """The run in which our last rounds were proven, and what a recall must tell."""
        self.fell: Fall | None = None
        """Money that is gone since we missed something."""

    def offer(
        self, sent: PlaceBet, draw: Draw, seat: int | None, cents: int | None
    ) -> None:
        """Note a bet that is sent: whether it was placed may never be told.

        ``cents`` are what we are free to wager, if that is known.
        """
        if seat is None:
            return
        left = max(0, (cents or 0) - sent.amount * sent.spots)
        bet = events.BetPlaced(
            seat=seat, amount=sent.amount, spots=sent.spots, balance=left
        )
        offered = OwedRound(bet=bet, draw=draw, is_placed=False)
        self.setdefault(draw.number, offered).others.append(bet)

    def hear(self, event: events.Event, draw: Draw) -> None:
        """Take our stake on the round of ``draw``, or the stake that comes back."""
        owed = self.get(draw.number)
        if isinstance(event, events.BetPlaced):
            if owed is not None and owed.link is not None:
                self._break_off(owed, "bets are taken anew", None)
            self[draw.number] = OwedRound(bet=event, draw=draw)
        elif isinstance(event, events.BetReturned) and owed:
            owed.may_be_lost = False
            if not owed.link:
                del self[draw.number]

    def rejoin(self, picture: Snapshot) -> Deal:
        """Return the round of a picture, into the middle of which we come."""
        deal = Deal(number=picture.round, is_whole=False)
        if deal.number in self:
            self[deal.number].rest.append((picture, deal))
        return deal

    def placed(self, number: int) -> OwedRound | None:
        """Return a round in which we have money, now that no bet is placed any more."""
        owed = self.get(number)
        if owed is not None and not owed.is_placed:
            del self[number]
        return self.get(number)

    def unproven(self, number: int) -> list[OwedRound]:
        """Return the rounds before ``number``, the oldest first."""
        return [self[each] for each in sorted(self) if each < number]

    @property
    def linked(self) -> list[OwedRound]:
        """The rounds for which our link was told, but those that were found wrong."""
        return [each for each in self.values() if each.link and not each.is_doubtful]

    def least(self, cents: int | None) -> int | None:
        """Return what we have at least, if we have ``cents`` beside the table.

        A bet has to come back if no link was told for it.
        """
        if cents is None or self.fell is not None:
            return None if self.fell is None else self.fell.cents
        bets = (each for each in self.values() if each.is_placed and not each.link)
        return cents + sum(each.staked for each in bets)

    def why_not(self, number: int) -> str:
        """Return why nothing should be bet on round ``number``; "" for no reason."""
        if unproven := self.unproven(number):
            return f"Round {unproven[0].number} is not proven"
        if self.fell is None:
            return ""
        lost = dollars(self.fell.lost)
        return f"Your balance fell by {lost}, and the server has not told you why"

    def wanted(self, number: int) -> int:
        """Return how many rounds to ask for while ``number`` is on; 0 for none."""
        missed = [o.number for o in self.unproven(number) if not o.is_doubtful]
        if self.fell is not None:
            missed.append(self.fell.since)
        return min(MOST_RECALLED, max(1, number - min(missed) + 1)) if missed else 0

    def ask(self, rounds: int, number: int) -> None:
        """Note that so many rounds are asked for, by us or by a player."""
        self._asked.append(number - rounds + 1 if rounds < MOST_RECALLED else 0)

    def refuse(self, code: RefusalCode) -> None:
        """Note what the server refuses, which may be a recall."""
        if code in ABOUT_RECALLS and self._asked:
            self._asked.popleft()

    def lose(self) -> None:
        """Note that the line is lost, with all that was asked for on it."""
        self._asked.clear()

    def recall(
        self,
        table: str,
        number: int,
        past: Sequence[PastRound],
        run: str,
        cents: int | None,
    ) -> None:
        """Check the rounds missed before round ``number``, as they are recalled.

        A player may have asked for fewer than we would: those before them are owed
        still. ``run`` is that of the server that recalls them, and ``cents`` are what
        it has told that we have now; None if that is not certain.
        """
        known = {each.round: each for each in past if each.table == table}
        oldest = self._asked.popleft() if self._asked else 0
        missed = self.unproven(number)
        ours = {*self._proven, *(owed.number for owed in missed)}
        for owed in missed:
            owed.may_be_lost = owed.may_be_lost and owed.draw.run == run
            if owed.number >= oldest or owed.number in known:
                self._recall(owed, known.get(owed.number))
        told = [n for n in self._proven if n in known and self._is_other(known[n])]
        for each in told:
            if self._proven[each][0] == run:
                what = "it is recalled otherwise than it was proven"
                self._report.find(what, number=each)
        last = max(ours, default=0)
        if self.fell is None and last in known and last not in {*self._proven, *self}:
            self.fell = Fall.after(known[last], number, cents)
        if self.fell is not None and self.fell.since < oldest:
            return
        fell, self.fell = self.fell, None
        fallen = [] if fell is None else fell.compare(table, past, ours, self._ways)
        is_back = any(self._proven[each][0] != run for each in told)
        if fell is not None and fell.is_restarted:
            is_back |= any(isinstance(each, Finding) for each in fallen)
        if is_back:  # by the books of a backup
            back = min([*told, number]) if fell is None else fell.before
            self.go_back(back, None if fell is None else fell.lost)
        else:
            self._report.add(*fallen)

    def prove(
        self, deal: Deal, house: House | None, seat: int | None, run: str
    ) -> None:
        """Remember a round that is proven; the server may be asked for it again."""
        if house is not None and seat is not None and seat in deal.bets:
            for old in list(self._proven)[: 1 - MOST_RECALLED]:
                del self._proven[old]
            self._proven[deal.number] = run, partial(deal.results, house, seat)

    def _is_other(self, past: PastRound) -> bool:
        """Whether a proven round is recalled otherwise than it was proven."""
        told, (_, due) = past.end, self._proven[past.round]
        results = past.bet, past.spots, past.hands, past.dealer
        is_same = told is RoundEnd.SETTLED and results == due()
        return past.is_retold and not is_same

    def doubt(self) -> None:
        """Note that what servers have told meanwhile was missed, maybe a step back."""
        for owed in self.values():
            owed.may_be_undone = True

    def go_back(self, number: int, lost: int | None) -> None:
        """Go on from books of before, as round ``number`` is told to be on."""
        self.clear()
        self._proven.clear()
        self._answers.forget()
        self._report.add(self._ways.go_back(number, self.ended, lost))
        self.ended = min(self.ended, number - 1)

    def _recall(self, owed: OwedRound, told: PastRound | None) -> None:
        if owed.is_doubtful or None in (owed.draw.house, owed.draw.sealer):
            return  # nothing more can be said of it
        try:
            if told is None:
                raise RefutedError("it is not among your last rounds")
            brought = owed.check(told)
            del self[owed.number]
            for each in owed.unheard:
                said = each.by.value, each.action.value, each.amount or 0
                self._answers.check_unheard(owed.number, math.inf, *said)
            if owed.is_undone:
                self._report.add(self._ways.play_again(owed.number))
            self._tell(owed, told, brought)
        except RefutedError as refuted:
            self._refuse(owed, refuted, told)

    def _tell(self, owed: OwedRound, told: PastRound, brought: int | None) -> None:
        draw, number = told.draw, owed.number
        if told.end is RoundEnd.SETTLED and draw is not None:
            digits = digits_of(draw.head, draw.links)
            is_ours = bool(owed.link)
            self._report.add(Proof(round=number, digits=digits, is_ours=is_ours))
        elif owed.link is None:
            return
        elif told.end is RoundEnd.RETURNED and (
            owed.may_be_lost or (brought is not None and brought <= 0)
        ):
            self._report.add(self._ways.leave_out(number))
            if brought is not None and brought > 0:
                self._report.add(*self._ways.miss_win(number))
        else:
            is_void = told.end is RoundEnd.VOID
            how = "the round is void" if is_void else "your bet is back"
            self._break_off(owed, how, brought)

    def _break_off(self, owed: OwedRound, how: str, brought: int | None) -> None:
        is_shown = owed.deal is not None and owed.deal.is_shown
        told = self._ways.break_off(owed.number, how, brought, is_shown=is_shown)
        self._report.add(told)

    def _refuse(
        self, owed: OwedRound, refuted: RefutedError, told: PastRound | None
    ) -> None:
        if told is not None and told.draw is not None:
            what = f"as it is recalled, {refuted.what}"
            self._report.find(what, refuted.told, refuted.due, number=owed.number)
            owed.is_doubtful = True
        elif told is not None or owed.is_placed:  # else it never came, as nothing says
            what = f"you have not heard its end, and {refuted.what}"
            remark = self._ways.leave_untold(owed.number, what)
            self._report.add(remark)
            owed.is_doubtful = isinstance(remark, Finding)
        if not owed.is_doubtful:
            del self[owed.number]
