"""Sentences about the cut of the shoe."""

from bj_client.fair.secret import short
from bj_client.shoe import StreamEvent
from bj_client.table import Table
from bj_protocol import events

__all__ = ["cut_sentence"]


def cut_sentence(event: StreamEvent, table: Table) -> str:
    """Return what has happened as one sentence; "" for what is no news to people."""
    match event:
        case events.SeedCommitted() | events.SeedRevealed():
            return ""
        case events.CutsCommitted():
            return _left_out(event.missing, table)
        case events.ShoeCut(cuts=cuts):
            sealed = f"sealed by the server as {short(event.seed_sha256)}"
            who = _listed([cut.handle for cut in cuts])
            cut = f"cut by {who}" if cuts else "not cut by anyone"
            late = _left_out(event.missing, table)
            return f"The shoe is {cut}, and {sealed}. {late}".rstrip()


def _left_out(seats: tuple[int, ...], table: Table) -> str:
    """Say whose cut is missing: why it is, a slow line or a wish, nobody can know."""
    if not seats:
        return ""
    handles = _listed([table.seat(number).handle for number in seats])
    cut = "that cut" if len(seats) == 1 else "those cuts"
    return f"{handles} did not answer in time, so the shoe goes on without {cut}."


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
