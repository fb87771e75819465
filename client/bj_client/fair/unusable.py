"""The ending of a visit that was to be recorded, and cannot be."""

from pathlib import Path

from bj_client.ending import Ending
from bj_client.exits import Exit


class RecordUnusable(Ending):
    """The visit cannot be recorded."""

    exit = Exit.RECORD

    def __init__(self, path: Path, why: str) -> None:
        """Remember the file, and why it cannot be written."""
        super().__init__(path, why)
        self.path, self.why = path, why

    def __str__(self) -> str:
        """Return the sentence."""
        return (
            f"The record {self.path} cannot be written ({self.why}): name another "
            "file with --record, or leave it out."
        )
