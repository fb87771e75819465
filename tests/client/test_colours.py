"""How many colours the terminal gets, and what stands out where there are none."""

import pytest
from prompt_toolkit.output import ColorDepth

from bj_client.error import Exit
from bj_client.options import read_options
from bj_client.play.terminal import depth_of
from bj_client.screen.canvas_control import STYLE, style_for


@pytest.fixture(autouse=True)
def _silence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("none", ColorDepth.DEPTH_1_BIT),
        ("16", ColorDepth.DEPTH_4_BIT),
        ("256", ColorDepth.DEPTH_8_BIT),
        ("TRUE", ColorDepth.DEPTH_24_BIT),
    ],
)
def test_a_wish_goes_before_what_the_terminal_says(
    text: str, depth: ColorDepth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    options = read_options(["--handle", "ned21", "--colours", text], {})
    assert depth_of(options.colours, {"COLORTERM": "truecolor"}) is depth


def test_without_a_wish_the_terminal_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert depth_of(None, {}) is None
    assert depth_of(None, {"COLORTERM": "24bit"}) is ColorDepth.TRUE_COLOR
    monkeypatch.setenv("NO_COLOR", "1")
    assert depth_of(None, {"COLORTERM": "24bit"}) is ColorDepth.DEPTH_1_BIT


def test_a_flag_goes_before_the_environment() -> None:
    variables = {"BJ_COLOURS": "16"}
    assert read_options(["--handle", "a"], variables).colours == "16"
    flags = ["--handle", "a", "--colours", "none"]
    assert read_options(flags, variables).colours == "none"


def test_another_number_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(["--handle", "a", "--colours", "8"], {})
    assert stopped.value.code == Exit.USAGE
    assert "the colours are none, 16, 256 or true." in capsys.readouterr().err


def test_without_colours_what_counts_is_still_told_apart() -> None:
    bare = style_for(ColorDepth.DEPTH_1_BIT)

    def shape(name: str) -> tuple[bool | None, ...]:
        found = bare.get_attrs_for_style_str(f"class:foot class:{name}")
        return (found.bold, found.reverse, found.underline)

    assert len({shape(f"button{kind}") for kind in ("", ".off", ".chosen")}) == 3
    assert len({shape(f"prompt{kind}") for kind in ("", ".yours", ".soon")}) == 3
    assert style_for(ColorDepth.DEPTH_8_BIT) is STYLE
