"""The memory of somebody who hears all that is told at a table, round by round.

It knows nothing of the journal. What a player recalls is held against it.
"""

from dataclasses import dataclass, field
from typing import Any

from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import AnyAnswer, Insure
from bj_protocol.messages import Recalled, Update
from bj_protocol.recall import PastHand, PastInsurance, PastRound, RoundEnd
from bj_protocol.views import Ask, SeatLink

_NO_PLAYS = {Action.PLACE_BET, Action.SIT_OUT, Action.ACCEPT_GIFT}
_Decision = tuple[int, Action, By | None, int | None]


@dataclass
class MemoryHand:
    cards: list[str] = field(default_factory=list)
    stake: int = 0
    insurance: int = 0
    outcome: Any = None
    reason: Any = None
    payout: int = 0
    insured: tuple[Any, int, int] | None = None


@dataclass
class MemoryRound:
    """One round of one player, as it was told."""

    round: int
    seat: int
    before: int
    bet: int
    spots: int
    seal: str | None
    hands: list[MemoryHand] = field(default_factory=list)
    dealer: list[str] = field(default_factory=list)
    decisions: list[_Decision] = field(default_factory=list)
    links: tuple[SeatLink, ...] = ()
    secret: str | None = None
    is_dealt: bool = False
    end: RoundEnd | None = None
    after: int = 0


