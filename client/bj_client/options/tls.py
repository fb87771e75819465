"""TLS: whom to trust behind ``wss://``, and whether a line may go without it."""

import argparse
from collections.abc import Mapping

from bj_client.address import Address
from bj_client.options.checked import file, is_set
from bj_client.trust import BadTrust, Trust, read_pin


def add_tls(parser: argparse.ArgumentParser, settings: Mapping[str, str]) -> None:
    """Add the group to ``parser``."""
    group = parser.add_argument_group("encryption")
    group.add_argument(
        "--tls-ca",
        type=file,
        default=settings.get("BJ_TLS_CA") or None,
        metavar="FILE",
        help="trust the authority, or the server's own certificate, of this PEM file "
        "alone (BJ_TLS_CA; default those that the system trusts)",
    )
    group.add_argument(
        "--tls-pin",
        type=_pin,
        default=settings.get("BJ_TLS_PIN") or None,
        metavar="SHA256",
        help="trust the one certificate with this fingerprint, which bj-server shows "
        "(BJ_TLS_PIN)",
    )
    group.add_argument(
        "--insecure",
        action="store_true",
        default=is_set(parser, settings, "BJ_INSECURE"),
        help="do not warn of a line without encryption (BJ_INSECURE=1)",
    )


def read_tls(
    parser: argparse.ArgumentParser, given: argparse.Namespace, server: Address
) -> Address:
    """Return ``server`` with whom to trust there; over wss:// if anybody is named.

    Raises:
        SystemExit: with 2 and a sentence, if the options contradict each other, or
            the file is of no use.
    """
    if given.tls_ca is not None and given.tls_pin is not None:
        parser.error(
            "--tls-pin trusts one certificate whoever signed it: leave --tls-ca "
            "(BJ_TLS_CA) out, or --tls-pin (BJ_TLS_PIN)."
        )
    trust = Trust(authority=given.tls_ca, pin=given.tls_pin)
    if not trust.is_named:
        return server
    if server.is_typed_plain:
        parser.error(
            f"{server.shown} is not encrypted: write wss:// for --tls-ca and "
            "--tls-pin, or leave them out."
        )
    try:
        trust.context()
    except BadTrust as bad:
        parser.error(f"--tls-ca: {bad}")
    return server.trusting(trust)


def _pin(text: str) -> str:
    try:
        return read_pin(text)
    except BadTrust as bad:
        raise argparse.ArgumentTypeError(str(bad)) from None
