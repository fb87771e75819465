"""Playing one plan, in a world of which the process sees nothing else."""

import gc
import os
import random
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import pytest

from bj_client.fair import linker
from simulation.failure import Failure
from simulation.plan import Plan
from simulation.world import Outcome, World

_GARBAGE = 100_000
"""Objects between two searches for garbage: a world leaves little, and is soon gone."""

Plant = Callable[[pytest.MonkeyPatch], None]
"""Puts a fault in."""


def sound(patch: pytest.MonkeyPatch) -> None:
    """Put no fault in."""


def play(
    plan: Plan,
    folder: Path,
    trace: int = 0,
    fault: Plant = sound,
) -> tuple[World, Failure | Outcome]:
    """Play a plan in ``folder``, which is made and is gone after, with a ``fault``."""
    with (
        ExitStack() as stack,
        pytest.MonkeyPatch.context() as patch,
        seldom_tidied(),
        _random_by(plan.seed),
    ):
        world = stack.enter_context(_world(plan, folder, patch, trace))
        patch.setattr("secrets.token_hex", world.secrets.token_hex)
        patch.setattr("secrets.token_bytes", world.secrets.token_bytes)
        links = random.Random(f"links {plan.seed}")
        drawn = SimpleNamespace(token_bytes=links.randbytes)
        patch.setattr(linker, "secrets", drawn)
        patch.setattr(signal, "signal", lambda *_: signal.SIG_DFL)
        patch.setattr(socket, "create_server", lambda *_, **__: _Listening())
        # A bank writes down who has it open, and a power cut may spoil any file.
        patch.setattr(os, "getpid", lambda: 4711)
        patch.setattr(socket, "gethostname", lambda: "world")
        fault(patch)
        with world.listening():
            try:
                ended: Failure | Outcome = world.play()
            except Failure as failure:
                ended = failure
            finally:
                for site in world.sites:
                    if site.watchman.server is not None:
                        site.watchman.server.die()
    shutil.rmtree(folder)
    return world, ended


@contextmanager
def _world(
    plan: Plan, folder: Path, patch: pytest.MonkeyPatch, trace: int
) -> Iterator[World]:
    if not plan.is_of_fleet:
        yield World(plan, folder, patch, trace)
        return
    # Here, since only worlds with a fleet need PostgreSQL.
    from simulation.fleet.database import fresh_database
    from simulation.fleet.world import FleetWorld

    with fresh_database() as url:
        world = FleetWorld(plan, folder, patch, url, trace)
        try:
            yield world
        finally:
            world.close()


@contextmanager
def seldom_tidied() -> Iterator[None]:
    """Have garbage looked for seldom."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_GARBAGE, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def _random_by(seed: int) -> Iterator[None]:
    """Have random numbers by a seed."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)


class _Listening:
    """Stands for a socket that listens."""

    family = socket.AF_INET

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return "10.0.0.1", 8765

    def close(self) -> None:
        pass
