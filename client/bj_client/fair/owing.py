"""Owing: which rounds with our money are to be proven yet, and what is recalled."""

from collections.abc import Iterator, Sequence

from bj_client.fair.draw import Draw
from bj_client.fair.finding import Finding, Proof, Remark
from bj_client.fair.owed import OwedRound, check_past
from bj_client.fair.proof import Refuted, digits_of
from bj_client.fair.ways_out import Ways
from bj_game.house import House
from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.recall import PastRound, RoundEnd


class Owing:
    """The rounds that are owed, by their numbers."""

    def __init__(self, ways: Ways) -> None:
        """Start with none."""
        self._ways = ways
        self._rounds: dict[int, OwedRound] = {}

    def __iter__(self) -> Iterator[OwedRound]:
        """Go through them, the oldest first."""
        return iter(sorted(self._rounds.values(), key=lambda owed: owed.number))

    def stake(self, event: events.BetPlaced, number: int, draw: Draw) -> None:
        """Note that we have money in a round now."""
        self._rounds[number] = OwedRound(
            number=number,
            seat=event.seat,
            amount=event.amount,
            spots=event.spots,
            balance=event.balance,
            seal=draw.seal,
            sealer=draw.sealed_by,
            commitment=draw.offered(number),
        )

    def offer(
        self, bet: PlaceBet, number: int, seat: int, cents: int, draw: Draw
    ) -> None:
        """Note that we may have money in a round, if the bet arrives."""
        self._rounds[number] = OwedRound(
            number=number,
            seat=seat,
            amount=bet.amount,
            spots=bet.spots,
            balance=max(0, cents - bet.amount * bet.spots),
            seal=draw.seal,
            sealer=draw.sealed_by,
            commitment=bet.commitment,
            is_placed=False,
        )

    def forget_offer(self, number: int) -> None:
        """Forget a bet that was not placed when the bets were closed."""
        owed = self._rounds.get(number)
        if owed is not None and not owed.is_placed:
            self.pop(number)

    def get(self, number: int) -> OwedRound | None:
        """Return a round; None if nothing is owed of it."""
        return self._rounds.get(number)

    def pop(self, number: int) -> OwedRound | None:
        """Forget a round, and return what was owed."""
        return self._rounds.pop(number, None)

    def clear(self) -> None:
        """Forget all."""
        self._rounds.clear()

    def doubt(self, number: int) -> None:
        """Note that a round was shown to be wrong, if we have money in it."""
        if number in self._rounds:
            self._rounds[number].is_doubtful = True

    def recall(
        self, due: Sequence[OwedRound], past: Sequence[PastRound], house: House
    ) -> list[Remark]:
        """Check those of the rounds that are ``due`` as the server recalls them."""
        known = {each.round: each for each in past}
        found: list[Remark] = []
        for owed in due:
            told = known.get(owed.number)
            try:
                if told is None:
                    raise Refuted("it is not among your last rounds")
                found += self._check(owed, told, house)
                self.pop(owed.number)
            except Refuted as refuted:
                if told is None and not owed.is_placed:
                    self.pop(owed.number)  # it never came, as nothing says
                    continue
                is_told = told is not None and told.draw is not None
                found.append(self._refuse(owed, refuted, is_told=is_told))
        return found

    def _check(self, owed: OwedRound, told: PastRound, house: House) -> list[Remark]:
        brought = check_past(owed, told, house)
        draw = told.draw
        if told.end is RoundEnd.SETTLED and draw is not None:
            digits = digits_of(draw.head, draw.links)
            return [Proof(round=owed.number, digits=digits, is_ours=bool(owed.link))]
        if owed.link is None:
            return []
        how = "the round is void" if told.end is RoundEnd.VOID else "your bet is back"
        number, is_shown = owed.number, owed.is_shown
        return [self._ways.break_off(number, how, brought, is_shown=is_shown)]

    def _refuse(self, owed: OwedRound, refuted: Refuted, *, is_told: bool) -> Remark:
        if is_told:
            owed.is_doubtful = True
            return Finding(
                round=owed.number,
                what=f"as it is recalled, {refuted.what}",
                told=refuted.told,
                due=refuted.due,
                is_alone=True,
            )
        what = f"you have not heard its end, and {refuted.what}"
        remark = self._ways.leave_untold(owed.number, what)
        if isinstance(remark, Finding):
            owed.is_doubtful = True
        else:
            self.pop(owed.number)
        return remark
