"""The key of a fleet: made, signed by the one before it, and taking servers in."""

import json
import stat
import sys
from pathlib import Path

import pytest

from bj_client.fair.story import is_heir, is_member
from bj_protocol.views import FleetView
from bj_server.bank.bank import Bank
from bj_server.bank.error import BankDamagedError
from bj_server.bank.signer import FLEET_NAME, Signer
from bj_server.bank.visit import Membership
from support.banks import BankCommand

SIGN = ("--name", "n1", "--address", "wss://cards.example/s/n1")


def test_a_key_takes_a_server_in(tmp_path: Path, ask: BankCommand) -> None:
    file, folder = tmp_path / "fleet.key", tmp_path / "bank"
    Bank.open(folder).close()
    own = Signer.open(folder).key
    status, lines, said = ask("fleet", "new-key", file)
    assert (status, said) == (0, "")
    assert Signer.read(file).key in lines[0]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    door = ("--door", "wss://cards.example", "--door", "wss://cards.example:8443")
    status, lines, said = ask(
        "fleet", "sign", file, *SIGN, *door, "--server-key", own.upper()
    )
    assert (status, said) == (0, "")
    (folder / FLEET_NAME).write_text(lines[0])
    fleet = Signer.open(folder).fleet
    assert fleet is not None
    assert is_member(own, fleet)
    assert fleet.doors == ("wss://cards.example", "wss://cards.example:8443")


def test_a_server_on_the_same_machine_is_signed_in_its_folder(
    tmp_path: Path, ask: BankCommand
) -> None:
    file, folder = tmp_path / "fleet.key", tmp_path / "bank"
    ask("fleet", "new-key", file)
    for _ in range(2):  # also after its own key was renewed
        status, (line,), said = ask("--bank", folder, "fleet", "sign", file, *SIGN)
        assert (status, said) == (0, "")
        assert line.endswith(
            f"is that of server n1 in the fleet {Signer.read(file).key}."
        )
        assert Signer.open(folder).fleet is not None
        Signer.renew(folder)


def test_a_key_after_that_of_a_server_is_its_heir(
    tmp_path: Path, ask: BankCommand
) -> None:
    file, newer, folder = (tmp_path / name for name in ("one.key", "two.key", "bank"))
    Bank.open(folder).close()
    own = Signer.open(folder).key
    _, _, said = ask("fleet", "new-key", file, "--after", folder)
    assert f"Players who know {own} follow." in said
    _, lines, _ = ask("fleet", "new-key", newer, "--after", file, "--json")
    told = json.loads("\n".join(lines))
    assert told == {"key": Signer.read(newer).key, "after": Signer.read(file).key}
    _, (word,), _ = ask("fleet", "sign", newer, *SIGN, "--server-key", own)
    fleet = FleetView.model_validate_json(word)
    for known in (own, Signer.read(file).key):
        assert is_heir(fleet.key, known, fleet.past_keys)


def test_a_key_after_that_of_a_folder_without_one_is_not_made(
    tmp_path: Path, ask: BankCommand
) -> None:
    (tmp_path / "empty").mkdir()
    file = tmp_path / "one.key"
    status, _, said = ask("fleet", "new-key", file, "--after", tmp_path / "empty")
    assert (status, "empty/server.key: No such file" in said) == (4, True)
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


def test_a_renewed_server_is_told_to_be_signed_anew(
    tmp_path: Path, ask: BankCommand
) -> None:
    folder, fleet = tmp_path / "bank", Signer.after()
    bank = Bank.open(folder)
    bank.join_fleet(Membership(fleet="f", name="n1", journal="j", epoch=1))
    bank.close()
    status, _, said = ask("--bank", folder, "new-server-key")
    assert (status, said) == (0, "")
    word = fleet.take_in(Signer.open(folder).key, "n1", "wss://cards.example/s/n1")
    (folder / FLEET_NAME).write_text(word.model_dump_json())
    status, _, said = ask("--bank", folder, "new-server-key")
    assert status == 0
    assert "bj-bank fleet sign FILE --name n1 --server-key" in said
    with pytest.raises(BankDamagedError, match="have the fleet's key sign this server"):
        Signer.open(folder)


def test_a_file_is_never_written_over(tmp_path: Path, ask: BankCommand) -> None:
    file = tmp_path / "fleet.key"
    file.write_text("something")
    status, lines, said = ask("fleet", "new-key", file)
    assert (status, lines) == (2, [])
    assert "name a new file" in said
    assert file.read_text() == "something"
    status, _, said = ask("fleet", "sign", file, *SIGN, "--server-key", "0a" * 32)
    assert status == 3
    assert "is no key of a server" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sign", "key", *SIGN, "--server-key", "0a"], "64 hexadecimal digits"),
        (["sign", "key", "--name", "N 1"], "a server's name has 1 to 32"),
        (["sign", "key", "--address", "http://x"], "begins with wss:// or ws://"),
        (["migrate"], "fleet migrate needs the PostgreSQL of the fleet: name --fleet"),
        (["audit", "--fleet", "nowhere"], "nowhere cannot be read as a file"),
        (["audit", "--fleet", "postgresql://a:b@c/d"], "others on this machine see"),
        (["import", "x", "--rename", "ned21"], "two handles with = between them"),
        (["import", "x", "--rename", "ned21=../x"], "two handles with = between them"),
        (
            ["sign", "key", *SIGN, "--server-key", "0a" * 32]
            + ["--door", "wss://x"] * 17,
            "a server has 16 at most",
        ),
    ],
)
def test_a_wrong_option_is_named(
    arguments: list[str],
    sentence: str,
    ask: BankCommand,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        ask("fleet", *arguments)
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_without_psycopg_the_remedy_is_told(
    ask: BankCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [*sys.modules]:
        if name.startswith(("bj_server.bank_cli.fleet.", "bj_server.fleet")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert ask("fleet", "new-key", tmp_path / "fleet.key")[0] == 0
    (tmp_path / "url").write_text("postgresql://db.example/cards")
    status, lines, said = ask("--fleet", tmp_path / "url", "fleet", "migrate")
    assert (status, lines) == (4, [])
    assert "pip install 'blackjack-table[fleet]'" in said
