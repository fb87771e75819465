"""The page of reference says what the commands say of themselves."""

import make_reference
import pytest

from bj_protocol.option import VARIABLES

PAGE = make_reference.PAGE.read_text("utf-8")


def test_the_page_of_reference_is_current() -> None:
    assert make_reference.page(PAGE) == PAGE, "the options have changed: run make pages"


@pytest.mark.parametrize("name", sorted(VARIABLES - {"BJ_PUBLISH", "BJ_DEBUG"}))
def test_every_variable_of_a_command_is_in_its_table(name: str) -> None:
    assert f"| `{name}" in PAGE


def test_a_block_that_nobody_makes_is_noticed() -> None:
    with pytest.raises(KeyError, match="options of bj-dealer"):
        make_reference.page("<!-- made: options of bj-dealer -->\n<!-- end -->")
