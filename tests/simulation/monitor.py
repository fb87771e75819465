"""The monitor: hears all that a server says, at once, and holds it to its promises."""

import random
import re
from collections import Counter, deque
from functools import cache
from typing import Any, get_type_hints

from bj_client.model.table import Table
from bj_protocol import events
from bj_protocol.action import By
from bj_protocol.messages import Message, Recalled, Signed, Snapshot, TableList, Update
from bj_protocol.model import HIDDEN
from bj_protocol.views import Phase, Turn
from simulation.ear import read
from simulation.failure import Failure, hold
from whole.invariant import known

_SLACK = 0.002
"""Seconds by which a clock may be told otherwise, being in whole milliseconds."""
_SIZE = 64
"""Digits of a secret."""
_DIGITS = re.compile(f"[0-9a-f]{{{_SIZE},}}")
_KEPT = 200
_LATEST = 15.0
"""Seconds after its end in which a prompt is over, on the slowest disk."""


class Secrets:
    """All that a server draws in secret, and which of it may be told."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.live: set[str] = set()
        self.keys: set[str] = set()

    def token_hex(self, count: int = _SIZE // 2) -> str:
        token = self._draw(count).hex()
        self.live.add(token)
        return token

    def token_bytes(self, count: int = _SIZE // 2) -> bytes:
        token = self._draw(count)
        self.keys.add(token.hex())
        return token

    def _draw(self, count: int) -> bytes:
        assert 2 * count == _SIZE, "it would not be looked for"
        return self._chance.randbytes(count)

    def check_log(self, text: str) -> None:
        hold(not self._found_in(text), "no secret is told", text)

    def check(self, text: str, message: Message) -> None:
        for secret in self._found_in(text):
            hold(secret not in self.keys, "no secret is told", "the key of the server")
            hold(secret in _told_in(message), "no secret is told", text)
            self.live.discard(secret)

    def _found_in(self, text: str) -> list[str]:
        """Return the secrets that a text has, in digits that others may surround."""
        return [
            part
            for digits in _DIGITS.findall(text)
            for start in range(len(digits) - _SIZE + 1)
            if (part := digits[start : start + _SIZE]) in self.live or part in self.keys
        ]


def _told_in(message: Message) -> set[str]:
    """Return the secrets that a message may have."""
    match message:
        case Update():
            ends = (events.RoundEnded, events.RoundVoided)
            return {e.secret or "" for e in message.events if isinstance(e, ends)}
        case Snapshot(story=story):
            if story is None:
                return set()
            start = story.start
            return {story.run} if start is None else {story.run, start.salt}
        case Signed(note=note):
            return {note, *note.split()}
        case Recalled(rounds=rounds):
            return {p.draw.secret or "" for p in rounds if p.draw is not None}
        case _:
            return set()


class TableMonitor:
    """Holds what is said at one table to what was said before."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.fold: Table | None = None
        """What a client knows that has heard all; None where something is missing."""
        self.rounds = 0
        self.deadlines: dict[int, float] = {}
        """When each open prompt ends."""
        self.is_resumed = False
        """Whether the clock may have begun anew, since the server did."""
        self._told_alone = 0
        """The last update that only said something, as that the bank cannot write: of
        its number nothing may be on the disk, and another server gives it again."""
        self.said: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        self.cards: Counter[str] | None = None
        self.staked: set[tuple[str, int, str, int]] = set()
        self.paid: set[tuple[str, int, str, int]] = set()
        self.played: dict[int, list[events.Event]] = {}
        """What was told of each round that was heard from its deal to its end."""
        self._playing: list[events.Event] | None = None
        self._now = 0.0

    def doubt(self) -> None:
        """Note that something may be missing."""
        self.fold, self._playing = None, None

    def restart(self) -> None:
        """Note that another server goes on."""
        self.is_resumed = True
        self.said.clear()

    def hear(self, message: Snapshot | Update, text: str, now: float) -> None:
        self._now = now
        if isinstance(message, Snapshot):
            self._picture(message)
        else:
            if self.fold is not None and message.seq <= self.fold.seq:
                self._again(message, text)
                return
            if not self._update(message, text):
                return
        self._clock(message.turn, now)
        self._check_hole()

    def _again(self, update: Update, text: str) -> None:
        """Hold an update to what it was when it was told first."""
        first = next((old for seq, old in self.said if seq == update.seq), None)
        hold(first in (None, text), "no update is told twice otherwise", text)

    def _picture(self, picture: Snapshot) -> None:
        fold, shown = self.fold, Table(picture)
        is_again = self.is_resumed and self._told_alone == picture.seq
        if fold is not None and fold.seq == picture.seq and not is_again:
            name = "a picture is what was told"
            if self.is_resumed:
                name = "a resumed table is as it was"
            is_on = fold.phase is Phase.PLAYING or not self.is_resumed
            if is_on and picture.phase is not Phase.WAITING:
                _compare(name, fold, shown, is_resumed=self.is_resumed)
                return
        is_back = fold is not None and picture.seq < fold.seq
        if fold is not None and not self.is_resumed and is_back:
            raise Failure("the story goes on", f"{picture.seq} after {fold.seq}")
        self.fold, self.cards, self._playing = shown, None, None
        self.deadlines.clear()

    def _update(self, update: Update, text: str) -> bool:
        fold = self.fold
        self.said.append((update.seq, text))
        if fold is None:
            return False
        if update.seq != fold.seq + 1:
            self.doubt()  # nobody was there to hear what is missing
            return False
        self.is_resumed = False
        match update.events:
            case (events.Announced(),):
                self._told_alone = update.seq
            case _:
                pass
        for event in update.events:
            self._event(event, fold)
            self._keep(event)
            fold.fold(event)
        fold.finish(update)
        return True

    def _event(self, event: events.Event, fold: Table) -> None:
        match event:
            case events.CardDealt(card=card) | events.HoleRevealed(card=card):
                self._card(card, fold)
            case events.BetPlaced(seat=seat, amount=amount, spots=spots):
                name = "each answer counts once"
                hold(not fold.seat(seat).bet, name, event)
                bet = (fold.name, fold.round, fold.seat(seat).handle, amount * spots)
                self.staked.add(bet)
            case events.HandSettled(seat=seat, payout=payout):
                handle = fold.seat(seat).handle
                hand = fold.hand(seat, event.hand)
                hold(hand.outcome is None, "a hand is settled once", event)
                self.paid.add((fold.name, fold.round, handle, payout))
            case events.RoundEnded():
                self.rounds += 1
                self._check_settled(fold)
            case events.ShoeShuffled() | events.DiscardsShuffled():
                is_new = isinstance(event, events.ShoeShuffled)
                self.cards = Counter() if is_new else _on_table(fold)
            case events.Announced():
                self.put_off()  # the bank could not write, perhaps, and now it can
            case _:
                pass
        if _told(event, "by") is By.CLOCK:
            seat = _told(event, "seat")
            asked = [ask.prompt for ask in fold.asks if ask.seat == seat]
            ends = [self.deadlines.get(prompt, 0.0) for prompt in asked]
            is_over = max(ends, default=0.0) <= self._now + _SLACK
            hold(is_over, "the clock decides in time", (event, ends, self._now))
        balance = _told(event, "balance")
        hold(balance is None or balance >= 0, "nobody is below zero", event)

    def _keep(self, event: events.Event) -> None:
        match event:
            case events.RoundBegan():
                self._playing = [event]
            case events.RoundEnded() if self._playing is not None:
                self.played[event.round] = [*self._playing, event]
                self._playing = None
            case events.RoundVoided():
                self._playing = None
            case _ if self._playing is not None:
                self._playing.append(event)
            case _:
                pass

    def _check_settled(self, fold: Table) -> None:
        for seat in fold.seats.values():
            for hand in seat.hands:
                hold(hand.outcome, "every hand is settled", seat)

    def _card(self, card: str, fold: Table) -> None:
        if self.cards is None or card == HIDDEN or fold.shoe.cards_left is None:
            return
        self.cards[card] += 1
        is_there = self.cards[card] <= fold.shoe.decks
        hold(is_there, "every card of a shoe exists once", self.cards)

    def _clock(self, turn: Turn | None, now: float) -> None:
        asks = () if turn is None else turn.asks
        left = None if turn is None else turn.milliseconds
        old, self.deadlines = self.deadlines, {}
        if left is None:
            return
        for ask in asks:
            end = now + left / 1000
            due = old.get(ask.prompt)
            is_same = due is None or abs(end - due) <= _SLACK or self.is_resumed
            is_same |= not left and due is not None and due <= now + _SLACK
            hold(is_same, "a clock runs on", (ask.prompt, due, end))
            self.deadlines[ask.prompt] = end

    def put_off(self) -> None:
        """Note that the clocks stood still, or may have."""
        self.deadlines.clear()

    def _check_hole(self) -> None:
        fold = self.fold
        if fold is None or fold.phase is not Phase.PLAYING or not fold.asks:
            return
        seen = sum(card != HIDDEN for card in fold.dealer.cards)
        hold(seen <= 1, "no hidden card is told", fold.dealer.cards)

    def check_time(self, now: float) -> None:
        """See that no prompt is open for longer than it was to be."""
        for prompt, end in self.deadlines.items():
            hold(now < end + _LATEST, "every prompt ends", (self.name, prompt))


