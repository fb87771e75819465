import hashlib
import hmac

import pytest

from bj_game.cut import commitment, stream_key
from bj_game.house import House
from bj_game.shoe import ShoeEmpty, UncutShoe

SEED, NED, LIA = (bytes([number]) * 32 for number in (1, 2, 3))


def test_the_key_is_made_of_the_seed_and_every_nonce_with_its_seat() -> None:
    message = b"blackjack table, cut 1" + b"\1" + NED + b"\3" + LIA
    due = hmac.digest(SEED, message, "sha256")
    assert stream_key(SEED, [(3, LIA), (1, NED)]) == due
    others = [
        stream_key(SEED, [(1, NED)]),
        stream_key(SEED, [(1, LIA), (3, NED)]),
        stream_key(SEED, [(2, NED), (3, LIA)]),
        stream_key(NED, [(1, NED), (3, LIA)]),
        stream_key(SEED, []),
    ]
    assert len({due, *others}) == 6


def test_a_commitment_is_the_sha_256() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("cuts", [[(1, NED), (1, LIA)], [(0, NED)], [(256, NED)]])
def test_a_seat_cuts_once_and_has_a_number(cuts: list[tuple[int, bytes]]) -> None:
    with pytest.raises(ValueError, match="each seat cuts once"):
        stream_key(SEED, cuts)


@pytest.mark.parametrize(("seed", "nonce"), [(SEED[1:], NED), (SEED, NED + b"\0")])
def test_a_secret_has_32_bytes(seed: bytes, nonce: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        stream_key(seed, [(1, nonce)])


def test_nothing_is_dealt_before_the_cut() -> None:
    shoe = UncutShoe(House(name="cpsc386", title=""))
    assert (shoe.left, shoe.until_cut) == (416, None)
    with pytest.raises(ShoeEmpty):
        shoe.draw()
    endless = UncutShoe(House(name="cs1114", title="", shoe="endless", decks=1))
    assert endless.left is None
