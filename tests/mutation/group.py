"""The groups of mutants: what is mutated, by which tests, and how many must die."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Modules of ``server/``, the fast tests that are for them, and a goal."""

    name: str
    package: str
    modules: tuple[str, ...]
    """Patterns of files in the package."""
    tests: tuple[str, ...]
    goal: int
    """The percentage of mutants that the tests are to kill."""
    writes: bool = False
    """Whether a mutant may write where nobody wants it to."""


_DRIVEN = "tests/reference/test_reference.py::test_engine_and_reference_agree_on_random"

RULES = Group(
    name="rules",
    package="bj_game",
    modules=tuple(
        f"{noun}.py"
        for noun in ("round", "legality", "settlement", "hand", "shoe", "house")
    ),
    tests=(
        *(
            f"tests/game/test_{noun}.py"
            for noun in (
                *("transcripts", "round", "hand", "house", "shoe", "settlement"),
                *("dry_shoe", "given", "homemade", "decks", "wager", "perft"),
                *("legality", "length", "rule_pairs", "settings", "shuffle"),
            )
        ),
        *(f"{_DRIVEN}_rounds_in_all_houses[{first}]" for first in (0, 500)),
    ),
    goal=90,
)

BANK = Group(
    name="bank",
    package="bj_server",
    modules=("bank/*.py",),
    tests=("tests/server/bank", "tests/server/bank_cli", "tests/server/history"),
    goal=85,
    writes=True,
)

GROUPS = {group.name: group for group in (RULES, BANK)}
