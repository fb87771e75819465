"""Export: every movement as CSV, to a pipe or to a file that is never lost."""

import csv
import io
import os
from contextlib import redirect_stdout
from pathlib import Path

from bj_server.bank_cli.command import main
from bj_server.bank_cli.movements import COLUMNS
from support.banks import BankCommand, read_bank, read_lines, tamper


def test_every_move_is_a_row(bank: Path, tmp_path: Path, ask: BankCommand) -> None:
    path = tmp_path / "all.csv"
    status, lines, remarks = ask("export", "--csv", "--output", path, "--bank", bank)
    assert (status, lines) == (0, [])
    journal = read_bank(bank)
    count = len(read_lines(bank))
    assert remarks == f"bj-bank: {count} lines of the journal are in {path}.\n"
    content = path.read_bytes().decode("utf-8")
    assert content.count("\r\n") == content.count("\n")
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert rows[1:] == [
        [
            str(line["seq"]),
            line["time"],
            line["kind"],
            line["table"],
            "" if line["round"] is None else str(line["round"]),
            entry["reason"],
            source,
            target,
            str(cents),
        ]
        for line in journal
        for entry in line["entries"]
        for source, target, cents in entry["moves"]
    ]
    assert os.listdir(tmp_path) == ["all.csv"]


def test_a_file_is_replaced_only_by_force(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    path = tmp_path / "all.csv"
    path.write_text("mine")
    options = ["export", "--csv", "--output", path, "--bank", bank]
    status, _, remarks = ask(*options)
    assert (status, path.read_text()) == (2, "mine")
    assert "--force" in remarks
    assert ask(*options, "--force")[0] == 0
    assert path.read_text().startswith("seq,time,")


def test_a_damaged_bank_leaves_the_old_file(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    folder = tamper(bank, tmp_path / "bank", lambda lines: None)
    journal = folder / "journal-000001.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"bet"', b'"bat"'))
    path = tmp_path / "all.csv"
    path.write_text("mine")
    status, _, remarks = ask(
        "export", "--csv", "--output", path, "--force", "--bank", folder
    )
    assert (status, path.read_text()) == (3, "mine")
    assert "checksum" in remarks
    assert sorted(os.listdir(tmp_path)) == ["all.csv", "bank"]


def test_no_device_folder_or_file_of_the_bank_is_replaced(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    os.mkfifo(pipe := tmp_path / "device")
    journal = bank / "journal-000001.jsonl"
    before = journal.read_bytes()
    for place in (pipe, tmp_path, journal, bank / "all.csv"):
        status, _, remarks = ask(
            "export", "--csv", "--force", "--output", place, "--bank", bank
        )
        assert (status, f"{place} is no file of yours: name" in remarks) == (2, True)
    assert pipe.is_fifo()
    assert journal.read_bytes() == before
    assert not (bank / "all.csv").exists()


def test_a_file_beside_that_is_named_like_a_new_one_is_left_alone(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    (tmp_path / "all.csv.new").write_text("mine")
    path = tmp_path / "all.csv"
    assert ask("export", "--csv", "--output", path, "--bank", bank)[0] == 0
    assert (tmp_path / "all.csv.new").read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["all.csv", "all.csv.new"]


def test_a_file_that_cannot_be_written_is_a_sentence(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    path = tmp_path / "nowhere" / "all.csv"
    status, _, remarks = ask(
        "export", "--csv", "--force", "--output", path, "--bank", bank
    )
    assert status == 1
    assert f"{path} cannot be written: " in remarks


def test_a_stream_of_another_kind_is_written_to_as_it_is(bank: Path) -> None:
    said = io.StringIO(newline="")
    with redirect_stdout(said):
        assert main(["export", "--csv", "--bank", str(bank)]) == 0
    assert said.getvalue().startswith("seq,time,kind,table,round,reason,")
