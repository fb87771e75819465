"""Players: the seats of a round, with their hands and their free money."""

from dataclasses import dataclass, field

from bj_game.hand import Aces, Hand

__all__ = ["Player", "Stake"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """What a seat brings into a round.

    ``amount`` is the main wager and ``funds`` what the player is still free to wager,
    both in cents. Seats are numbered from 1.
    """

    seat: int
    amount: int
    funds: int


@dataclass(slots=True, kw_only=True)
class Player:
    """A seat in the round: its hands, and its free money in cents."""

    seat: int
    funds: int
    hands: list[Hand] = field(default_factory=list)

    @classmethod
    def of(cls, stake: Stake, aces: Aces = Aces.BEST) -> "Player":
        """Seat a player who brings ``stake``, with one hand yet to be dealt."""
        hand = Hand(stake=stake.amount, aces=aces)
        return cls(seat=stake.seat, funds=stake.funds, hands=[hand])

    def pay(self, cents: int) -> None:
        """Add to the free money what a settled wager hands back."""
        self.funds += cents

    def wager(self, cents: int) -> None:
        """Take a new wager out of the free money."""
        self.funds -= cents
