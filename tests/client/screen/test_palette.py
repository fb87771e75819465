"""The palettes: every name has its style, and without colours all is told apart."""

import re
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

import bj_client.screen
from bj_client.play.output import Tone
from bj_client.screen.canvas_control import STYLE, style_for

DEPTHS = list(ColorDepth)


def named() -> set[str]:
    """Return the styles that the modules of the screen name."""
    folder = Path(bj_client.screen.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    return set(re.findall(r'"class:([a-z.]+)"', "\n".join(texts)))


def test_every_style_that_is_drawn_is_in_the_palette() -> None:
    known = {name for name, _ in STYLE.style_rules}
    assert named() <= known
    assert {f"log.{tone}" for tone in Tone} - known == {"log.plain", "log.asked"}


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_counts_differs_from_what_does_not_at_every_depth(
    depth: ColorDepth,
) -> None:
    def look(name: str) -> object:
        attrs = style_for(depth).get_attrs_for_style_str(f"class:felt class:{name}")
        has_colours = depth is not ColorDepth.DEPTH_1_BIT
        return attrs if has_colours else attrs._replace(color="", bgcolor="")

    for one, other in (
        ("button", "button.off"),
        ("button.always", "button.off"),
        ("button", "button.chosen"),
        ("prompt.yours", "prompt"),
        ("prompt.yours", "prompt.soon"),
        ("banner", "prompt"),
        ("name.turn", "name"),
        ("rim.turn", "rim"),
        ("win", "lose"),
        ("clock", "clock.low"),
        ("page", "felt"),
    ):
        assert look(one) != look(other), (one, other)


def test_sixteen_colours_are_only_those_that_a_terminal_names() -> None:
    for name, style in style_for(ColorDepth.DEPTH_4_BIT).style_rules:
        for word in style.split():
            assert "#" not in word, name
