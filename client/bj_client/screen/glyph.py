"""Glyphs: the marks that frames, bars and arrows are drawn with, in two alphabets."""

from dataclasses import dataclass

from bj_client.model.card import Faces


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """One mark for each purpose; all are one cell wide."""

    frame: str
    """Corners top left, top right, bottom left, bottom right; horizontal, upright."""
    heavy_frame: str
    back: str
    arrow: str
    mine: str
    """Beside a seat of one's own."""
    above: str
    below: str
    """Marks that there are more lines than are shown."""
    soon: str
    dot: str
    cursor: str
    full: str
    rest: str
    parts: str
    """Parts of a full cell, from the smallest; empty if there are none."""
    more: str
    enter: str
    times: str


UNICODE = Glyphs(
    frame="╭╮╰╯─│",
    heavy_frame="┏┓┗┛━┃",
    back="▒",
    arrow="▶",
    mine="•",
    above="▲",
    below="▼",
    soon="▷",
    dot="·",
    cursor="▏",
    full="█",
    rest="─",
    parts="▏▎▍▌▋▊▉",
    more="…",
    enter="⏎",
    times="×",
)

ASCII = Glyphs(
    frame="++++-|",
    heavy_frame="####=#",
    back="/",
    arrow=">",
    mine="*",
    above="^",
    below="v",
    soon="~",
    dot="-",
    cursor="_",
    full="#",
    rest=".",
    parts="",
    more="~",
    enter="Enter",
    times="x",
)


def glyphs_for(faces: Faces) -> Glyphs:
    """Return the marks that can be shown where cards are written so."""
    return UNICODE if faces.symbols else ASCII
