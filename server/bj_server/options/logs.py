"""The log: what is told on standard error, and in which form."""

import argparse

from bj_server.options.checked import checked

LEVELS = ("debug", "info", "warning", "error")
LOG_FORMS = ("text", "json")


def add_logs(parser: argparse.ArgumentParser) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("the log, on standard error")
    group.add_argument(
        "--log-level",
        type=checked(_level, f"a level is one of {', '.join(LEVELS)}"),
        metavar="LEVEL",
        help=f"least level that is told: {', '.join(LEVELS)} (default: info, and "
        "warning on a terminal)",
    )
    group.add_argument(
        "--log-format",
        type=checked(_form, "the log is written as text or json"),
        default="text",
        metavar="FORMAT",
        help="text for people, json for programs (default: text)",
    )
    group.add_argument(
        "--log-addresses",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="say from which address players join and are refused (default: yes)",
    )


def _level(text: str) -> str:
    return LEVELS[LEVELS.index(text.lower())]


def _form(text: str) -> str:
    return LOG_FORMS[LOG_FORMS.index(text.lower())]
