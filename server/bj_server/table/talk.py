"""Talk: the chat of players and the host, cleaned before anyone hears it."""

from bj_protocol.chat import clean_chat
from bj_protocol.events import Proclaimed, Said
from bj_protocol.refusal import RefusalCode
from bj_server.table.context import TableContext
from bj_server.table.refusal import RefusalError


def chat(context: TableContext, line: int, text: str) -> None:
    """Pass on a chat, or tell the player why not."""
    try:
        _chat(context, line, text)
    except RefusalError as why:
        context.outgoing.tell(line, why.message())


def proclaim(context: TableContext, text: str) -> None:
    """Pass on a sentence of the host, if anything is left of it."""
    cleaned = clean_chat(text)
    if cleaned:
        context.outgoing.post(Proclaimed(text=cleaned))


def _chat(context: TableContext, line: int, text: str) -> None:
    seat = context.seats.of_line(line)
    if seat is None:
        raise RefusalError(RefusalCode.NOT_SEATED)
    if seat.handle in context.muted:
        raise RefusalError(RefusalCode.MUTED)
    cleaned = clean_chat(text)
    if not cleaned:
        raise RefusalError(RefusalCode.NOTHING_SAID)
    context.outgoing.post(Said(seat=seat.number, handle=seat.handle, text=cleaned))
