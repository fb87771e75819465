"""The route: a client follows a fleet's servers to its seat, and nobody else's."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bj_client.error import HelloRefusedError, MovedError, UnreachableError
from bj_client.net.address import read_address
from bj_client.net.keyring import Keyring
from bj_client.net.route import MOST_MOVES, Place, Route, StrayError
from bj_client.net.server_key import ServerKey
from bj_client.net.tls import Trust
from bj_protocol.commands import Hello, Watch
from bj_protocol.views import PastKey, You
from bj_server.bank.signer import Signer
from support.fake_fleet import Member, moved_to, seat, sent_away, serving, two
from support.fake_server import fake_server
from support.message import make_snapshot
from support.terminal import Terminal
from support.visit import Played, run_command

FLEET = Signer.after()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "blackjack" / "keys"


async def join(
    door: Member,
    *options: str,
    typed: str = "q\n",
    handles: tuple[str, ...] = ("ned21",),
) -> Played:
    who = [word for handle in handles for word in ("--handle", handle)]
    return await run_command(*who, "--server", door.uri, *options, typed=typed)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--plain",), id="lines"),
        pytest.param(("--json",), id="program"),
        pytest.param(("--plain", "--bot", "basic"), id="bot"),
    ],
)
async def test_a_player_follows_to_the_table_with_one_key(
    state: Path, options: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        door, other = await two(stack, FLEET, Member("n2", FLEET, [seat()]))
        if "--bot" in options:
            other.replies = [sent_away]
        ended = await join(door, *options, typed="" if "--json" in options else "q\n")
    assert ended.code == (4 if "--bot" in options else 0), ended.errors
    (asked,), (joined,) = door.hellos, other.hellos
    assert isinstance(asked, Hello)
    assert isinstance(joined, Hello)
    assert joined.table == "attic"
    kept = (state / f"fleet-{FLEET.key}" / "ned21.key").read_text().strip()
    assert asked.key == joined.key == kept
    assert [path.parent.name for path in state.glob("*/ned21.key")] == [
        f"fleet-{FLEET.key}"
    ]
    if "--json" in options:
        first = json.loads(ended.output.splitlines()[0])
        assert (first["type"], first["table"]) == ("snapshot", "attic")


async def test_the_whole_screen_follows_to_the_table(state: Path) -> None:
    def watch(door: Member) -> str:
        with Terminal("bj_client", "--handle", "ned21", "--server", door.uri) as screen:
            screen.until("Bet $1")
            said = screen.text
            screen.press("q", "Good-bye")
            return said

    async with AsyncExitStack() as stack:
        door, other = await two(stack, FLEET, Member("n2", FLEET, [seat()]))
        said = await asyncio.to_thread(watch, door)
    assert "attic" in said
    assert [len(each.hellos) for each in (door, other)] == [1, 1]


async def test_who_looks_on_follows_too(state: Path) -> None:
    async with AsyncExitStack() as stack:
        door, other = await two(stack, FLEET, Member("n2", FLEET, [seat(you=None)]))
        options = ("--plain", "--watch", "--server", door.uri)
        ended = await run_command(*options, typed="q\n")
    assert ended.code == 0
    assert [type(each) for each in door.hellos + other.hellos] == [Watch, Watch]


async def test_after_two_moves_without_a_seat_the_client_stops(state: Path) -> None:
    async with AsyncExitStack() as stack:
        door, other = await two(stack, FLEET, Member("n2", FLEET, []))
        other.replies = [moved_to(door)]
        ended = await join(door, "--plain")
    assert ended.code == 4
    assert f"sent on {MOST_MOVES} times" in ended.errors
    assert (len(door.hellos), len(other.hellos)) == (2, 1)


async def test_a_seat_after_two_moves_is_taken(state: Path) -> None:
    async with AsyncExitStack() as stack:
        last = await stack.enter_async_context(serving(Member("n3", FLEET, [seat()])))
        door, other = await two(stack, FLEET, Member("n2", FLEET, [moved_to(last)]))
        ended = await join(door, "--plain")
    assert ended.code == 0
    assert [len(each.hellos) for each in (door, other, last)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"fleet": Signer.after()}, "may be somebody else's"),
        ({"signed_for": "ws://elsewhere.example"}, "join at ws://elsewhere.example"),
        ({"spoil": {"name": "n7"}}, "whose key has not signed it"),
        ({"spoil": {"signature": "0" * 128}}, "whose key has not signed it"),
    ],
)
async def test_a_server_that_is_not_of_the_fleet_hears_no_hello(
    state: Path, changes: dict[str, Any], sentence: str
) -> None:
    async with AsyncExitStack() as stack:
        known: dict[str, Any] = {"fleet": FLEET, "replies": [seat()]}
        door, other = await two(stack, FLEET, Member("n2", **known | changes))
        ended = await join(door, "--plain")
    assert ended.code == 9
    assert sentence in ended.errors
    assert other.hellos == []


async def test_a_copied_word_brings_no_key_of_the_fleet(state: Path) -> None:
    """Whoever shows what a fleet has signed for others is not asked for more."""
    async with AsyncExitStack() as stack:
        door = Member("n1", FLEET, [seat()], signed_for="ws://cards.example")
        await stack.enter_async_context(serving(door))
        ended = await join(door, "--plain")
        assert (ended.code, door.hellos) == (9, [])
        ended = await join(door, "--plain", "--server-key", FLEET.key)
        assert (ended.code, len(door.hellos)) == (0, 1)


async def test_a_door_of_the_fleet_may_have_any_server_behind_it(state: Path) -> None:
    async with AsyncExitStack() as stack:
        door = Member("n1", FLEET, [seat()], signed_for="ws://cards.example/s/n1")
        await stack.enter_async_context(serving(door))
        door.doors = ["ws://cards.example", door.uri]
        assert (await join(door, "--plain")).code == 0
        door.signer = Signer.after()  # another one, the next time
        assert (await join(door, "--plain")).code == 0
        door.fleet = Signer.after()
        assert (await join(door, "--plain")).code == 9
    assert len({hello.key for hello in door.hellos if isinstance(hello, Hello)}) == 1


async def test_players_of_a_server_that_joins_a_fleet_follow_with_their_keys(
    state: Path,
) -> None:
    alone = Signer.after()
    async with AsyncExitStack() as stack:
        door = Member("n1", Signer.after(alone), [seat()])
        await stack.enter_async_context(serving(door))
        folder = state / door.address.name
        folder.mkdir(parents=True)
        (folder / "server.pub").write_text(f"{alone.key}\n")
        (folder / "ned21.key").write_text(key := f"{'k' * 43}")
        ended = await join(door, "--plain")
        assert ended.code == 0
        assert "which the one that you knew has signed" in ended.errors
        door.fleet = Signer.after()
        assert (await join(door, "--plain")).code == 9
    assert [hello.key for hello in door.hellos if isinstance(hello, Hello)] == [key]


async def test_a_server_alone_sends_nobody_on(state: Path) -> None:
    async def script(server: Any) -> None:
        hello = await server.first()
        await moved_to("ws://cards.example")(server, hello)

    async with fake_server(script) as address:
        ended = await run_command(
            "--plain", "--handle", "ned21", "--server", address.uri
        )
    assert ended.code == 9
    assert "sends you on to ws://cards.example" in ended.errors
    assert "is of no fleet that is known here" in ended.errors


async def test_a_hotseat_follows_as_one(state: Path) -> None:
    async with AsyncExitStack() as stack:
        other = Member("n2", FLEET, [])
        for number, handle in enumerate(("lia9", "ned21"), 1):
            other.replies.append(seat(you=You(handle=handle, seat=number)))
        door, other = await two(stack, FLEET, other)
        ended = await join(door, "--plain", handles=("lia9", "ned21"))
    assert ended.code == 0, ended.errors
    assert [h.handle for h in door.hellos if isinstance(h, Hello)] == ["lia9"]
    assert [h.table for h in other.hellos] == ["attic", "attic"]


async def test_a_hotseat_whose_seats_are_apart_says_who_sits_where(state: Path) -> None:
    async with AsyncExitStack() as stack:
        lias = seat("main", you=You(handle="lia9", seat=1))
        neds = seat("attic", you=You(handle="ned21", seat=1))
        other = await stack.enter_async_context(serving(Member("n2", FLEET, [neds])))
        door = Member("n1", FLEET, [lias, moved_to(other)])
        await stack.enter_async_context(serving(door))
        ended = await join(door, "--plain", handles=("lia9", "ned21"))
    assert ended.code == 4
    assert f"ned21: This player sits at table attic of {other.uri}" in ended.errors
    assert f"and the others at table main of {door.uri}" in ended.errors


WORD = FLEET.take_in(
    "0a" * 32, "n1", "wss://cards.example/s/n1", ["wss://cards.example"]
)


async def known(door: str, trust: Trust | None = None) -> Route:
    """Return a route whose fleet is known, as after a first question to its door."""
    address = read_address(door)
    if trust is not None:
        address = address.trusting(trust)
    key = ServerKey(address.name, door, pytest.fail, FLEET.key)
    route = Route(Place(address, None), Keyring(address.name, pytest.fail), key)

    async def tables() -> Any:
        return SimpleNamespace(key="0a" * 32, past_keys=(), fleet=WORD)

    connection: Any = SimpleNamespace(tables=tables)
    await route.know(connection, address)
    return route


@pytest.mark.parametrize(
    ("door", "to", "follows"),
    [
        ("wss://cards.example", "wss://cards.example/s/n2", True),
        ("wss://cards.example", "ws://cards.example/s/n2", False),
        ("wss://cards.example", "ws://127.0.0.1:9", False),
        ("ws://127.0.0.1:8", "ws://127.0.0.1:9", True),
        ("ws://127.0.0.1:8", "ws://cards.example", False),
        ("ws://127.0.0.1:8", "wss://cards.example", True),
        ("ws://cards.example", "ws://other.example", True),
        ("ws://cards.example", "http://cards.example", False),
        ("ws://cards.example", "ws://cards.example:99999", False),
        ("ws://cards.example", "", False),
    ],
)
async def test_a_line_that_was_encrypted_stays_so(
    state: Path, door: str, to: str, follows: bool
) -> None:
    route, seen = await known(door), []

    async def sit(place: Place) -> Place:
        seen.append(place.address.uri)
        if len(seen) == 1:
            raise MovedError(to, "attic")
        return place

    if follows:
        assert await route.go(sit) == Place(read_address(to), "attic")
    else:
        with pytest.raises(StrayError, match="ask the host"):
            await route.go(sit)
    assert seen == [door, *([to] if follows else [])]


async def test_the_trust_that_was_named_holds_for_the_next_server(state: Path) -> None:
    trust = Trust(pin="ab" * 32)
    route = await known("wss://cards.example", trust)
    moves = [MovedError("wss://cards.example/s/n2", "attic")]

    async def sit(place: Place) -> Place:
        if moves:
            raise moves.pop()
        return place

    assert (await route.go(sit)).address.trust == trust


async def test_who_had_a_seat_tries_its_server_first_and_the_door_second(
    state: Path,
) -> None:
    route = await known("wss://cards.example")
    away: set[str] = set()
    seen: list[tuple[str, str | None]] = []

    async def sit(place: Place) -> None:
        seen.append((place.address.uri, place.table))
        if place.address.uri in away:
            raise UnreachableError(place.address.shown)
        route.note(place, make_snapshot(table="attic"))

    door, own = "wss://cards.example", "wss://cards.example/s/n1"
    await route.go(sit)
    await route.go(sit)
    assert seen == [(door, None), (own, "attic")]
    away.add(own)
    await route.go(sit)
    assert seen[2:] == [(own, "attic"), (door, None)]
    away.add(door)
    for _ in range(2):
        with pytest.raises(UnreachableError):
            await route.go(sit)
    away.clear()  # the server of the seat is back, and the door may not know of it
    await route.go(sit)
    assert seen[4:] == [(own, "attic"), (door, None)] * 2 + [(own, "attic")]


@pytest.mark.parametrize("is_away", [True, False])
async def test_those_who_share_a_keyboard_move_when_their_server_is_away(
    state: Path, is_away: bool
) -> None:
    route = await known("wss://cards.example")
    route.is_shared = True
    tables = iter(("attic", "main"))

    async def sit(place: Place) -> None:
        if is_away and place.address.uri.endswith("/n1"):
            raise UnreachableError(place.address.shown)
        route.note(place, make_snapshot(table=next(tables)))

    await route.go(sit)
    if is_away:
        await route.go(sit)
        assert route.seat is not None
        assert route.seat.table == "main"
    else:
        with pytest.raises(HelloRefusedError, match="the others at table attic"):
            await route.go(sit)


async def test_a_seat_that_is_refused_is_not_looked_for_at_the_door(
    state: Path,
) -> None:
    route = await known("wss://cards.example")

    async def sit(place: Place) -> None:
        route.note(place, make_snapshot())

    async def refuse(place: Place) -> None:
        seen.append(place.address.uri)
        raise HelloRefusedError("no")

    seen: list[str] = []
    await route.go(sit)
    with pytest.raises(HelloRefusedError):
        await route.go(refuse)
    assert seen == ["wss://cards.example/s/n1"]


async def test_a_door_that_knows_no_such_table_is_asked_until_its_server_is_back(
    state: Path,
) -> None:
    route = await known("wss://cards.example")
    away = {"wss://cards.example/s/n1"}

    async def sit(place: Place) -> None:
        route.note(place, make_snapshot(table="attic"))

    async def come_back(place: Place) -> None:
        if place.address.uri in away:
            raise UnreachableError(place.address.shown)
        if place.address.uri == "wss://cards.example":
            raise HelloRefusedError("There is no table of that name here.")
        await sit(place)

    with pytest.raises(HelloRefusedError) as refused:
        await route.go(come_back)  # who never had a seat is refused for good
    assert not refused.value.is_passing
    await route.go(sit)
    with pytest.raises(HelloRefusedError, match="no table") as refused:
        await route.go(come_back)
    assert refused.value.is_passing
    away.clear()
    await route.go(come_back)


async def test_a_renewed_key_of_a_fleet_has_the_keys_of_the_old_one(
    state: Path,
) -> None:
    new = Signer.after(FLEET)
    word = new.take_in("0a" * 32, "n1", "wss://cards.example")
    assert [type(past) for past in word.past_keys] == [PastKey]
    keys = Keyring("cards.example:443", pytest.fail)
    old = keys.in_fleet(WORD).key("ned21")
    assert keys.in_fleet(word).key("ned21") == old
    assert keys.in_fleet(WORD).key("lia9") != old
    assert keys.key("ned21") != old
