"""The verifier in Perl, which knows the page alone, on records and on the vectors."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from bj_server.settings import load_house
from support.linked import LinkedRig
from whole.recorded import Recorded

ROOT = Path(__file__).parents[2]
PERL = shutil.which("perl")
HANDLES = ("ned21", "lia9")
FLIPS = 50

pytestmark = pytest.mark.skipif(
    PERL is None or subprocess.call([PERL, "-MDigest::SHA", "-MJSON::PP", "-e1"]) != 0,
    reason="PERL IS NOT HERE, or lacks Digest::SHA or JSON::PP: the page is not tried",
)


def run(script: str, path: Path) -> tuple[int, str]:
    """Run a script of ours with a file; return its status and last line."""
    done = subprocess.run(
        [str(PERL), str(ROOT / script), str(path)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=60,
        check=False,
    )
    return done.returncode, (done.stdout or done.stderr).strip().splitlines()[-1]


def record(folder: Path, house: str, rounds: int) -> list[str]:
    rules = load_house(house)
    with LinkedRig(folder / "bank", house=rules, seats=rules.max_seats) as rig:
        handles = HANDLES[: rig.plan.seats]
        recorded = Recorded(rig, 3)
        recorded.sit(*handles)
        recorded.play(rounds)
        recorded.reshuffle()
        recorded.play(2)
        recorded.leave(*reversed(handles))
        kept = recorded.record(1)
    # The rig puts the commitment into a bet after the bet was kept, without it.
    return [line for line in kept if not ('"sent": ' in line and "place_bet" in line)]


def test_every_vector_is_right() -> None:
    vectors = ROOT / "docs" / "fairness" / "vectors.json"
    status, told = run("tests/whole/verify_vectors.pl", vectors)
    assert (status, told) == (0, "57 values are right.")


@pytest.mark.parametrize("house", ["cpsc386", "cs220", "cs1114", "dsc20"])
def test_the_record_of_an_honest_table_is_right(tmp_path: Path, house: str) -> None:
    lines = record(tmp_path, house, 8)
    ends = sum(line.count('"round_ended"') for line in lines)
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    right = f"{ends} rounds are right, 0 were not followed."
    assert ends >= 10
    assert run("tests/whole/verify_record.pl", path) == (0, right)


def test_a_bit_that_is_changed_in_any_update_is_found(tmp_path: Path) -> None:
    lines = record(tmp_path, "cpsc386", 8)
    chained = [n for n, line in enumerate(lines) if '"type":"update"' in line]
    last = max(n for n, line in enumerate(lines) if '"kind":"end"' in line)
    chance, path = random.Random(1), tmp_path / "changed.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run("tests/whole/verify_record.pl", path)[0] == 0
    for _ in range(FLIPS):
        changed = [line.encode() for line in lines]
        number = chance.choice([n for n in chained if n < last])
        line = bytearray(changed[number])
        place = chance.randrange(line.index(b'"heard": ') + 9, len(line) - 1)
        line[place] ^= 1 << chance.randrange(8)
        changed[number] = bytes(line)
        path.write_bytes(b"\n".join(changed) + b"\n")
        status, told = run("tests/whole/verify_record.pl", path)
        assert status == 1, (number, place, told)
        assert told.startswith(f"{path}, line "), told


def test_a_card_that_is_changed_is_found_without_the_chain(tmp_path: Path) -> None:
    lines = [n for n in record(tmp_path, "cpsc386", 3) if '"signed"' not in n]
    number = max(n for n, line in enumerate(lines) if '"hole_revealed"' in line)
    said = json.loads(lines[number])
    hole = next(e for e in said["heard"]["events"] if e["type"] == "hole_revealed")
    other = "2s" if hole["card"] != "2s" else "3s"
    lines[number] = lines[number].replace(
        f'"hole_revealed","card":"{hole["card"]}"', f'"hole_revealed","card":"{other}"'
    )
    path = tmp_path / "changed.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, told = run("tests/whole/verify_record.pl", path)
    assert status == 1
    assert f'hole: "{other}" is told, "{hole["card"]}" is right' in told
