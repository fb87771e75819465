"""The play: a person or a bot, how long, and how it looks."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bj_client.colours import Colours
from bj_client.keymap import read_keymap
from bj_client.options.checked import file, number, seconds, server_key
from bj_client.words.text import listed
from bj_protocol.option import Option, Setting

if TYPE_CHECKING:
    from bj_client.bot import BotChoice


def _colours(text: str) -> Colours:
    try:
        return Colours(text.strip().lower())
    except ValueError:
        raise ValueError(f"the colours are {listed(list(Colours), 'or')}.") from None


LOOK = (
    Setting(
        "--plain",
        "plain lines only; by itself where input or output is no terminal (BJ_PLAIN=1)",
    ),
    Option("--line", "lines and a prompt instead of the whole screen, in a terminal"),
    Option(
        "--style",
        "plain lines as a published text prints them: cs1114 is its whole transcript, "
        "cs220 adds its summary of each round, dsc20 is its log and writes its files, "
        "iipp6 has its words and buttons; for tables of that house",
        choices=("cs1114", "cs220", "dsc20", "iipp6"),
    ),
    Setting(
        "--ascii", "nothing but ASCII: suits as the letters S, H, D, C (BJ_ASCII=1)"
    ),
    Setting(
        "--colours HOW-MANY",
        "none, 16, 256 or true, in a terminal (BJ_COLOURS; default as many as it says "
        "it has, and none with NO_COLOR)",
        _colours,
    ),
    Setting(
        "--keys NAME=KEY...",
        "keys of your own on the screen, as in 'hit=j stand=k' (BJ_KEYS)",
        read_keymap,
        read_keymap(""),
        dest="keymap",
    ),
    Setting(
        "--pace SECONDS",
        "time between two events (BJ_PACE; default 0.15 in a terminal, 0 in pipes and "
        "for bots)",
        seconds(60, "the pace is a number of seconds, 0 to 60."),
    ),
)


_dollars = number("the bet is a whole number of dollars, at least 1.")


def _bet(text: str) -> int:
    return 100 * _dollars(text)


def _bot(text: str) -> "BotChoice":
    from bj_client.bot import read_bot  # bots know the game, and few runs have one

    return read_bot(text)


PLAY = (
    Option(
        "--bot NAME",
        "a bot plays for you: basic, best, conservative, counting, hilo, dealer, "
        "threshold, random, cheating, reckless; threshold:15 stands at 15; script:FILE "
        "follows a file; module:Class is your own",
        _bot,
    ),
    Setting(
        "--bet DOLLARS",
        "what the bot bets each round (BJ_BET; default 10); random, cheating, "
        "reckless, scripts and your own bots decide that themselves",
        _bet,
        1000,
    ),
    Option(
        "--quiet",
        "tell nothing of a bot's rounds, only what goes wrong and how it ends",
    ),
    Setting(
        "--hints",
        "the key %% tells what each play is worth, a mistake is told at once, ? says "
        "what basic strategy would do (BJ_HINTS=1)",
    ),
    Option(
        "--rounds N",
        "leave after N rounds (default: when you say so)",
        number("the rounds are a whole number, at least 1."),
    ),
)
KEY = (
    Setting(
        "--key-file FILE",
        "where the key is kept that proves your handle, made there if it is not "
        "(BJ_KEY_FILE; default a file for each server and handle in "
        "~/.local/state/blackjack/keys)",
        file,
    ),
)
LINE = (
    Setting(
        "--reconnect SECONDS",
        "try for so long to come back to your seat, 0 for never (BJ_RECONNECT; default "
        "120)",
        seconds(
            86_400,
            "how long to try is a number of seconds, 0 to 86400, which is a day.",
        ),
        120.0,
    ),
)
FAIRNESS = (
    Setting(
        "--record FILE",
        "add all that server and client say to this file, for bj-client verify and "
        "replay (BJ_RECORD)",
        file,
    ),
    Setting(
        "--unproven",
        "play also where no round is proven, as at tables for teaching (BJ_UNPROVEN=1)",
    ),
    Setting(
        "--server-key KEY",
        "the server's key, as bj-server shows it; it is kept, and one that it has not "
        "signed stops bj-client (BJ_SERVER_KEY; default the key at the first visit)",
        server_key,
    ),
)
PROGRAM = (
    Option(
        "--json",
        "speak the protocol on standard input and output, a line of JSON for each "
        "message: for bots in any language",
    ),
)
_INSTEAD = {
    "bot": "a program of yours plays",
    "style": "nothing but JSON is printed",
    "rounds": "the program leaves when it likes, by the end of its commands",
    "list_tables": "the program asks for the tables, by list_tables",
}


def check_program(
    parser: argparse.ArgumentParser, given: argparse.Namespace, handles: Sequence[str]
) -> None:
    """See that with ``--json`` a program plays alone."""
    if not given.json:
        return
    for name, why in _INSTEAD.items():
        if getattr(given, name):
            option = f"--{name.replace('_', '-')}"
            parser.error(f"with --json {why}: leave {option} out.")
    if len(handles) > 1:
        parser.error(
            "--json is for one player: name one handle, and start another bj-client "
            "for each of the others."
        )
