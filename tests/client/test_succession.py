"""A server that renews its key: clients follow what the old one has signed alone."""

import os
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import ValidationError

from bj_client.error import KeyUnusableError
from bj_client.net.server_key import ServerKey
from bj_client.net.tls import OtherKeyError
from bj_client.verify import Verification
from bj_protocol import PROTOCOL_VERSION
from bj_protocol.codec import encode
from bj_protocol.commands import ListTables
from bj_protocol.messages import Signed, Snapshot, TableList
from bj_protocol.proof import StatementKind, first_head, statement, successor
from bj_protocol.views import Ask, PastKey, StoryView, WagerRange
from support.fake_server import fake_server
from support.message import make_ask, make_snapshot
from support.visit import run_command

PRIVATE = [Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in range(20)]
KEYS = [private.public_key().public_bytes_raw().hex() for private in PRIVATE]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "blackjack" / "keys" / "example.org:8765" / "server.pub"


def known(named: str | None = None, warn: Any = pytest.fail) -> ServerKey:
    return ServerKey("example.org:8765", "example.org", warn, named)


def past(*numbers: int, signer: int | None = None) -> tuple[PastKey, ...]:
    """Return the chain of these keys, up to the last one, which is that of today.

    With ``signer`` another key than the right ones has signed them.
    """
    return tuple(
        PastKey(
            key=KEYS[old],
            signature=PRIVATE[old if signer is None else signer]
            .sign(successor(key=KEYS[old], heir=KEYS[new]))
            .hex(),
        )
        for old, new in pairwise(numbers)
    )


def test_a_key_that_the_known_one_has_signed_takes_its_place_with_a_sentence(
    state: Path,
) -> None:
    told: list[str] = []
    known().keep(KEYS[1])
    key, chain = known(warn=told.append), past(0, 1, 2, 3)
    for _ in range(2):
        key.check(KEYS[3], chain)
        key.keep(KEYS[3], chain)
    (sentence,) = told
    assert f"has signed; it is known by {KEYS[3]} now" in sentence
    assert state.read_text().split("\n")[0] == KEYS[3]
    assert known().known == KEYS[3]
    known().check(KEYS[3])


@pytest.mark.parametrize(
    ("told", "chain"),
    [
        pytest.param(2, past(1, 2), id="cut at its beginning"),
        pytest.param(3, past(0, 1) + past(2, 3), id="cut in its middle"),
        pytest.param(2, past(0, 1), id="cut at its end"),
        pytest.param(2, past(0, 2, signer=9), id="signed by a stranger"),
        pytest.param(2, past(0, 1) + past(1, 2, signer=0), id="signed by the first"),
        pytest.param(1, past(0, 1, 2, 0, 1), id="a cycle through the known key"),
        pytest.param(3, past(0, 1, 2, 1, 3), id="a cycle behind it"),
        pytest.param(9, past(9, 0), id="the known key is the heir"),
        pytest.param(None, past(0, 1), id="no key"),
    ],
)
def test_any_other_chain_stops_the_client_and_changes_nothing(
    state: Path, told: int | None, chain: tuple[PastKey, ...]
) -> None:
    known().keep(KEYS[0])
    for key in (known(), known(KEYS[0])):
        with pytest.raises(OtherKeyError):
            key.check(None if told is None else KEYS[told], chain)
    assert state.read_text() == f"{KEYS[0]}\n"


def test_no_server_tells_more_than_16_past_keys() -> None:
    chain = past(*range(18))

    def tables(past_keys: tuple[PastKey, ...]) -> TableList:
        return TableList(version=2, tables=(), key=KEYS[17], past_keys=past_keys)

    assert len(tables(chain[1:]).past_keys) == 16
    with pytest.raises(ValidationError):
        tables(chain)


def test_a_key_that_was_left_never_comes_back_even_by_name(state: Path) -> None:
    key = known(KEYS[0], lambda sentence: None)
    key.check(KEYS[2], past(0, 1, 2))
    key.keep(KEYS[2], past(0, 1, 2))
    for old in (0, 1):
        for stolen in (known(), known(KEYS[old])):
            with pytest.raises(OtherKeyError) as raised:
                stolen.check(KEYS[old], past(9, old))
            assert "the one that it had before" in str(raised.value)
            assert f"only then remove {state}" in str(raised.value)
    known(KEYS[0]).check(KEYS[2])
    known(KEYS[2]).check(KEYS[2])
    known(KEYS[1]).check(KEYS[3], past(2, 3))


def test_a_key_that_is_named_forgets_all_that_was_kept_with_another(
    state: Path,
) -> None:
    known().keep(KEYS[0])
    known().keep_goodbye("ned21", 5)
    other = known(KEYS[3])
    other.check(KEYS[3])
    other.keep(KEYS[3])
    assert state.read_text() == f"{KEYS[3]}\n"


@pytest.mark.parametrize(
    "kept",
    [
        "",
        KEYS[0][:-1],
        f"{KEYS[0]}\nbefore {KEYS[1][:-1]}\n",
        f"{KEYS[0]}\nbefore {KEYS[1]}",
        f"{KEYS[0]}\ngoodbye ned21\n",
        f"{KEYS[0]}\ngoodbye ned21 100",
        f"{KEYS[0]}\n\n",
    ],
)
def test_a_pin_that_is_cut_short_is_not_taken_for_a_whole_one(
    state: Path, kept: str
) -> None:
    state.parent.mkdir(parents=True)
    state.write_text(kept)
    with pytest.raises(KeyUnusableError, match="holds no key"):
        known().check(KEYS[0])
    assert known().take_goodbye("ned21") is None


