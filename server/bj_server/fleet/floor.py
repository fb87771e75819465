"""The floor: what the cage of a fleet asks of the rest of its server."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


def _nobody(handle: str) -> bool:
    return False


class Orders(Protocol):
    """Has a server follow the orders for a whole fleet."""

    async def follow(self, changes: int) -> None:
        """Do here what was ordered anywhere, if ``changes`` tells of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the cage asks of the tables of its server."""

    is_seated: Callable[[str], bool] = _nobody
    """Whether a handle has a seat."""
    is_coming: Callable[[str], bool] = _nobody
    """Whether a seat is kept for a handle that is about to have it."""
    table_of: Callable[[str], str] = lambda handle: ""
    """The table at which a handle is."""
    send_away: Callable[[str, str], None] = lambda handle, why: None
    """Has a handle leave its seat, and tells why."""
