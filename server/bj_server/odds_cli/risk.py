"""Risk: what an edge and a spread come to for a bank, in the end and in an evening."""

from dataclasses import dataclass
from math import erfc, exp, sqrt


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A bank of so many stakes that is staked on a game, one stake a round."""

    mean: float
    """What a round brings on average, in stakes; below 0 for a game of the house."""
    deviation: float
    """The standard deviation of a round, in stakes."""
    stakes: float
    """The bank, in stakes."""

    def ruin(self) -> float:
        """Return how likely the bank is lost sooner or later.

        >>> Risk(mean=-0.01, deviation=1.1, stakes=100).ruin()
        1.0
        >>> round(Risk(mean=0.01, deviation=1.0, stakes=100).ruin(), 4)
        0.1353
        """
        if self.mean <= 0:
            return 1.0
        return exp(-2 * self.mean * self.stakes / self.deviation**2)

    def ruin_within(self, rounds: int) -> float:
        """Return how likely the bank is lost within so many rounds.

        The sum of the rounds is taken for a Brownian motion, which is near for a bank
        of many stakes.

        >>> round(Risk(mean=0.0, deviation=1.0, stakes=20).ruin_within(400), 4)
        0.3173
        """
        width = self.deviation * sqrt(rounds)
        drift = self.mean * rounds
        power = -2 * self.mean * self.stakes / self.deviation**2
        below = _normal((-self.stakes - drift) / width)
        reflected = _normal((-self.stakes + drift) / width)
        # Far from even the factor is huge where what it multiplies is nothing.
        return min(1.0, below + (exp(power) * reflected if power < 700 else 0.0))

    def kelly(self) -> float:
        """Return the share of the bank to stake for it to grow fastest; 0 for none.

        >>> round(Risk(mean=0.01, deviation=1.1, stakes=1).kelly(), 5)
        0.00826
        """
        return max(0.0, self.mean) / self.deviation**2


def _normal(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2