class Memory:
    """What was told at one table, for every handle that ever sat there."""

    def __init__(self) -> None:
        self.rounds: dict[str, list[MemoryRound]] = {}
        """The rounds that are over, by handle, the newest last."""
        self._handles: dict[int, str] = {}
        self._balances: dict[str, int] = {}
        self._live: dict[str, MemoryRound] = {}
        self._number = 0
        self._seal: str | None = None
        self._heard = 0

    def said(self, handle: str, ask: Ask, answer: AnyAnswer) -> None:
        """Note an answer that is about to be accepted."""
        if answer.type in _NO_PLAYS:
            return
        amount = answer.amount if isinstance(answer, Insure) else None
        decision = (ask.hand, answer.type, By.PLAYER, amount)
        self._live[handle].decisions.append(decision)

    def unsaid(self, handle: str) -> None:
        """Forget the last answer, which was refused."""
        self._live[handle].decisions.pop()

    def hear(self, updates: list[Update]) -> None:
        """Take in what was told since the last time."""
        for update in updates[self._heard :]:
            for event in update.events:
                self._fold(event)
        self._heard = len(updates)

    def _of(self, seat: int) -> MemoryRound:
        return self._live[self._handles[seat]]

    def _fold(self, event: events.Event) -> None:
        seat = getattr(event, "seat", 0)
        self._fold_table(event)
        if isinstance(event, events.CardDealt):
            cards = self._dealt(event.seat, event.hand)
            for hand in cards:
                hand.append(event.card)
        elif isinstance(event, events.HoleRevealed):
            for live in self._live.values():
                live.dealer = [event.card if c == "??" else c for c in live.dealer]
        elif seat in self._handles:
            self._fold_hand(event, self._handles[seat])
        balance = getattr(event, "balance", None)
        if balance is not None and seat in self._handles:
            self._balances[self._handles[seat]] = balance
        if isinstance(event, events.BetReturned):
            handle = self._handles[event.seat]
            is_dealt = self._live[handle].is_dealt
            self._close(handle, RoundEnd.VOID if is_dealt else RoundEnd.RETURNED)

    def _dealt(self, seat: int, hand: int) -> list[list[str]]:
        if seat == 0:
            return [live.dealer for live in self._live.values()]
        return [self._of(seat).hands[hand].cards]

    def _fold_table(self, event: events.Event) -> None:
        match event:
            case events.PlayerJoined():
                self._handles[event.seat] = event.handle
            case events.PlayerLeft():
                self._handles.pop(event.seat, None)
            case events.RoundBegan():
                self._number = event.round
                for seat in event.seats:
                    live = self._of(seat)
                    live.is_dealt, live.round = True, event.round
                    live.links = event.links
                    stakes = [MemoryHand(stake=live.bet) for _ in range(live.spots)]
                    live.hands = stakes
            case events.BettingOpened():
                self._number, self._seal = event.round, event.seal
            case events.RoundVoided():
                for live in self._live.values():
                    live.secret = event.secret
            case events.RoundEnded():
                for handle in list(self._live):
                    self._live[handle].secret = event.secret
                    self._close(handle, RoundEnd.SETTLED)
            case _:
                pass

    def _fold_hand(self, event: events.Event, handle: str) -> None:
        if isinstance(event, events.BetPlaced):
            over = self.rounds.setdefault(handle, [])
            is_again = over and over[-1].round == self._number
            if is_again and over[-1].end is RoundEnd.RETURNED:
                over.pop()  # the bet came back, and was placed again
            self._live[handle] = MemoryRound(
                round=self._number,
                seat=event.seat,
                before=self._balances[handle],
                bet=event.amount,
                spots=event.spots,
                seal=self._seal,
            )
            return
        live = self._live.get(handle)
        number = getattr(event, "hand", None)
        if live is None or number is None:
            return
        hand = live.hands[number]
        match event:
            case events.HandSplit(new_hand=new, stake=stake):
                moved = MemoryHand([hand.cards.pop()], stake=stake)
                live.hands.insert(new, moved)
            case events.HandInsured():
                hand.insurance = event.amount
            case events.HandDoubled():
                hand.stake = event.stake
            case events.HandStood() | events.SplitDeclined() | events.OfferDeclined():
                self._decided(event, live)
            case events.InsuranceSettled():
                hand.insured = (event.outcome, event.amount, event.payout)
            case events.HandSettled():
                hand.outcome, hand.reason = event.outcome, event.reason
                hand.payout = event.payout
            case _:
                pass

    def _decided(
        self,
        event: events.HandStood | events.SplitDeclined | events.OfferDeclined,
        live: MemoryRound,
    ) -> None:
        if event.by in (By.CLOCK, By.ABSENCE):
            is_stand = isinstance(event, events.HandStood)
            action = Action.STAND if is_stand else Action.DECLINE
            live.decisions.append((event.hand, action, event.by, None))

    def _close(self, handle: str, end: RoundEnd) -> None:
        live = self._live.pop(handle)
        live.end, live.after = end, self._balances[handle]
        self.rounds.setdefault(handle, []).append(live)

    # Holding against it.

    @property
    def has_bets(self) -> bool:
        """Whether a bet is placed and not dealt."""
        return any(not live.is_dealt for live in self._live.values())

    def compare(self, handle: str, recalled: Recalled, most: int = 20) -> int:
        """Hold what was recalled against what was told; return how many rounds."""
        due = self.rounds.get(handle, [])[-most:]
        assert len(recalled.rounds) == len(due)
        for past, told in zip(recalled.rounds, due, strict=True):
            self._compare(past, told)
        return len(due)

    def _compare(self, past: PastRound, told: MemoryRound) -> None:
        assert (past.round, past.end, past.is_retold) == (told.round, told.end, True)
        assert (past.balance_before, past.balance_after) == (told.before, told.after)
        if not told.is_dealt:
            assert (past.draw and past.draw.secret) == told.secret
            assert past.bet == told.bet * told.spots
            assert (past.seat, past.hands, past.dealer) == (None, (), None)
            return
        assert (past.seat, past.bet, past.spots) == (told.seat, told.bet, told.spots)
        assert [_known(hand) for hand in past.hands] == told.hands
        assert past.dealer is not None
        assert list(past.dealer.cards) == told.dealer
        _compare_decisions(past, told)
        draw = past.draw
        assert draw is not None
        assert (draw.seal, draw.links) == (told.seal, told.links)
        assert draw.secret == told.secret


def _compare_decisions(past: PastRound, told: MemoryRound) -> None:
    """Hold the decisions together; it is not told who values aces for a player."""
    by_name = {Action.ACE_HIGH, Action.ACE_LOW, Action.HIT, Action.GIVE_UP}
    made = [
        (each.hand, each.action, each.by, each.amount)
        for each in past.decisions
        if each.by is By.PLAYER or each.action not in by_name
    ]
    assert made == told.decisions


def _known(hand: PastHand) -> MemoryHand:
    insured = hand.insured
    return MemoryHand(
        cards=list(hand.cards),
        stake=hand.stake,
        insurance=hand.insurance,
        outcome=hand.outcome,
        reason=hand.reason,
        payout=hand.payout,
        insured=None if insured is None else _settled(insured),
    )


def _settled(insured: PastInsurance) -> tuple[Any, int, int]:
    return insured.outcome, insured.amount, insured.payout
