"""The voice: what a command itself says, in the form of the log where that is JSON."""

import contextlib
import logging
import sys
from typing import TextIO

from bj_server.log.form import form_of
from bj_server.standard import write_text

_NAME = "bj_server.command"


class Voice:
    """Speaks on the standard streams; nobody has to be there to listen."""

    def __init__(self, form: str = "text") -> None:
        """Speak in a form, ``text`` or ``json``."""
        self.is_json = form == "json"
        self._form = form

    def say(self, line: str) -> None:
        """Say something that is well."""
        self._write(sys.stdout, logging.INFO, line, line)

    def complain(self, sentence: str) -> None:
        """Say what is wrong."""
        self._write(sys.stderr, logging.ERROR, sentence, f"bj-server: {sentence}")

    def _write(self, stream: TextIO, level: int, said: str, plain: str) -> None:
        form = form_of(self._form, stream, plain=True)
        fields = {
            "name": _NAME,
            "levelno": level,
            "msg": said if self.is_json else plain,
        }
        name = {"levelname": logging.getLevelName(level)}
        line = form.format(logging.makeLogRecord(fields | name)) + "\n"
        with contextlib.suppress(OSError):  # tables go on without anyone who reads it
            write_text(stream, line)
