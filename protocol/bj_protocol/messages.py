"""Messages: everything that the server says."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bj_protocol.action import Action
from bj_protocol.events import Event
from bj_protocol.model import Hex, Model, Signature
from bj_protocol.proof import StatementKind
from bj_protocol.recall import PastRound
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import (
    DealerView,
    HouseView,
    OfFleet,
    PaceView,
    PastKeys,
    Phase,
    SeatView,
    ShoeView,
    StoryView,
    TableView,
    Turn,
    You,
)


class Snapshot(Model):
    """A complete picture of the table; the first message after a ``Hello``."""

    type: Literal["snapshot"] = "snapshot"
    version: int
    """The protocol version that the server speaks."""
    table: str
    seq: int
    """The last update that is in this picture."""
    you: You | None
    """The receiver; None for a watcher."""
    house: HouseView
    pace: PaceView
    seat_count: int
    phase: Phase
    round: int
    """The round being bet on or played."""
    seats: tuple[SeatView, ...]
    """The taken seats, in the order of play."""
    dealer: DealerView
    shoe: ShoeView
    turn: Turn | None
    story: StoryView | None
    """The key and the head that the server signs; None where nothing is proven."""
    seal: Hex | None = None
    """The seal of the round while bets are taken; None where nothing is proven."""
    notices: tuple[str, ...]
    """Sentences to show: that the cards are not secret here, what came back to you."""


class Update(Model):
    """All that happened since the last update, and who must decide next.

    Everyone at the table receives the same bytes.
    """

    type: Literal["update"] = "update"
    table: str
    seq: int
    """One more than that of the update before."""
    events: tuple[Event, ...]
    turn: Turn | None
    """None while nobody is asked."""


class Signed(Model):
    """The server signs how its story is; it follows what it is about.

    ``bj_protocol.proof.statement`` has what is signed, with the key and the run that a
    ``Snapshot`` tells.
    """

    type: Literal["signed"] = "signed"
    table: str
    seq: int
    """The update after which the head is ``head``."""
    kind: StatementKind
    round: int
    head: Hex
    note: str = ""
    """Empty but for a start and a good-bye."""
    signature: Signature


class Refused(Model):
    """The last command was not carried out, and changed nothing."""

    type: Literal["refused"] = "refused"
    code: RefusalCode
    text: str
    """A sentence that names the thing and the remedy."""
    prompt: int | None
    """The prompt that the refused command named."""


class Answered(Model):
    """That prompt was answered before; this is what its first answer did."""

    type: Literal["answered"] = "answered"
    prompt: int
    answer: Action
    seq: int
    """The update that shows the effect."""


class Recalled(Model):
    """The last rounds of the receiver, in answer to a ``Recall``; the newest is last.

    Only rounds that are over are here, at whichever table of the server they were
    played.
    """

    type: Literal["recalled"] = "recalled"
    rounds: tuple[PastRound, ...]


class MovedWhy(StrEnum):
    """The reason why another server is the right one for a hello."""

    SEAT = "seat"
    """The handle has a seat there."""
    TABLE = "table"
    """The table that was named is there."""


class Moved(Model):
    """Say this hello to another server of the fleet; it claimed nothing here.

    Only servers of a fleet say so, in answer to a ``Hello`` with the right key or to a
    ``Watch``.
    """

    type: Literal["moved"] = "moved"
    version: int
    """The protocol version that the server speaks."""
    address: str
    """The other server's own, as ``ws://`` or ``wss://``."""
    table: str
    """The table to name there."""
    why: MovedWhy


class TableList(Model):
    """The tables of the server; the first is for clients that name none."""

    type: Literal["tables"] = "tables"
    version: int
    """The protocol version that the server speaks."""
    tables: tuple[TableView, ...]
    notice: str = ""
    """The notice of the host, one line; empty for none."""
    key: Hex | None = None
    """The server's public key, by which players know it; None if it has none."""
    past_keys: PastKeys = ()
    fleet: OfFleet = None


TableMessage = Snapshot | Update | Signed | Refused | Answered | Recalled
"""Every message for those at a table."""

Message = Annotated[TableMessage | TableList | Moved, Field(discriminator="type")]
"""Every message that a server may send."""
