import gc
import os
import shutil
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import hypothesis
import pytest
from _pytest.doctest import DoctestModule

from support.certificates import Certificates
from support.nursery import PATIENT
from support.rewriting import write_all
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
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("BJ_KEY_FILE", raising=False)
        patch.delenv("BJ_SETTINGS", raising=False)
        patch.delenv("BJ_SERVER_KEY", raising=False)
        yield


@pytest.fixture(autouse=True)
def _no_known_server() -> None:
    """Forget keys and plays: another test may have had a server at the same port."""
    for kept in ("keys", "plays", "drills"):
        folder = Path(os.environ["XDG_STATE_HOME"], "blackjack", kept)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _unproven() -> Iterator[None]:
    """Have clients bet at stacked and seeded tables; tests of proof ask for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BJ_UNPROVEN", "1")
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_clients() -> Iterator[None]:
    """Have clients wait on a machine that is busy; tests of their patience set it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, seconds in PATIENT.items():
            patch.setattr(name, seconds)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quiet_servers() -> Iterator[None]:
    """Have real servers tell only what is wrong, so that tests can expect nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BJ_LOG_LEVEL", "warning")
        yield


_TRACED = tuple(
    Path(__file__).parent / name
    for name in (
        "game",
        "protocol",
        "server/bank",
        "server/table",
        "server/bank_cli/test_close.py",
        "server/bank_cli/test_new_server_key.py",
        "server/history/test_backwards.py",
        "server/history/test_search.py",
        "server/test_files.py",
    )
)
"""They cover what is measured, as ``pyproject.toml`` says, to the last branch."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[object]]:
    """Look for examples in docstrings of the product alone: no test has one."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """Compile the tests once, where several workers are about to collect them."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        write_all(config, Path(__file__).parent)


@pytest.hookimpl(trylast=True)  # hypothesis marks its own first
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Trace no test that tracing only makes slow, and none that tries at random.

    What is covered is so by examples that are written down, and the same every time.
    """
    for item in items:
        if _is_untraced(item.path) or item.get_closest_marker("hypothesis"):
            item.add_marker(pytest.mark.no_cover)


def pytest_collection_finish() -> None:
    """Have no collection of garbage look at all tests again and again."""
    gc.freeze()


@cache
def _is_untraced(path: Path) -> bool:
    if not path.is_relative_to(Path(__file__).parent):
        return False  # an example in a docstring
    return not any(path.is_relative_to(place) for place in _TRACED)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Trace no fixture of a test that is marked ``no_cover``."""
    with _traced(is_on=item.get_closest_marker("no_cover") is None):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Trace nothing in a test that is marked ``no_cover``.

    In a worker of pytest-xdist pytest-cov has started coverage twice, so that its own
    pause only puts the first one in the place of the second.
    """
    with _traced(is_on=item.get_closest_marker("no_cover") is None):
        return (yield)


@contextmanager
def _traced(*, is_on: bool) -> Iterator[None]:
    """Trace this thread, and those that it starts, as before or not at all."""
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    if not is_on:
        sys.settrace(None)
        threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        threading.settrace(of_threads)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Return an authority, and a certificate of this machine that it has signed."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Lay]:
    """Return a maker of tables; the books of each are audited at the end."""
    with ExitStack() as tables:
        yield Lay(tmp_path / "bank", tables)
