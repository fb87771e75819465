"""Reset of a key: the next one to join under the handle claims it anew."""

from bj_server.office.change import player_of, to_change
from bj_server.office.options import Options
from bj_server.office.report import Report, as_json


def reset_key(options: Options) -> Report:
    """Forget the key of a player; that is on the disk when this returns.

    Raises:
        Refused: if nobody is called so, or there is no bank.
        BankError: if the bank cannot be read or written.
    """
    handle = player_of(options.bank, options.handle)
    with to_change(options.bank, f"reset-key {handle}") as bank:
        was_claimed = bank.reset_key(handle)
    if options.as_json:
        fields = {"handle": handle, "reset": was_claimed}
        return Report(lines=as_json(fields), remarks=[bank.repaired])
    done = "has no key any more" if was_claimed else "had no key"
    line = f"{handle} {done}: the next one to join under this handle claims it."
    return Report(lines=[line], remarks=[bank.repaired])
