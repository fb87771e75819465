"""The recording: the visits in a file that ``--record`` has written.

``docs/fairness.md`` has the form, and ``fair.record`` reads it: the first line that
is not as it must be is named, and nothing is played of a file that has one.
"""

from dataclasses import dataclass, field
from pathlib import Path

from bj_client.fair.record import BadRecord, Entry, Header, lines_of, read


class BadRecording(Exception):
    """A file that cannot be played; ``str`` is a sentence."""


@dataclass(slots=True)
class Recording:
    """One visit."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    @property
    def handles(self) -> list[str | None]:
        """Who was there, in the order in which they are first heard of."""
        return list(dict.fromkeys(entry.handle for entry in self.entries))


def read_recording(path: Path) -> list[Recording]:
    """Return the visits of a file, in their order.

    Raises:
        BadRecording: if it cannot be read, or any line of it is damaged.
    """
    visits: list[Recording] = []
    try:
        with path.open("rb") as file:
            for _, line in read(lines_of(file)):
                if isinstance(line, Header):
                    visits.append(Recording(line))
                else:
                    visits[-1].entries.append(line)
    except OSError as error:
        raise BadRecording(f"{path} cannot be read: {error.strerror}.") from None
    except BadRecord as bad:
        raise BadRecording(
            f"Nothing of {path} is played; take a whole copy of the record. {bad}"
        ) from None
    return visits
