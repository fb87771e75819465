"""Servers and PostgreSQL end at any step of a transfer, and no cent is lost or made."""

from pathlib import Path

import pytest

from .evening import run_evening
from .incident import (
    Incident,
    cut_lines,
    delay_replies,
    freeze_server,
    journal_goes_back,
    kill_at_a_step,
    kill_postgres,
    kill_server,
    postgres_goes_back,
    stop_server,
)

# What is measured here would not be the servers, which are other processes.
pytestmark = pytest.mark.no_cover


async def test_after_some_incidents_every_cent_is_in_one_place(tmp_path: Path) -> None:
    some: list[Incident] = [kill_at_a_step, kill_at_a_step, kill_postgres, cut_lines]
    print(await run_evening(tmp_path, 1, some, players=8))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(10))
async def test_after_200_kills_and_50_cuts_every_cent_is_in_one_place(
    tmp_path: Path, seed: int
) -> None:
    """Each seed has 20 kills and 5 cuts; 12 of the kills are between two steps."""
    all_of_them: list[Incident] = [
        *[kill_at_a_step] * 12,
        *[kill_server] * 4,
        *[kill_postgres] * 4,
        *[cut_lines] * 5,
        *[delay_replies] * 2,
        *[freeze_server, stop_server],
    ]
    print(await run_evening(tmp_path, seed, all_of_them))


async def test_what_goes_back_is_found_and_all_is_as_it_was(tmp_path: Path) -> None:
    both: list[Incident] = [postgres_goes_back, journal_goes_back]
    print(await run_evening(tmp_path, 1, both, players=8))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(4))
async def test_after_postgres_and_journals_went_back_20_times_all_is_as_it_was(
    tmp_path: Path, seed: int
) -> None:
    ten: list[Incident] = [*[postgres_goes_back] * 5, *[journal_goes_back] * 5]
    print(await run_evening(tmp_path, seed, ten, players=8))
