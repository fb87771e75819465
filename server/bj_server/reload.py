"""The reload: settings are read again while the server runs, and taken over.

A ``SIGHUP`` asks for it, and never ends the server. Certificates, tables, seconds,
join codes, limits and the level of the log are taken over. Every other change is named
as one that needs a restart. Files of no use change nothing at all.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial

from bj_server.bank.error import BankError
from bj_server.floor import Floor, FloorError
from bj_server.net.app import App
from bj_server.net.limits import Limits
from bj_server.options import OptionsError
from bj_server.settings import Settings, TablePlan

_log = logging.getLogger(__name__)

_TAKEN = {"encryption", "limits", "log_level", "standard", "tables"}
_OPTIONS = {
    "hosts": "host",
    "is_insecure": "insecure",
    "is_invite_only": "invite-only",
    "logs_addresses": "log-addresses",
    "stops_on_eof": "stop-on-eof",
    "takes_over": "take-over",
}


@dataclass(frozen=True)
class Reload:
    """Reads the settings again, and has a running server follow them."""

    _floor: Floor
    _app: App
    _reread: Callable[[], Settings]

    def run(self) -> None:
        """Read all again; log the changes, and those that could not be taken over."""
        try:
            new = self._reread()
        except OptionsError as bad:
            _log.error("the settings cannot be read again, so nothing changes: %s", bad)
            return
        except Exception:  # noqa: BLE001 - a table must not end for it
            _log.exception("a fault of ours: the settings are not read again")
            return
        old = self._floor.settings
        changes = [
            *self._encrypt(old, new),
            *self._limit(old, new),
            *self._log(old, new),
            *self._set_tables(old, new),
        ]
        for change in changes or ["nothing has changed"]:
            _log.info("the settings are read again: %s", change)
        odd = [name for name in _changed(old, new) if name not in _TAKEN]
        if (old.encryption is None) != (new.encryption is None):
            odd.append("tls-cert")
        for name in odd:
            option = _OPTIONS.get(name, name.replace("_", "-"))
            _log.warning("--%s has changed, which needs a restart", option)
        self._floor.settings = replace(
            old,
            encryption=self._app.accepting.encryption,
            log_level=new.log_level,
            standard=new.standard,
            tables=self._known(old, new),
        )

    def _encrypt(self, old: Settings, new: Settings) -> list[str]:
        """Have new connections opened with the certificate that is there now."""
        if old.encryption is None or new.encryption is None:
            return []
        self._app.accepting.encryption = new.encryption
        if old.encryption.fingerprint == new.encryption.fingerprint:
            return []
        return [f"new connections have the certificate {new.encryption.fingerprint}"]

    def _limit(self, old: Settings, new: Settings) -> list[str]:
        changed = _changed(old.limits, new.limits)
        if "allowed_origins" in changed:  # is looked at when the server starts
            changed.remove("allowed_origins")
            _log.warning("--allow-origin has changed, which needs a restart")
        kept = replace(new.limits, allowed_origins=old.limits.allowed_origins)
        old.limits.adopt(kept)
        return [f"the limit {name} is {getattr(new.limits, name)}" for name in changed]

    def _log(self, old: Settings, new: Settings) -> list[str]:
        if old.log_level == new.log_level or new.log_level is None:
            return []
        logging.getLogger().setLevel(new.log_level.upper())
        return [f"the level of the log is {new.log_level}"]

    def _set_tables(self, old: Settings, new: Settings) -> list[str]:
        before, after = _by_name(old), _by_name(new)
        changes = []
        for name, plan in after.items():
            if before.get(name) != plan:
                changes += self._set_table(before.get(name), plan)
        for name in before.keys() - after.keys():
            if self._floor.is_open(name):
                close = partial(self._floor.close, name)
                changes += _tried(f"table {name} closes", close)
        return changes

    def _known(self, old: Settings, new: Settings) -> tuple[TablePlan, ...]:
        """Return the tables as they are, without those that are still to be opened."""
        before, after = _by_name(old), _by_name(new)
        plans = before | {
            name: _as_played(before.get(name, plan), plan)
            for name, plan in after.items()
        }
        kept = before.keys() & after.keys()  # the host may have closed one of them
        return tuple(
            plan
            for name, plan in plans.items()
            if name in kept or self._floor.is_open(name)
        )

    def _set_table(self, old: TablePlan | None, new: TablePlan) -> list[str]:
        name = new.name
        if not self._floor.is_open(name):
            return _tried(f"table {name} is open", partial(self._floor.open, new))
        if old is None:
            return []  # the host has opened it already
        played = _as_played(old, new)
        if played != new:
            _log.warning(
                "the house, seats, clock or proof have changed, which needs a restart",
                extra={"table": name},
            )
        if played == old:
            return []
        self._floor.change(played)
        return [f"table {name} has its new seconds and code from the next decision on"]


def _changed(old: Settings | Limits, new: Settings | Limits) -> list[str]:
    """Return the names of the fields that differ."""
    names = (field.name for field in fields(old))
    return [name for name in names if getattr(old, name) != getattr(new, name)]


def _tried(done: str, change: Callable[[], None]) -> list[str]:
    """Carry out a change; return its name, or log why it is not done."""
    try:
        change()
    except (FloorError, BankError) as why:
        _log.error("%s", why)
        return []
    return [done]


def _by_name(settings: Settings) -> dict[str, TablePlan]:
    return {plan.name: plan for plan in settings.tables}


def _as_played(old: TablePlan, new: TablePlan) -> TablePlan:
    """Return ``new`` with all that a table keeps as long as it is open, as in ``old``.

    A question that was asked without a clock has no time, and would wait for ever.
    """
    pace = replace(new.pace, has_clock=old.pace.has_clock)
    return replace(old, pace=pace, code=new.code)
