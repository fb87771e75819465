"""What comes and goes and moves no money is put on the disk now and then too."""

from collections.abc import Callable

from bj_server.bank.bank import Bank
from bj_server.bank.store import MOST_UNSYNCED


async def test_lines_that_need_not_be_durable_do_not_pile_up_in_memory(
    open_bank: Callable[[], Bank],
) -> None:
    bank = open_bank()
    till, journal = bank.till("main"), bank.journal
    till.open("ned21", 100_00)
    till.seal({})
    await till.commit()
    synced = journal.synced
    most = 0
    for number in range(3 * MOST_UNSYNCED):
        till.seal({"seq": number})
        await till.commit()
        most = max(most, len(journal._unsynced))
    assert most <= MOST_UNSYNCED + 1
    assert journal.synced > synced + 2 * MOST_UNSYNCED
