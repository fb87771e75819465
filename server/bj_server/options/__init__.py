"""The options of ``bj-server``, a module for each group of them."""

from bj_server.options.options import read_options

__all__ = ["read_options"]
