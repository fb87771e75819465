"""The board: the notice of the host, kept in a file until it is taken down."""

import logging
from pathlib import Path

from bj_protocol.chat import clean_chat
from bj_server.bank.disk import naming, read_file, replace_file
from bj_server.bank.error import BankUnusable
from bj_server.bank.plain import read_plain, write_plain

__all__ = ["NOTICE_NAME", "Board"]

NOTICE_NAME = "notice.json"

_log = logging.getLogger(__name__)


class Board:
    """One notice, or none; it outlives the server."""

    def __init__(self, folder: Path) -> None:
        """Keep it in the bank ``folder``; one that cannot be read is only logged."""
        self._path = folder / NOTICE_NAME
        self.text = ""
        if self._path.exists():
            try:
                self.text = _read(self._path)
            except BankUnusable as error:
                _log.warning("%s", error)

    def post(self, text: str) -> str:
        """Hang up a notice, or take it down where ``text`` is empty; return its text.

        Raises:
            BankUnusable: if it cannot be written down; nothing has changed then.
        """
        cleaned = clean_chat(text)
        with naming(self._path):
            if cleaned:
                replace_file(self._path, write_plain({"notice": cleaned}).encode())
            else:
                self._path.unlink(missing_ok=True)
        self.text = cleaned
        return cleaned


def _read(path: Path) -> str:
    try:
        with naming(path):
            found = read_plain(read_file(path).decode())
    except ValueError:
        found = None
    text = found.get("notice") if isinstance(found, dict) else None
    if not isinstance(text, str):
        raise BankUnusable(path, "it holds no notice; bj-host notice TEXT hangs up one")
    return clean_chat(text)
