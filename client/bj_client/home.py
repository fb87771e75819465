"""Home: the folders of this user, which not every user of a system has."""

from pathlib import Path

import platformdirs

from bj_client.ending import NoHome

_APP = "blackjack"


def config_folder() -> Path | None:
    """Return where settings are looked for; None without a home directory."""
    try:
        return platformdirs.user_config_path(_APP)
    except RuntimeError:
        return None


def state_folder(option: str) -> Path:
    """Return where keys and evidence are kept.

    Raises:
        NoHome: if there is no home directory; ``option`` helps then.
    """
    try:
        return platformdirs.user_state_path(_APP)
    except RuntimeError:
        raise NoHome(option) from None


def data_folder() -> Path:
    """Return where the bank of ``--solo`` is kept.

    Raises:
        NoHome: if there is no home directory.
    """
    try:
        return platformdirs.user_data_path("blackjack-table")
    except RuntimeError:
        raise NoHome() from None
