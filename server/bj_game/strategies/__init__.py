"""Strategies: players that decide by themselves, and all that they get to see.

A strategy is a class with the methods of ``Player``; ``docs/bots.md`` tells how to
write one. It receives copies in the words of ``specs/cs220.txt``: ``Card``,
``Hand`` and ``PlayerBank``, with money in whole dollars. No module here knows a table,
a clock or a file; randomness is passed in.
"""

from bj_game.strategies.basic_player import BasicPlayer, BestPlayer, HiLoPlayer
from bj_game.strategies.player import Card, FullPlayer, Hand, Player, PlayerBank, View
from bj_game.strategies.script_player import ScriptError, ScriptPlayer
from bj_game.strategies.threshold_player import (
    ConservativePlayer,
    CountingPlayer,
    DealerPlayer,
    SteadyPlayer,
    ThresholdPlayer,
)
from bj_game.strategies.wild_player import CheatingPlayer, RandomPlayer, RecklessPlayer

__all__ = [
    "BasicPlayer",
    "BestPlayer",
    "Card",
    "CheatingPlayer",
    "ConservativePlayer",
    "CountingPlayer",
    "DealerPlayer",
    "FullPlayer",
    "Hand",
    "HiLoPlayer",
    "Player",
    "PlayerBank",
    "RandomPlayer",
    "RecklessPlayer",
    "ScriptError",
    "ScriptPlayer",
    "SteadyPlayer",
    "ThresholdPlayer",
    "View",
]
