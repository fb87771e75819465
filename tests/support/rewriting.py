"""The tests as pytest compiles them, written once before several workers read them.

pytest rewrites the assertions of each test file, which takes as long as the rest of the
collection. On a fresh checkout every worker would do so for all files at once.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)


def write_all(config: pytest.Config, folder: Path) -> None:
    """Rewrite what was changed in a folder, with a process for each core.

    A file that fails here is left to the workers, who say what is wrong with it.
    """
    if sys.dont_write_bytecode or assertstate_key not in config.stash:
        return
    stale = [path for path in _tests(folder) if not _is_written(path)]
    parts = os.cpu_count() or 1
    writers = [_fork(config, stale[n::parts]) for n in range(min(parts, len(stale)))]
    for writer in writers:
        os.waitpid(writer, 0)


def _tests(folder: Path) -> list[Path]:
    return [*folder.rglob("test_*.py"), *folder.rglob("conftest.py")]


def _is_written(path: Path) -> bool:
    written = _written(path)
    return written.exists() and written.stat().st_mtime >= path.stat().st_mtime


def _written(path: Path) -> Path:
    return get_cache_dir(path) / (path.stem + PYC_TAIL)


def _fork(config: pytest.Config, paths: Sequence[Path]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        for path in paths:
            stat, code = _rewrite_test(path, config)
            _written(path).parent.mkdir(exist_ok=True)
            _write_pyc(config.stash[assertstate_key], code, stat, _written(path))
    finally:
        os._exit(0)
