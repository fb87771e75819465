"""Commands: everything that a client may say, in the imperative.

A command never names a handle or a seat: the connection said who it is once, in its
``Hello``, and proved it by the handle's key. A client that only looks on says
``Watch``. An answer names its prompt, so an answer that is sent again after a lost
connection never acts twice.
"""

from typing import Annotated, Literal

from pydantic import Field

from bj_protocol.action import Action
from bj_protocol.chat import MAX_CHAT
from bj_protocol.model import Hex, Model


class Hello(Model):
    """Open the conversation: who is speaking, and at which table to sit."""

    type: Literal["hello"] = "hello"
    version: int
    """The protocol version that the client speaks."""
    handle: str
    """The name of the player; see ``bj_protocol.handle`` for the rule."""
    table: str | None = None
    """The table's name; None for the server's first table."""
    key: str | None = Field(default=None, repr=False)
    """The proof that the handle is this player's; see ``bj_protocol.handle``."""
    code: str | None = Field(default=None, repr=False)
    """The code of a private table."""


class Watch(Model):
    """Open the conversation without a seat: to see what everyone may see."""

    type: Literal["watch"] = "watch"
    version: int
    """The protocol version that the client speaks."""
    table: str | None = None
    """The table's name; None for the server's first table."""
    code: str | None = Field(default=None, repr=False)
    """The code of a private table."""


class ListTables(Model):
    """Ask which tables there are, before or after the conversation is opened."""

    type: Literal["list_tables"] = "list_tables"
    version: int
    """The protocol version that the client speaks."""


class Leave(Model):
    """Give the seat up: an undealt bet comes back, a live hand is stood and settled."""

    type: Literal["leave"] = "leave"


class Resync(Model):
    """Ask for what was missed, for a client that has lost its place."""

    type: Literal["resync"] = "resync"
    seq: int | None = None
    """The last update that the client has. The server sends those after it, or a
    ``Snapshot`` if it has not kept them all; without a number always a ``Snapshot``."""


class Chat(Model):
    """Say something to everyone at the table; see ``bj_protocol.chat``."""

    type: Literal["chat"] = "chat"
    text: str = Field(max_length=MAX_CHAT)


class Recall(Model):
    """Ask for one's last rounds, which a ``Recalled`` tells to this line alone."""

    type: Literal["recall"] = "recall"
    rounds: int
    """How many, 1 to ``bj_protocol.recall.MOST_RECALLED``."""


class Link(Model):
    """Tell the link that the bet was committed to, now that the round is called."""

    type: Literal["link"] = "link"
    head: Hex
    """The head of the story after the call; see ``bj_protocol.proof``."""
    link: Hex


class Answer(Model):
    """An answer to one prompt; the concrete commands below are its kinds."""

    prompt: int
    """The id of the ``Ask`` that is answered."""


class PlaceBet(Answer):
    """Stake money on the coming round."""

    type: Literal[Action.PLACE_BET] = Action.PLACE_BET
    amount: int
    """Cents on each spot."""
    spots: int = 1
    """How many spots to play, each of which is dealt a hand."""
    commitment: Hex | None = None
    """The hash that binds the player to a link, by
    ``bj_protocol.proof.bet_commitment``; None for a bet without a part in the draw."""


class SitOut(Answer):
    """Let the coming round pass."""

    type: Literal[Action.SIT_OUT] = Action.SIT_OUT


class AcceptGift(Answer):
    """Take the money that the anonymous donor offers to a broke player."""

    type: Literal[Action.ACCEPT_GIFT] = Action.ACCEPT_GIFT


class Hit(Answer):
    """Take one more card."""

    type: Literal[Action.HIT] = Action.HIT


class Stand(Answer):
    """End the hand's turn."""

    type: Literal[Action.STAND] = Action.STAND


class Double(Answer):
    """Double the stake, take exactly one card, and end the hand's turn."""

    type: Literal[Action.DOUBLE] = Action.DOUBLE


class Split(Answer):
    """Make two hands of a pair, the second with a stake equal to the first."""

    type: Literal[Action.SPLIT] = Action.SPLIT


class Insure(Answer):
    """Wager that the dealer has a blackjack."""

    type: Literal[Action.INSURE] = Action.INSURE
    amount: int
    """Cents."""


class EvenMoney(Answer):
    """Have a natural settled at even money, whatever the dealer has."""

    type: Literal[Action.EVEN_MONEY] = Action.EVEN_MONEY


class Surrender(Answer):
    """Give the hand up for half of its stake."""

    type: Literal[Action.SURRENDER] = Action.SURRENDER


class AceHigh(Answer):
    """Count every ace of the hand 11."""

    type: Literal[Action.ACE_HIGH] = Action.ACE_HIGH


class AceLow(Answer):
    """Count every ace of the hand 1."""

    type: Literal[Action.ACE_LOW] = Action.ACE_LOW


class GiveUp(Answer):
    """Lose the hand at once, to be dealt a new one."""

    type: Literal[Action.GIVE_UP] = Action.GIVE_UP


class Decline(Answer):
    """Answer no to what is offered before the play: a split, insurance, even money."""

    type: Literal[Action.DECLINE] = Action.DECLINE


AnyAnswer = (
    PlaceBet
    | SitOut
    | AcceptGift
    | Hit
    | Stand
    | Double
    | Split
    | Surrender
    | GiveUp
    | Insure
    | EvenMoney
    | AceHigh
    | AceLow
    | Decline
)

Command = Annotated[
    Hello | Watch | ListTables | Leave | Resync | Chat | Recall | Link | AnyAnswer,
    Field(discriminator="type"),
]
"""Every message that a client may send."""
