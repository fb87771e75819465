"""The board: the notice of the host, kept in a file until it is taken down."""

from pathlib import Path

from bj_protocol.chat import clean_chat
from bj_server.bank.disk import naming, replace_file
from bj_server.bank.document import Document
from bj_server.bank.plain import write_plain

NOTICE_NAME = "notice.json"

_REMEDY = 'mend it, as in {"notice":"Cards at 8."}, or delete it to have no notice'


class Board:
    """One notice, or none; it outlives the server."""

    def __init__(self, folder: Path) -> None:
        """Keep it in the bank ``folder``.

        Raises:
            BankDamaged: if there is a file of it that holds something else.
            BankUnusable: if there is one that cannot be used.
        """
        self._path = folder / NOTICE_NAME
        self.text = _read(self._path)

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
    found = Document.read(path, _REMEDY)
    if found is None:
        return ""
    text = found.fields.get("notice")
    if not isinstance(text, str):
        raise found.damaged("has no notice")
    return clean_chat(text)
