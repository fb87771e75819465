"""Complaints: sentences on standard error, if there is anybody to read them."""

import contextlib
import sys

from bj_client.text import printable


def complain(*lines: str) -> None:
    """Write lines to standard error; one that is closed or full loses them."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write("".join(f"{printable(line)}\n" for line in lines))
        sys.stderr.flush()
