"""The options of ``bj-server``, a module for each group of them."""

from bj_server.options.options import read_options, reread_options
from bj_server.options.sources import BadOptions

__all__ = ["BadOptions", "read_options", "reread_options"]
