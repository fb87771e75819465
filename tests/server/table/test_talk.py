"""Talk: chat, the host's words, and who may speak."""

import pytest

from bj_protocol import events
from bj_protocol.commands import Chat
from bj_protocol.messages import Refused
from bj_protocol.refusal import RefusalCode
from bj_server.table.inbox import FromLine, Mute, Proclaim
from support.rig import Lay, Rig


def table(lay: Lay) -> Rig:
    rig = lay()
    for handle in ("ned21", "lia9"):
        rig.join(handle)
    return rig


def say(rig: Rig, handle: str, text: str) -> Refused | None:
    line = rig.line[handle]
    before = len(rig.outlet.heard[line])
    rig.send(FromLine(line, Chat(text=text)))
    new = rig.outlet.heard[line][before:]
    return next((message for message in new if isinstance(message, Refused)), None)


def test_what_a_player_says_is_heard_by_all_under_the_own_handle(lay: Lay) -> None:
    rig = table(lay)
    assert say(rig, "lia9", "good luck!") is None
    said = events.Said(seat=2, handle="lia9", text="good luck!")
    assert rig.seen(events.Said) == [said]


def test_S4_C12_what_is_said_loses_all_that_could_do_harm(lay: Lay) -> None:
    rig = table(lay)
    assert say(rig, "ned21", "one\ntwo\r\x1b[2J\u202ethree\u200b <b>{0} %s") is None
    (said,) = rig.seen(events.Said)
    assert isinstance(said, events.Said)
    assert said.text == "one two [2Jthree <b>{0} %s"


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "\x00\x1b"])
def test_nothing_is_not_said(lay: Lay, text: str) -> None:
    rig = table(lay)
    refused = say(rig, "ned21", text)
    assert refused is not None
    assert refused.code is RefusalCode.NOTHING_SAID
    assert rig.seen(events.Said) == []


def test_chat_moves_neither_the_turn_nor_the_clock(lay: Lay) -> None:
    rig = table(lay)
    wake_at, asks = rig.table.wake_at, rig.asks
    rig.clock.time += 10
    say(rig, "ned21", "wait for me")
    assert (rig.table.wake_at, rig.asks) == (wake_at, asks)


def test_a_muted_player_plays_on_and_is_heard_again_later(lay: Lay) -> None:
    rig = table(lay)
    rig.send(Mute("lia9", True))
    refused = say(rig, "lia9", "hello?")
    assert refused is not None
    assert refused.code is RefusalCode.MUTED
    rig.bet("lia9")
    rig.send(Mute("lia9", False))
    assert say(rig, "lia9", "hello!") is None
    assert len(rig.seen(events.Said)) == 1


def test_the_host_is_heard_by_all(lay: Lay) -> None:
    rig = table(lay)
    rig.send(Proclaim("We close\nat midnight.\x1b"), Proclaim("\x1b"))
    assert rig.seen(events.Proclaimed) == [
        events.Proclaimed(text="We close at midnight.")
    ]
