"""Records: what a table writes into the journal so that it can go on, or be audited.

They are written as plain dictionaries, for speed, and read back by these models, which
take nothing on trust.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bj_game.play import Decider, Play, Reply
from bj_game.player import Stake
from bj_protocol.action import Action
from bj_protocol.cut import Cut, Hex
from bj_protocol.views import Phase, Presence
from bj_server.table.stream import Stream

__all__ = [
    "AnswerRecord",
    "DealRecord",
    "DealtSeat",
    "SeatState",
    "ShoeRecord",
    "ShuffleRecord",
    "TableState",
]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ShoeRecord(_Record):
    """A shoe that is put on the table; ``secret`` and ``cuts``, or ``seed``."""

    shoe: int
    """Its number, from 1, since the server that made it was started."""
    seed: int | None = None
    """A small number, known to everyone."""
    secret: Hex | None = Field(default=None, repr=False)
    """The seed of the server, 256 bits."""
    cuts: tuple[tuple[int, str, Hex], ...] = ()
    """The seat, the handle and the nonce of each player who has cut."""
    words: int = Field(default=0, ge=0)
    """How far the source of its order had come; see ``KeyedStream.words``."""
    stack: str = ""
    """The cards that were laid on top, for teaching and tests."""

    @property
    def stream(self) -> Stream | None:
        """What the order was drawn from; None for one from a small seed."""
        if self.secret is None:
            return None
        cuts = [Cut(seat=s, handle=h, nonce=nonce) for s, h, nonce in self.cuts]
        asked = frozenset(cut.handle for cut in cuts)
        return Stream(bytes.fromhex(self.secret), asked, tuple(cuts))


class ShuffleRecord(_Record):
    """A shuffle by hand of the ``left`` cards that are not dealt."""

    left: int = Field(ge=0)


class DealtSeat(_Record):
    """A seat that is dealt in; amounts in cents, ``stake`` on each of ``spots``."""

    seat: int
    handle: str
    stake: int
    spots: int
    funds: int

    def as_stake(self) -> Stake:
        """Return what the seat brings into the round."""
        return Stake(
            seat=self.seat, amount=self.stake, spots=self.spots, funds=self.funds
        )


class DealRecord(_Record):
    """A round that is dealt, with the shoe as it is before the first card."""

    house: str
    dealt: int = Field(ge=0)
    words: int = Field(ge=0)
    seats: tuple[DealtSeat, ...]


class AnswerRecord(_Record):
    """A decision in a round, by whoever made it; ``amount`` is that of an insurance."""

    seat: int
    play: Play
    by: Decider
    amount: int = 0

    def as_reply(self) -> Reply:
        """Return the decision as the round takes it."""
        return Reply(play=self.play, amount=self.amount, by=self.by)


class SeatState(_Record):
    """A taken seat; the fields are those of ``bj_server.table.seat.Seat``."""

    seat: int
    handle: str
    presence: Presence = Presence.HERE
    bet: int = 0
    spots: int = 1
    decided: bool = False
    broke: int = 0
    missed: int = 0
    cuts: bool = False
    rung: int = 0
    ask: int | None = None
    """The id of the open question."""
    last: tuple[int, Action, int] | None = None
    """The last accepted answer: prompt, kind, and the update that it led to."""


class TableState(_Record):
    """A table between two commands, as its seals have it."""

    version: Literal[1] = 1
    seq: int
    """The last update, that of the sealed command included."""
    prompt: int
    """The last question's id."""
    round: int
    phase: Phase
    dealt: int
    """Cards out of the shoe."""
    words: int
    """How far the source of the shoe has come."""
    seats: tuple[SeatState, ...] = ()
