"""Plainer palettes: for sixteen colours, which each terminal has its own of, and none.

Sixteen colours stand on black, since the green that a terminal calls its own glares.
Without any, what counts now is reversed: buttons that work, the prompt, the seat in
turn.
"""

__all__ = ["NONE", "SIXTEEN"]

_BLACK = "bg:ansiblack"
_YOURS = "bg:ansiyellow ansiblack bold"
_CARD = "bg:ansiwhite"

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
    "card": f"{_CARD} ansiblack bold",
    "card.red": f"{_CARD} ansired bold",
    "card.edge": f"{_CARD} ansibrightblack",
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
