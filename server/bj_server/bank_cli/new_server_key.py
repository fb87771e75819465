"""A new key of the server, which the old one signs, so that clients follow it."""

from bj_server.bank.signer import Signer
from bj_server.bank_cli.account import to_change
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.reading import Reading
from bj_server.bank_cli.report import Report, as_json


def new_server_key(options: Options) -> Report:
    """Renew the key by which players know the server; it is on the disk then.

    Raises:
        RefusedError: if there is no bank.
        FolderLockedError: if a server holds it.
        BankError: if the bank cannot be read, or the key not be written.
    """
    Reading(options.bank)
    with to_change(options.bank) as bank:
        old, new = bank.signer.key, Signer.renew(options.bank).key
    if options.as_json:
        fields = {"key": new, "before": old}
        return Report(lines=as_json(fields), remarks=[bank.repaired])
    line = (
        f"The key of the server is {new} now. The old one, {old}, has signed it, so "
        "that clients which know the server by the old key follow."
    )
    return Report(lines=[line], remarks=[bank.repaired])
