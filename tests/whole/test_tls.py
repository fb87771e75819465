"""Encrypted lines, by the real commands."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from bj_client.error import Exit
from bj_protocol.handle import is_key
from support.certificates import Certificates
from support.nursery import Child
from support.visit import OneRound
from whole.host import Host


@pytest.fixture
def play(tmp_path: Path) -> OneRound:
    """Return what plays one round, and leaves."""
    return OneRound(tmp_path)


def test_a_key_is_shown_over_a_line_that_is_trusted_and_nowhere_else(
    play: OneRound, certificates: Certificates, tmp_path: Path
) -> None:
    pair, state = certificates.here, tmp_path / "ned"
    said = []
    with Host(tmp_path / "bank", "--seed", "5", *pair.options) as host:
        said += [host.process.stdout.readline() for _ in range(4)]
        assert f"--tls-pin sha256:{pair.fingerprint} --" in said[1]
        for server, options, code, sentence in (
            (f"wss://{host.address}", (), Exit.UNTRUSTED, "is signed by nobody that"),
            (host.address, ("--tls-pin", "0" * 64), Exit.UNTRUSTED, "fingerprint"),
            (
                host.address,
                (),
                Exit.UNREACHABLE,
                f"write --server wss://{host.address}",
            ),
        ):
            ended = play(server, *options)
            assert (ended.returncode, ended.stdout) == (code, "")
            assert sentence in ended.stderr
            assert ended.stderr.count("\n") == 1
        assert not state.exists()  # so there is not even a key yet
        digits = pair.fingerprint.upper()
        colons = ":".join(digits[i : i + 2] for i in range(0, 64, 2))
        for options in (
            ("--tls-ca", str(certificates.authority)),
            ("--tls-pin", f"sha256:{colons}"),
        ):
            ended = play(host.address, *options)
            assert (ended.returncode, ended.stderr) == (0, "")
            said.append(ended.stdout)
    (file,) = (path for path in state.rglob("*") if path.is_file())
    port = host.address.rpartition(":")[2]
    assert file.parts[-3:] == ("keys", f"localhost:{port}", "ned21.key")
    key = file.read_text().strip()
    assert is_key(key)
    assert not any(key in text for text in (*said, host.output))


def test_a_plain_server_is_told_from_an_encrypted_one(
    play: OneRound, tmp_path: Path
) -> None:
    with Host(tmp_path / "bank", "--seed", "5") as host:
        ended = play(f"wss://{host.address}")
    assert ended.returncode == Exit.UNREACHABLE
    assert ended.stderr.startswith(f"The server at wss://{host.address} does not encry")


def test_a_plain_line_to_another_machine_is_warned_of(
    play: OneRound, tmp_path: Path
) -> None:
    # This address leads to this machine as well, though it is not one of its own.
    with Host(tmp_path / "bank", "--seed", "5") as host:
        server = f"0.0.0.0:{host.address.rpartition(':')[2]}"
        warned, quiet = play(server), play(server, "--insecure")
    assert (warned.returncode, quiet.returncode, quiet.stderr) == (0, 0, "")
    assert warned.stderr.startswith(f"bj-client: The line to {server} is not encrypted")
    assert warned.stderr.count("\n") == 1
    assert warned.stdout


def test_a_client_that_comes_back_shows_no_key_to_another_certificate(
    certificates: Certificates, tmp_path: Path
) -> None:
    (tmp_path / "strangers").mkdir()
    stranger = Certificates(tmp_path / "strangers").here
    bank, pair = tmp_path / "bank", certificates.here
    with ExitStack() as stack:
        with Host(bank, "--seed", "5", *pair.options) as host:
            where = ("--server", host.address, "--tls-pin", pair.fingerprint)
            client = stack.enter_context(_at_the_table(tmp_path / "ned", *where))
            seated = client.stdout.readline()
            (file,) = (tmp_path / "ned").rglob("ned21.key")
        with Host(bank, "--seed", "5", *stranger.options) as other:
            said, errors = client.communicate()
    assert client.returncode == Exit.UNTRUSTED
    assert "has another fingerprint than --tls-pin names" in errors
    key = file.read_text().strip()
    assert not any(key in text for text in (seated, said, errors, other.output))


def _at_the_table(state: Path, *options: str) -> Child:
    return Child(
        *("bj_client", "--plain", "--handle", "ned21", *options),
        environment={**os.environ, "XDG_STATE_HOME": str(state)},
    )
