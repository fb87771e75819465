"""The context: all that the phases of one table share, from its rules to its seats."""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bj_game.house import House, rules_of
from bj_game.shoe import HomemadeShoe, Shoe, shoe_of
from bj_protocol.events import BetReturned, RoundVoided, ShoeShuffled
from bj_protocol.proof import NO_HEAD, SECRET_BYTES, seal_of, terms_hash
from bj_protocol.views import SeatLink
from bj_server.bank.pending import PendingRound
from bj_server.bank.signer import Signer
from bj_server.bank.till import Till
from bj_server.gauges import NO_GAUGES, Gauges
from bj_server.table.clock import Clock, Pace
from bj_server.table.outgoing import Outgoing
from bj_server.table.records import (
    DealRecord,
    DrawRecord,
    TableState,
    drawn,
    numbers_of,
    shoe_of_deal,
    stated,
)
from bj_server.table.seat import Seat, Seats
from bj_server.table.shoe_source import ShoeSource
from bj_server.table.story import Story

_log = logging.getLogger(__name__)


class Cage(Protocol):
    """What a table asks of the bank of a fleet."""

    def left(self, handle: str) -> None:
        """Hear that a handle has left its seat, and may have its money home."""

    def has_more(self, handle: str) -> bool:
        """Whether a handle has money in the fleet that is not here."""


