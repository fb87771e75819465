"""The place: the server, the table, and the handles."""

import argparse

from bj_client.net.address import Address, read_address
from bj_client.net.tls import SYSTEM, Trust, TrustError, read_pin, tls_context
from bj_client.options.checked import file, words
from bj_protocol.option import Option, Setting

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
_LOOKS = ("list_tables", "watch")
_PLAYS = ("handle", "solo", "bot", "bet", "rounds", "style")


def check_looking(parser: argparse.ArgumentParser, given: argparse.Namespace) -> bool:
    """Return whether the player only looks on; see that then nobody plays."""
    chosen = [f"--{name.replace('_', '-')}" for name in _LOOKS if getattr(given, name)]
    if not chosen:
        return False
    playing = [f"--{name}" for name in _PLAYS if getattr(given, name)]
    if len(chosen) > 1 or playing:
        extra = (*chosen, *playing)[1]
        parser.error(f"{chosen[0]} is for looking alone: leave {extra} out.")
    return True


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
    except TrustError as bad:
        parser.error(f"--tls-ca: {bad}")
    return server.trusting(trust)
