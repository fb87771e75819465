"""The cast: a recorded session as a file of asciicast v2, and back.

The first line is a header with the version and the size; each line after it is an event
of time in seconds, kind and data, in which the kind "o" is for output.
"""

import codecs
import json
from collections.abc import Iterable
from dataclasses import dataclass

import pyte

from picture.screen import Screen


@dataclass(frozen=True, slots=True)
class Cast:
    """A recorded session."""

    columns: int
    rows: int
    title: str
    events: tuple[tuple[float, str], ...]
    """What was written, each after so many seconds."""

    def play(self, screen: Screen, until: float) -> None:
        """Write on a screen what came in the first seconds."""
        stream = pyte.Stream(screen)
        for seconds, text in self.events:
            if seconds <= until:
                stream.feed(text)


def written_cast(
    size: tuple[int, int], title: str, written: Iterable[tuple[float, bytes]]
) -> str:
    """Return the file of a session, from what its terminal got and when.

    A character that arrived in two pieces belongs to the later one.
    """
    header = {
        "version": 2,
        "width": size[0],
        "height": size[1],
        "title": title,
        "env": {"TERM": "xterm-256color"},
    }
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    lines: list[object] = [header]
    for seconds, data in written:
        if text := decoder.decode(data):
            lines.append([round(seconds, 3), "o", text])
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def read_cast(text: str) -> Cast:
    """Read a file of asciicast v2.

    Raises:
        ValueError: if it is none, or one whose time goes back.
    """
    first, *rest = text.splitlines()
    header = json.loads(first)
    if header.get("version") != 2:
        raise ValueError("The file is no asciicast of version 2: record it anew.")
    events: list[tuple[float, str]] = []
    for line in rest:
        seconds, kind, data = json.loads(line)
        if events and seconds < events[-1][0]:
            raise ValueError(f"Time goes back to {seconds} s: record the cast anew.")
        if kind == "o":
            events.append((seconds, data))
    return Cast(header["width"], header["height"], header["title"], tuple(events))
