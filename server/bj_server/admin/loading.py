"""Loading the metrics, where their library is installed."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bj_server.admin.metrics import Metrics


def new_metrics() -> "Metrics | None":
    """Return metrics at zero; None where the extra ``[metrics]`` is not installed."""
    if find_spec("prometheus_client") is None:
        return None
    from bj_server.admin.metrics import Metrics

    return Metrics()
