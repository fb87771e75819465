"""Write docs/pictures/ from sessions that are played for it.

python docs/make_pictures.py [NAME ...]

Each picture is what a real client shows at a real server. Both run on this machine,
with all that they keep in a folder that is thrown away. Without names all are made. The
film is made of the recorded session as it lies in the folder.
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from picture.cast import read_cast
from picture.film import film
from picture.scene import SCENES, Scene
from picture.session import session

PICTURES = Path(__file__).with_name("pictures")
FILM = "session.svg"
# The session first, since it takes longest.
MAKERS: dict[str, Scene] = {"session.cast": session}
MAKERS |= {f"{name}.svg": scene for name, scene in SCENES.items()}


def make(names: list[str]) -> None:
    """Make the named pictures, three at a time."""
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(max_workers=3) as pool,
    ):
        played = [name for name in names if name != FILM]
        homes = [Path(folder, name) for name in played]
        for name, text in zip(played, pool.map(_made, played, homes), strict=True):
            _write(name, text)
    if FILM in names:
        _write(FILM, film_of_session())


def film_of_session() -> str:
    """Return the film of the recorded session that lies in the folder."""
    return film(read_cast((PICTURES / "session.cast").read_text("utf-8")))


def _write(name: str, text: str) -> None:
    (PICTURES / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} characters")


def _made(name: str, folder: Path) -> str:
    return MAKERS[name](folder)


if __name__ == "__main__":
    all_names = [*MAKERS, FILM]
    given = sys.argv[1:] or all_names
    if unknown := set(given) - set(all_names):
        sys.exit(f"No picture is {min(unknown)}: name any of {', '.join(all_names)}.")
    try:
        make(given)
    except TimeoutError as error:
        sys.exit(f"A scene of docs/picture/ does not fit the client any more: {error}")
