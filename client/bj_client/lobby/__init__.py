"""The lobby: where a player chooses one of the tables of a server.

``Lobby`` is what there is to choose from and what keys do to it, ``view`` draws it on a
``Canvas`` of cells, and ``LobbyScreen`` shows it on a terminal. ``LobbyLines`` asks for
the same by typed lines. ``stroll`` goes from the lobby to tables and back.
"""

from bj_client.lobby.lines import LobbyLines
from bj_client.lobby.lobby import Choice, Chooser, Lobby, choose, needs_choice

__all__ = ["Choice", "Chooser", "Lobby", "LobbyLines", "choose", "needs_choice"]
