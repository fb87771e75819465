"""The line to a server: where it is, by which keys, and how it is kept."""
