"""The stroll: from the lobby to a table, and back to the lobby from a closed door."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from bj_client.lobby.lobby import Choice, Lobby
from bj_protocol.views import TableView


class Chooser(Protocol):
    """Whoever shows a lobby, and lets a player choose."""

    async def choose(self) -> Choice | None:
        """Return where the player goes; None if that is nowhere.

        Raises:
            Interrupted: on Ctrl-C.
        """
        ...


def needs_choice(tables: tuple[TableView, ...], code: str | None) -> bool:
    """Say whether there is more than one way, or a code to ask for."""
    return len(tables) > 1 or any(table.private and code is None for table in tables)


async def stroll(
    lobby: Lobby, chooser: Chooser, visit: Callable[[Choice], Awaitable[str | None]]
) -> None:
    """Let a player choose tables until a visit is over, or the player leaves.

    ``visit`` goes to a table. It returns None once the player has left for good, and
    otherwise why the player is back in the lobby: the sentence of a refusal, or an
    empty one where that was the player's own wish.

    Raises:
        Ending: if a visit has ended otherwise.
    """
    while (choice := await chooser.choose()) is not None:
        refusal = await visit(choice)
        if refusal is None:
            return
        lobby.refuse(refusal)
