"""Programs as players: the protocol on standard streams, a line for each message."""

from bj_client.program.session import ProgramSession, play_by_program

__all__ = ["ProgramSession", "play_by_program"]
