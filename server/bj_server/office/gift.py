"""Gift: the donor's money for a player, at the host's word."""

from bj_game.money import in_dollars
from bj_server.office.change import player_of, to_change
from bj_server.office.options import Options
from bj_server.office.report import Exit, Refused, Report, as_json


def gift(options: Options) -> Report:
    """Give a player money; it is on the disk when this returns.

    Raises:
        Refused: if nobody is called so, there is no bank, or it is too much.
        BankError: if the bank cannot be read or written.
    """
    handle = player_of(options.bank, options.handle)
    order = f"gift {handle} {in_dollars(options.amount)[1:]}"
    with to_change(options.bank, order) as bank:
        most = bank.room // 2
        if options.amount > most:
            sentence = f"No gift may be over {in_dollars(most)} now."
            raise Refused(Exit.WRONG_OPTIONS, sentence)
        bank.give(handle, options.amount)
        balance = bank.balance(handle)
    if options.as_json:
        fields = {"handle": handle, "cents": options.amount, "balance": balance}
        return Report(lines=as_json(fields), remarks=[bank.repaired])
    given, now = in_dollars(options.amount), in_dollars(balance)
    line = f"The donor has given {given} to {handle}, who now has {now}."
    return Report(lines=[line], remarks=[bank.repaired])
