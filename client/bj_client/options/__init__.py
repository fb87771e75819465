"""The options of ``bj-client``, a module for each group of them.

What is wrong with them ends the program: ``SystemExit`` with 2, and a sentence on
standard error. ``--help`` and ``--version`` end it with 0.
"""

from bj_client.options.options import Options, read_options

__all__ = ["Options", "read_options"]
