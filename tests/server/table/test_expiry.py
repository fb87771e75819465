"""T16: an answer at the very moment at which its time is up, again and again."""

import random
from pathlib import Path

import pytest

from bj_protocol import events
from bj_protocol.action import Action, By
from bj_protocol.commands import Hit
from bj_protocol.messages import Answered, Refused
from bj_protocol.refusal import RefusalCode
from bj_server.table.inbox import FromLine, TimeUp
from support.rig import Lay, Rig

pytestmark = pytest.mark.no_cover


def reach_a_decision(rig: Rig, line: int) -> FromLine:
    """Play until a hand may be hit, and return that hit."""
    while Action.HIT not in rig.legal("ned21"):
        if Action.PLACE_BET in rig.legal("ned21"):
            rig.bet("ned21", 1)
        else:
            rig.play("ned21", rig.ask("ned21").actions[-1].value)
    return FromLine(line, Hit(prompt=rig.ask("ned21").prompt))


def meet(rig: Rig, chance: random.Random) -> bool:
    """Have a hit, perhaps sent twice, and the end of its time meet; return who won.

    Exactly one of the two takes effect, and whoever sent the hit is told which.
    """
    line = rig.line["ned21"]
    hit = reach_a_decision(rig, line)
    turn = rig.picture.turn
    assert turn is not None
    seq, heard = rig.table.context.seq, len(rig.outlet.heard[line])
    rig.clock.time += (turn.milliseconds or 0) / 1000
    commands = [hit] * chance.randint(1, 2) + [TimeUp()] * chance.randint(1, 2)
    chance.shuffle(commands)
    if chance.random() < 0.5:
        rig.send(*commands)
    else:
        for command in commands:
            rig.send(command)
    happened = [e for u in rig.outlet.updates if u.seq > seq for e in u.events]
    drawn = [e for e in happened if isinstance(e, events.CardDealt) and e.seat == 1]
    stood = [e for e in happened if isinstance(e, events.HandStood)]
    words = [m for m in rig.outlet.heard[line][heard:] if m.type != "update"]
    is_hit = isinstance(commands[0], FromLine)
    if is_hit:
        assert (len(drawn), stood) == (1, [])
        assert all(isinstance(word, Answered) for word in words)
    else:
        assert drawn == []
        assert [event.by for event in stood] == [By.CLOCK]
        assert all(isinstance(word, Refused) for word in words)
        assert {w.code for w in words if isinstance(w, Refused)} == {
            RefusalCode.PROMPT_OVER
        }
    assert len(words) == commands.count(hit) - is_hit
    return is_hit


def meet_often(rig: Rig, times: int) -> str:
    rig.join("ned21")
    chance = random.Random(16)
    hits = sum(meet(rig, chance) for _ in range(times))
    assert 0 < hits < times
    return (
        f"{times} times a hit met the end of its time: {hits} hits and {times - hits} "
        "stands took effect, never both"
    )


def test_T16_200_hits_meet_the_end_of_their_time_and_one_of_the_two_acts(
    lay: Lay,
) -> None:
    print(meet_often(lay(seats=1), 200))


@pytest.mark.torture
def test_T16_1000_hits_meet_the_end_of_their_time_and_one_of_the_two_acts(
    tmp_path: Path,
) -> None:
    with Rig(tmp_path / "bank", seats=1) as rig:
        print(meet_often(rig, 1000))
