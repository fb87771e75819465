"""The palette: every colour of the screen, by the name of its meaning."""

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

_BLACK, _WHITE = "bg:ansiblack", "bg:ansiwhite"
_YOURS = "bg:ansiyellow ansiblack bold"
_FELT, _BAR, _LOG = "bg:#0a5528", "bg:#06301f", "bg:#083c28"
_GOLD, _CARD = "#f2cf73", "bg:#f4f1e6"

PALETTE = {
    "felt": (f"{_FELT} #dcebe2", f"{_BLACK} ansigray", ""),
    "title": (f"{_BAR} #b9d3c5", "bg:ansigreen ansiblack", "reverse"),
    "title.name": (f"{_GOLD} bold", "bg:ansigreen ansiblack bold", "reverse bold"),
    "rim": ("#5f9f5f", "ansigreen", ""),
    "rim.turn": (f"{_GOLD} bold", "ansibrightyellow bold", "bold"),
    "rim.mine": ("#9fd0b6", "ansiwhite", ""),
    "name": ("#ffffff bold", "ansiwhite bold", "bold"),
    "name.turn": (f"{_GOLD} bold", "ansibrightyellow bold", "reverse bold"),
    "dim": ("#9fc79f", "ansigray", ""),
    "money": ("#e9dcae", "ansiyellow", ""),
    "total": ("#ffffff bold", "ansiwhite bold", "bold"),
    "win": ("#7ff0a0 bold", "ansibrightgreen bold", "bold"),
    "lose": ("#ff9f92 bold", "ansibrightred bold", "underline"),
    "push": ("#ffe08a bold", "ansibrightyellow bold", ""),
    "card": (f"{_CARD} #22262b bold", f"{_WHITE} ansiblack bold", "bold"),
    "card.red": (f"{_CARD} #c01525 bold", f"{_WHITE} ansired bold", "bold"),
    "card.edge": (f"{_CARD} #a49f8c", f"{_WHITE} ansibrightblack", "nobold"),
    "back": ("bg:#274a7d #8db0e6", "bg:ansiblue ansiwhite", ""),
    "back.edge": ("bg:#274a7d #c9daf5", "bg:ansiblue ansiwhite", ""),
    "ink": ("#ffffff bold", "ansiwhite bold", "bold"),
    "ink.red": ("#ffb3a9 bold", "ansibrightred bold", "bold"),
    "log": (f"{_LOG} #bcd6c8", f"{_BLACK} ansigray", ""),
    "log.title": ("#ffffff bold", "ansiwhite bold", "bold"),
    "log.mine": ("#ffffff", "ansiwhite", "bold"),
    "log.notice": (_GOLD, "ansiyellow", "underline"),
    "log.warning": ("bg:#8f2424 #ffffff bold", "", ""),
    "log.win": ("#7ff0a0", "ansibrightgreen", "bold"),
    "log.lose": ("#ff9f92", "ansibrightred", ""),
    "log.push": ("#ffe08a", "ansibrightyellow", ""),
    "status": (f"{_BAR} #b9d3c5", f"{_BLACK} ansigray", ""),
    "status.value": ("#ffffff bold", "ansiwhite bold", "bold"),
    "prompt": (f"{_BAR} #cfe3d8", f"{_BLACK} ansiwhite", ""),
    "prompt.yours": (f"bg:{_GOLD} #1b1a14 bold", _YOURS, "reverse bold"),
    "prompt.soon": ("bg:#8a7a48 #1b1a14 bold", "bg:ansigray ansiblack", "underline"),
    "clock": (f"{_BAR} #5fb98d", f"{_BLACK} ansibrightgreen", ""),
    "clock.low": (f"{_BAR} #ff8a76 bold", f"{_BLACK} ansibrightred bold", "bold"),
    "clock.rest": (f"{_BAR} #1d5940", f"{_BLACK} ansibrightblack", ""),
    "foot": (f"{_BAR} #cfe3d8", f"{_BLACK} ansigray", ""),
    "button": (f"bg:{_GOLD} #1b1a14 bold", _YOURS, "reverse bold"),
    "button.chosen": (
        "bg:#ffffff #1b1a14 bold",
        "bg:ansiwhite ansiblack bold",
        "reverse underline bold",
    ),
    "button.always": ("bg:#1d5940 #e6f2ec", "bg:ansigray ansiblack", "reverse nobold"),
    "button.off": (
        "bg:#0a3d29 #56866f",
        f"{_BLACK} ansibrightblack nobold",
        "noreverse nobold",
    ),
    "banner": ("bg:#8f2424 #ffffff bold", "bg:ansired ansiwhite bold", "reverse bold"),
    "page": ("bg:#f4f1e6 #22262b", "bg:ansigray ansiblack", "reverse"),
    "page.title": (
        "bg:#f4f1e6 #0a5528 bold",
        "bg:ansigray ansiblack bold",
        "reverse bold",
    ),
}
"""In many colours, in the sixteen of the terminal, and in none."""

STYLE, _SIXTEEN, _NONE = (
    Style.from_dict({name: styles[column] for name, styles in PALETTE.items()})
    for column in range(3)
)


def style_for(colours: ColorDepth) -> Style:
    """Return the palette that so many colours can show."""
    if colours is ColorDepth.DEPTH_1_BIT:
        return _NONE
    return _SIXTEEN if colours is ColorDepth.DEPTH_4_BIT else STYLE
