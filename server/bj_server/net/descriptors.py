"""Descriptors: how many connections the system lets this process have."""

import resource

from bj_server.net.limits import partings_beside

_OWN = 32
"""Files of the bank, listening sockets and the like, with some to spare."""


def afford(connections: int) -> int:
    """Return how many of ``connections`` there may be, at least one.

    The limit of open files is raised as far as that needs and the system allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return connections
    needed = _needed(connections)
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    while connections > 1 and _needed(connections) > soft:
        connections -= 1
    return connections


def _needed(connections: int) -> int:
    return connections + partings_beside(connections) + _OWN
