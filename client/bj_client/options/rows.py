"""The rows of the options, group by group, and what is not typed together."""

import argparse
from typing import TYPE_CHECKING

from bj_client.keymap import read_keymap
from bj_client.net.address import Address, read_address
from bj_client.net.tls import SYSTEM, Trust, read_pin, tls_context
from bj_client.options.checked import file, number, seconds, server_key, words
from bj_client.words.text import listed
from bj_protocol.option import Option, Rows, Setting

if TYPE_CHECKING:
    from bj_client.bot.bot import BotChoice


PLACE = (
    Setting(
        "--handle HANDLE",
        "your name at the table; your bank balance belongs to it; repeat it for up to "
        "four players at this keyboard (BJ_HANDLE, with commas between)",
        default=(),
        apart=r"\s*,\s*",
    ),
    Setting(
        "--server ADDRESS",
        "host, host:port, [::1]:8765, ws://... or wss://... (BJ_SERVER; default "
        "localhost:8765)",
        read_address,
        read_address("localhost"),
    ),
    Setting(
        "--table NAME",
        "the table (BJ_TABLE; default your choice, or the first where nobody is there "
        "to choose)",
        words,
    ),
    Option(
        "--solo",
        "start a private server and play there; bots fill up to three seats; without a "
        "terminal, bots play ten rounds",
    ),
)
LOOKING = (
    Option("--list-tables", "list the server's tables and who sits there, and leave"),
    Option("--watch", "look on at the table without a seat, and without a handle"),
    Setting("--code CODE", "what opens a private table (BJ_CODE)", words),
)
TLS = (
    Setting(
        "--tls-ca FILE",
        "trust the authority, or the server's own certificate, of this PEM file alone "
        "(BJ_TLS_CA; default those that the system trusts)",
        file,
    ),
    Setting(
        "--tls-pin SHA256",
        "trust the one certificate with this fingerprint, which bj-server shows "
        "(BJ_TLS_PIN)",
        read_pin,
    ),
    Setting(
        "--insecure",
        "do not warn of a line without encryption (BJ_INSECURE=1)",
        dest="is_insecure",
    ),
)


def read_tls(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Address:
    """Return the server with the trust in it; over wss:// if one is named."""
    server: Address = given.server
    if given.tls_ca is not None and given.tls_pin is not None:
        parser.error(
            "--tls-pin trusts one certificate whoever signed it: leave --tls-ca "
            "(BJ_TLS_CA) out, or --tls-pin (BJ_TLS_PIN)."
        )
    trust = Trust(authority=given.tls_ca, pin=given.tls_pin)
    if trust == SYSTEM:
        return server
    if "://" in server.shown and not server.is_encrypted:
        parser.error(
            f"{server.shown} is not encrypted: write wss:// for --tls-ca and "
            "--tls-pin, or leave them out."
        )
    try:
        tls_context(trust)
    except ValueError as bad:
        parser.error(f"--tls-ca: {bad}")
    return server.trusting(trust)


COLOURS = ("none", "16", "256", "true")


def _colours(text: str) -> str:
    colours = text.strip().lower()
    if colours not in COLOURS:
        raise ValueError(f"the colours are {listed(COLOURS, 'or')}.")
    return colours


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


def bot_named(text: str) -> "BotChoice":
    """Return the bot of a name, or raise ``BotError``, a ``ValueError``."""
    from bj_client.bot.bot import read_bot  # bots know the game, and few runs have one

    return read_bot(text)


PLAY = (
    Option(
        "--bot NAME",
        "a bot plays for you: basic, best, conservative, counting, hilo, dealer, "
        "threshold, random, cheating, reckless; threshold:15 stands at 15; script:FILE "
        "follows a file; module:Class is your own",
        bot_named,
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
GROUPS: dict[str, Rows] = {
    "where to play": PLACE,
    "which table": LOOKING,
    "when the line is lost": LINE,
    "who you are": KEY,
    "encryption": TLS,
    "how it looks": LOOK,
    "who plays, and how long": PLAY,
    "fairness": FAIRNESS,
    "for programs": PROGRAM,
}
"""All rows, by the title of their group in the help."""

_PLAYS = ("handle", "solo", "bot", "bet", "rounds", "style")
_APART = (
    ("list_tables", ("watch", *_PLAYS), "--list-tables is for looking alone"),
    ("watch", _PLAYS, "--watch is for looking alone"),
    ("json", ("bot",), "with --json a program of yours plays"),
    ("json", ("style",), "with --json nothing but JSON is printed"),
    (
        "json",
        ("rounds",),
        "with --json the program leaves when it likes, by the end of its commands",
    ),
    (
        "json",
        ("list_tables",),
        "with --json the program asks for the tables, by list_tables",
    ),
    ("solo", ("server", "server_key"), "--solo starts its own server"),
)
"""An option, others that are not typed with it, and why."""


def check_apart(parser: argparse.ArgumentParser, typed: argparse.Namespace) -> None:
    """See that no two options are typed which exclude each other."""
    for one, others, why in _APART:
        for other in others if getattr(typed, one) else ():
            if getattr(typed, other):
                parser.error(f"{why}: leave --{other.replace('_', '-')} out.")
