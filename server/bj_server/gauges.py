"""The gauges: the server reports to them all that can be measured.

Tables and bank know this seam, and no library for metrics. By default nobody measures,
and a report costs an empty call.
"""


class Gauges:
    """Takes reports, and keeps none; tables are given by their names."""

    is_on = False
    """Whether reports are kept, so that it is worth while to prepare them."""

    def now(self) -> float:
        """Return seconds from some fixed moment, finer than a loop's clock."""
        return 0.0

    def round_over(self, table: str, seconds: float) -> None:
        """A round is settled, so long after it was dealt or resumed."""

    def decided_by_clock(self, table: str) -> None:
        """The time of a player was up, and the table decided."""

    def answer_told(self, table: str, seconds: float) -> None:
        """The result of an answer is in the outboxes, so long after it was received."""

    def committed(self, seconds: float) -> None:
        """A commit waited so long for the disk."""

    def refused(self, code: str) -> None:
        """A frame was refused; ``code`` is one of the protocol's."""

    def failed(self, where: str) -> None:
        """A fault of ours was caught in one of a few places, which has a name."""


NO_GAUGES = Gauges()
