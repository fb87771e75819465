"""Ways out: how a server gets out of a round that it does not like, counted and told.

Each of them happens to honest servers too: a fault voids a round, a line is slow, a
host shuffles. So the first time is a note, and what cannot be chance is a finding. The
thresholds are those of ``docs/fairness.md``.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, lgamma, log

from bj_client.fair.finding import Finding, Note
from bj_client.words.money import dollars
from bj_client.words.text import counted

NO_CHANCE = 1e-6
WORST_LINE = 0.05
"""How many links a bad line misses at the most; ``docs/simulate_ways_out.py``."""


class Ways:
    """The ways out that one visit has seen."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        """How often each way was taken, but those that have figures of their own."""
        self._left_out: list[bool] = []
        """For each round without us, whether we would have won it."""
        self._links: Counter[str] = Counter()
        """The links of others that were due in rounds with ours, by handle."""
        self._missing: Counter[str] = Counter()
        """Those of them that did not come."""

    def break_off(
        self, number: int, how: str, brought: int | None, *, is_shown: bool
    ) -> Finding | Note:
        """Count a round that is void, or whose bet is back, after our link was told.

        ``brought`` is the cents that it would have brought us, if they are known.
        """
        what = f"{how} after your link was told"
        if brought is not None:
            verb = "lost" if brought < 0 else "won"
            what += f"; by its secret you would have {verb} {dollars(abs(brought))}"
        if is_shown:
            what += ", and the dealer's cards were known by then"
        again = "; that is the {}. time"
        return self._suspect("break off", number, what, again, is_certain=is_shown)

    def leave_out(self, number: int, waited: float | None = None) -> Note:
        """Count a round that is dealt without us, though our link was sent at once.

        By our clock it ``waited`` so many seconds for it; None if the line was lost
        meanwhile. A bad line looks the same.
        """
        self._left_out.append(False)
        how = (
            "before the line was lost"
            if waited is None
            else f"in time, {waited:.1f} seconds after the call by your clock"
        )
        what = (
            f"the server says that your link did not come {how}, "
            f"the {len(self._left_out)}. time"
        )
        return Note(round=number, what=what)

    def miss_win(self, number: int) -> list[Finding | Note]:
        """Note that the round without us, which is over, would have been won."""
        self._left_out[-1] = True
        count, wins = len(self._left_out), sum(self._left_out)
        what = (
            "the round without your link would have been won, as "
            f"{wins} of {counted(count, 'such round')}"
        )
        return [_weigh(number, what, is_certain=tail(count, wins) < NO_CHANCE)]

    def call(
        self, number: int, others: Sequence[str], missing: Sequence[str]
    ) -> list[Finding | Note]:
        """Count the links of others, by handle, in a round with ours.

        A bad line misses some. More than such a line does, of one player or of all, is
        a finding.
        """
        self._links.update(others)
        self._missing.update(missing)
        if not missing:
            return []
        late, due = self._missing.total(), self._links.total()
        what = f"without the link of {' and '.join(missing)}; {late} of "
        what += f"{counted(due, 'link')} of others did not come"
        often = [name for name in missing if self._is_often(name)]
        if often:
            name = often[0]
            what += f", {self._missing[name]} of {self._links[name]} of {name}"
        is_certain = bool(often) or tail(due, late, WORST_LINE) < NO_CHANCE
        if is_certain:
            what += ", and a player in league with the server can choose the cards so"
        return [_weigh(number, what, is_certain=is_certain)]

    def _is_often(self, name: str) -> bool:
        due, late = self._links[name], self._missing[name]
        return tail(due, late, WORST_LINE) < NO_CHANCE

    def leave_untold(self, number: int, what: str) -> Finding | Note:
        """Count an answer that the server does not give though we have asked."""
        return self._suspect("leave untold", number, what, ", the {}. time")

    def go_back(self, number: int, ended: int, lost: int | None) -> Finding | Note:
        """Count the rounds that are gone since books were put back from a backup.

        ``lost`` is how many cents less we have by it, if that is known.
        """
        what = (
            f"the server has gone back to this round, and round {ended} was played"
            if number <= ended
            else "the server has gone back in its story"
        )
        what += (
            ": its books were put back from a backup, and later rounds are not in them"
        )
        if lost is not None:
            more = "less" if lost > 0 else "more"
            what += f"; you have {dollars(abs(lost))} {more} by it"
        return self._suspect("go back", number, what, "; that is the {}. time")

    def play_again(self, number: int) -> Finding | Note:
        """Count a round whose last plays were undone, and others made.

        A power cut takes the last plays with it, and they are asked for once more.
        """
        what = (
            "the server was started anew, and the round was played otherwise from "
            "there than you had heard, as it may be after a power cut"
        )
        return self._suspect("go back", number, what, "; that is the {}. time")

    def believe(self, number: int) -> list[Note]:
        """Count a shoe for which we have the server's word, since we missed some."""
        times = self._count("believe")
        if times == 1:
            return []  # a player who comes in the middle of a shoe
        what = (
            "the contents of the shoe are the server's word alone, since you have "
            f"missed some cards, the {times}. time"
        )
        return [Note(round=number, what=what)]

    def take_away(self, number: int, what: str) -> Note:
        """Count a shoe that is taken away before its time."""
        times = self._count("take away")
        return Note(round=number, what=f"{what}, the {times}. time")

    def decide_early(self, number: int, what: str) -> Finding | Note:
        """Count a decision in our place before it was due; a slow line looks alike."""
        return self._suspect("decide early", number, what, ", for the {}. time")

    def decide_away(self, number: int) -> list[Note]:
        """Count a decision in our place since our line was lost.

        The first is told as it is. Later ones have a number, since a server may cut a
        line when it likes.
        """
        times = self._count("decide away")
        what = f"it was decided for you since your line was lost, the {times}. time"
        return [Note(round=number, what=what)] if times > 1 else []

    def play_for(self, number: int, text: str) -> Note:
        """Count an answer in our name that this client has not sent.

        The player may have come with another one while the line was lost.
        """
        what = f"your answer is said to be {text}, and your client has not sent it"
        return self._note("play for", number, what)

    def lack(self, number: int, what: str) -> Note:
        """Count money that is gone, maybe by another client of the same player."""
        return self._note("lack", number, what)

    def hurry(self, number: int, seconds: float, due: float) -> Note:
        """Count a decision of the clock for which we had less time than is due."""
        what = f"we had {seconds:.1f} of {due:.1f} seconds to decide"
        return self._note("hurry", number, what)

    def pass_over(self, number: int, seconds: float) -> Note:
        """Count a decision of the clock, ``seconds`` after an answer of ours.

        A bank that cannot write refuses answers, and a bad line loses some.
        """
        what = f"the clock has decided for you {seconds:.0f} seconds after your answer"
        return self._note("pass over", number, what)

    def _count(self, way: str) -> int:
        self._times[way] += 1
        return self._times[way]

    def _note(self, way: str, number: int, what: str) -> Note:
        """Count a way that stays a note; the later ones say how often it was."""
        times = self._count(way)
        what += "" if times == 1 else f", the {times}. time"
        return Note(round=number, what=what)

    def _suspect(
        self, way: str, number: int, what: str, again: str, *, is_certain: bool = False
    ) -> Finding | Note:
        """Count a way that is a finding from the second time on.

        ``again`` has the words for that, with a place for the number.
        """
        times = self._count(way)
        what += again.format(times) if times > 1 else ""
        return _weigh(number, what, is_certain=is_certain or times > 1)


def _weigh(number: int, what: str, *, is_certain: bool) -> Finding | Note:
    if is_certain:
        return Finding(round=number, what=what, is_alone=True)
    return Note(round=number, what=what)


def tail(count: int, hits: int, chance: float = 0.5) -> float:
    """Return the chance of so many hits or more, if each has this ``chance``.

    Up to the mean it is 1.0, since nothing there is too many.
    """
    if hits <= count * chance:
        return 1.0
    ways = lgamma(count + 1) - lgamma(hits + 1) - lgamma(count - hits + 1)
    term = exp(ways + hits * log(chance) + (count - hits) * log(1 - chance))
    total = 0.0
    for hit in range(hits, count + 1):
        total += term
        term *= (count - hit) / (hit + 1) * chance / (1 - chance)
    return total
