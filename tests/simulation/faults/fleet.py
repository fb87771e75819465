"""Faults of a fleet: money that comes twice, or is not what the journal has."""

from dataclasses import replace
from typing import Any

import pytest

from bj_server.fleet.sql import players, recovery, visits
from bj_server.fleet.sql.connections import rows


def pay_a_visit_twice(patch: pytest.MonkeyPatch) -> None:
    """Credit a visit again whose end SQL has, as after a reply that was lost."""
    honest = visits.close

    async def close(connection: Any, me: Any, departure: Any) -> int | None:
        found = await rows(
            connection,
            "SELECT FROM visits WHERE id = %s AND cents_out IS NOT NULL",
            departure.id,
        )
        if found:
            await players.add(connection, departure.handle, departure.cents)
        return await honest(connection, me, departure)

    for module in (visits, recovery):
        patch.setattr(module, "close", close)


def give_an_opening_balance_twice(patch: pytest.MonkeyPatch) -> None:
    """Give an opening balance by another id, too."""
    honest = players.give

    async def give(connection: Any, id: str, handle: str, cents: int) -> Any:
        if id.startswith("opening/"):
            await honest(connection, f"{id}/again", handle, cents)
        return await honest(connection, id, handle, cents)

    patch.setattr(visits, "give", give)


def pay_what_came_in(patch: pytest.MonkeyPatch) -> None:
    """Close a visit with the money that it began with."""
    honest = visits.close

    async def close(connection: Any, me: Any, departure: Any) -> int | None:
        found = await rows(
            connection, "SELECT cents_in FROM visits WHERE id = %s", departure.id
        )
        cents = found[0].cents_in if found else departure.cents
        return await honest(connection, me, replace(departure, cents=cents))

    for module in (visits, recovery):
        patch.setattr(module, "close", close)
