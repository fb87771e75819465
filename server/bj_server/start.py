"""Start: the checks of the system before a command of the host runs."""

import contextlib
import sys
from importlib import import_module

_UNIX = ("fcntl", "pwd", "resource", "termios")
"""Modules of the standard library that Windows lacks."""
_ELSEWHERE = (
    "A bank is kept on Linux or macOS alone: run {} there, or under WSL; bj-client can "
    "play from here."
)


def start(name: str, module: str, status: int = 130) -> None:
    """Run ``main`` of a module, and exit as it says, or with ``status`` after Ctrl-C.

    A system without locks and signals of Unix cannot keep a bank: there the exit status
    is 2, with one sentence.
    """
    said = "Interrupted."
    try:
        sys.exit(import_module(module).main())
    except KeyboardInterrupt:
        pass
    except ModuleNotFoundError as error:
        if error.name not in _UNIX:
            raise
        status, said = 2, _ELSEWHERE.format(name)
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{name}: {said}\n")
    sys.exit(status)
