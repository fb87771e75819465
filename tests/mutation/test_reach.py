"""A test is tried against a mutant if it comes to the lines that the mutant changes."""

import ast
from textwrap import dedent

from mutation.overlay import different
from mutation.reach import Reach, statements_of

CODE = dedent("""
    def f__mutmut_orig(number):
        if number > 2:
            return (
                number
                + 1
            )
        while number:
            number -= 1
        return [
            each for each in range(number)
        ]
""").lstrip()
FUNCTION = ast.parse(CODE).body[0]


def test_a_change_in_a_statement_is_reached_by_any_line_of_it() -> None:
    assert statements_of(FUNCTION, range(5, 6)) == {3, 4, 5, 6}


def test_of_a_statement_that_has_others_inside_only_the_head_counts() -> None:
    assert statements_of(FUNCTION, range(2, 3)) == {2}
    assert statements_of(FUNCTION, range(7, 8)) == {7}


def test_a_change_in_no_statement_is_reached_by_any_line_of_the_function() -> None:
    assert statements_of(FUNCTION, range(1, 2)) == set(range(2, 12))


def test_the_lines_of_an_original_are_noted_while_it_is_watched() -> None:
    names: dict[str, object] = {"__name__": "rules"}
    exec(compile(CODE, "rules.py", "exec"), names)
    call = names["f__mutmut_orig"]
    assert callable(call)
    reach = Reach()
    with reach.watched() as lines:
        call(3)
    call(0)
    assert {line for module, line in lines if module == "rules"} >= {2}
    assert not {7, 8} & {line for _, line in lines}


def test_the_lines_in_which_two_texts_differ_are_found() -> None:
    assert different(["a", "b", "c"], ["a", "x", "y", "c"]) == ((1, 2), (1, 3))
    assert different(["a", "a"], ["a"]) == ((1, 2), (1, 1))
