"""How often the client would accuse an honest server.

python docs/simulate_ways_out.py

Nothing is drawn by chance here: what can happen in a visit is added up exactly, from
rates that are written below. A visit has 200 rounds of half a minute, and the client's
own thresholds (``bj_client.fair.ways_out``) are asked.

A call and its link are one packet each. What is lost is sent again after the time that
Linux takes, 0.2 seconds and the round trip, and twice as long each time after. A link
that is not there after two seconds is missing. So is one whose line is lost between the
bet and the call, or whose player was, at random, away.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import exp

from bj_client.fair.ways_out import NO_CHANCE, WORST_LINE, tail

ROUNDS = 200
ROUND_SECONDS = 30.0
LINK_SECONDS = 2.0
LOST_LINES = 1 / 200
"""Lines that are lost, a round; one of three between the bet and the call."""
RESTARTS = ROUND_SECONDS / 86_400
"""Restarts of the server, a round: one a day."""
FAULTS = 1e-6
"""Rounds that are void by a fault of the server, a round."""
DECISIONS = 1.5
"""Decisions of a player, a round, each of which half of 30 seconds may be late."""
WINS = 0.45
"""Rounds that are won, which is no less than in any house."""

Accuses = Callable[[int, int], bool]
"""Whether so many things, of which so many are bad, are a finding."""


def lost_packets(loss: float, packets: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Go through how often each packet is lost, with the chance of that."""
    for times in product(range(12), repeat=packets):
        chance = 1.0
        for lost in times:
            chance *= loss**lost * (1 - loss)
        yield times, chance


def late(loss: float, trip: float, packets: int, seconds: float) -> float:
    """Return the chance that packets, one after the other, take longer."""
    again = 0.2 + trip
    return sum(
        chance
        for times, chance in lost_packets(loss, packets)
        if packets * trip / 2 + sum(again * (2**lost - 1) for lost in times) > seconds
    )


def ever(accuses: Accuses, bad: float, count: int) -> float:
    """Return the chance that there ever is a finding, among ``count`` things."""
    chances, found = {0: 1.0}, 0.0
    for number in range(1, count + 1):
        after: dict[int, float] = {}
        for hits, chance in chances.items():
            after[hits] = after.get(hits, 0.0) + chance * (1 - bad)
            if accuses(number, hits + 1):
                found += chance * bad
            else:
                after[hits + 1] = after.get(hits + 1, 0.0) + chance * bad
        chances = {hits: chance for hits, chance in after.items() if chance > 1e-18}
    return found


def beyond(chance: float) -> Accuses:
    """Return the client's rule: more than can be chance, if each has this chance."""
    least = [1]

    def accuses(count: int, bad: int) -> bool:
        while len(least) <= count:
            now, at = len(least), least[-1]
            while at <= now and tail(now, at, chance) >= NO_CHANCE:
                at += 1
            least.append(at)
        return bad >= least[count]

    return accuses


def one_in_ten(rounds: int, without: int) -> bool:
    """The rule that was tried first: of rounds, from the third one on."""
    return without > 2 and without * 10 > rounds


def twice(rate: float, times: float) -> float:
    """Return the chance that something rare happens twice or more."""
    mean = rate * times
    return 1 - exp(-mean) * (1 + mean)


def missing_of(others: int, bad: float) -> float:
    """Return the chance of a finding about so many others with such lines."""
    each = ever(beyond(WORST_LINE), bad, ROUNDS)
    every = ever(beyond(WORST_LINE), bad, ROUNDS * others) if others > 1 else 0.0
    return min(1.0, others * each + every)


def missing(loss: float, trip: float) -> float:
    """Return the share of links that are not there in time."""
    return late(loss, trip, 2, LINK_SECONDS) + LOST_LINES / 3


def row(loss: float, trip: float) -> list[str]:
    """Return one row of the table: the line, and findings in a million visits."""
    bad = missing(loss, trip)
    rates = [missing_of(others, bad) for others in (1, 3, 6)]
    rates.append(ever(one_in_ten, 1 - (1 - bad) ** 6, ROUNDS))
    rates.append(ever(beyond(0.5), WINS, max(1, round(4 * bad * ROUNDS))))
    in_call = (trip + 0.05 + bad * LINK_SECONDS) / ROUND_SECONDS
    rates.append(twice(RESTARTS * in_call + FAULTS, ROUNDS))
    stalled = late(loss, trip, 1, ROUND_SECONDS / 2)
    rates.append(twice(stalled, ROUNDS * DECISIONS))
    cells = [f"{loss:.0%}", f"{trip * 1000:.0f} ms", f"{bad:.2%}"]
    return cells + [f"{rate * 1e6:,.3g}" for rate in rates]


def main() -> None:
    """Print the table of ``docs/fairness.md``."""
    print("| loss | round trip | missing | 1 other | 3 others | 6 others ", end="")
    print("| 6, one in ten | own link | void twice | early twice |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for loss, trip in product((0.0, 0.01, 0.03, 0.1), (0.02, 0.1, 0.4)):
        print(f"| {' | '.join(row(loss, trip))} |")
    shown = ROUNDS * FAULTS / 5
    print(f"\nVoid by a fault when cards are shown: {shown * 1e6:.0f}.")


if __name__ == "__main__":
    main()
