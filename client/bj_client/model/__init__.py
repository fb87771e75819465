"""The model: the table as the client knows it, and our own seats."""
