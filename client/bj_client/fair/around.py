"""What is told around the events of a round, or between them, and is none of them."""

from bj_protocol import events

__all__ = ["AROUND"]

AROUND: frozenset[type[events.Event]] = frozenset(
    {
        events.PlayerJoined,
        events.PlayerLeft,
        events.PresenceChanged,
        events.BettingOpened,
        events.BetPlaced,
        events.BetReturned,
        events.SatOut,
        events.GiftGiven,
        events.SeedCommitted,
        events.CutsCommitted,
        events.ShoeCut,
        events.ShoeShuffled,
        events.SeedRevealed,
        events.RoundBegan,
        events.RoundEnded,
        events.RoundVoided,
        events.Announced,
        events.Proclaimed,
        events.Said,
    }
)
"""The kinds of events that the rules of a house know nothing of."""