def test_a_pin_of_somebody_else_is_not_believed(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known().keep(KEYS[0])
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(KeyUnusableError, match="belongs to somebody else"):
        known().check(KEYS[0])


def test_a_pin_that_is_no_file_is_not_waited_for(state: Path) -> None:
    state.parent.mkdir(parents=True)
    os.mkfifo(state)
    with pytest.raises(KeyUnusableError, match="is no file"):
        known().check(KEYS[0])


def test_within_a_visit_a_key_that_cannot_be_kept_is_known(state: Path) -> None:
    state.parent.parent.mkdir(parents=True)
    state.parent.touch()  # where a folder should be
    key = known(warn=lambda sentence: None)
    key.keep(KEYS[0])
    with pytest.raises(OtherKeyError):
        key.check(KEYS[1])
    key.check(KEYS[1], past(0, 1))
    key.keep(KEYS[1], past(0, 1))
    with pytest.raises(OtherKeyError):
        key.check(KEYS[0])


def test_a_goodbye_is_kept_for_each_handle_until_it_is_taken(state: Path) -> None:
    known().keep(KEYS[0])
    handles = [f"ned{n}" for n in range(7)]
    leave = [Thread(target=known().keep_goodbye, args=(h, 100)) for h in handles]
    for each in leave:
        each.start()
    for each in leave:
        each.join()
    key = known(warn=lambda sentence: None)
    key.check(KEYS[1], past(0, 1))
    key.keep(KEYS[1], past(0, 1))
    assert [known().take_goodbye(handle) for handle in handles] == [100] * 7
    assert [known().take_goodbye(handle) for handle in handles] == [None] * 7
    assert state.stat().st_mode & 0o077 == 0


def test_a_good_bye_is_found_where_the_server_is_known_by_another_key() -> None:
    alone = known()
    alone.keep(KEYS[0])
    alone.keep_goodbye("ned21", 100)
    alone.keep_goodbye("lia9", 200)
    fleet = known()
    fleet.keep_goodbyes_in(("fleet-1", fleet.name), KEYS[1])
    assert fleet.take_goodbye("ned21") == 100
    assert fleet.take_goodbye("ned21") is None
    fleet.keep_goodbye("lia9", 300)
    newer = known()
    newer.keep_goodbyes_in(("fleet-2", "fleet-1", newer.name), KEYS[2])
    assert newer.take_goodbye("lia9") == 300
    assert newer.take_goodbye("lia9") is None


def test_nothing_is_kept_of_a_server_that_is_not_known(state: Path) -> None:
    known().keep_goodbye("ned21", 100)
    assert known().take_goodbye("ned21") is None
    assert not state.exists()


def parting(number: int, chain: tuple[PastKey, ...], cents: int, ask: Ask) -> Any:
    """Return a server at which ned21 has so much, which it signs in the end."""
    run, key = "01" * 32, KEYS[number]
    head = first_head(key=key, run=run, table="main")

    def signed(kind: StatementKind, seq: int, note: str = "") -> Signed:
        said: dict[str, Any] = {"table": "main", "seq": seq, "kind": kind, "round": 7}
        said |= {"head": head, "note": note}
        signature = PRIVATE[number].sign(statement(key=key, run=run, **said)).hex()
        return Signed(**said, signature=signature)

    async def script(server: Any) -> None:
        while isinstance(await server.hear(), ListTables):
            tables = TableList(
                version=PROTOCOL_VERSION, tables=(), key=key, past_keys=chain
            )
            await server.say(tables)
        picture: Snapshot = server.picture(ask)
        seats = tuple(s.model_copy(update={"balance": cents}) for s in picture.seats)
        view = StoryView(key=key, run=run, head=head, past_keys=chain)
        await server.say(picture.model_copy(update={"story": view, "seats": seats}))
        await server.say(signed(StatementKind.START, 0))
        await server.hear()
        await server.say(signed(StatementKind.GOODBYE, picture.seq, f"ned21 {cents}"))

    return script


async def test_the_next_visit_follows_the_key_and_compares_the_balance(
    state: Path,
) -> None:
    keys, said = state.parents[1], []
    for number, chain, has in (
        (0, (), 700),
        (0, (), 700),
        (1, past(0, 1), 650),
        (1, past(0, 1), 900),
    ):
        wager = WagerRange(minimum=100, maximum=has // 100 * 100, step=100)
        script = parting(number, chain, has, make_ask(1, wager=wager))
        async with fake_server(script) as address:
            for kept in keys.glob("*/server.pub"):  # it has another port each time
                kept.parent.rename(keys / address.name)
            options = ("--plain", "--handle", "NED21", "--server", address.shown)
            ended = await run_command(*options)
        assert ended.code == 0, ended.output
        said.append(ended.output + ended.errors)
    assert ["has a new key" in each for each in said] == [False, False, True, False]
    less = "you have $0.50 less than at the end of your last visit"
    assert [less in each for each in said] == [False, False, True, False]
    (kept,) = keys.glob("*/server.pub")
    assert kept.read_text().endswith("goodbye ned21 900\n")


def test_verify_names_each_key_that_signed_in_a_visit() -> None:
    lines = ['{"record": 2, "server": "here", "table": "main"}']
    told: list[tuple[int, str, tuple[PastKey, ...]]]
    told = [(0, "01", ()), (1, "02", past(0, 1))]
    for number, run, chain in told:
        view = StoryView(key=KEYS[number], run=run * 32, head="0" * 64, past_keys=chain)
        heard = encode(make_snapshot(story=view))
        lines.append(f'{{"handle": "ned21", "at": {number}, "heard": {heard}}}')
        lines.append(f'{{"handle": "ned21", "at": {number}, "line": "lost"}}')
    verification = Verification()
    list(verification.run(f"{line}\n".encode() for line in lines))
    assert verification.keys == {KEYS[0], KEYS[1]}
    assert verification.findings == 0
