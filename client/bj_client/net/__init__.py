"""The line to a server: its address, its keys, and the coming back after a loss."""
