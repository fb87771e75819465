"""Newcomers: the conditions for a handle that has no account yet.

A handle with an account has shown its key, and is no newcomer. A host may ask newcomers
for a code, or invite handles. One address opens only so many accounts, and gets only so
many codes and keys wrong.
"""

import hmac
from dataclasses import dataclass, field
from typing import NamedTuple

from bj_protocol.refusal import RefusalCode
from bj_server.bank.handles import Invites
from bj_server.net.limits import Limits, Throttle, in_words
from bj_server.table.refusal import SENTENCES, RefusalError

_NEEDED = "This server asks newcomers for a code, which its host can tell you."
_WRONG = "That is not the code of this server; ask its host for it."
_NO_WATCHING = (
    "This server is for those whom its host has invited, and nobody looks on; join "
    "with an invited handle."
)


class Origin(NamedTuple):
    """The place from which somebody asks, and the moment, for a throttle."""

    place: str
    now: float


@dataclass(eq=False)
class Newcomers:
    """The rules of one server for those who have no account on it, and for guesses.

    Each check raises ``RefusalError`` where somebody is not let in.
    """

    limits: Limits = field(default_factory=Limits)
    code: str | None = field(default=None, repr=False)
    """Is asked of newcomers who are not invited; None for no code."""
    is_invite_only: bool = False
    """Whether nobody is let in but those who are invited."""
    invited: Invites = field(default_factory=Invites)

    def __post_init__(self) -> None:
        self._accounts = Throttle(lambda: self.limits.new_handles)
        self._wrong = Throttle(lambda: self.limits.wrong_tries)

    @property
    def is_closed(self) -> bool:
        """Whether some players cannot come in; they need not know who is here."""
        return self.code is not None or self.is_invite_only

    def check_code(
        self, code: str, shown: str | None, origin: Origin, *, is_of_table: bool = True
    ) -> None:
        """See that somebody has the code of a private table, or that of the server."""
        if shown is None:
            raise RefusalError(
                RefusalCode.CODE_NEEDED, None if is_of_table else _NEEDED
            )
        _check(self._wrong, origin, RefusalCode.TOO_MANY_TRIES)
        if not hmac.compare_digest(code.encode(), shown.encode()):
            text = None if is_of_table else _WRONG
            raise self.count_wrong(RefusalCode.WRONG_CODE, origin, text)

    def check_watcher(self, shown: str | None, origin: Origin) -> None:
        """See that somebody without a handle may look on."""
        if self.is_invite_only:
            raise RefusalError(RefusalCode.NOT_INVITED, _NO_WATCHING)
        if self.code is not None:
            self.check_code(self.code, shown, origin, is_of_table=False)

    def check_handle(self, handle: str, shown: str | None, origin: Origin) -> None:
        """See that a handle which has no account may open one."""
        if handle in self.invited:
            return
        if self.is_invite_only:
            raise self.count_wrong(RefusalCode.NOT_INVITED, origin)
        if self.code is not None:
            self.check_code(self.code, shown, origin, is_of_table=False)

    def count_account(self, origin: Origin) -> None:
        """Count an account that is about to be opened."""
        self.check_accounts(origin)
        self._accounts.spend(*origin)

    def check_accounts(self, origin: Origin) -> None:
        """See that an address may open one more account."""
        _check(self._accounts, origin, RefusalCode.TOO_MANY_HANDLES)

    def count_wrong(
        self, code: RefusalCode, origin: Origin, text: str | None = None
    ) -> RefusalError:
        """Count a wrong code, key or handle, and return the refusal for it."""
        _check(self._wrong, origin, RefusalCode.TOO_MANY_TRIES)
        self._wrong.spend(*origin)
        return RefusalError(code, text)


def _check(throttle: Throttle, origin: Origin, code: RefusalCode) -> None:
    """See that there may be one more now."""
    seconds = throttle.wait(*origin)
    if seconds:
        text = f"{SENTENCES[code]} Try again in {in_words(seconds)}."
        raise RefusalError(code, text)
