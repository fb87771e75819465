"""The recall: the last rounds of a handle as a message, from a place in the journal."""

from collections.abc import Callable

from bj_protocol.messages import Recalled
from bj_server.bank.bookmark import Bookmark
from bj_server.recall.retelling import retell
from bj_server.recall.search import SearchStopped, find_rounds


def recall(
    bookmark: Bookmark, rounds: int, is_wanted: Callable[[], bool] = lambda: True
) -> Recalled:
    """Return the last ``rounds`` of the bookmark's handle that are over, newest last.

    It reads files and plays rounds again, so it belongs on a thread.

    Raises:
        SearchStopped: once it ``is_wanted`` no more.
        BankError: if the journal cannot be read.
    """
    told = []
    for found in find_rounds(bookmark, rounds, is_wanted):
        if not is_wanted():
            raise SearchStopped
        told.append(retell(bookmark.handle, found))
    return Recalled(rounds=tuple(told))
