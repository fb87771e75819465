"""The key of a fleet, which is made and used where no server can read it."""

from bj_server.bank.signer import Signer
from bj_server.bank_cli.options import Options
from bj_server.bank_cli.report import Exit, RefusedError, Report


def new_key(options: Options) -> Report:
    """Make a key; the one that players know so far signs it, if it is named."""
    if options.file.exists():
        raise RefusedError(
            Exit.WRONG_OPTIONS,
            f"There is something in {options.file}: name a new file, since a key that "
            "is lost cannot be made again.",
        )
    old = None
    if options.after is not None:
        is_bank = options.after.is_dir()
        old = Signer.open(options.after) if is_bank else Signer.read(options.after)
    key = Signer.after(old)
    key.write(options.file)
    line = (
        f"The key of the fleet is {key.key}, in {options.file}. Keep that file and a "
        "copy of it where no server can read it: whoever has it can take servers in."
    )
    follow = f"Players who know {old.key} follow." if old else None
    fields = {"key": key.key, "after": old and old.key}
    return Report.of(options, fields, [line], follow)


def sign(options: Options) -> Report:
    """Print the word of the fleet for one server, which is no secret."""
    key = Signer.read(options.file)
    word = key.take_in(options.server_key, options.name, options.address, options.doors)
    return Report(lines=[word.model_dump_json()])
