"""The desk: what each order does, and the socket at which it comes."""

import asyncio
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bj_game.money import in_dollars
from bj_protocol.action import Action
from bj_protocol.events import BetReturned
from bj_protocol.messages import Snapshot
from bj_protocol.refusal import CloseCode
from bj_protocol.views import Phase
from bj_server.floor import Floor
from bj_server.host import place
from bj_server.host_cli.command import Exit, main
from bj_server.host_cli.desk import Board, Desk
from bj_server.host_cli.listener import listening
from bj_server.host_cli.options import read_options
from bj_server.host_cli.order import SOCKET_NAME, Reply
from bj_server.net.app import App
from bj_server.net.audience import Audience
from bj_server.net.handles import Bans, Invites
from bj_server.net.lobby import HostedTable, Lobby
from bj_server.settings import TablePlan
from bj_server.table.inbox import TimeUp
from support.rig import Rig


class Office:
    """A host, before a table that acts on what it is told at once."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig = rig
        self.folder = folder
        self.bans, self.invited = Bans(folder), Invites(folder)
        self.lobby = Lobby([HostedTable(rig.dealer, Audience())], self.bans)
        self.drained = 0
        self.floor = Floor(
            rig.settings, self.lobby, App(self.lobby), self.make, self.drain
        )
        self.board = Board(folder)
        self.desk = Desk(self.floor, self.bans, self.board, self.invited)

    def make(self, plan: TablePlan) -> HostedTable:
        return place(self.rig.settings, plan, self.rig.bank, self.rig.clock)

    def drain(self) -> None:
        self.drained += 1

    async def order(self, *words: str) -> Reply:
        reply = asyncio.ensure_future(self.desk.obey(read_options(words).order))
        await asyncio.sleep(0)  # so that the table has it
        await self.catch_up()
        return await reply

    def notices(self, line: int) -> tuple[str, ...]:
        """Return what a newcomer was told beside the table."""
        first = self.rig.outlet.heard[line][0]
        assert isinstance(first, Snapshot)
        return first.notices

    async def catch_up(self) -> None:
        """Have the table carry out what waits in its inbox."""
        self.rig.dealer.submit(TimeUp())  # so that there is something to take
        self.rig.send(*await self.rig.dealer._inbox.take())


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Rig(tmp_path / "bank") as rig:
        yield Office(rig, tmp_path / "bank")


async def test_the_host_sees_who_sits_where(office: Office) -> None:
    office.rig.join("ned21")
    assert (await office.order("tables")).lines == (
        "main: cpsc386, 1 of 4 seats, betting, 0 watching; ned21",
    )


async def test_the_host_speaks_to_one_table_or_to_all(office: Office) -> None:
    assert (await office.order("say", "hello")).lines == ("Said at main.",)
    assert (await office.order("say", "--table", "main", "again")).is_done
    reply = await office.order("say", "--table", "high", "hello")
    assert reply.lines == ("There is no table of that name here; there is main.",)
    assert not reply.is_done
    said = [event.text for event in office.rig.events if event.type == "proclaimed"]
    assert said == ["hello", "again"]


async def test_a_player_is_kicked_and_may_come_again(office: Office) -> None:
    line = office.rig.join("eve")
    reply = await office.order("kick", "EVE")
    assert reply.lines == ("eve is sent away from table main.",)
    assert office.rig.outlet.dismissed[line][0] is CloseCode.SENT_AWAY
    reply = await office.order("kick", "eve")
    assert (reply.is_done, reply.lines[0][:22]) == (False, "eve sits at no table; ")
    assert office.rig.join("eve") not in office.rig.outlet.dismissed


async def test_a_player_is_banned_and_sent_away(office: Office) -> None:
    line = office.rig.join("eve")
    reply = await office.order("ban", "eve")
    assert reply.lines[0].startswith("eve is banned from this server. eve is sent away")
    assert office.rig.outlet.dismissed[line][0] is CloseCode.SENT_AWAY
    assert (await office.order("ban", "mallory")).is_done
    assert (await office.order("bans")).lines == ("eve", "mallory")
    assert (await office.order("unban", "eve")).lines == ("eve may join again.",)
    assert (await office.order("unban", "eve")).lines == ("eve is not banned.",)
    assert "eve" not in office.bans


async def test_14_1_a_handle_is_invited_until_that_is_taken_back(
    office: Office,
) -> None:
    assert (await office.order("invites")).lines == ("Nobody is invited.",)
    reply = await office.order("invite", "Lia9")
    assert reply.lines == ("lia9 is invited to this server.",)
    assert (await office.order("invites")).lines == ("lia9",)
    assert list(office.invited) == list(Invites(office.folder)) == ["lia9"]
    reply = await office.order("uninvite", "lia9")
    assert reply.lines == ("lia9 is invited no more.",)
    reply = await office.order("uninvite", "lia9")
    assert (reply.is_done, reply.lines) == (False, ("lia9 is not invited.",))


async def test_nobody_may_be_banned(office: Office) -> None:
    assert (await office.order("bans")).lines == ("Nobody is banned.",)


async def test_a_player_is_muted_and_heard_again(office: Office) -> None:
    office.rig.join("eve")
    assert (await office.order("mute", "eve")).lines == ("eve can chat no more.",)
    assert office.rig.table.context.muted == {"eve"}
    assert (await office.order("unmute", "eve")).lines == ("eve can chat again.",)
    assert office.rig.table.context.muted == set()


async def test_what_is_no_handle_is_refused_in_a_sentence(office: Office) -> None:
    for order in ("kick", "ban", "mute"):
        reply = await office.order(order, "../../etc")
        assert not reply.is_done
        assert "'../../etc' is no handle" in reply.lines[0]


async def test_a_ban_that_cannot_be_written_down_is_none(
    office: Office, tmp_path: Path
) -> None:
    (tmp_path / "bank" / "bans.json.new").mkdir()
    reply = await office.order("ban", "eve")
    assert not reply.is_done
    assert "bans.json" in reply.lines[0]
    assert list(office.bans) == []


async def ask(path: Path, text: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(text)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_the_socket_is_the_hosts_alone_and_gone_with_the_server(
    office: Office, tmp_path: Path
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    path.write_text("of a server that was killed")
    async with listening(path.parent, office.desk):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b'"is_done":true' in await ask(path, b'{"do":"tables"}\n')
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [b"null\n", b"{\n", b'{"do":"open"}\n', b'{"do":"kick"}\n', b"\xff\n", b"x" * 9000],
)
async def test_N1_what_is_no_order_harms_nothing(
    office: Office, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    async with listening(path.parent, office.desk):
        answer = await ask(path, text)
        assert answer == b"" or b"could not be read" in answer
        assert b'"is_done":true' in await ask(path, b'{"do":"tables"}\n')


async def test_14_5_what_others_put_in_the_place_of_the_socket_stops_no_stop(
    office: Office, tmp_path: Path
) -> None:
    path = tmp_path / "bank" / SOCKET_NAME
    async with listening(path.parent, office.desk):
        path.unlink()
        path.mkdir()
    assert path.is_dir()


async def test_14_6_a_folder_that_can_hold_no_socket_is_no_reason_not_to_play(
    office: Office, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    async with listening(deep, office.desk):
        pass
    assert "bj-host cannot reach this server" in caplog.text


def test_without_a_server_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER
    said = capsys.readouterr().err
    assert said.startswith("bj-host: No server listens at the bank in ")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET_NAME))
    assert main(["--bank", str(tmp_path), "tables"]) == Exit.NO_SERVER


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["kick"],
        ["say"],
        ["say", " "],
        ["say", "\u3164\u115f"],
        ["notice", "\u2800\u200b"],
        ["say", "x" * 201],
        ["kick", "x" * 65],
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(arguments)
    assert stopped.value.code == 2
    assert "bj-host" in capsys.readouterr().err


@pytest.mark.parametrize("do", ["mute", "ban"])
async def test_14_9_a_handle_that_nobody_has_used_is_said_to_be_that(
    office: Office, do: str
) -> None:
    office.rig.join("ned21")
    (said,) = (await office.order(do, "ned12")).lines
    assert said.startswith("ned12 ")
    assert said.endswith("Nobody has an account as ned12 yet; did you mean ned21?")
    assert (await office.order("un" + do, "ned12")).is_done


async def test_14_9_a_gift_to_who_sits_there_is_told_once_it_is_written_down(
    office: Office, tmp_path: Path
) -> None:
    line = office.rig.join("ned21")
    reply = await office.order("gift", "NED21", "50")
    assert reply.lines == (
        "The donor has given $50.00 to ned21, who now has $10,050.00.",
    )
    assert office.rig.balance("ned21") == 10_050
    (gift,) = [event for event in office.rig.events if event.type == "gift_given"]
    assert (gift.amount, gift.balance, gift.by_host) == (5000, 1_005_000, True)
    assert office.rig.bank.till("main")._durable <= office.rig.bank.journal.place.seq
    assert line not in office.rig.outlet.dismissed


async def test_14_9_a_gift_reaches_who_sits_nowhere_and_nobody_unknown(
    office: Office,
) -> None:
    office.rig.join("lia9")
    office.rig.leave("lia9")
    office.rig.join("ned21")
    assert (await office.order("gift", "lia9", "12.50")).is_done
    assert office.rig.bank.balance("lia9") == 1_001_250
    reply = await office.order("gift", "ned12", "50")
    assert not reply.is_done
    assert "did you mean ned21?" in reply.lines[0]


async def test_14_9_a_gift_lets_who_was_broke_bet_at_once(tmp_path: Path) -> None:
    with Rig(tmp_path / "bank", stack="Ts Ks 9s Qd") as rig:
        office = Office(rig, tmp_path / "bank")
        rig.join("ned21")
        rig.act("ned21", "bet 10000, stand")
        assert rig.ask("ned21").wager is None
        await office.order("gift", "ned21", "7")
        wager = rig.ask("ned21").wager
        assert wager is not None
        assert wager.maximum == 700


async def test_14_9_the_key_of_a_handle_is_forgotten_while_its_player_sits(
    office: Office,
) -> None:
    office.rig.join("ned21")
    reply = await office.order("reset-key", "ned21")
    assert reply.lines[0].startswith("ned21 has no key any more")
    assert "bj-host kick ned21" in reply.lines[1]
    line = office.rig.knock("ned21", "mallory")
    assert line not in office.rig.outlet.dismissed
    assert not (await office.order("reset-key", "nobody")).is_done


async def test_14_9_a_notice_is_told_now_and_later_until_it_is_taken_down(
    office: Office, tmp_path: Path
) -> None:
    office.rig.join("ned21")
    assert (await office.order("notice", "Cards at 8.")).is_done
    assert [e.text for e in office.rig.events if e.type == "proclaimed"] == [
        "Cards at 8."
    ]
    later = office.rig.join("lia9")
    assert "The host says: Cards at 8." in office.notices(later)
    assert office.lobby.notice == "Cards at 8."
    assert Board(tmp_path / "bank").text == "Cards at 8."
    assert (await office.order("tables")).lines[0] == "The notice is: Cards at 8."
    assert (await office.order("notice", "--clear")).is_done
    assert Board(tmp_path / "bank").text == office.lobby.notice == ""
    kim = office.rig.join("kim")
    assert not any("Cards" in notice for notice in office.notices(kim))


async def test_14_9_a_table_is_opened_beside_the_others(office: Office) -> None:
    await office.order("mute", "eve")
    await office.order("notice", "Hello.")
    reply = await office.order("open", "high=vegas-strip")
    assert reply.lines[0].startswith("Table high is open: vegas-strip, ")
    high = office.lobby["high"].dealer
    waiting = [type(each).__name__ for each in await high._inbox.take()]
    assert waiting == ["Mute", "Notice"]
    for words, said in (
        (("open", "high"), "There is a table high already."),
        (("open", "low=nowhere"), "There is no house"),
        (("open", "Low Table"), "A table's name is written like a handle"),
    ):
        reply = await office.order(*words)
        assert (reply.is_done, said in reply.lines[0]) == (False, True)


async def test_14_9_the_last_table_is_not_closed(office: Office) -> None:
    reply = await office.order("close", "main")
    assert not reply.is_done
    assert "bj-host drain" in reply.lines[0]
    assert not (await office.order("close", "nowhere")).is_done


def play_out(rig: Rig) -> None:
    """Stand on all hands of the round that is on, whatever is offered before."""
    while rig.asks:
        is_offered = Action.DECLINE in rig.legal("ned21")
        rig.play("ned21", "decline" if is_offered else "stand")


async def test_14_9_a_closed_table_ends_its_round_and_tells_the_true_bank(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    rig = office.rig
    await office.order("open", "high")
    line = rig.join("ned21")
    rig.bet("ned21", 100)
    reply = await office.order("close", "main")
    assert reply.lines[0].startswith("Table main closes once its round is over")
    assert "main" in office.lobby
    assert line not in rig.outlet.dismissed
    play_out(rig)
    await office.catch_up()
    assert "main" not in office.lobby
    code, reason = rig.outlet.dismissed[line]
    assert code is CloseCode.TABLE_CLOSED
    bank = f"${rig.balance('ned21'):,}"
    assert reason == f"The host has closed table main; you have {bank}."


async def test_14_9_a_bet_without_cards_goes_back_when_a_table_is_closed(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    rig = office.rig
    await office.order("open", "high")
    lines = [rig.join("ned21"), rig.join("lia9")]
    rig.bet("ned21", 100)
    with caplog.at_level("INFO"):
        await office.order("close", "main")
        await office.catch_up()
    assert [rig.balance(name) for name in ("ned21", "lia9")] == [10_000, 10_000]
    assert "$100 goes back" in caplog.text
    for line in lines:
        reason = rig.outlet.dismissed[line][1]
        assert reason == "The host has closed table main; you have $10,000."


async def test_14_9_a_server_is_drained_once_no_round_is_on(office: Office) -> None:
    rig = office.rig
    rig.join("ned21")
    rig.bet("ned21", 100)
    reply = await office.order("drain")
    assert "the round that is on is over" in reply.lines[0]
    assert "closing" in (await office.order("tables")).lines[0]
    later = rig.join("lia9")
    assert any("no new round" in notice for notice in office.notices(later))
    assert not (await office.order("open", "high")).is_done
    assert office.drained == 0
    play_out(rig)
    assert office.drained == 1
    rig.wait(3600)
    assert not rig.asks
    rig.restart()
    rig.join("ned21")
    assert rig.is_asked("ned21")


async def test_14_9_an_idle_server_is_drained_at_once(office: Office) -> None:
    assert "stops now" in (await office.order("drain")).lines[0]
    assert office.drained == 1


async def test_14_9_gifts_never_add_up_to_more_than_can_be_counted(
    office: Office,
) -> None:
    office.rig.join("ned21")
    most = 10_000_000_000_000  # dollars
    given = 0
    for _ in range(8):
        given += most * (await office.order("gift", "ned21", str(most))).is_done
    assert given == 3 * most
    reply = await office.order("gift", "ned21", str(most))
    room = 2**52 - 100 * given - 1_000_000
    assert reply.lines == (f"No gift may be over {in_dollars(room // 2)} now.",)
    assert office.rig.bank.balance("ned21") < 2**53


async def test_14_9_a_private_table_is_opened_with_its_code(office: Office) -> None:
    reply = await office.order("open", "club", "--code", "open sesame")
    assert ", private, until" in reply.lines[0]
    assert office.lobby["club"].code == "open sesame"
    assert "sesame" not in repr(read_options(["open", "x", "--code", "sesame"]))
    assert (
        (await office.order("tables"))
        .lines[1]
        .startswith("club: cpsc386, 0 of 4 seats, private, ")
    )
    with pytest.raises(SystemExit):
        read_options(["open", "club", "--code", "short"])


async def test_14_9_a_name_is_free_again_once_its_table_has_sent_all_away(
    office: Office,
) -> None:
    await office.order("open", "high")
    high = office.lobby["high"]
    await office.order("close", "high")
    high.dealer.carry_out(await high.dealer._inbox.take())
    high.dealer.speak()
    assert "high" not in office.lobby
    reply = await office.order("open", "high")
    said = "Table high is just closing: open it in a moment."
    assert (reply.is_done, reply.lines) == (False, (said,))
    await high.dealer.run()  # which has the order to send all away
    assert (await office.order("open", "high")).is_done
    assert office.lobby["high"] is not high


async def test_14_9_a_key_that_is_forgotten_already_harms_no_round(
    office: Office,
) -> None:
    office.rig.join("ned21")
    office.rig.bet("ned21", 100)
    for _ in range(2):
        reply = await office.order("reset-key", "ned21")
        assert reply.is_done
        assert reply.lines[0].startswith("ned21 has no key any more")
    assert not office.rig.seen(BetReturned)
    assert office.rig.picture.phase is Phase.PLAYING
