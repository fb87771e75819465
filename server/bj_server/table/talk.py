"""Talk: what players and the host say at a table, cleaned before anyone hears it."""

from bj_protocol.chat import clean_chat
from bj_protocol.events import Proclaimed, Said
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_server.table.context import TableContext
from bj_server.table.inbox import Mute, Notice, Proclaim, Talk
from bj_server.table.refusal import RefusalError


def hear(context: TableContext, command: Talk | Proclaim | Mute | Notice) -> None:
    """Pass on what is said, or tell whoever says it why not."""
    match command:
        case Talk(line=line, text=text):
            try:
                _chat(context, line, text)
            except RefusalError as why:
                word = Refused(code=why.code, text=why.text, prompt=None)
                context.outgoing.tell(line, word)
        case Proclaim(text=text):
            _proclaim(context, text)
        case Notice(text=text):
            context.notice = clean_chat(text)
            _proclaim(context, text)
        case Mute(handle=handle, is_muted=is_muted):
            context.mute(handle, is_muted=is_muted)


def _proclaim(context: TableContext, text: str) -> None:
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
