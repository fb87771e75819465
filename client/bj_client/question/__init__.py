"""Questions: each ask as a question to a player, and the meaning of an answer."""
