"""Whether lines are encrypted: the options, the files, and what the host is told."""

import socket
import ssl
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from bj_server.bank.signer import Signer
from bj_server.greeting import addresses, greeting
from bj_server.options import read_options
from support.certificates import Certificates

OPEN = ("--host", "0.0.0.0")
KEY = "5e" * 32


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        read_options(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_a_certificate_and_its_key_encrypt_with_tls_1_2_at_least(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = certificates.here
    encryption = read_options([*OPEN, *pair.options]).encryption
    assert encryption is not None
    assert encryption.fingerprint == f"sha256:{pair.fingerprint}"
    assert encryption.context.minimum_version == ssl.TLSVersion.TLSv1_2
    monkeypatch.setenv("BJ_TLS_CERT", str(pair.certificate))
    monkeypatch.setenv("BJ_TLS_KEY", str(pair.key))
    assert read_options([]).encryption is not None


def test_without_a_certificate_only_this_machine_is_let_in_unasked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for host in ("127.0.0.1", "127.0.0.9", "::1", "localhost"):
        settings = read_options(["--host", host])
        assert (settings.encryption, settings.is_insecure) == (None, False)
    for host in ("0.0.0.0", "::", "192.168.1.20", "blackjack.example.org"):
        said = refusal(capsys, "--host", host)
        assert f"argument --host: {host} is open to other machines" in said
        assert "with --tls-cert and --tls-key, or add --insecure" in said
        assert read_options(["--host", host, "--insecure"]).is_insecure
    assert "every address is open" in refusal(capsys, "--host", "")
    monkeypatch.setenv("BJ_INSECURE", "1")
    assert read_options([*OPEN]).is_insecure
    monkeypatch.setenv("BJ_INSECURE", "0")
    refusal(capsys, *OPEN)
    monkeypatch.setenv("BJ_INSECURE", "perhaps")
    assert "BJ_INSECURE: 'perhaps' is neither yes nor no" in refusal(capsys)


def test_a_certificate_or_a_key_alone_is_refused(
    certificates: Certificates, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, key = certificates.here.options[:2], certificates.here.options[2:]
    assert "add --tls-key, or leave both out" in refusal(capsys, *certificate)
    assert "add --tls-cert, or leave both out" in refusal(capsys, *key)


def test_files_that_cannot_encrypt_are_refused_in_a_sentence(
    certificates: Certificates, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, absent = certificates.here, tmp_path / "absent.pem"
    garbled = tmp_path / "garbled.pem"
    text = good.certificate.read_text()
    garbled.write_text(text.replace("MII", "AAA", 1))
    torn = tmp_path / "torn.pem"
    torn.write_text(text.replace("\nMII", "\n!II", 1))
    other = tmp_path / "other.key"
    key_of_a_kind = Ed25519PrivateKey.generate()
    other.write_bytes(
        key_of_a_kind.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    locked = certificates.encrypted_key()
    for certificate, key, sentence in (
        (absent, good.key, f"{absent} cannot be read (No such file or directory)"),
        (good.certificate, absent, f"{absent} cannot be read"),
        (tmp_path, good.key, f"{tmp_path} cannot be read (Is a directory)"),
        (good.key, good.key, f"{good.key} has no certificate in it"),
        (good.certificate, good.certificate, "has no private key in it"),
        (good.certificate, certificates.elsewhere().key, "is not the key of the"),
        (good.certificate, locked, f"{locked} is encrypted: name a key without"),
        (good.certificate, other, "is not the key of the"),
        (garbled, good.key, f"{garbled} and {good.key} cannot be used ("),
        (torn, good.key, "cannot be used (one of them is damaged)"),
    ):
        said = refusal(capsys, "--tls-cert", str(certificate), "--tls-key", str(key))
        assert sentence in said
        assert "BEGIN RSA" not in said
        assert text[40:80] not in said


def test_the_greeting_counts_the_seats_of_each_table() -> None:
    said = greeting(read_options(["--table", "one=iipp6", "--table", "main"]), 5, KEY)
    assert said[1] == "Table one: house iipp6, 1 seat."
    assert said[2] == "Table main: house cpsc386, 4 seats."


def test_14_2_the_greeting_names_what_others_can_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = ["192.0.2.7", "2001:db8::7"]
    monkeypatch.setattr("bj_server.greeting.addresses", lambda: own)
    first, _, join, *_ = greeting(read_options(["--host", "::", "--insecure"]), 5, KEY)
    assert first == ("Blackjack is open at ws://192.0.2.7:5, ws://[2001:db8::7]:5.")
    assert f"--server 192.0.2.7:5 --server-key {KEY} --handle" in join
    hosts = ["--host", "0.0.0.0", "--host", "::1", "--insecure"]
    first, *_ = greeting(read_options(hosts), 5, KEY)
    assert first == "Blackjack is open at ws://192.0.2.7:5, ws://[::1]:5."
    closed = greeting(read_options(["--code", "open sesame"]), 5, KEY)
    assert "New handles are asked for the code." in closed
    assert "open sesame" not in " ".join(closed)
    closed = greeting(read_options(["--invite-only"]), 5, KEY)
    assert "bj-host invite HANDLE" in " ".join(closed)


def test_the_greeting_has_the_key_of_the_server_once() -> None:
    said = greeting(read_options([]), 5, KEY)
    assert said[2].endswith(f":5 --server-key {KEY} --handle YOUR_HANDLE")
    assert " ".join(said).count(KEY) == 1
    for known in (["--seed", "7"], ["--stack", "As Td"], ["--no-proof"]):
        _, _, join, *rest = greeting(read_options(known), 5, KEY)
        assert join.endswith(":5 --unproven --handle YOUR_HANDLE")
        assert f"The key of this server is {KEY}." in rest


def test_the_greeting_in_a_fleet_names_its_door_and_its_key() -> None:
    fleet, own, door = Signer.after(), "wss://cards.example/s/n1", "wss://cards.example"
    for doors, shown in (([], own), ([door], door)):
        word = fleet.take_in(KEY, "n1", own, doors)
        _, _, join, *rest = greeting(read_options([]), 5, KEY, word)
        trust = f"--server {shown} --server-key {fleet.key}"
        assert join == f"Join with: bj-client {trust} --handle YOUR_HANDLE"
        assert f"It is n1 of the fleet {fleet.key}." in rest


def test_14_2_this_machine_knows_its_addresses() -> None:
    for each in addresses():
        ip = ip_address(each)
        assert not (ip.is_loopback)
        assert not (ip.is_link_local)
        assert not (ip.is_unspecified)
        family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
        with socket.socket(family) as own:
            own.bind((each, 0))


def test_the_greeting_says_how_safe_the_line_is(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bj_server.greeting.addresses", list)
    pin = f"sha256:{certificates.here.fingerprint}"
    first, _, join, *_, last = greeting(
        read_options([*OPEN, *certificates.here.options]), 5, KEY
    )
    assert first == "Blackjack is open at wss://ADDRESS-OF-THIS-MACHINE:5."
    assert f"--server wss://ADDRESS-OF-THIS-MACHINE:5 --tls-pin {pin} --server" in join
    assert last.startswith("The line is encrypted. ")
    assert last.endswith(f" {pin}.")
    *_, last = greeting(read_options([*OPEN, "--insecure"]), 5, KEY)
    assert last.startswith("The line is not encrypted: let in only a network")
    *_, last = greeting(read_options([]), 5, KEY)
    assert last.endswith("The line is not encrypted. Ctrl-C stops.")
