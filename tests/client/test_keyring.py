"""Where keys are kept, how safely, and what is said when they cannot be."""

import os
import stat
from pathlib import Path

import pytest

from bj_client.error import Exit, KeyUnusableError
from bj_client.net.keyring import Keyring, new_key
from bj_protocol.handle import is_key


class MakeRing:
    """Makes the keyring of a server, which warns into a list."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings

    def __call__(
        self, server: str = "localhost:8765", file: Path | None = None
    ) -> Keyring:
        return Keyring(server, self._warnings.append, file)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder of a user for whom nothing was ever kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def ring(home: Path, warnings: list[str]) -> MakeRing:
    return MakeRing(warnings)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_256_random_bits_and_never_the_same() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(map(is_key, keys))


def test_a_key_is_kept_for_its_owner_alone_and_found_again(
    ring: MakeRing, home: Path, warnings: list[str]
) -> None:
    old = os.umask(0)
    try:
        key = ring().key("Ned21")
    finally:
        os.umask(old)
    path = home / "blackjack" / "keys" / "localhost:8765" / "ned21.key"
    assert ring().path("NED21") == path
    assert path.read_text() == f"{key}\n"
    assert mode(path) == 0o600
    assert {mode(folder) for folder in path.parents[:4]} == {0o700}
    assert [file.name for file in path.parent.iterdir()] == ["ned21.key"]
    assert ring().key("ned21") == key
    assert warnings == []


def test_each_server_and_each_handle_has_a_key_of_its_own(ring: MakeRing) -> None:
    servers = (
        "localhost:8765",
        "[fe80::1]:1",
        "solo",
        "a:443/../x?y",
        "b" * 300 + ":1",
    )
    keys = {ring(name).key(handle) for name in servers for handle in ("ned21", "lia9")}
    assert len(keys) == 10
    for name in servers:
        folder = ring(name).path("ned21").parent
        assert folder.parent == ring().path("ned21").parents[1]
        assert folder.is_dir()


def test_a_named_file_is_the_key_of_all(ring: MakeRing, tmp_path: Path) -> None:
    path = tmp_path / "keys of mine" / "key"
    key = ring(file=path).key("ned21")
    assert ring("elsewhere:1", file=path).key("lia9") == key
    assert path.read_text().strip() == key


def test_a_file_that_others_can_read_is_closed_with_a_warning(
    ring: MakeRing, warnings: list[str]
) -> None:
    key = ring().key("ned21")
    path = ring().path("ned21")
    path.chmod(0o644)
    path.parents[1].chmod(0o755)
    assert ring().key("ned21") == key
    assert (mode(path), mode(path.parents[1])) == (0o600, 0o700)
    assert len(warnings) == 1
    assert str(path) in warnings[0]
    assert "ask the host to reset your key" in warnings[0]
    assert key not in warnings[0]


def test_a_file_that_cannot_be_closed_is_not_used(
    ring: MakeRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    ring().key("ned21")
    ring().path("ned21").chmod(0o640)
    monkeypatch.setattr(os, "fchmod", refuse)
    with pytest.raises(
        KeyUnusableError, match="can be read by others and is not yours"
    ):
        ring().key("ned21")


@pytest.mark.parametrize("content", ["", "x" * 43, "A" * 44, "A" * 5000, "\xff\0"])
def test_a_file_without_a_key_is_told_and_left_alone(
    ring: MakeRing, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "key"
    path.write_text(content, encoding="latin-1")
    path.chmod(0o600)
    with pytest.raises(KeyUnusableError) as caught:
        ring(file=path).key("ned21")
    sentence = str(caught.value)
    assert caught.value.exit is Exit.KEY
    assert f"The key file {path} holds no key: " in sentence
    assert content == "" or content not in sentence
    assert path.read_text(encoding="latin-1") == content


def test_what_is_no_file_is_told_and_waited_for_by_nobody(
    ring: MakeRing, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(KeyUnusableError, match="is no file"):
            ring(file=path).key("ned21")


def test_a_file_that_may_not_be_read_is_told(ring: MakeRing, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(KeyUnusableError, match=r"cannot be read \(Too many levels"):
        ring(file=loop).key("ned21")


def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on(
    ring: MakeRing, home: Path, warnings: list[str]
) -> None:
    home.write_text("in the way")
    assert is_key(ring().key("ned21"))
    (warning,) = warnings
    assert f"The key of ned21 cannot be kept in {ring().path('ned21')} (" in warning
    assert "ned21 cannot be used again after this visit" in warning


def test_a_link_that_points_nowhere_keeps_no_key(
    ring: MakeRing, tmp_path: Path, warnings: list[str]
) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "nowhere")
    assert is_key(ring(file=tmp_path / "key").key("ned21"))
    assert "(it points nowhere)" in warnings[0]


def test_of_two_that_begin_at_once_both_have_the_first_ones_key(
    ring: MakeRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link
    first: list[str] = []

    def late(source: Path, target: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        first.append(ring().key("ned21"))
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert [ring().key("ned21")] == first
    assert len(list(ring().path("ned21").parent.iterdir())) == 1


def test_a_file_system_without_links_will_do(
    ring: MakeRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    key = ring().key("ned21")
    assert ring().key("ned21") == key
    assert len(list(ring().path("ned21").parent.iterdir())) == 1
