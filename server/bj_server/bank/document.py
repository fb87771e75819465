"""Documents: the files of a bank that are one JSON object, read in one careful way."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from bj_server.bank.disk import naming, read_file
from bj_server.bank.error import BankDamaged
from bj_server.bank.plain import NotPlain, read_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one file holds."""

    path: Path
    content: bytes
    fields: dict[str, Any]
    remedy: str
    """What helps where the file is damaged; empty for what helps with ``bank.json``."""

    @classmethod
    def read(cls, path: Path, remedy: str = "") -> Self | None:
        """Read a file; None where there is none.

        Raises:
            BankDamaged: if it is not one object of plain JSON.
            BankUnusable: if the system refuses it, or it is no file.
        """
        with naming(path):
            try:
                content = read_file(path)
            except FileNotFoundError:
                return None
        try:
            fields = read_plain(content.decode("utf-8-sig"))
        except NotPlain as error:
            reason = f"is not plain JSON: {error}"
            raise BankDamaged(path, reason, remedy) from None
        except ValueError:
            reason = "is not plain JSON, or not all of it"
            raise BankDamaged(path, reason, remedy) from None
        if not isinstance(fields, dict):
            raise BankDamaged(path, "is not a JSON object", remedy)
        return cls(path=path, content=content, fields=fields, remedy=remedy)

    def damaged(self, reason: str) -> BankDamaged:
        """Return the error about what the file holds; the reason completes "it ..."."""
        return BankDamaged(self.path, reason, self.remedy)
