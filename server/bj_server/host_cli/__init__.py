"""The command ``bj-host``: orders of the host to a running server."""
