"""Folders on their way into a fleet, and out of one."""

from pathlib import Path

import pytest

from bj_protocol.proof import run_in_fleet
from bj_server.bank.bank import Bank
from bj_server.bank.error import IMPORTED, FleetFolderError
from bj_server.bank.key import digest_of
from bj_server.bank.move import Kind, Posting
from bj_server.bank.signer import Signer
from bj_server.bank.visit import Membership


def test_an_account_is_put_there_as_it_was_elsewhere(tmp_path: Path) -> None:
    bank = Bank.open(tmp_path / "bank")
    bank.put_account("ned21", 0, None)
    bank.put_account("lia9", 900, digest_of("lia9"))
    bank.post(Posting(kind=Kind.OPEN))  # of nobody
    bank.till("main").open("ned21", 500)  # it is known already
    bank.close()
    again = Bank.open(tmp_path / "bank")
    assert (again.balance("ned21"), again.balance("lia9")) == (0, 900)
    assert again.books.keys == {"lia9": digest_of("lia9")}
    assert again.till("main").account("ned21") == 0
    again.audit()
    again.close()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(IMPORTED, "were brought into a fleet"), ("n1", "belongs to server n1")],
)
def test_a_folder_of_a_fleet_says_why_it_is_not_opened(
    tmp_path: Path, name: str, sentence: str
) -> None:
    bank = Bank.open(tmp_path / "bank")
    bank.join_fleet(Membership(fleet="f", name=name, journal="j", epoch=1))
    bank.close()
    with pytest.raises(FleetFolderError, match=sentence):
        Bank.open(tmp_path / "bank")


def test_a_run_names_the_server_once_it_serves_in_a_fleet(tmp_path: Path) -> None:
    signer = Signer.open(tmp_path)
    salt = signer.run
    assert (signer.start, signer.told_fleet) == (None, None)
    signer.name_run("n1", "j", 7)
    assert signer.start is not None
    assert signer.start.salt == salt
    assert signer.run == run_in_fleet(name="n1", journal="j", epoch=7, salt=salt)
    assert signer.run != salt
