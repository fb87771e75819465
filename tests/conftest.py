import os
import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import hypothesis
import pytest
from _pytest.doctest import DoctestModule

from support.certificates import Certificates
from support.rig import Lay

# How long an example takes says something of the machine and nothing of the code.
hypothesis.settings.register_profile("tests", deadline=None, max_examples=50)
hypothesis.settings.load_profile("tests")


@pytest.fixture(scope="session", autouse=True)
def _no_syncs() -> Iterator[None]:
    """Have nothing synced in this process, since only a power cut could tell.

    A test that looks at syncs puts its own in the place of these.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fsync", "fdatasync"):
            patch.setattr(os, name, lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_yours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the keys and settings of all clients kept in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("BJ_KEY_FILE", raising=False)
        patch.delenv("BJ_SETTINGS", raising=False)
        patch.delenv("BJ_SERVER_KEY", raising=False)
        yield


@pytest.fixture(autouse=True)
def _no_known_server() -> None:
    """Forget the keys of servers: another test may have had the same port."""
    for kept in Path(os.environ["XDG_STATE_HOME"]).glob("blackjack/keys/*/server.pub"):
        kept.unlink()


@pytest.fixture(scope="session", autouse=True)
def _unproven() -> Iterator[None]:
    """Have clients bet at stacked and seeded tables; tests of proof ask for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BJ_UNPROVEN", "1")
        yield


@pytest.fixture(scope="session", autouse=True)
def _quiet_servers() -> Iterator[None]:
    """Have real servers tell only what is wrong, so that tests can expect nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BJ_LOG_LEVEL", "warning")
        yield


_UNTRACED = tuple(
    Path(__file__).parent / name
    for name in ("client", "whole", "server/log", "server/net")
)
"""What is measured, ``pyproject.toml`` says, is covered by the other tests alone."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[object]]:
    """Look for examples in docstrings of the product alone: no test has one."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Trace no test that tracing only makes slow."""
    for item in items:
        if _is_untraced(item.path):
            item.add_marker(pytest.mark.no_cover)


@cache
def _is_untraced(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _UNTRACED)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Trace nothing in a test that is marked ``no_cover``.

    In a worker of pytest-xdist pytest-cov has started coverage twice, so that its own
    pause only puts the first one in the place of the second.
    """
    tracer = sys.gettrace()
    if item.get_closest_marker("no_cover"):
        sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Return an authority, and a certificate of this machine that it has signed."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Lay]:
    """Return a maker of tables; the books of each are audited at the end."""
    with ExitStack() as tables:
        yield Lay(tmp_path / "bank", tables)
