"""The shrinker: leaves out of a plan whatever its failure does not need."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from simulation.failure import Failure
from simulation.plan import Plan
from simulation.play import Plant, play, sound

_TRIES = 150
"""Worlds that are played to find a smaller one."""


def shrink(plan: Plan, failure: Failure, folder: Path, fault: Plant = sound) -> Plan:
    """Return the smallest plan that is found to break the same property."""
    smaller, is_news = plan, True
    tries = 0
    while is_news:
        is_news = False
        for candidate in _candidates(smaller):
            tries += 1
            if tries > _TRIES:
                return smaller
            _, ended = play(candidate, folder / "shrunk", fault=fault)
            if isinstance(ended, Failure) and ended.kind == failure.kind:
                smaller, is_news = candidate, True
                break
    return smaller


def _candidates(plan: Plan) -> Iterator[Plan]:
    """Go through plans that lack something, the smallest first."""
    for rounds in (1, 2, plan.rounds // 2, plan.rounds - 1):
        if 0 < rounds < plan.rounds:
            yield replace(plan, rounds=rounds)
    size = len(plan.incidents)
    while size:
        for start in range(0, len(plan.incidents), size):
            left = plan.incidents[:start] + plan.incidents[start + size :]
            yield replace(plan, incidents=left)
        size //= 2
    for table in plan.tables[1:]:
        tables = tuple(each for each in plan.tables if each is not table)
        guests = tuple(each for each in plan.guests if each.table != table.name)
        yield replace(plan, tables=tables, guests=guests)
    for guest in plan.guests:
        if len(plan.guests) > 1:
            yield replace(
                plan, guests=tuple(each for each in plan.guests if each is not guest)
            )
