"""Stray errors: those of a task or a callback that nobody asks for its result."""

import asyncio
import logging
import traceback
from typing import Any

from bj_server.gauges import Gauges

__all__ = ["catch_strays"]

_log = logging.getLogger(__name__)


def catch_strays(loop: asyncio.AbstractEventLoop, gauges: Gauges) -> None:
    """Have the stray errors of ``loop`` logged, a line each, and counted."""

    def catch(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        gauges.failed("loop")
        error = context.get("exception")
        _log.error("%s%s", context["message"], _told(error) if error else "")

    loop.set_exception_handler(catch)


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f": {type(error).__name__}: {error}{where}"
