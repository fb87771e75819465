"""Write docs/pictures/ from sessions that are played for it.

python docs/make_pictures.py [NAME ...]

Each picture is what a real client shows at a real server. Both run on this machine,
with all that they keep in a folder that is thrown away. Without names all are made.
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from picture.scene import SCENES, Scene
from picture.session import session

PICTURES = Path(__file__).with_name("pictures")
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
        homes = [Path(folder, name) for name in names]
        for name, text in zip(names, pool.map(_made, names, homes), strict=True):
            (PICTURES / name).write_text(text, encoding="utf-8")
            print(f"{name}: {len(text):,} characters")


def _made(name: str, folder: Path) -> str:
    return MAKERS[name](folder)


if __name__ == "__main__":
    given = sys.argv[1:] or list(MAKERS)
    if unknown := set(given) - set(MAKERS):
        sys.exit(f"No picture is {min(unknown)}: name any of {', '.join(MAKERS)}.")
    try:
        make(given)
    except TimeoutError as error:
        sys.exit(f"A scene of docs/picture/ does not fit the client any more: {error}")
