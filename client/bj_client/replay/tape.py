"""The tape: the events that one player has heard in a visit.

An update has all events between two decisions. Here each of them is a frame by itself,
so that they can be looked at one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bj_client.fair.record import Entry, Header, RecordError, lines_of, read
from bj_protocol.commands import Link
from bj_protocol.messages import Signed, Update


@dataclass(slots=True)
class Recording:
    """One visit."""

    header: Header
    entries: list[Entry] = field(default_factory=list)

    @property
    def handles(self) -> list[str | None]:
        """The players who were there, in the order in which they are first heard of."""
        return list(dict.fromkeys(entry.handle for entry in self.entries))


def read_recording(path: Path) -> list[Recording]:
    """Return the visits of a file, in their order.

    Raises:
        RecordError: if it cannot be read, or any line of it is damaged.
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
        raise RecordError(
            f"The record {path} cannot be read ({error.strerror}): name a file that "
            "--record has written."
        ) from None
    except RecordError as bad:
        raise RecordError(
            f"Nothing of {path} is played; take a whole copy of the record. {bad}"
        ) from None
    return visits


EVENT_SECONDS = 0.15
"""Between two events of one update, which came at once."""


Frame = tuple[float, Entry]
"""One step of the story, after the seconds since the one before."""


def cut_tape(recording: Recording, handle: str | None) -> list[Frame]:
    """Return the frames of one line, in order."""
    frames: list[Frame] = []
    at = 0.0
    for entry in recording.entries:
        is_for_check = isinstance(entry.heard, Signed) or isinstance(entry.sent, Link)
        if entry.handle == handle and not is_for_check:
            frames += _frames(entry, max(0.0, entry.at - at))
            at = max(at, entry.at)
    return frames


def _frames(entry: Entry, wait: float) -> Iterator[Frame]:
    heard = entry.heard
    if not isinstance(heard, Update) or len(heard.events) < 2:
        yield wait, entry
        return
    last = len(heard.events) - 1
    for number, event in enumerate(heard.events):
        turn = heard.turn if number == last else None
        part = heard.model_copy(update={"events": (event,), "turn": turn})
        alone = entry.model_copy(update={"heard": part})
        yield EVENT_SECONDS if number else wait, alone
