"""Chat: what a player may say to a table, made harmless.

Both ends hold to it: the server before it tells anybody, the client again before it
shows anything.
"""

import unicodedata

MAX_CHAT = 200
"""The most characters of one saying."""

_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Controls, marks of direction and other unseen ones, and what is no character."""

_UNSEEN = {
    chr(number)
    for first, last in (
        # What Unicode calls default ignorable (DerivedCoreProperties.txt), without
        # those whose category is dropped anyway.
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer vowels that are never written
        (0x180B, 0x180F),  # Mongolian variation selectors
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
        (0xE0100, 0xE01EF),  # variation selectors
        # What fonts draw as a blank.
        (0x1107F, 0x1107F),  # Brahmi number joiner
        (0x2800, 0x2800),  # Braille pattern without a dot
        (0x2D7F, 0x2D7F),  # Tifinagh consonant joiner
        (0x13441, 0x13446),  # Egyptian blanks and lost signs
        (0x16FE4, 0x16FE4),  # Khitan filler
        (0x1D159, 0x1D159),  # musical null notehead
        (0xFFFC, 0xFFFC),  # what stands for an object that is not there
    )
    for number in range(first, last + 1)
}
"""Characters that show nothing though their category says letter, mark or symbol."""

_MARKS_IN_A_ROW = 3


def is_unseen(character: str) -> bool:
    r"""Whether a character shows nothing, or changes how others are shown.

    A blank of any width is seen; a line break is not.

    >>> [is_unseen(character) for character in "a \u3164\u202e\u2800"]
    [False, False, True, True, True]
    """
    return unicodedata.category(character) in _DROPPED or character in _UNSEEN


def clean_chat(text: str) -> str:
    r"""Return ``text`` as one line that can do no harm; empty if nothing is left.

    Line breaks and runs of blanks become one blank. Control characters, marks of
    direction and unseen characters vanish, and so do accents in towers, and those that
    stand on nothing.

    >>> clean_chat(" hit\nme \x1b[31m\u202e ")
    'hit me [31m'
    """
    kept: list[str] = []
    marks = _MARKS_IN_A_ROW
    for character in text:
        if character.isspace():
            kept.append(" ")
            marks = _MARKS_IN_A_ROW
        elif is_unseen(character):
            continue
        elif unicodedata.category(character).startswith("M"):
            marks += 1
            if marks <= _MARKS_IN_A_ROW:
                kept.append(character)
        else:
            kept.append(character)
            marks = 0
    return " ".join("".join(kept).split())[:MAX_CHAT].strip()
