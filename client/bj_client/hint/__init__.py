"""Hints: what basic strategy would do, for people; it sees no more than they do."""

from bj_client.hint.hint import PLAYS, advice, hint

__all__ = ["PLAYS", "advice", "hint"]
