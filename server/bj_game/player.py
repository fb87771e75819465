"""Players: the seats of a round, with their hands and their free money."""

from dataclasses import dataclass

from bj_game.hand import Hand
from bj_game.play import require_whole

_LEAST = {"seat": 1, "amount": 1, "spots": 1, "funds": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """The bet and the free money that a seat brings into a round.

    ``amount`` is the main wager on each of ``spots``, and ``funds`` what the player is
    still free to wager, both in cents. Seats are numbered from 1.
    """

    seat: int
    amount: int
    funds: int
    spots: int = 1

    def __post_init__(self) -> None:
        """Check what is given.

        Raises:
            TypeError: if something is no whole number.
            ValueError: if it is less than 1, or the funds less than nothing.
        """
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if type(value) is not int or value < least:
                require_whole(name, value, least)


@dataclass(slots=True)
class Player:
    """A seat in the round: its hands, and its free money in cents."""

    seat: int
    funds: int
    hands: list[Hand]
