"""Records of several players: one story, or a proof that there were two."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bj_client.verify import verify
from bj_protocol.proof import StatementKind, statement
from bj_protocol.views import Phase
from support.company import Company, Player, record_of

Captured = pytest.CaptureFixture[str]


def evening(folder: Path, rounds: int = 3) -> Company:
    """Return a table at which two have played, after one of them alone."""
    rig = Company(folder)
    rig.join("ned21")
    for number in range(rounds):
        if number == 1:
            rig.join("lia9")
        for handle in rig.players:
            rig.bet(handle, 100)
        while rig.picture.phase is Phase.PLAYING:
            rig.wait(31)
    return rig


def keep(path: Path, player: Player) -> str:
    path.write_bytes(b"".join(record_of(player)))
    return str(path)


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str, Company]:
    """Return the records of two players, and the table that is closed by now."""
    with evening(tmp_path / "bank") as rig:
        pass
    ned, lia = rig.players["ned21"], rig.players["lia9"]
    return keep(tmp_path / "a", ned), keep(tmp_path / "b", lia), rig


def lie(path: str, rig: Company, kind: StatementKind, **changes: Any) -> int:
    """Sign something else of the last round in a record; return its number."""
    lines = Path(path).read_text().splitlines()
    at = max(i for i, line in enumerate(lines) if f'"kind":"{kind.value}"' in line)
    start, _, rest = lines[at].partition('"heard": ')
    said = {**json.loads(rest[:-1]), "head": "ab" * 32, **changes}
    fields = {name: said[name] for name in said if name not in ("type", "signature")}
    signer = rig.bank.signer
    message = statement(key=signer.key, run=signer.run, **{**fields, "kind": kind})
    said["signature"] = signer.sign(message)
    lines[at] = f'{start}"heard": {json.dumps(said)}}}'
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    number: int = said["round"]
    return number


def test_what_was_told_alike_is_counted(
    two: tuple[str, str, Company], capsys: Captured
) -> None:
    one, other, _ = two
    assert verify([one, other]) == 0
    out = capsys.readouterr().out
    assert f"{one}: Round" not in out
    assert "rounds of the same run and table in common: all were told alike." in out
    assert verify([one]) == 0
    assert "in common" not in capsys.readouterr().out


def test_two_heads_of_one_update_are_printed_as_a_proof_by_themselves(
    two: tuple[str, str, Company], capsys: Captured
) -> None:
    one, other, rig = two
    number = lie(other, rig, StatementKind.END)
    assert verify([one, other]) == 11
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith("to anyone]:"))
    assert lines[at].startswith(f"Round {number} of table main: {one} and {other} part")
    assert "1 NOT told alike" in lines[-1]
    told = [json.loads(line) for line in lines[at + 1 : at + 3]]
    for name in ("key", "run", "table", "seq"):
        assert told[0][name] == told[1][name]
    assert told[0]["head"] != told[1]["head"]
    for each in told:
        signature = bytes.fromhex(each.pop("signature"))
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(each["key"]))
        each["kind"] = StatementKind(each["kind"])
        public.verify(signature, statement(**each))


def test_a_round_that_ends_at_another_update_parts_without_such_a_proof(
    two: tuple[str, str, Company], capsys: Captured
) -> None:
    one, other, rig = two
    number = lie(other, rig, StatementKind.END, seq=10_000)
    assert verify([one, other, "--json"]) == 11
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["type"], told["parted"]) == ("comparison", 1)
    (parting,) = told["partings"]
    assert (parting["round"], parting["proven_to_anyone"]) == (number, False)
    assert parting["files"] == [one, other]


def test_what_a_stranger_has_signed_proves_nothing(
    two: tuple[str, str, Company], capsys: Captured, tmp_path: Path
) -> None:
    one, other, rig = two
    with Company(tmp_path / "other") as stranger:
        stranger.bank.signer.run = rig.bank.signer.run
        lie(other, stranger, StatementKind.END)
    assert verify([one, other]) == 11
    out = capsys.readouterr().out
    assert "the signature of the end is not the server's" in out
    assert "part here" not in out


def test_records_of_different_runs_have_nothing_in_common(
    two: tuple[str, str, Company], capsys: Captured, tmp_path: Path
) -> None:
    with evening(tmp_path / "other", 1) as rig:
        pass
    third = keep(tmp_path / "c", rig.players["ned21"])
    assert verify([two[0], third]) == 0
    said = "have 0 rounds of the same run and table in common: nothing can be compared"
    assert said in capsys.readouterr().out


def test_a_second_file_that_is_not_there_is_named(
    two: tuple[str, str, Company], capsys: Captured
) -> None:
    assert verify([two[0], "/nowhere"]) == 2
    assert "The record /nowhere cannot be read" in capsys.readouterr().err
