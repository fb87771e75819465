"""Rounds that are played, and recalled from the journal."""

import asyncio

from bj_protocol.messages import Recalled
from bj_protocol.recall import PastRound
from bj_server.history.recall import recall
from support.rig import Rig


def look_back(rig: Rig, handle: str = "ned21", rounds: int = 20) -> Recalled:
    """Recall by what is on the disk."""
    asyncio.run(rig.bank.till("main").commit())
    return recall(rig.bank.till("main").bookmark(handle), rounds)


def last(rig: Rig, handle: str = "ned21") -> PastRound:
    return look_back(rig, handle, 1).rounds[0]


def play(rig: Rig, *handles: str) -> None:
    """Play a round in which everybody bets and stands."""
    for handle in handles:
        rig.bet(handle, 5)
    for handle in handles:
        while rig.is_asked(handle) and rig.picture.phase == "playing":
            rig.play(handle, "stand" if "stand" in rig.legal(handle) else "decline")
