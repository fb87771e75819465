"""Survivors: mutants that no test kills, each with the reason why none can or need."""

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

SERVER = Path(__file__).parents[2] / "server"
FILE = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A change of some lines of a function, and why the tests may stand it."""

    function: str
    """As in ``bj_game.house.House._require`` or ``bj_game.hand.total_of``."""
    taken: str
    given: str
    why: str

    @property
    def what(self) -> str:
        """What it is, in the words of the mutants."""
        module, names = self._split()
        name = f"xǁ{names[0]}ǁ{names[1]}" if len(names) > 1 else f"x_{names[0]}"
        return f"{'.'.join(module)}.{name}\n- {self.taken}\n+ {self.given}"

    def lines(self) -> list[str]:
        """Return the lines of the function today.

        Raises:
            LookupError: if there is none of that name.
        """
        module, names = self._split()
        node: ast.AST = ast.parse(
            SERVER.joinpath(*module).with_suffix(".py").read_text()
        )
        for name in names:
            inside = [
                each for each in ast.iter_child_nodes(node) if is_named(each, name)
            ]
            if not inside:
                raise LookupError(self.function)
            node = inside[0]
        return lines_of(node)

    def _split(self) -> tuple[list[str], list[str]]:
        """Return the words of the module, and those inside it."""
        words = self.function.split(".")
        inside = 2 if words[-2].lstrip("_")[0].isupper() else 1
        return words[:-inside], words[-inside:]


def is_named(node: ast.AST, name: str) -> bool:
    """Whether a node is the class or function of a name."""
    kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, kinds) and node.name == name


def lines_of(node: ast.AST) -> list[str]:
    """Return the lines of a function, without its name and decorators."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        node.name, node.decorator_list = "f", []
    return [line.strip() for line in ast.unparse(node).splitlines()]


def read_survivors() -> list[Survivor]:
    """Return all that are explained."""
    tables = tomllib.loads(FILE.read_text()).get("survivor", [])
    return [Survivor(**table) for table in tables]
