"""The model: the table as the client knows it, and what is ours of it."""
