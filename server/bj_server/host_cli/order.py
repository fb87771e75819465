"""Orders: the orders of the host to a server, and the server's replies."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bj_protocol.chat import MAX_CHAT

SOCKET_NAME = "host.sock"
"""The socket in the bank folder at which a server listens to its host."""


class _Order(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Proclaim(_Order):
    """Say something to everyone at a table, or at all of them."""

    do: Literal["say"] = "say"
    text: str = Field(max_length=MAX_CHAT)
    table: str | None = None


class About(_Order):
    """Do something about a player."""

    do: Literal["kick", "ban", "unban", "mute", "unmute", "invite", "uninvite"]
    handle: str = Field(max_length=64)


class Shuffle(_Order):
    """Put new cards on a table, or on all of them, as soon as no round is on."""

    do: Literal["shuffle"] = "shuffle"
    table: str | None = None


class Gift(_Order):
    """Give a player money, in cents."""

    do: Literal["gift"] = "gift"
    handle: str = Field(max_length=64)
    amount: int = Field(ge=1, le=10**15)


class ResetKey(_Order):
    """Have the key of a handle forgotten."""

    do: Literal["reset-key"] = "reset-key"
    handle: str = Field(max_length=64)


class Whole(_Order):
    """Tell who sits at the tables, is banned or invited; or end the whole server.

    A server that is drained begins no round any more, and stops once none is on.
    """

    do: Literal["tables", "bans", "invites", "drain"]


class Open(_Order):
    """Open a table."""

    do: Literal["open"] = "open"
    name: str = Field(max_length=64)
    house: str | None = None
    code: str | None = Field(default=None, min_length=6, max_length=64, repr=False)
    """The code of a private table; None for one that is open to all."""


class Close(_Order):
    """Close a table once its round is over."""

    do: Literal["close"] = "close"
    name: str = Field(max_length=64)


class Notice(_Order):
    """Tell everybody something, also those who come later; empty takes it back."""

    do: Literal["notice"] = "notice"
    text: str = Field(max_length=MAX_CHAT)


Order = Annotated[
    Proclaim | Notice | About | Gift | ResetKey | Shuffle | Open | Close | Whole,
    Field(discriminator="do"),
]

orders: TypeAdapter[Order] = TypeAdapter(Order)


class Reply(BaseModel):
    """The result of an order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    is_done: bool
    lines: tuple[str, ...]
    """The lines for the host; one sentence that says why, if it is not done."""
