"""Descriptors: how many connections the system lets this process have."""

import resource

from bj_server.net.parting import MOST_PARTINGS

__all__ = ["afford"]

_OWN = 64
"""Files of the bank, listening sockets and the like, with some to spare."""


def afford(connections: int) -> int:
    """Return how many of ``connections`` there may be, at least one.

    The limit of open files is raised as far as that needs and the system allows.
    """
    beside = MOST_PARTINGS + _OWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return connections
    needed = connections + beside
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - beside))
