"""The palette: every colour of the screen, by the name of its meaning."""

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

_BLACK = "bg:ansiblack"
_YOURS = "bg:ansiyellow ansiblack bold"
_CARD_plainer = "bg:ansiwhite"

SIXTEEN = {
    "felt": f"{_BLACK} ansigray",
    "title": "bg:ansigreen ansiblack",
    "title.name": "bg:ansigreen ansiblack bold",
    "rim": "ansigreen",
    "rim.turn": "ansibrightyellow bold",
    "rim.mine": "ansiwhite",
    "name": "ansiwhite bold",
    "name.turn": "ansibrightyellow bold",
    "dim": "ansigray",
    "money": "ansiyellow",
    "total": "ansiwhite bold",
    "win": "ansibrightgreen bold",
    "lose": "ansibrightred bold",
    "push": "ansibrightyellow bold",
    "card": f"{_CARD_plainer} ansiblack bold",
    "card.red": f"{_CARD_plainer} ansired bold",
    "card.edge": f"{_CARD_plainer} ansibrightblack",
    "back": "bg:ansiblue ansiwhite",
    "back.edge": "bg:ansiblue ansiwhite",
    "ink": "ansiwhite bold",
    "ink.red": "ansibrightred bold",
    "log": f"{_BLACK} ansigray",
    "log.title": "ansiwhite bold",
    "log.mine": "ansiwhite",
    "log.notice": "ansiyellow",
    "log.win": "ansibrightgreen",
    "log.lose": "ansibrightred",
    "log.push": "ansibrightyellow",
    "status": f"{_BLACK} ansigray",
    "status.value": "ansiwhite bold",
    "prompt": f"{_BLACK} ansiwhite",
    "prompt.yours": _YOURS,
    "prompt.soon": "bg:ansigray ansiblack",
    "clock": f"{_BLACK} ansibrightgreen",
    "clock.low": f"{_BLACK} ansibrightred bold",
    "clock.rest": f"{_BLACK} ansibrightblack",
    "foot": f"{_BLACK} ansigray",
    "button": _YOURS,
    "button.chosen": "bg:ansiwhite ansiblack bold",
    "button.always": "bg:ansigray ansiblack",
    "button.off": f"{_BLACK} ansibrightblack nobold",
    "banner": "bg:ansired ansiwhite bold",
    "page": "bg:ansigray ansiblack",
    "page.title": "bg:ansigray ansiblack bold",
}

NONE = {
    "title": "reverse",
    "title.name": "reverse bold",
    "rim.turn": "bold",
    "name": "bold",
    "name.turn": "reverse bold",
    "total": "bold",
    "win": "bold",
    "lose": "underline",
    "card": "bold",
    "card.red": "bold",
    "card.edge": "nobold",
    "ink": "bold",
    "ink.red": "bold",
    "log.title": "bold",
    "log.mine": "bold",
    "log.notice": "underline",
    "log.win": "bold",
    "status.value": "bold",
    "prompt.yours": "reverse bold",
    "prompt.soon": "underline",
    "clock.low": "bold",
    "button": "reverse bold",
    "button.chosen": "reverse underline bold",
    "button.always": "reverse nobold",
    "button.off": "noreverse nobold",
    "banner": "reverse bold",
    "page": "reverse",
    "page.title": "reverse bold",
}


_FELT = "bg:#0a5528"
_BAR = "bg:#06301f"
_LOG = "bg:#083c28"
_GOLD = "#f2cf73"
_CARD = "bg:#f4f1e6"

STYLE = Style.from_dict(
    {
        "felt": f"{_FELT} #dcebe2",
        "title": f"{_BAR} #b9d3c5",
        "title.name": f"{_GOLD} bold",
        "rim": "#5f9f5f",
        "rim.turn": f"{_GOLD} bold",
        "rim.mine": "#9fd0b6",
        "name": "#ffffff bold",
        "name.turn": f"{_GOLD} bold",
        "dim": "#9fc79f",
        "money": "#e9dcae",
        "total": "#ffffff bold",
        "win": "#7ff0a0 bold",
        "lose": "#ff9f92 bold",
        "push": "#ffe08a bold",
        "card": f"{_CARD} #22262b bold",
        "card.red": f"{_CARD} #c01525 bold",
        "card.edge": f"{_CARD} #a49f8c",
        "back": "bg:#274a7d #8db0e6",
        "back.edge": "bg:#274a7d #c9daf5",
        "ink": "#ffffff bold",
        "ink.red": "#ffb3a9 bold",
        "log": f"{_LOG} #bcd6c8",
        "log.title": "#ffffff bold",
        "log.mine": "#ffffff",
        "log.notice": f"{_GOLD}",
        "log.warning": "bg:#8f2424 #ffffff bold",
        "log.win": "#7ff0a0",
        "log.lose": "#ff9f92",
        "log.push": "#ffe08a",
        "status": f"{_BAR} #b9d3c5",
        "status.value": "#ffffff bold",
        "prompt": f"{_BAR} #cfe3d8",
        "prompt.yours": f"bg:{_GOLD} #1b1a14 bold",
        "prompt.soon": "bg:#8a7a48 #1b1a14 bold",
        "clock": f"{_BAR} #5fb98d",
        "clock.low": f"{_BAR} #ff8a76 bold",
        "clock.rest": f"{_BAR} #1d5940",
        "foot": f"{_BAR} #cfe3d8",
        "button": f"bg:{_GOLD} #1b1a14 bold",
        "button.chosen": "bg:#ffffff #1b1a14 bold",
        "button.always": "bg:#1d5940 #e6f2ec",
        "button.off": "bg:#0a3d29 #56866f",
        "banner": "bg:#8f2424 #ffffff bold",
        "page": "bg:#f4f1e6 #22262b",
        "page.title": "bg:#f4f1e6 #0a5528 bold",
    }
)
_PLAINER = {
    ColorDepth.DEPTH_4_BIT: Style.from_dict(SIXTEEN),
    ColorDepth.DEPTH_1_BIT: Style.from_dict(NONE),
}


def style_for(colours: ColorDepth) -> Style:
    """Return the palette that so many colours can show."""
    return _PLAINER.get(colours, STYLE)
