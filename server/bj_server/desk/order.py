"""Orders: what the host may tell a server, and how the server answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bj_protocol.chat import MAX_CHAT

__all__ = [
    "SOCKET_NAME",
    "About",
    "Bans",
    "Order",
    "Proclaim",
    "Reply",
    "Shuffle",
    "Tables",
    "orders",
]

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

    do: Literal["kick", "ban", "unban", "mute", "unmute"]
    handle: str = Field(max_length=64)


class Shuffle(_Order):
    """Put new cards on a table, or on all of them, as soon as no round is on."""

    do: Literal["shuffle"] = "shuffle"
    table: str | None = None


class Tables(_Order):
    """Tell who sits where."""

    do: Literal["tables"] = "tables"


class Bans(_Order):
    """Tell who is banned."""

    do: Literal["bans"] = "bans"


Order = Annotated[Proclaim | About | Shuffle | Tables | Bans, Field(discriminator="do")]

orders: TypeAdapter[Order] = TypeAdapter(Order)


class Reply(BaseModel):
    """What became of an order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    is_done: bool
    lines: tuple[str, ...]
    """What to show the host; a sentence that says why where it is not done."""
