"""The desk: what the host tells a server that runs, by the command ``bj-host``."""
