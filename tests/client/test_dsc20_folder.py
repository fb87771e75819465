"""The folder of game summaries, on a real disk."""

import shutil
from pathlib import Path

from bj_client.style.dsc20_game import Folder


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def begun(folder: Folder) -> int:
    """Begin a game, and return its number."""
    assert not folder.begin()
    return folder.number


def test_a_game_is_numbered_after_all_that_are_there(tmp_path: Path) -> None:
    for name in ("game_summary2.txt", "game_summary10.txt", "game_summary011.txt"):
        (tmp_path / name).touch()
    (tmp_path / "game_summary99.txt.old").touch()
    folder = Folder(tmp_path)
    assert [begun(folder), begun(folder)] == [11, 12]


def test_two_who_play_in_one_folder_never_share_a_number(tmp_path: Path) -> None:
    first, second = Folder(tmp_path / "new"), Folder(tmp_path / "new")
    numbers = [begun(folder) for folder in (first, second, first, second)]
    assert numbers == [1, 2, 3, 4]


def test_a_number_that_another_takes_meanwhile_is_passed_over(tmp_path: Path) -> None:
    class Crowded(type(tmp_path)):  # type: ignore[misc]
        """A folder that looks empty although it is not."""

        def iterdir(self) -> object:
            return iter(())

    (tmp_path / "game_summary1.txt").write_text("kept")
    assert begun(Folder(Crowded(tmp_path))) == 2
    assert (tmp_path / "game_summary1.txt").read_text() == "kept"


def test_each_round_is_on_disk_once_it_is_added(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.begin()
    file = tmp_path / "game_summary1.txt"
    folder.append(["ROUND 1:", "♠"])
    assert file.read_bytes() == "ROUND 1:\n♠\n".encode()
    folder.append(["ROUND 2:"])
    assert file.read_text("utf-8") == "ROUND 1:\n♠\n\nROUND 2:\n"
    folder.begin()
    folder.append(["ROUND 1:"])
    assert (tmp_path / "game_summary2.txt").read_text() == "ROUND 1:\n"


def test_what_cannot_be_written_is_told_once_and_the_numbers_go_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "summaries"
    folder = Folder(path)
    folder.begin()
    folder.append(["ROUND 1:"])
    shutil.rmtree(path)
    assert folder.append(["ROUND 2:"]) == (
        f"The game summaries cannot be written to the folder {path} (No such file or "
        "directory): start bj-client where you may write. The game goes on without "
        "them."
    )
    assert not folder.append(["ROUND 3:"])
    assert begun(folder) == 2
    assert not folder.append(["ROUND 1:"])
    assert not path.exists()


def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "summaries"
    path.write_text("mine")
    folder = Folder(path)
    assert folder.begin().startswith("The game summaries cannot be written")
    assert folder.number == 1
    assert path.read_text() == "mine"
