"""Shoes for a table: where their randomness comes from, and how they are recorded."""

import secrets
from collections.abc import Sequence

from bj_game.card import Card
from bj_game.house import House
from bj_game.shoe import HomemadeShoe, Shoe, fill_shoe
from bj_game.shuffle import (
    SEED_BYTES,
    KeyedStream,
    NumberedStream,
    Randomness,
)

__all__ = ["Shoes"]


class Shoes:
    """Makes one shoe after another.

    Each comes from a fresh secret key of 256 bits, unless the host asked for a numbered
    seed or stacked the first shoe, for teaching and tests; then ``remarks`` says so to
    everyone.
    """

    def __init__(
        self, house: House, *, seed: int | None = None, stack: Sequence[Card] = ()
    ) -> None:
        """Prepare shoes for ``house``; ``stack`` lies on top of the first of them."""
        self._house = house
        self._seed = seed
        self._numbered = None if seed is None else NumberedStream(seed)
        self._stack = tuple(stack)
        self._count = 0
        self._source: Randomness | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the players must know of the cards."""
        said = []
        if self._seed is not None:
            said.append(
                f"The cards come from seed {self._seed}: for teaching and tests, "
                "since they can be known beforehand."
            )
        if self._stack:
            said.append("The first shoe is stacked, for teaching and tests.")
        return tuple(said)

    def shuffle(self, shoe: HomemadeShoe) -> None:
        """Shuffle by hand what is left in the last shoe that was made here."""
        assert self._source is not None
        shoe.shuffle(self._source)

    def next(self) -> tuple[Shoe, dict[str, object]]:
        """Return a new shoe, and the data from which it can be made again."""
        self._count += 1
        top = self._stack if self._count == 1 else ()
        data: dict[str, object] = {"shoe": self._count}
        if top:
            data["stack"] = " ".join(str(card) for card in top)
        source: Randomness
        if self._numbered is not None:
            source, data["seed"] = self._numbered, self._seed
        else:
            key = secrets.token_bytes(SEED_BYTES)
            source, data["key"] = KeyedStream(key), key.hex()
        self._source = source
        return fill_shoe(self._house, source, top), data
