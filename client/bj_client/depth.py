"""Depth: the number of colours, as the prompt library has it."""

from collections.abc import Mapping

from prompt_toolkit.output import ColorDepth

from bj_client.colours import Colours

_DEPTHS = {
    Colours.NONE: ColorDepth.DEPTH_1_BIT,
    Colours.FEW: ColorDepth.DEPTH_4_BIT,
    Colours.MANY: ColorDepth.DEPTH_8_BIT,
    Colours.TRUE: ColorDepth.DEPTH_24_BIT,
}


def depth_of(
    colours: Colours | None, environment: Mapping[str, str]
) -> ColorDepth | None:
    """Return the depth that is wished for, or that the terminal says it has.

    None is for going by the terminal's name.
    """
    if colours is not None:
        return _DEPTHS[colours]
    is_true = environment.get("COLORTERM", "") in {"truecolor", "24bit"}
    return ColorDepth.from_env() or (ColorDepth.TRUE_COLOR if is_true else None)
