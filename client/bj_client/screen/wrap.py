"""Wrapping: a text in rows of so many cells, wide characters counted as two."""

from prompt_toolkit.utils import get_cwidth


def wrap(text: str, width: int) -> list[str]:
    """Return the rows of ``text``; a word that is too long is broken.

    >>> wrap("ned21 stands with 18", 12)
    ['ned21 stands', 'with 18']
    """
    rows, row = [], ""
    for word in text.split(" "):
        joined = f"{row} {word}" if row else word
        if get_cwidth(joined) <= width:
            row = joined
            continue
        if row:
            rows.append(row)
        row = word
        while get_cwidth(row) > width:
            head = _head(row, width)
            rows.append(head)
            row = row[len(head) :]
    return [*rows, row]


def _head(word: str, width: int) -> str:
    cells = 0
    for number, mark in enumerate(word):
        cells += get_cwidth(mark)
        if cells > width:
            return word[: max(1, number)]
    return word
