"""The words of a newcomer: `make play` plays at once, and `make test` tries it all."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PYTHON = """\
#!/bin/sh
# Stands in for Python: notes what it is asked, and makes an environment of scripts.
echo "$*" >> "{log}"
[ "$1" = -c ] && exit {old}
[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
echo "command = /usr/bin/python3 -m venv $PWD/$3" > "$3/pyvenv.cfg"
[ -e "{log}.broken" ] && exit 1
cp "$0" "$3/bin/python"
printf '#!/bin/sh\\n' > "$3/bin/pip"
printf '#!/bin/sh\\necho "$* at $BJ_HOUSE"\\n' > "$3/bin/bj-client"
chmod +x "$3/bin/bj-client"
"""
FIRST = "first time: making an environment, about a minute"
VENV = "-m venv .venv"
CHECKS = ["ruff", "ruff", "coverage", "pytest", "coverage", "mypy", "lint-imports"]
"""The tools of `make test`, in the order in which their words are shown."""


class Checkout:
    """A copy of what `make` reads, with a Python that only notes what is asked."""

    def __init__(self, folder: Path, *, is_old: bool = False) -> None:
        self.folder = folder
        folder.mkdir()
        for name in ("Makefile", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, folder)
        self.python = folder / "python"
        self.log = folder / "log"
        self.python.write_text(PYTHON.format(log=self.log, old=int(is_old)))
        self.python.chmod(0o755)
        self.status = 0

    def make(self, *arguments: str, house: str = "") -> tuple[list[str], list[str]]:
        """Return the lines that were said, and what Python was asked meanwhile."""
        self.log.write_text("")
        done = subprocess.run(
            ["make", f"PYTHON={self.python}", *arguments],
            cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", "BJ_HOUSE": house},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        self.status = done.returncode
        return done.stdout.splitlines(), self.log.read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "one")


def test_the_first_play_says_what_it_does_and_installs_no_tools(
    checkout: Checkout,
) -> None:
    said, asked = checkout.make("play")
    assert said == [FIRST, "--solo at vegas-strip"]
    assert asked[1] == VENV
    assert all(words.startswith("-m pip install ") for words in asked[2:])
    assert [words.split()[-1] for words in asked[2:]] == ["pip", "."]


def test_the_next_play_begins_at_once_in_the_house_that_is_named(
    checkout: Checkout,
) -> None:
    checkout.make("play")
    assert checkout.make("play", house="cs220") == (["--solo at cs220"], [])


@pytest.mark.parametrize(("code", "status"), [(130, 0), (3, 2)])
def test_play_that_ends_by_ctrl_c_is_no_error(
    checkout: Checkout, code: int, status: int
) -> None:
    checkout.make("play")
    client = checkout.folder / ".venv" / "bin" / "bj-client"
    client.write_text(f"#!/bin/sh\nexit {code}\n")
    checkout.make("play")
    assert checkout.status == status


def test_what_develops_is_installed_by_need_and_then_plays_too(
    checkout: Checkout,
) -> None:
    said, asked = checkout.make(".venv/.ready")
    assert said[0] == FIRST
    assert [words.split()[-1] for words in asked[1:]] == [".venv", "pip", ".[dev]"]
    assert checkout.make("play")[1] == []


def test_a_copied_checkout_makes_an_environment_of_its_own(
    checkout: Checkout, tmp_path: Path
) -> None:
    checkout.make(".venv/.ready")
    moved = Checkout(tmp_path / "two")
    shutil.copytree(checkout.folder / ".venv", moved.folder / ".venv")
    (moved.folder / ".venv" / "left").touch()
    said, asked = moved.make("play")
    assert said == [
        f"the environment here was copied from {checkout.folder}/.venv: it is replaced",
        FIRST,
        "--solo at vegas-strip",
    ]
    assert VENV in asked
    assert not (moved.folder / ".venv" / "left").exists()
    assert not (moved.folder / ".venv" / ".ready").exists()


def test_an_environment_whose_making_was_broken_off_is_made_anew(
    checkout: Checkout,
) -> None:
    broken = Path(f"{checkout.log}.broken")
    broken.touch()
    assert checkout.make("play")[0] == [FIRST]
    broken.unlink()
    assert checkout.make("play")[0] == [FIRST, "--solo at vegas-strip"]


def test_an_old_python_is_told_before_anything_is_made(tmp_path: Path) -> None:
    said, asked = Checkout(tmp_path / "one", is_old=True).make("play")
    assert said == [
        "Python 3.11 or newer is needed: name one, as in make PYTHON=python3.12"
    ]
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("broken", "unheard"),
    [
        ("none", None),
        ("mypy", CHECKS.index("lint-imports")),
        ("lint-imports", None),
        ("pytest", CHECKS.index("pytest") + 1),
        ("coverage", None),
    ],
)
def test_a_check_that_fails_fails_the_whole_and_those_beside_it_are_heard(
    checkout: Checkout, broken: str, unheard: int | None
) -> None:
    checkout.make(".venv/.ready")
    for tool in CHECKS:
        script = checkout.folder / ".venv" / "bin" / tool
        fails = f'[ "$1" = erase ] || exit {int(tool == broken)}'
        script.write_text(f"#!/bin/sh\necho {tool} speaks\n{fails}\n")
        script.chmod(0o755)
    said, _ = checkout.make("test")
    heard = [line.split()[0] for line in said if line.endswith(" speaks")]
    assert heard == [tool for number, tool in enumerate(CHECKS) if number != unheard]
    assert (checkout.status != 0) == (broken in CHECKS)
