"""Sheets: rows of text in columns that line up."""

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows of equal length as lines; the columns in ``right`` end alike.

    >>> aligned([("ned21", "$5.00"), ("lia9", "$12.00")], right={1})
    ['ned21   $5.00', 'lia9   $12.00']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def printable(text: str) -> str:
    r"""Return text with what could steer a terminal written out.

    >>> printable("a\x1b[2J")
    'a\\x1b[2J'
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
