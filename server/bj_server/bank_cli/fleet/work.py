"""The commands of ``bj-bank fleet``, by their names; all of them need psycopg."""

from collections.abc import Callable

from bj_server.bank_cli.fleet.audit import audit, statement
from bj_server.bank_cli.fleet.change import bring_up, write_off
from bj_server.bank_cli.fleet.folder import bring_folder, take_folder
from bj_server.bank_cli.fleet.key import new_key, sign
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.report import Report

COMMANDS: dict[str, Callable[[Options], Report]] = {
    "audit": audit,
    "export": take_folder,
    "import": bring_folder,
    "migrate": bring_up,
    "new-key": new_key,
    "sign": sign,
    "statement": statement,
    "write-off": write_off,
}
