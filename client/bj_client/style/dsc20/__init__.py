"""The style ``dsc20``: the log, the drawings and the files of ``specs/dsc20.txt``."""

from bj_client.style.dsc20.dsc20 import Dsc20

__all__ = ["Dsc20"]
