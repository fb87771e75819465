"""Start: the checks of the system before a command of the host runs."""

import contextlib
import sys
from importlib import import_module

_UNIX = ("fcntl", "pwd", "resource", "termios")
"""Modules of the standard library that Windows lacks."""


def start(name: str, module: str) -> None:
    """Run ``main`` of a module, and exit with the status that it returns.

    A system without locks and signals of Unix cannot keep a bank: there the exit status
    is 2, with one sentence.
    """
    try:
        command = import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in _UNIX:
            raise
        with contextlib.suppress(OSError):
            sys.stderr.write(
                f"{name}: A bank is kept on Linux or macOS alone: run {name} there, or "
                "under WSL; bj-client can play from here.\n"
            )
        sys.exit(2)
    sys.exit(command.main())
