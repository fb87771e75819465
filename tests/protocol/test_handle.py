import pytest
from hypothesis import given

from bj_protocol.handle import canonical_handle
from support.texts import TEXTS


@pytest.mark.parametrize(
    "text", ["a", "ned21", "lia9", "x" * 64, "ned@example.org", "a.b-c_d+e", "Ned21"]
)
def test_a_name_or_an_address_is_a_handle(text: str) -> None:
    assert canonical_handle(text) == text.lower()


@pytest.mark.parametrize(
    "text",
    ["..", "../../x", "/etc/x", "a\\b", "C:x", "CON", "con.txt", "lpt1", "ned21.", ""]
    + ["a\0b", "ned21\n", "\nned21", " ned21", "ned 21", "x" * 65, "-x", "<b>", "%s"],
)
def test_S3_what_could_be_a_path_or_a_device_is_no_handle(text: str) -> None:
    assert canonical_handle(text) is None


@pytest.mark.parametrize(
    "text",
    ["ned21\u200b", "n\u0435d21", "ｎｅｄ21", "ne\u0301d21", "n\u00e9d21", "\u212aen"],
)
def test_S4_look_alikes_are_no_handles(text: str) -> None:
    assert canonical_handle(text) is None


def test_S4_case_does_not_make_another_player() -> None:
    assert canonical_handle("NED21") == canonical_handle("Ned21") == "ned21"


@given(TEXTS)
def test_a_handle_is_printable_ascii_and_its_own_canonical_form(text: str) -> None:
    handle = canonical_handle(text)
    if handle is not None:
        assert handle.isascii()
        assert handle.isprintable()
        assert canonical_handle(handle) == handle
