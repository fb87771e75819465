"""Who is let in, by address and in all."""

from http import HTTPStatus
from typing import Any

import pytest

from bj_server.net.address import THIS_MACHINE, address_of
from bj_server.net.connection_limit import ConnectionLimit
from bj_server.net.limits import Limits

OWN = ("198.51.100.1", 8765)


def test_one_address_gets_so_many_places_and_leaves_the_rest_to_others() -> None:
    limit = ConnectionLimit(Limits(max_connections=5, max_per_address=2))
    assert [limit.enter("192.0.2.7"), limit.enter("192.0.2.7")] == [None, None]
    refused = limit.enter("192.0.2.7")
    assert refused is not None
    assert refused.status is HTTPStatus.TOO_MANY_REQUESTS
    assert limit.enter("192.0.2.8") is None
    limit.leave("192.0.2.7")
    assert limit.enter("192.0.2.7") is None
    assert (limit.inside, limit.turned_away["address"]) == (3, 1)


def test_all_together_get_so_many_places() -> None:
    limit = ConnectionLimit(Limits(max_connections=3, max_per_address=2))
    for place in ("192.0.2.7", "192.0.2.8", THIS_MACHINE):
        assert limit.enter(place) is None
    refused = limit.enter("192.0.2.9")
    assert refused is not None
    assert refused.status is HTTPStatus.SERVICE_UNAVAILABLE
    assert refused.sentence.endswith(".")
    for place in ("192.0.2.7", "192.0.2.8", THIS_MACHINE):
        limit.leave(place)
    assert limit.inside == 0
    assert not limit._places


@pytest.mark.parametrize(("per_address", "local"), [(2, 256), (300, 300)])
def test_this_machine_has_more_places(per_address: int, local: int) -> None:
    limit = ConnectionLimit(Limits(max_per_address=per_address))
    answers = [limit.enter(THIS_MACHINE) for _ in range(local + 1)]
    assert answers[:-1] == [None] * local
    assert answers[-1] is not None


@pytest.mark.parametrize(
    ("peer", "place"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1, 0, 0), "192.0.2.7"),
        (("2001:db8:0:1::7", 1, 0, 0), "2001:db8:0:1::/64"),
        (("2001:db8:0:1:ffff::8", 1, 0, 0), "2001:db8:0:1::/64"),
        (("fe80::1%eth0", 1, 0, 2), "fe80::/64"),
        (("127.0.0.1", 1), THIS_MACHINE),
        (("127.9.9.9", 1), THIS_MACHINE),
        (("::1", 1, 0, 0), THIS_MACHINE),
        (("::ffff:127.0.0.1", 1, 0, 0), THIS_MACHINE),
        (OWN, THIS_MACHINE),
        (None, "nowhere"),
    ],
)
def test_14_2_where_a_connection_counts(peer: Any, place: str) -> None:
    assert address_of(peer, OWN).place == place
