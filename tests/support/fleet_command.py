"""``bj-bank fleet`` for tests, and folders that go into a fleet."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from psycopg.conninfo import conninfo_to_dict

from bj_server.bank.bank import Bank
from bj_server.bank.key import digest_of
from bj_server.bank.move import Payment, Reason
from support.banks import BankCommand


class FleetCommand(BankCommand):
    """``bj-bank``, which is told a database by a file with its URL."""

    def __init__(self, capsys: pytest.CaptureFixture[str], file: Path) -> None:
        super().__init__(capsys)
        self._file = file

    def __call__(self, *arguments: object) -> tuple[int, list[str], str]:
        words = [*arguments]
        if "--fleet" in words and isinstance(
            words[at := words.index("--fleet") + 1], str
        ):
            self._file.write_text(url_of(words[at]))
            words[at] = self._file
        return super().__call__(*words)


def url_of(database: object) -> str:
    return f"postgresql:///?{urlencode(conninfo_to_dict(str(database)))}"


def a_bank(folder: Path, **accounts: int) -> dict[str, int]:
    """Make a bank whose players have so many cents; return them."""
    bank = Bank.open(folder)
    for handle, cents in accounts.items():
        till = bank.till("main")
        till.open(handle, cents + 5)
        till.claim(handle, digest_of(handle))
        till.stake(till.last_round + 1, handle, 5)
        paid = Payment(handle=handle, reason=Reason.HAND_LOST, stake=5, payout=0)
        till.settle(till.last_round, [paid], {})
        till.seal({"seats": []})
    bank.close()
    return accounts