@dataclass(slots=True, kw_only=True)
class TableContext:
    """The state of a table apart from that of the running phase."""

    name: str
    house: House
    pace: Pace
    till: Till
    clock: Clock
    source: ShoeSource
    seats: Seats
    signer: Signer | None = None
    gauges: Gauges = NO_GAUGES
    cage: Cage | None = None
    """Where players of a fleet take their money home; None where it stays here."""
    outgoing: Outgoing = field(default_factory=Outgoing)
    round: int = field(init=False)
    """The number of the round that is bet on or played."""
    watchers: set[int] = field(default_factory=set)
    """The lines that look on without a seat."""
    muted: set[str] = field(default_factory=set)
    """The handles that the host lets chat no more, at all tables of the server."""
    notice: str = ""
    """The notice of the host; empty for none."""
    draining: str = ""
    """Why no round begins any more; empty while rounds are played."""
    rested: Callable[[], None] | None = None
    """The callbacks that want to hear that no round is on."""
    seq: int = 0
    """The number of the last update."""
    last_prompt: int = 0
    """The id of the last question that was asked."""
    story: Story | None = field(init=False, default=None)
    """The chained and signed updates; None where nothing is proven."""
    terms: str = field(init=False)
    """The hash of the rules."""
    seal: str | None = field(init=False, default=None)
    """The seal of the round that is bet on or played; None where nothing is proven."""
    secret: str = field(init=False, default="", repr=False)
    """The secret that is sealed, in hexadecimal."""
    seed: int | None = field(init=False, default=None)
    """The number that arranges the shoe in place of the secret, for tests."""
    head: str = field(init=False, default=NO_HEAD)
    """The head of the call of the round that is played."""

    @property
    def shoe(self) -> Shoe:
        """The shoe on the table."""
        return self.source.shoe

    def hold_ends(self, seat: Seat) -> float:
        """Return when the seat of a player who is lost is held no more."""
        return seat.away_since + self.pace.hold_seconds

    def post_return(self, seat: Seat, amount: int) -> None:
        """Say that cents have come back to a seat."""
        balance = self.till.balance(seat.handle)
        self.outgoing.post(
            BetReturned(seat=seat.number, amount=amount, balance=balance)
        )

    def void_round(self, text: str, missing: tuple[int, ...]) -> None:
        """Say why a round is void, and go on to the next one."""
        known = {"table": self.name, "round": self.round}
        _log.warning("the round is void, its stakes go back", extra=known)
        self.outgoing.post(
            RoundVoided(
                round=self.round,
                text=text,
                cards_left=self.shoe.left,
                until_cut=self.shoe.until_cut,
                secret=self.told_secret,
                missing=missing,
            )
        )
        self.round += 1

    def __post_init__(self) -> None:
        """Go on counting rounds where the journal stopped."""
        self.round = self.till.last_round + 1
        if self.signer is not None and self.source.is_proven:
            self.story = Story(self.signer, self.name)
        self.terms = terms_hash(rules_of(self.house))

    def open(self) -> None:
        """Begin with a new shoe, and name the rules that are played from now on."""
        rules, known = rules_of(self.house), self.till.pending.house
        if known is None or known.data.get("rules") != rules:
            self.till.record("house", None, {"rules": rules})
        self.replace_shoe()

    def resume(self, pending: PendingRound, state: TableState) -> None:
        """Go on with the numbers and the shoe of the server before.

        Between rounds a host who asks for another stack gets a new shoe.

        Raises:
            ValueError: if its records do not make a shoe.
        """
        self.seq, self.last_prompt, self.round = state.seq, state.prompt, state.round
        if pending.deal is not None:  # the cards of the round are dealt once more
            deal = DealRecord.model_validate(pending.deal.data)
            self.secret, self.seal, self.head = deal.secret, deal.seal, deal.head
            self.source.go_on(shoe_of_deal(self.house, deal), deal.contents)
            return
        if pending.draw is None or pending.draw.round != self.round:
            self.replace_shoe()
            return
        draw = DrawRecord.model_validate(pending.draw.data)
        self.secret = draw.secret
        if self.source.stack not in ("", draw.stack):
            self.replace_shoe()
            return
        self.source.go_on(shoe_of(self.house, draw.contents), draw.contents)
        if self.source.is_too_small(self.seats.count):  # there are more seats now
            self.replace_shoe()

    def prepare(self) -> None:
        """Draw the secret of the coming round, and seal it."""
        story = self.story
        if story is not None and self.shoe.contents.top:
            self.replace_shoe()  # a shoe that another server had stacked is not proven
        self.secret, self.seed = secrets.token_hex(SECRET_BYTES), None
        self.seal, self.head = None, NO_HEAD
        draw = drawn(self.secret, self.source.contents)
        if story is not None:
            draw |= {"key": story.key, "run": story.run, "head": story.head}
            self.seal = seal_of(
                key=story.key,
                run=story.run,
                table=self.name,
                round=self.round,
                terms=self.terms,
                secret=self.secret,
            )
        draw |= stated(stack=self.source.stack)
        self.till.record("draw", self.round, draw, durable=story is not None)

    def arrange(self, links: Sequence[SeatLink]) -> None:
        """Arrange the shoe for the round, by its secret, its call and these links."""
        told = [(each.seat, each.link) for each in links]
        self.shoe.arrange(numbers_of(self.secret, self.head, told, self.seed))
        if isinstance(self.shoe, HomemadeShoe):
            self._post_shoe(by_hand=True)

    @property
    def told_secret(self) -> str | None:
        """The secret of the round, for its end; None where nothing is proven."""
        return None if self.story is None else self.secret

    def mute(self, handle: str, *, is_muted: bool) -> None:
        """Let a player chat no more, or again."""
        (self.muted.add if is_muted else self.muted.discard)(handle)

    def next_prompt(self) -> int:
        """Return an id that no question at this table has had."""
        self.last_prompt += 1
        return self.last_prompt

    def freshen(self) -> None:
        """Shuffle or replace the shoe as the house does after a round."""
        if self.source.is_used_up(self.seats.count):
            self.replace_shoe()
        else:
            self.source.keep()

    def replace_shoe(self) -> None:
        """Put a full shoe on the table.

        In a house where a deck is a game, the ladder of bets begins at its foot again.
        """
        self.source.replace()
        if self.house.shoe == "never_refilled":
            for seat in self.seats:
                seat.rung = 0
        self._post_shoe()

    def _post_shoe(self, *, by_hand: bool = False) -> None:
        self.outgoing.post(
            ShoeShuffled(
                decks=self.house.decks,
                cards=self.shoe.left,
                until_cut=self.shoe.until_cut,
                by_hand=by_hand,
            )
        )
