"""Metrics: the reports of the gauges and the status, in the form of Prometheus.

Only this module needs ``prometheus-client``. Labels are names of tables, codes of the
protocol and a few words of our own, never anything that a client can choose.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bj_server.admin.port import Status
from bj_server.gauges import Gauges

if TYPE_CHECKING:
    from bj_server.fleet.cage import Cage

_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_SLOW = (0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300)

_HELP = {
    "bj_rounds": "Rounds settled.",
    "bj_round_seconds": "From the deal of a round to its settlement.",
    "bj_timeouts": "Decisions made by the clock.",
    "bj_answer_seconds": (
        "From the receipt of an answer until its update is in the outboxes."
    ),
    "bj_bank_commit_seconds": "For which a commit waited for the disk.",
    "bj_refused_frames": "Frames refused.",
    "bj_faults": "Faults of the server's own, caught.",
    "bj_connections": "Open connections by state.",
    "bj_seats_taken": "Seats taken by table.",
    "bj_refused_connections": "Connections turned away.",
    "bj_disk_free_bytes": "Bytes free on the disk of the bank.",
    "bj_journal_bytes": "Bytes of all segments of the journal.",
    "bj_accounts": "Players who have an account.",
    "bj_outbox_bytes": "Bytes that wait for the connection with the most of them.",
    "bj_bank_check_ok": "1 if the last check of the books found nothing.",
    "bj_bank_check_age_seconds": "Since the last check of the books.",
    "bj_bank_stalled": "1 while the bank cannot write to its disk.",
    "bj_fleet_visits": "Open visits by server, as each has told.",
    "bj_fleet_heard": "1 for a server that is heard within the lease.",
    "bj_fleet_transfers": "Visits that began and ended here.",
    "bj_fleet_faults": "Visits that PostgreSQL has otherwise than the journal.",
    "bj_fleet_up": "1 if PostgreSQL has answered last.",
    "bj_fleet_lag_seconds": "Since PostgreSQL had a checkpoint of this server.",
    "bj_fleet_unpaid": "Visits that have ended and PostgreSQL has not closed.",
}


class Metrics(Gauges):
    """Keeps all that is reported, and shows it."""

    is_on = True

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)

        def counter(name: str, *labels: str) -> Counter:
            return Counter(name, _HELP[name], labels, registry=registry)

        def seconds(name: str, buckets: Sequence[float], *labels: str) -> Histogram:
            what = _HELP[name]
            return Histogram(name, what, labels, buckets=buckets, registry=registry)

        self._rounds = counter("bj_rounds", "table")
        self._round_seconds = seconds("bj_round_seconds", _SLOW, "table")
        self._timeouts = counter("bj_timeouts", "table")
        self._answer_seconds = seconds("bj_answer_seconds", _FAST, "table")
        self._commit_seconds = seconds("bj_bank_commit_seconds", _FAST)
        self._refused = counter("bj_refused_frames", "code")
        self._faults = counter("bj_faults", "where")

    def now(self) -> float:
        """Return the seconds of the performance counter."""
        return perf_counter()

    def show(self, status: Status) -> None:
        """Show also how the server is at each look, and its tables from the start."""
        for table in status.seats():
            self._rounds.labels(table)
            self._timeouts.labels(table)
        self._registry.register(_Census(status))

    def text(self) -> bytes:
        """Return everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    def round_over(self, table: str, seconds: float) -> None:
        """Count a round and its seconds."""
        self._rounds.labels(table).inc()
        self._round_seconds.labels(table).observe(seconds)

    def decided_by_clock(self, table: str) -> None:
        """Count a decision of the clock."""
        self._timeouts.labels(table).inc()

    def answer_told(self, table: str, seconds: float) -> None:
        """Keep how long an answer took."""
        self._answer_seconds.labels(table).observe(seconds)

    def committed(self, seconds: float) -> None:
        """Keep how long a commit took."""
        self._commit_seconds.observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refused frame."""
        self._refused.labels(code).inc()

    def failed(self, where: str) -> None:
        """Count a fault."""
        self._faults.labels(where).inc()


def _family(
    kind: type[CounterMetricFamily | GaugeMetricFamily],
    name: str,
    value: float | Mapping[str, float],
    *labels: str,
) -> Metric:
    """Return one figure, or one for each value of its label."""
    if not isinstance(value, Mapping):
        return kind(name, _HELP[name], value=float(value))
    family = kind(name, _HELP[name], labels=labels)
    for label, count in value.items():
        family.add_metric([label], float(count))
    return family


_gauge = partial(_family, GaugeMetricFamily)
_counter = partial(_family, CounterMetricFamily)


class _Census(Collector):
    """Takes the figures of the moment when somebody looks."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def collect(self) -> Iterator[Metric]:
        status, bank = self._status, self._status.bank
        yield _gauge("bj_connections", status.connections(), "state")
        yield _gauge("bj_seats_taken", status.seats(), "table")
        yield _counter("bj_refused_connections", status.turned_away(), "reason")
        if status.space.free is not None:
            yield _gauge("bj_disk_free_bytes", status.space.free)
        yield _gauge("bj_journal_bytes", status.space.journal)
        yield _gauge("bj_accounts", bank.books.ledger.players)
        yield _gauge("bj_outbox_bytes", status.deepest_outbox())
        yield _gauge("bj_bank_check_ok", bank.is_sound)
        yield _gauge("bj_bank_check_age_seconds", bank.audit_age)
        yield _gauge("bj_bank_stalled", bank.journal.stalled is not None)
        if status.cage is not None:
            yield from _of_fleet(status.cage)


def _of_fleet(cage: "Cage") -> Iterator[Metric]:
    servers = () if cage.heard is None else cage.heard.servers
    address_of, me = cage.neighbours.address_of, cage.me.name
    heard = {s.name: s.name == me or bool(address_of(s.name)) for s in servers}
    yield _gauge("bj_fleet_visits", {s.name: s.visits for s in servers}, "server")
    yield _gauge("bj_fleet_heard", heard, "server")
    moved = {"in": cage.bought_in, "out": cage.paid_out}
    yield _counter("bj_fleet_transfers", moved, "way")
    yield _counter("bj_fleet_faults", cage.faults)
    yield _gauge("bj_fleet_up", cage.contact.is_up)
    yield _gauge("bj_fleet_lag_seconds", cage.clock() - cage.beaten_at)
    yield _gauge("bj_fleet_unpaid", cage.unconfirmed)
