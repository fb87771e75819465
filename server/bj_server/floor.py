"""The floor: the tables of a running server, opened and closed at the host's word.

A table is closed in three steps, so that nobody loses a card or a cent. It is drained:
no round begins any more, bets that no cards were dealt to go back, and a running round
is played out. Once it rests, the lobby shows it no more, so that nobody can come. Then
it is dissolved: everybody is told their bank and sent away. A server is drained by
draining all of its tables; their players keep their seats for the next start, except in
a fleet, where all of them are sent home.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from bj_server.net.app import App
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.settings import OptionsError, Settings, TablePlan
from bj_server.table.inbox import ChangePace, Dissolve, Drain, Mute, Notice

_SERVER_CLOSES = (
    "The server closes: no new round begins. Seats and money are kept; join again "
    "later."
)
_LEAVES_FLEET = (
    "This server closes: no new round begins. Your money goes home to the bank of the "
    "fleet; join again at another server."
)


class FloorError(ValueError):
    """An order that cannot be carried out; the message is a sentence for the host."""


@dataclass(eq=False)
class Floor:
    """All tables of a server that is set up by ``settings``."""

    settings: Settings
    lobby: Lobby
    _app: App
    _make: Callable[[TablePlan], HostedTable]
    _drained: Callable[[], None]
    """Is called once no round is on after ``drain``."""
    _is_draining: bool = False
    _playing: set[str] = field(default_factory=set)
    """Drained tables at which a round is on."""
    _closing: set[str] = field(default_factory=set)
    _leaving: list[HostedTable] = field(default_factory=list)
    """Closed tables that are about to send everybody away."""
    _muted: set[str] = field(default_factory=set)

    def open(self, plan: TablePlan) -> None:
        """Open a table, at which people may sit at once."""
        if self._is_draining or self._app.is_stopping:
            raise FloorError("This server closes, so no table can be opened.")
        if self.is_open(plan.name):
            raise FloorError(f"There is a table {plan.name} already.")
        self._leaving = [place for place in self._leaving if not place.dealer.is_gone]
        leaving = {place.dealer.name for place in self._leaving}
        if plan.name in self._closing | leaving:
            raise FloorError(f"Table {plan.name} is just closing: open it in a moment.")
        try:
            plan.check(self.settings.stack)
        except OptionsError as why:
            raise FloorError(f"Table {plan.name} cannot be here: {why}") from None
        place = self._make(plan)
        for handle in sorted(self._muted):
            place.dealer.submit(Mute(handle, True))
        if self.lobby.notice:
            place.dealer.submit(Notice(self.lobby.notice))
        self._app.open(place)

    def is_open(self, name: str) -> bool:
        """Whether a table is open, and does not close."""
        return name in self.lobby and name not in self._closing

    def close(self, name: str) -> None:
        """Close a table as soon as its round is over."""
        if name in self._closing:
            return
        if len(list(self.lobby)) - len(self._closing) < 2:
            raise FloorError(
                f"{name} is the last table; bj-host drain ends the whole server."
            )
        self._closing.add(name)
        text = f"The host closes table {name}: no new round begins here."
        self._drain(self.lobby[name], text)

    def drain(self) -> int:
        """Begin no round any more, and report once none is on; return how many are."""
        self._is_draining = True
        for place in self.lobby:
            closes = _LEAVES_FLEET if self.settings.fleet else _SERVER_CLOSES
            self._drain(place, closes)
        return sum(place.dealer.is_playing for place in self.lobby)

    def mute(self, handle: str, *, is_muted: bool) -> None:
        """Let a player chat no more, or again, at all tables and at later ones."""
        (self._muted.add if is_muted else self._muted.discard)(handle)
        for place in self.lobby:
            place.dealer.submit(Mute(handle, is_muted))

    def post(self, notice: str) -> None:
        """Have a notice told at all tables and in the lobby; empty takes it back."""
        self.lobby.notice = notice
        for place in self.lobby:
            place.dealer.submit(Notice(notice))

    def change(self, plan: TablePlan) -> None:
        """Give a table that is open the seconds and the code of ``plan``."""
        place = self.lobby[plan.name]
        place.code = plan.code
        place.dealer.submit(ChangePace(plan.pace))

    def _drain(self, place: HostedTable, text: str) -> None:
        self._playing.add(place.dealer.name)
        place.dealer.submit(Drain(text, partial(self._rested, place)))

    def _rested(self, place: HostedTable) -> None:
        name = place.dealer.name
        self._playing.discard(name)
        if name in self._closing:
            self._closing.discard(name)
            self.lobby.remove(name)
            self._leaving.append(place)
            place.dealer.submit(Dissolve())
        if self._is_draining and not self._playing:
            self._drained()
