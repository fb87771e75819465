"""The key of a fleet, which is made and used where no server can read it."""

from bj_server.bank.disk import make_folder, naming, replace_file
from bj_server.bank.signer import FLEET_NAME, Signer
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
    """Sign a server; the word of the fleet is no secret, and is put in its folder."""
    fleet, own, folder = Signer.read(options.file), options.server_key, options.bank
    if not own:
        make_folder(folder)
        own = Signer.alone(folder).key
    word = fleet.take_in(own, options.name, options.address, options.doors)
    if options.server_key:
        return Report(lines=[word.model_dump_json()])
    path = folder / FLEET_NAME
    with naming(path):
        replace_file(path, f"{word.model_dump_json()}\n".encode())
    line = f"{folder} is that of server {word.name} in the fleet {word.key}."
    return Report(lines=[line])
