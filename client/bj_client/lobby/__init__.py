"""The lobby: a player chooses one of the tables of a server.

``Lobby`` has the tables and acts on keys, and ``LobbyScreen`` draws it on a terminal.
``LobbyLines`` asks for the same by typed lines. ``choose`` goes from the lobby to
tables and back.
"""

from bj_client.lobby.lines import LobbyLines
from bj_client.lobby.lobby import Choice, Chooser, Lobby, choose, needs_choice

__all__ = ["Choice", "Chooser", "Lobby", "LobbyLines", "choose", "needs_choice"]
