"""The options about encryption."""

from pathlib import Path

import pytest

from bj_client.error import Exit
from bj_client.net.address import read_address
from bj_client.net.tls import SYSTEM, Trust
from bj_client.options import Options, read_options
from support.certificates import Certificates

PIN = "0a" * 32


def options(*arguments: str, **environment: str) -> Options:
    return read_options(["--handle", "ned21", *arguments], environment)


def test_who_names_whom_to_trust_wants_an_encrypted_line(
    certificates: Certificates,
) -> None:
    file = str(certificates.authority)
    pinned = Trust(pin=PIN)
    for found, uri, trust in (
        (options(), "ws://localhost:8765", SYSTEM),
        (options("--tls-pin", PIN), "wss://localhost:8765", pinned),
        (options("--server", "[::1]:9", BJ_TLS_PIN=PIN), "wss://[::1]:9", pinned),
        (
            options("--server", "wss://example.org", "--tls-ca", file),
            "wss://example.org:443",
            Trust(authority=certificates.authority),
        ),
        (options(BJ_SERVER="a", BJ_TLS_CA=file, BJ_TLS_PIN=""), "wss://a:8765", None),
        (options("--solo", BJ_TLS_PIN=PIN), "ws://localhost:8765", SYSTEM),
    ):
        assert found.server.uri == uri
        assert trust is None or found.server.trust == trust


def test_a_server_keeps_its_name_when_its_line_is_encrypted() -> None:
    plain, encrypted = options("--server", "a.org"), options("--tls-pin", PIN)
    assert plain.server.name == "a.org:8765"
    assert encrypted.server.name == options().server.name == "localhost:8765"


@pytest.mark.parametrize(
    "text",
    ["sha256:" + PIN, PIN.upper(), "SHA256:" + ":".join(["0A"] * 32), f" {PIN}\n"],
)
def test_a_fingerprint_is_read_however_it_is_written(text: str) -> None:
    assert options("--tls-pin", text).server.trust.pin == PIN


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--tls-pin", "sha1:" + PIN], "a fingerprint is sha256: and 64 hex"),
        (["--tls-pin", PIN[1:]], "a fingerprint is sha256:"),
        (["--tls-pin", PIN + "00"], "a fingerprint is sha256:"),
        (["--tls-pin", PIN, "--tls-ca", "x"], "leave --tls-ca (BJ_TLS_CA) out"),
        (["--tls-pin", PIN, "--server", "ws://a"], "ws://a is not encrypted: write"),
        (["--tls-ca", "/absent.pem"], "/absent.pem cannot be read (No such file"),
        (["--tls-ca", __file__], f"{__file__} has no certificate in it"),
    ],
)
def test_what_cannot_tell_a_server_is_refused_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        options(*arguments)
    assert stopped.value.code == Exit.USAGE
    assert sentence in capsys.readouterr().err


def test_insecure_is_said_by_a_flag_or_by_the_environment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not options().is_insecure
    assert not options(BJ_INSECURE="0").is_insecure
    assert options("--insecure").is_insecure
    assert options(BJ_INSECURE="1").is_insecure
    with pytest.raises(SystemExit):
        options(BJ_INSECURE="perhaps")
    assert "BJ_INSECURE: 'perhaps' is neither" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "is_overheard"),
    [
        ("localhost", False),
        ("127.0.0.9", False),
        ("ws://[::1]", False),
        ("wss://example.org", False),
        ("WSS://example.org", False),
        ("example.org", True),
        ("ws://192.168.1.20", True),
    ],
)
def test_a_plain_line_to_another_machine_may_be_overheard(
    text: str, is_overheard: bool
) -> None:
    assert read_address(text).is_overheard is is_overheard


def test_the_file_of_an_authority_is_a_path(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(certificates.authority.parent))
    trust = options("--tls-ca", "~/ca.pem").server.trust
    assert trust.authority == Path(certificates.authority)
