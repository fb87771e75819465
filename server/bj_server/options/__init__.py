"""The options of ``bj-server``: their rows, and the settings that they make."""

from bj_server.options.options import read_options, reread_options
from bj_server.settings import OptionsError

__all__ = ["OptionsError", "read_options", "reread_options"]
