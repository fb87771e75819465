import random
from itertools import islice

from bj_client.net.reconnect import FIRST_CAP, LAST_CAP, waits


def test_the_first_wait_is_short_and_none_is_longer_than_the_last_cap() -> None:
    for seed in range(200):
        first, *others = islice(waits(random.Random(seed).random), 20)
        assert 0 <= first <= FIRST_CAP
        assert all(0 <= wait <= LAST_CAP for wait in others)


def test_each_cap_is_twice_the_one_before_until_the_last() -> None:
    caps = list(islice(waits(lambda: 1.0), 8))
    assert caps == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_the_jitter_is_full() -> None:
    chance = random.Random(1)
    sixth = [list(islice(waits(chance.random), 6))[-1] for _ in range(500)]
    assert min(sixth) < 0.1 * LAST_CAP
    assert max(sixth) > 0.9 * LAST_CAP
