"""Records for tests, made of what was heard at a table on a bench."""

import json
from pathlib import Path
from typing import Any

from bj_protocol.codec import encode
from support.rig import Rig


def header(**changes: Any) -> str:
    known = {"record": 2, "server": "localhost:8765", "table": "main"}
    return json.dumps(known | changes) + "\n"


def heard(handle: str | None, at: float, text: str) -> str:
    start = json.dumps({"handle": handle, "at": at})[:-1]
    return f'{start}, "heard": {text}}}\n'


def sent(handle: str, at: float, **command: Any) -> str:
    return json.dumps({"handle": handle, "at": at, "sent": command}) + "\n"


def write_record(path: Path, rig: Rig, *handles: str, seconds: float = 1.0) -> Path:
    """Write what the players have heard, a message every so many seconds."""
    lines = []
    for handle in handles:
        said = rig.outlet.heard[rig.line[handle]]
        for number, message in enumerate(said):
            lines.append((number * seconds, handle, encode(message)))
    lines.sort(key=lambda line: line[0])
    told = "".join(heard(handle, at, text) for at, handle, text in lines)
    path.write_text(header() + told)
    return path
