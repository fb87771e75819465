"""The options of ``bj-client``, a module for each group of them."""

from bj_client.options.options import Options, read_options

__all__ = ["Options", "read_options"]
