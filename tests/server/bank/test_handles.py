"""The handles that a host names are kept in their files, each change at once."""

from pathlib import Path

import pytest

from bj_server.bank.handles import Bans, Handles, Invites


@pytest.mark.parametrize("kind", [Bans, Invites])
def test_each_change_is_in_the_file_when_it_returns(
    tmp_path: Path, kind: type[Handles]
) -> None:
    named = kind(tmp_path)
    assert list(named) == []
    named.add("tess")
    named.add("eve")
    assert list(kind(tmp_path)) == ["eve", "tess"]
    named.discard("tess")
    assert list(kind(tmp_path)) == ["eve"]
    assert "eve" in named
    assert "tess" not in named


def test_the_same_handles_are_not_written_again(tmp_path: Path) -> None:
    named = Bans(tmp_path)
    named.replace(["eve", "rob"])
    (tmp_path / "bans.json").unlink()
    named.replace(["rob", "eve"])
    assert not (tmp_path / "bans.json").exists()
    named.replace(["rob"])
    assert list(Bans(tmp_path)) == ["rob"]


def test_without_a_folder_they_are_in_memory_alone() -> None:
    named = Invites()
    named.add("lia9")
    assert list(named) == ["lia9"]
