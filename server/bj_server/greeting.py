"""The greeting: what a server says when its tables are open."""

from bj_server.settings import Settings, TablePlan

__all__ = ["greeting"]

# Compared with, not listened on.
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104


def greeting(settings: Settings, port: int) -> list[str]:
    """Return the lines: where it is, how to join, and how safe the line is."""
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    scheme = "ws" if settings.encryption is None else "wss"
    return [
        f"Blackjack is open at {scheme}://{shown}:{port}.",
        *map(_table, settings.tables),
        f"Join with: bj-client {_server(settings, shown, port)} --handle YOUR_HANDLE",
        *_bank_and_line(settings),
    ]


def _table(plan: TablePlan) -> str:
    private = "" if plan.code is None else ", private"
    seats = "1 seat" if plan.seats == 1 else f"{plan.seats} seats"
    return f"Table {plan.name}: house {plan.house.name}, {seats}{private}."


def _server(settings: Settings, shown: str, port: int) -> str:
    reach = "ADDRESS-OF-THIS-MACHINE" if settings.host in _EVERYWHERE else shown
    if settings.encryption is None:
        return f"--server {reach}:{port}"
    pin = settings.encryption.fingerprint
    return f"--server wss://{reach}:{port} --tls-pin {pin}"


def _bank_and_line(settings: Settings) -> list[str]:
    bank = f"The bank is in {settings.bank}."
    if settings.encryption is not None:
        pin = settings.encryption.fingerprint
        line = f"The line is encrypted. The fingerprint of its certificate is {pin}."
    elif settings.is_insecure:
        line = (
            "The line is not encrypted: let in only a network that you trust, or a "
            "proxy that encrypts, since the players' keys travel in the clear."
        )
    else:
        return [f"{bank} The line is not encrypted. Ctrl-C stops."]
    return [f"{bank} Ctrl-C stops.", line]
