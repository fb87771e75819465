"""The style ``iipp6``: the game of ``specs/iipp6.txt``, its buttons being words."""

from bj_client.style.iipp6.session import Iipp6

__all__ = ["Iipp6"]
