"""The look: the form, the letters and the pace of the output."""

from bj_client.colours import Colours
from bj_client.keymap import read_keymap
from bj_client.options.checked import seconds
from bj_client.words.text import listed
from bj_protocol.option import Option, Setting


def _colours(text: str) -> Colours:
    try:
        return Colours(text.strip().lower())
    except ValueError:
        raise ValueError(f"the colours are {listed(list(Colours), 'or')}.") from None


LOOK = (
    Setting(
        "--plain",
        "plain lines only; by itself where input or output is no terminal (BJ_PLAIN=1)",
    ),
    Option("--line", "lines and a prompt instead of the whole screen, in a terminal"),
    Option(
        "--style",
        "plain lines as a published text prints them: cs1114 is its whole transcript, "
        "cs220 adds its summary of each round, dsc20 is its log and writes its files, "
        "iipp6 has its words and buttons; for tables of that house",
        choices=("cs1114", "cs220", "dsc20", "iipp6"),
    ),
    Setting(
        "--ascii", "nothing but ASCII: suits as the letters S, H, D, C (BJ_ASCII=1)"
    ),
    Setting(
        "--colours HOW-MANY",
        "none, 16, 256 or true, in a terminal (BJ_COLOURS; default as many as it says "
        "it has, and none with NO_COLOR)",
        _colours,
    ),
    Setting(
        "--keys NAME=KEY...",
        "keys of your own on the screen, as in 'hit=j stand=k' (BJ_KEYS)",
        read_keymap,
        read_keymap(""),
        dest="keymap",
    ),
    Setting(
        "--pace SECONDS",
        "time between two events (BJ_PACE; default 0.15 in a terminal, 0 in pipes and "
        "for bots)",
        seconds(60, "the pace is a number of seconds, 0 to 60."),
    ),
)
