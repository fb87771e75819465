"""A page: a text over the table, such as the rules, until it is closed."""

from dataclasses import dataclass

__all__ = ["Page"]


@dataclass(slots=True)
class Page:
    """A title and its lines."""

    title: str
    lines: tuple[str, ...]
    top: int = 0
    """The first row on view."""

    def scroll(self, rows: int) -> None:
        """Look further down, or with fewer than 0 rows up."""
        self.top = max(0, self.top + rows)
