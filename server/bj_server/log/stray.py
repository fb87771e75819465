"""Stray errors: those of a task or a callback that nobody asks for its result."""

import asyncio
import logging
from typing import Any

from bj_server.gauges import Gauges

_log = logging.getLogger(__name__)


def catch_strays(loop: asyncio.AbstractEventLoop, gauges: Gauges) -> None:
    """Have the stray errors of ``loop`` logged with its traceback, and counted."""

    def catch(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        gauges.failed("loop")
        _log.error("%s", context["message"], exc_info=context.get("exception"))

    loop.set_exception_handler(catch)
