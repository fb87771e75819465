"""TLS: whether the lines are encrypted, and the addresses that plain ones may have."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from bj_protocol.option import Setting
from bj_server.net.address import plain_ip
from bj_server.tls import CertificateError, Encryption, load_encryption

TLS = (
    Setting(
        "--tls-cert FILE",
        "PEM file of the certificate, its chain behind it: serve wss://",
        Path,
    ),
    Setting(
        "--tls-key FILE",
        "PEM file of the certificate's key, without a passphrase",
        Path,
    ),
    Setting(
        "--insecure",
        "let others than this machine in without encryption: for a network that you "
        "trust, or behind a proxy that encrypts",
    ),
)


def read_tls(
    parser: argparse.ArgumentParser, options: argparse.Namespace, hosts: Iterable[str]
) -> Encryption | None:
    """Return the certificate and key that encrypt the lines, None for plain ones."""
    certificate, key = options.tls_cert, options.tls_key
    if (certificate is None) != (key is None):
        missing = "--tls-cert" if certificate is None else "--tls-key"
        parser.error(
            f"a certificate and its key go together: add {missing}, or leave both out."
        )
    if certificate is not None:
        try:
            return load_encryption(certificate, key)
        except CertificateError as error:
            parser.error(f"argument --tls-cert, --tls-key: {error}")
    is_open = next((host for host in hosts if not is_loopback(host)), None)
    if not options.insecure and is_open is not None:
        shown = is_open or "every address"
        parser.error(
            f"argument --host: {shown} is open to other machines, and without "
            "encryption a listener on the way learns the players' keys: name a "
            "certificate with --tls-cert and --tls-key, or add --insecure where the "
            "network is trusted, or a proxy in front encrypts."
        )
    return None


def is_loopback(host: str) -> bool:
    """Tell whether only programs of this machine reach an address.

    >>> is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return plain_ip(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
