"""The desk: what each order does."""

import asyncio
from pathlib import Path

import pytest

from bj_game.money import in_dollars
from bj_protocol.action import Action
from bj_protocol.events import BetReturned
from bj_protocol.refusal import CloseCode
from bj_protocol.views import Phase
from bj_server.bank.handles import Invites
from bj_server.host_cli.command import read_options
from bj_server.host_cli.desk import Board
from bj_server.table.inbox import Halt
from support.office import Office
from support.rig import Rig


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


async def test_14_9_one_seat_is_told_as_one(office: Office) -> None:
    opened = (await office.order("open", "solo=iipp6")).lines[0]
    assert opened.startswith("Table solo is open: iipp6, 1 seat, until ")
    told = (await office.order("tables")).lines[1]
    assert told.startswith("solo: iipp6, 0 of 1 seat, ")


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


@pytest.mark.parametrize("is_drained", [True, False], ids=["drained", "stopping"])
async def test_a_server_that_closes_opens_no_table(
    office: Office, is_drained: bool
) -> None:
    if is_drained:
        await office.order("drain")
    else:
        office.app.is_stopping = True
    reply = await office.order("open", "attic")
    assert not reply.is_done
    assert reply.lines == ("This server closes, so no table can be opened.",)
    assert "attic" not in office.lobby


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


def test_14_9_a_gift_that_is_too_large_is_told_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_options(["gift", "ned21", "99999999999999"])
    assert "as in 50 or 12.50, up to ten trillion." in capsys.readouterr().err


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


async def test_an_order_at_the_stop_of_the_server_is_not_carried_out_and_says_so(
    office: Office,
) -> None:
    office.rig.join("ned21")
    dealer = office.rig.dealer
    running = asyncio.create_task(dealer.run())
    dealer.submit(Halt())
    await running
    for words in (("gift", "ned21", "5"), ("reset-key", "ned21")):
        reply = await office.desk.obey(read_options(words)[1])
        assert not reply.is_done
        assert reply.lines[0].startswith("The server stops, so nothing was changed")
    assert office.rig.balance("ned21") == 10_000
