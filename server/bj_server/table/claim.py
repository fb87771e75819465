"""The claim: whether a handle is that of the one who shows a key.

The first key that is shown for a handle claims it, in the same breath as the join that
shows it, so that no two can. What is compared are hashes; a key itself gets no further
than the session.
"""

from bj_server.bank.key import is_same
from bj_server.bank.till import Till


def has_key(till: Till, handle: str, sha256: str) -> bool:
    """Whether a handle is that of who shows a key. It need not be claimed."""
    known = till.key_of(handle)
    return known is None or is_same(known, sha256)


def claim(till: Till, handle: str, sha256: str) -> None:
    """Let a handle that is not claimed be known by this key from now on.

    Raises:
        JournalError: if the journal cannot be written any more.
    """
    if till.key_of(handle) is None:
        till.claim(handle, sha256)
