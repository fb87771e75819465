"""Keys that change as none may, in banks whose chain is right."""

from pathlib import Path

import pytest

from support.banks import BankCommand, Change, Lines, of_kind, tamper

DIGEST = "ab" * 32


def claimed(handle: str, *hashes: object, **extra: object) -> Change:
    """Return a change that adds such claims of a handle, after the first round."""

    def change(lines: Lines) -> None:
        at = lines.index(of_kind(lines, "stake", round=2)[0])
        lines[at:at] = [
            {
                **lines[at],
                "kind": "key",
                "table": None,
                "round": None,
                "entries": [],
                "data": {"handle": handle, "sha256": sha256, **extra},
            }
            for sha256 in hashes
        ]

    return change


def test_a_key_that_is_claimed_reset_and_claimed_anew_is_sound(
    bank: Path, tmp_path: Path, ask: BankCommand
) -> None:
    change = claimed("tess", DIGEST, None, "cd" * 32)
    other = tamper(bank, tmp_path / "other", change)
    status, lines, _ = ask("audit", "--bank", other)
    assert (status, lines[-1]) == (0, "The bank is sound.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (claimed("tess", DIGEST, "cd" * 32), "The handle tess has a key already"),
        (claimed("tess", None), "There is no key of tess to reset"),
        (claimed("tess", "ab"), "The hash of a key is 64 hexadecimal digits"),
        (claimed("tess", 5), "The hash of a key is 64 hexadecimal digits"),
        (claimed("tess", DIGEST, of=1), "A key is of a handle, and has a sha256"),
    ],
)
def test_a_key_that_none_may_have_is_found(
    bank: Path, tmp_path: Path, ask: BankCommand, change: Change, words: str
) -> None:
    other = tamper(bank, tmp_path / "other", change)
    status, lines, _ = ask("audit", "--bank", other)
    assert status == 3
    assert [line for line in lines if words in line], lines
