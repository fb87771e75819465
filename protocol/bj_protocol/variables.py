"""The environment variables of all commands, so that each knows those of the others."""

from collections.abc import Iterable
from difflib import get_close_matches

_OF_SERVERS = (
    "ADMIN_PORT ALLOW_ORIGIN BANK BET_SECONDS CODE CONFIG HOLD_SECONDS HOST HOUSE "
    "INSECURE INSURANCE_SECONDS INVITE_ONLY LOG_ADDRESSES LOG_FORMAT LOG_LEVEL "
    "LOW_SPACE MAX_CONNECTIONS MAX_NEW_HANDLES MAX_PER_ADDRESS MAX_RATE "
    "MAX_WRONG_TRIES NO_CLOCK NO_PROOF PORT PROXY_PROTOCOL SEATS SEED STACK "
    "STOP_ON_EOF TABLE TABLES TLS_CERT TLS_KEY TRUSTED_PROXY TURN_SECONDS"
)
_OF_CLIENTS = (
    "ASCII BET CODE COLOURS DEBUG HANDLE HINTS INSECURE KEYS KEY_FILE PACE PLAIN "
    "RECONNECT RECORD SERVER SERVER_KEY SETTINGS TABLE TLS_CA TLS_PIN UNPROVEN"
)
_OF_IMAGES = "PUBLISH"

VARIABLES = frozenset(
    f"BJ_{name}" for name in f"{_OF_SERVERS} {_OF_CLIENTS} {_OF_IMAGES}".split()
)
"""All that any command, or the compose file, reads."""


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a sentence for each name that begins like one of ours and is none.

    >>> unknown_variables(["BJ_PROT", "PATH"])
    ['BJ_PROT is no variable of these commands, so it has no effect: is it BJ_PORT?']
    """
    odd = sorted(name for name in names if name.startswith("BJ_"))
    return [_sentence(name) for name in odd if name not in VARIABLES]


def _sentence(name: str) -> str:
    near = get_close_matches(name[:64], sorted(VARIABLES), n=1)
    meant = f"is it {near[0]}?" if near else "docs/operations.md has a list."
    shown = ascii(name[:64])[1:-1]
    return f"{shown} is no variable of these commands, so it has no effect: {meant}"