@cache
def _has(kind: Any, name: str) -> bool:
    return name in get_type_hints(kind)


def _told(event: events.Event, name: str) -> Any:
    """Return a field of an event; None where it has none of this name."""
    kind: Any = type(event)
    return getattr(event, name) if _has(kind, name) else None


def _on_table(fold: Table) -> Counter[str]:
    cards = [*fold.dealer.cards]
    for seat in fold.seats.values():
        for hand in seat.hands:
            cards += hand.cards
    return Counter(card for card in cards if card != HIDDEN)


def _compare(
    name: str, folded: Table, shown: Table, *, is_resumed: bool = False
) -> None:
    ours, theirs = _facts(folded, is_resumed), _facts(shown, is_resumed)
    for key, value in ours.items():
        if value != theirs[key]:
            raise Failure(name, f"{key}: {value} was told, and {theirs[key]} is shown")


def _facts(table: Table, is_resumed: bool) -> dict[str, Any]:
    facts = known(table)
    if is_resumed:  # nobody is on the line any more, which nobody was told
        facts["seats"] = {
            seat.number: (seat.handle, seat.balance, seat.bet, seat.hands)
            for seat in table.seats.values()
        }
    return facts


class Monitor:
    """Hears all tables."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self.tables: dict[str, TableMonitor] = {}
        self.rounds = 0
        """Those that were told to their end."""
        self._last = ""

    def table(self, name: str) -> TableMonitor:
        if name not in self.tables:
            self.tables[name] = TableMonitor(name)
        return self.tables[name]

    def hear(self, text: str, now: float) -> None:
        if text == self._last:
            return  # which is said to another one at the table
        self._last, message = text, read(text)
        self._secrets.check(text, message)
        if isinstance(message, Snapshot | Update):
            table = self.table(message.table)
            before = table.rounds
            table.hear(message, text, now)
            self.rounds += table.rounds - before
        elif isinstance(message, TableList):
            hold(message.tables, "there is a table")

    def restart(self) -> None:
        self._last = ""
        for table in self.tables.values():
            table.restart()

    def doubt(self) -> None:
        """Note a power cut: plays that were told may be lost, bets and payouts not."""
        for table in self.tables.values():
            table.doubt()

    def put_off(self) -> None:
        for table in self.tables.values():
            table.put_off()

    def check_time(self, now: float) -> None:
        for table in self.tables.values():
            table.check_time(now)
