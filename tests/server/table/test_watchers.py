"""Watchers: they see what all see, and can do nothing."""

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import encode
from bj_protocol.commands import Chat, Hit, Leave, Resync, Watch
from bj_protocol.messages import Refused, Snapshot, Update
from bj_protocol.refusal import CloseCode, RefusalCode
from bj_server.table.inbox import ConnectionLost, FromLine
from support.rig import Lay, Rig, state_of

WATCHERS = (71, 72)


def watched(lay: Lay) -> Rig:
    """Return a table with a round on, at which two look on."""
    rig = lay(stack="Ts 9h 9s 8h")
    rig.join("ned21")
    rig.bet("ned21")
    rig.send(*(FromLine(line, Watch(version=PROTOCOL_VERSION)) for line in WATCHERS))
    return rig


def test_T15_all_who_watch_get_the_same_bytes_and_nothing_hidden(lay: Lay) -> None:
    rig = watched(lay)
    rig.play("ned21", "stand")
    first, second = ([encode(m) for m in rig.outlet.heard[line]] for line in WATCHERS)
    assert first == second
    snapshot = rig.outlet.heard[WATCHERS[0]][0]
    assert isinstance(snapshot, Snapshot)
    assert snapshot.you is None
    assert snapshot.notices == rig.table.context.source.remarks
    assert snapshot.dealer.cards == ("9h", "??")
    assert snapshot.model_copy(update={"you": None}) == snapshot
    assert '"8h"' not in first[0]


def test_T15_a_watcher_hears_every_update_that_players_hear(lay: Lay) -> None:
    rig = watched(lay)
    rig.play("ned21", "stand")
    told = [m for m in rig.outlet.heard[WATCHERS[0]] if isinstance(m, Update)]
    assert told == rig.outlet.updates[-len(told) :]
    assert told


def test_T15_whatever_a_watcher_sends_is_refused_as_not_seated(lay: Lay) -> None:
    rig = watched(lay)
    before, state = rig.picture, state_of(rig.table)
    prompt = rig.ask("ned21").prompt
    rig.outlet.heard[WATCHERS[0]].clear()
    rig.send(
        FromLine(WATCHERS[0], Hit(prompt=prompt)),
        FromLine(WATCHERS[0], Chat(text="take a card")),
    )
    refused = rig.outlet.heard[WATCHERS[0]]
    assert [m.code for m in refused if isinstance(m, Refused)] == [
        RefusalCode.NOT_SEATED,
        RefusalCode.NOT_SEATED,
    ]
    assert len(refused) == 2
    assert (rig.picture, state_of(rig.table)) == (before, state)


def test_watchers_are_counted_and_come_and_go_unheard(lay: Lay) -> None:
    rig = watched(lay)
    assert rig.dealer.view(is_private=False).watchers == 2
    spoken = len(rig.outlet.updates)
    rig.send(ConnectionLost(WATCHERS[0]), FromLine(WATCHERS[1], Leave()))
    assert rig.outlet.dismissed[WATCHERS[1]][0] is CloseCode.LEFT
    assert rig.dealer.view(is_private=False).watchers == 0
    assert len(rig.outlet.updates) == spoken


def test_a_watcher_who_has_lost_the_place_is_shown_the_table_again(lay: Lay) -> None:
    rig = watched(lay)
    rig.outlet.heard[WATCHERS[0]].clear()
    rig.send(FromLine(WATCHERS[0], Resync()))
    (again,) = rig.outlet.heard[WATCHERS[0]]
    assert isinstance(again, Snapshot)
    assert (again.you, again.seq) == (None, rig.picture.seq)


def test_a_table_that_is_only_watched_waits(lay: Lay) -> None:
    rig = lay()
    rig.send(FromLine(7, Watch(version=PROTOCOL_VERSION)))
    assert rig.table.phase is None
    assert rig.table.wake_at is None
