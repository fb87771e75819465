"""The options of ``bj-bank fleet``: one command of those about a fleet."""

import argparse
import re
from functools import partial
from pathlib import Path
from typing import Any

from bj_protocol.handle import canonical_handle
from bj_protocol.option import COMMAS, Option, Orders, checked
from bj_server.settings import fleet_row, read_folder

_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,30}[a-z0-9])?")
_KEY = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"wss?://[A-Za-z0-9.:\[\]_-]+(/[A-Za-z0-9/._-]*)?")


def fleet_orders(bank: Option, as_json: Option) -> Orders:
    """Return the rows of each command, with those of all commands of ``bj-bank``."""
    row = fleet_row("file with the URL of its PostgreSQL")
    sql = Option(row.typed, row.help, default=argparse.SUPPRESS)
    shared = (sql, as_json)
    address = checked(
        partial(_whole, _ADDRESS), "an address begins with wss:// or ws://"
    )
    name = checked(
        partial(_whole, _NAME), "a server's name has 1 to 32 of a-z, 0-9, - and ."
    )
    return {
        "new-key": (
            "make the key by which players know the fleet; keep it off the servers",
            (
                as_json,
                Option("file FILE", "the new file of the key", Path),
                Option(
                    "--after PLACE",
                    "have it signed by the key that players know so far: in the bank "
                    "folder of a server that was alone, or in the file of a fleet",
                    Path,
                ),
            ),
        ),
        "sign": (
            "sign a server of the fleet",
            (
                bank,
                Option("file FILE", "the file of the fleet's key", Path),
                Option("--name NAME", "the server's name", name, required=True),
                Option(
                    "--server-key KEY",
                    "the server's own key, as bj-server shows it; then the word is "
                    "printed, for fleet.json in that server's bank folder (default: "
                    "that of --bank, into which the word is put)",
                    checked(_key, "a key is 64 hexadecimal digits"),
                ),
                Option(
                    "--address URL",
                    "what leads to this server alone, as in wss://cards.example/s/n1",
                    address,
                    required=True,
                ),
                Option(
                    "--door URL",
                    "what leads to any server of the fleet; may be repeated",
                    address,
                    default=[],
                    apart=COMMAS,
                    dest="doors",
                ),
            ),
        ),
        "migrate": ("bring the database up to this release", shared),
        "import": (
            "bring the accounts of a bank folder into the fleet, and close the folder",
            (
                *shared,
                Option(
                    "folder FOLDER",
                    "the bank folder, which no server holds",
                    read_folder,
                ),
                Option(
                    "--rename OLD=NEW",
                    "bring a handle in under another name; may be repeated",
                    checked(_renamed, "two handles with = between them"),
                    default=[],
                    apart=COMMAS,
                    dest="renamed",
                ),
            ),
        ),
        "export": (
            "make a bank folder of the fleet's accounts, while nobody plays",
            (*shared, Option("folder FOLDER", "empty, or new", read_folder)),
        ),
        "statement": (
            "what one server's journal says of its visits, for an audit elsewhere",
            (sql, bank),
        ),
        "audit": (
            "compare the database with the journals of its servers",
            (
                *shared,
                Option(
                    "statements SERVER",
                    "the bank folder of a server, or the file of its statement",
                    Path,
                    default=(),
                    count="*",
                ),
            ),
        ),
        "write-off": (
            "pay the visits at a server that is gone for ever, by its last checkpoint",
            (*shared, Option("name NAME", "the server, which never serves again")),
        ),
    }


def check_fleet(parser: argparse.ArgumentParser, found: dict[str, Any]) -> None:
    """See that the PostgreSQL of the fleet is named, where it is needed."""
    order = found["fleet_command"]
    if found["fleet"] is None and order not in ("new-key", "sign"):
        parser.error(f"fleet {order} needs the PostgreSQL of the fleet: name --fleet.")
    from bj_protocol.views import MOST_DOORS  # models, which --help does without

    if len(found.get("doors", ())) > MOST_DOORS:
        parser.error(f"--door: a server has {MOST_DOORS} at most.")


def _key(text: str) -> str:
    return _whole(_KEY, "".join(text.split()).lower())


def _renamed(text: str) -> tuple[str, str]:
    old, new = map(canonical_handle, text.split("="))
    if old is None or new is None:
        raise ValueError(text)
    return old, new


def _whole(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(text)
    return text
