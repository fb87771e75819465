"""Questions: what is asked of a player, and what an answer means."""
