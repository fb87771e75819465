"""The look: the form, the letters and the pace of the output."""

import argparse
from collections.abc import Mapping

from bj_client.colours import Colours
from bj_client.keymap import Keymap, KeymapError, read_keymap
from bj_client.options.checked import is_set, seconds
from bj_client.style import STYLES


def add_look(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    look = parser.add_argument_group("how it looks")
    look.add_argument(
        "--plain",
        action="store_true",
        default=is_set(parser, settings, "BJ_PLAIN"),
        help="plain lines only; by itself where input or output is no terminal "
        "(BJ_PLAIN=1)",
    )
    look.add_argument(
        "--line",
        action="store_true",
        help="lines and a prompt instead of the whole screen, in a terminal",
    )
    look.add_argument(
        "--style",
        choices=sorted(STYLES),
        help="plain lines as a published text prints them: cs1114 is its whole "
        "transcript, cs220 adds its summary of each round, dsc20 is its log and "
        "writes its files, iipp6 has its words and buttons; for tables of that house",
    )
    look.add_argument(
        "--ascii",
        action="store_true",
        default=is_set(parser, settings, "BJ_ASCII"),
        help="nothing but ASCII: suits as the letters S, H, D, C (BJ_ASCII=1)",
    )
    look.add_argument(
        "--colours",
        type=_colours,
        default=settings.get("BJ_COLOURS") or None,
        metavar="HOW-MANY",
        help="none, 16, 256 or true, in a terminal (BJ_COLOURS; default as many as it "
        "says it has, and none with NO_COLOR)",
    )
    look.add_argument(
        "--keys",
        type=_keys,
        default=settings.get("BJ_KEYS") or "",
        metavar="NAME=KEY...",
        help="keys of your own on the screen, as in 'hit=j stand=k' (BJ_KEYS)",
    )
    look.add_argument(
        "--pace",
        type=_pace,
        default=settings.get("BJ_PACE") or None,
        metavar="SECONDS",
        help="time between two events (BJ_PACE; default 0.15 in a terminal, 0 in "
        "pipes and for bots)",
    )


def _colours(text: str) -> Colours:
    try:
        return Colours(text.strip().lower())
    except ValueError:
        *some, last = Colours
        sentence = f"the colours are {', '.join(some)} or {last}."
        raise argparse.ArgumentTypeError(sentence) from None


def _keys(text: str) -> Keymap:
    try:
        return read_keymap(text)
    except KeymapError as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None


def _pace(text: str) -> float:
    return seconds(text, 60, "the pace is a number of seconds, 0 to 60.")
