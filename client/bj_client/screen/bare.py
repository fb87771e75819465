"""The bare palette: what stands out by shape where there are no colours."""

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle, Style, merge_styles

from bj_client.screen.palette import STYLE

__all__ = ["style_for"]

_BARE = Style.from_dict(
    {
        "title": "reverse",
        "back": "reverse",
        "prompt.yours": "reverse bold",
        "prompt.soon": "underline",
        "button": "reverse bold",
        "button.chosen": "reverse bold underline",
        "button.always": "nobold",
        "button.off": "noreverse nobold",
        "banner": "reverse bold",
        "page": "reverse",
        "page.title": "reverse bold",
    }
)


def style_for(depth: ColorDepth) -> BaseStyle:
    """Return the palette for so many colours."""
    if depth is ColorDepth.DEPTH_1_BIT:
        return merge_styles([STYLE, _BARE])
    return STYLE
