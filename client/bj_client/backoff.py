"""The backoff: how long to wait before each attempt to come back.

Exponential, with full jitter: each wait is drawn anew from nothing to a cap that
doubles. So the clients of a server that has stopped do not all return in one instant.
"""

from collections.abc import Callable, Iterator

FIRST_CAP = 0.25
"""The longest wait before the first attempt, in seconds."""

LAST_CAP = 8.0
"""The longest wait before any attempt, in seconds."""


def waits(chance: Callable[[], float]) -> Iterator[float]:
    """Yield the seconds to wait before one attempt after the other, without end.

    ``chance`` draws a number from 0 to 1.

    >>> from itertools import islice
    >>> list(islice(waits(lambda: 1.0), 7))
    [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    """
    cap = FIRST_CAP
    while True:
        yield chance() * cap
        cap = min(2 * cap, LAST_CAP)
