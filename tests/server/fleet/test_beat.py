"""Who of a fleet is heard, by the clock of the server that listens."""

import pytest

from bj_server.fleet.beat import LEASE, Neighbours
from bj_server.fleet.sql.servers import Server
from support.rig import FakeClock


def east(counter: int) -> Server:
    return Server(
        name="east",
        journal="j",
        epoch=1,
        address="ws://east",
        is_written_off=False,
        counter=counter,
        seq=0,
        hash="",
        settled=0,
        is_running=True,
        visits=0,
        start="s",
    )


@pytest.mark.parametrize("last_sign", [0.01, 0.5, 0.99])
def test_a_server_is_unheard_within_a_lease_of_its_last_sign(last_sign: float) -> None:
    clock = FakeClock()
    began = clock.time
    neighbours = Neighbours(clock.now, LEASE)
    neighbours.see([east(1)])
    for second in range(1, int(LEASE)):
        clock.time = began + second
        neighbours.see([east(2)])  # its sign came between the first look and this one
        assert neighbours.unheard == []
    clock.time = began + last_sign + LEASE
    neighbours.see([east(2)])
    assert neighbours.unheard == ["east"]
    assert neighbours.address_of("east") is None


def test_a_server_that_gives_signs_stays_heard() -> None:
    clock = FakeClock()
    neighbours = Neighbours(clock.now, LEASE)
    for counter in range(20):
        neighbours.see([east(counter)])
        clock.time += 1
        assert neighbours.address_of("east") == "ws://east"


def test_who_could_hear_nobody_gives_all_a_lease_anew() -> None:
    clock = FakeClock()
    neighbours = Neighbours(clock.now, LEASE)
    neighbours.see([east(1)])
    clock.time += 10 * LEASE  # PostgreSQL was away
    neighbours.see([east(1)])
    assert neighbours.unheard == []
    clock.time += LEASE / 2
    neighbours.see([east(1)])
    assert neighbours.unheard == []
    clock.time += LEASE / 2
    neighbours.see([east(1)])
    assert neighbours.unheard == ["east"]
