"""The handles that a host names are kept in their files, each change at once."""

from pathlib import Path

import pytest

from bj_server.bank.error import BankDamagedError
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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "has no list of handles"),
        ('{"handles": 5}', "has no list of handles"),
        ('{"handles": ["eve", 5]}', "names 5, which is no handle as it is kept"),
        ('{"handles": ["Eve"]}', "names 'Eve', which is no handle as it is kept"),
    ],
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "bans.json").write_text(text)
    with pytest.raises(BankDamagedError) as caught:
        Bans(tmp_path)
    assert caught.value.reason == reason
