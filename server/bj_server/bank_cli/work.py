"""Work: the commands of ``bj-bank``, by their names.

Apart from the command itself, which has no use for them until its options are read.
"""

from collections.abc import Callable

from bj_server.bank_cli.archive import archive
from bj_server.bank_cli.audit import audit
from bj_server.bank_cli.balances import balances
from bj_server.bank_cli.change import close, gift, new_server_key, reset_key
from bj_server.bank_cli.copy import backup, restore
from bj_server.bank_cli.export import export
from bj_server.bank_cli.history import history
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.report import Report
from bj_server.bank_cli.round import tell_round

COMMANDS: dict[str, Callable[[Options], Report]] = {
    "archive": archive,
    "audit": audit,
    "backup": backup,
    "balances": balances,
    "close": close,
    "export": export,
    "gift": gift,
    "history": history,
    "new-server-key": new_server_key,
    "reset-key": reset_key,
    "restore": restore,
    "round": tell_round,
}
