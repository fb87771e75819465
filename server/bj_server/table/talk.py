"""Talk: what players and the host say at a table, cleaned before anyone hears it."""

from bj_protocol.chat import clean_chat
from bj_protocol.events import Proclaimed, Said
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_server.table.felt import Felt
from bj_server.table.inbox import Mute, Notice, Proclaim, Talk
from bj_server.table.refusal import Refusal


def hear(felt: Felt, command: Talk | Proclaim | Mute | Notice) -> None:
    """Pass on what is said, or tell whoever says it why not."""
    match command:
        case Talk(line=line, text=text):
            try:
                _chat(felt, line, text)
            except Refusal as why:
                word = Refused(code=why.code, text=why.text, prompt=None)
                felt.bulletin.tell(line, word)
        case Proclaim(text=text):
            _proclaim(felt, text)
        case Notice(text=text):
            felt.notice = clean_chat(text)
            _proclaim(felt, text)
        case Mute(handle=handle, is_muted=is_muted):
            felt.mute(handle, is_muted=is_muted)


def _proclaim(felt: Felt, text: str) -> None:
    cleaned = clean_chat(text)
    if cleaned:
        felt.bulletin.post(Proclaimed(text=cleaned))


def _chat(felt: Felt, line: int, text: str) -> None:
    seat = felt.seats.of_line(line)
    if seat is None:
        raise Refusal(RefusalCode.NOT_SEATED)
    if seat.handle in felt.muted:
        raise Refusal(RefusalCode.MUTED)
    cleaned = clean_chat(text)
    if not cleaned:
        raise Refusal(RefusalCode.NOTHING_SAID)
    felt.bulletin.post(Said(seat=seat.number, handle=seat.handle, text=cleaned))
