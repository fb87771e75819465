"""The claim: whether a handle is that of the one who shows a key.

The first key that is shown for a handle claims it, in the same breath as the join that
shows it, so that no two can. What is compared are hashes; a key itself gets no further
than the session.
"""

from bj_protocol.refusal import RefusalCode
from bj_server.bank.key import is_same
from bj_server.bank.till import Till
from bj_server.table.refusal import Refusal

__all__ = ["check_key", "claim"]


def check_key(till: Till, handle: str, sha256: str) -> None:
    """See that a handle is not somebody else's. It need not be claimed.

    Raises:
        Refusal: if it has another key.
    """
    known = till.key_of(handle)
    if known is not None and not is_same(known, sha256):
        raise Refusal(RefusalCode.WRONG_KEY)


def claim(till: Till, handle: str, sha256: str) -> None:
    """Let a handle that is not claimed be known by this key from now on.

    Raises:
        JournalError: if the journal cannot be written any more.
    """
    if till.key_of(handle) is None:
        till.claim(handle, sha256)
