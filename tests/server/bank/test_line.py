import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_server.bank.error import LineError
from bj_server.bank.line import NO_LINE, Line, act, command, decode
from bj_server.bank.line import encode as encode_now
from bj_server.bank.move import Entry, Move, Posting, Reason
from support.banks import encode
from support.texts import TEXTS

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
)


def line(**changes: Any) -> Line:
    move = Move(source="player:ned21", target="stakes:main", amount=5000)
    fields: dict[str, Any] = {
        "seq": 7,
        "time": "2024-05-01T12:30:00.000Z",
        "kind": "stake",
        "table": "main",
        "round": 3,
        "entries": (Entry(reason=Reason.BET, moves=(move,)),),
        "data": {"seat": 1},
        "synced": 5,
        "prev": "ab" * 32,
    }
    return Line(**{**fields, **changes})


def written(says: str) -> bytes:
    return encode_now(
        says, seq=7, time="2024-05-01T12:30:00.000Z", synced=5, prev="ab" * 32
    )


def sealed(text: str) -> bytes:
    """Give a text, without its closing brace, the checksum that belongs to it."""
    body = text.encode()
    return body + b',"crc":"%08x"}' % zlib.crc32(body)


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    fields = json.loads(encode(line()))
    del fields["crc"]
    change(fields)
    return sealed(json.dumps(fields, separators=(",", ":"))[:-1])


def test_a_line_has_its_fields_in_the_written_order() -> None:
    acts = [act(line()), act(Posting(kind="note"))]
    assert written(command("main", acts, {"seq": 41})) == (
        b'{"seq":7,"time":"2024-05-01T12:30:00.000Z","table":"main","acts":['
        b'{"kind":"stake","round":3,"entries":[["bet",["player:ned21","stakes:main",'
        b'5000]]],"data":{"seat":1}},{"kind":"note"}],"state":{"seq":41},"synced":5,'
        b'"prev":"' + b"ab" * 32 + b'","crc":"409c73f6"}'
    )


def test_all_postings_of_a_command_are_read_back_in_their_line() -> None:
    acts = [act(line()), act(Posting(kind="note"))]
    assert decode(written(command("main", acts, {"seq": 41}))) == (
        line(),
        line(kind="note", round=None, entries=(), data={}),
        line(kind="seal", round=None, entries=(), data={"seq": 41}),
    )
    assert decode(written(command("main", [], {}))) == (
        line(kind="seal", round=None, entries=(), data={}),
    )


@given(
    seq=st.integers(),
    table=st.none() | TEXTS,
    round=st.none() | st.integers(1),
    amount=st.integers(1, 10**40),
    data=st.dictionaries(TEXTS, PLAIN, max_size=3),
)
def test_what_is_written_is_read_back(
    seq: int,
    table: str | None,
    round: int | None,
    amount: int,
    data: dict[str, object],
) -> None:
    move = Move(source="donor", target="player:lia9", amount=amount)
    entries = (Entry(reason=Reason.GIFT, moves=(move,)), *line().entries)
    old = line(seq=seq, table=table, round=round, entries=entries, data=data)
    assert decode(encode(old)) == (old,)
    state = None if table is None else {**data, "seq": seq}
    raw = encode_now(
        command(table, [act(old)], state),
        seq=seq,
        time=old.time,
        synced=old.synced,
        prev=old.prev,
    )
    assert b"\n" not in raw
    first, *rest = decode(raw)
    assert first == old
    assert [each.data for each in rest] == ([] if table is None else [state])
    assert [each.ends_command for each in (first, *rest)].index(True) == len(rest)


def test_any_changed_bit_is_found() -> None:
    for raw in (encode(line()), written(command("main", [act(line())], {"seq": 1}))):
        for place in range(len(raw)):
            for bit in range(8):
                broken = bytearray(raw)
                broken[place] ^= 1 << bit
                with pytest.raises(LineError):
                    decode(bytes(broken))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f.pop("seq"), "fields are not seq, time"),
        (lambda f: f.update(extra=1), "fields are not seq, time"),
        (lambda f: f.update(seq="7"), "seq is of the wrong type"),
        (lambda f: f.update(seq=True), "seq is of the wrong type"),
        (lambda f: f.update(seq=7.0), "not a whole number"),
        (lambda f: f.update(seq=float("nan")), "not a whole number"),
        (lambda f: f.update(data={"rate": 1.5}), "not a whole number"),
        (lambda f: f.update(data={"a": float("inf")}), "not a whole number"),
        (lambda f: f.update(data=[]), "data is of the wrong type"),
        (lambda f: f.update(time=5), "time is of the wrong type"),
        (lambda f: f.update(time="2024-05-01"), "time is not UTC"),
        (lambda f: f.update(kind=None), "kind is of the wrong type"),
        (lambda f: f.update(table=1), "table is of the wrong type"),
        (lambda f: f.update(round=False), "round is of the wrong type"),
        (lambda f: f.update(round=0), "counted from 1"),
        (lambda f: f.update(prev="AB" * 32), "not a SHA-256"),
        (lambda f: f.update(entries={}), "entries is of the wrong type"),
        (lambda f: f.update(entries=[1]), "not a reason and its moves"),
        (lambda f: f["entries"][0].update(note=""), "not a reason and its moves"),
        (lambda f: f["entries"][0].update(reason="luck"), "unknown reason 'luck'"),
        (lambda f: f["entries"][0].update(reason=[]), "unknown reason"),
        (lambda f: f["entries"][0].update(moves=7), "no list of moves"),
        (lambda f: f["entries"][0].update(moves=[7]), "number of cents"),
        (lambda f: f["entries"][0]["moves"][0].append(1), "number of cents"),
        (lambda f: f["entries"][0]["moves"][0].__setitem__(2, True), "move is wrong"),
        (lambda f: f["entries"][0]["moves"][0].__setitem__(2, 0), "move is wrong"),
        (lambda f: f["entries"][0]["moves"][0].__setitem__(0, "x"), "no account named"),
    ],
)
def test_B9_a_line_of_another_shape_is_refused_although_its_checksum_is_right(
    change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    with pytest.raises(LineError, match=reason):
        decode(changed(change))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda f: f.pop("state"), "fields are not seq, time, table, acts"),
        (lambda f: f.update(seq="7"), "seq is of the wrong type"),
        (lambda f: f.update(time="2024-05-01"), "time is not UTC"),
        (lambda f: f.update(prev="AB" * 32), "not a SHA-256"),
        (lambda f: f.update(acts={}), "acts is of the wrong type"),
        (lambda f: f.update(state=[]), "state is of the wrong type"),
        (lambda f: f.update(state=None), "not those of one command"),
        (lambda f: f.update(table=None), "not those of one command"),
        (lambda f: f.update(table=None, state=None, acts=[]), "of one command"),
        (lambda f: f.update(acts=["stake"]), "an act has no kind"),
        (lambda f: f["acts"][0].pop("kind"), "an act has no kind"),
        (lambda f: f["acts"][0].update(kind=7), "kind is of the wrong type"),
        (lambda f: f["acts"][0].update(kind="seal"), "an act is of kind seal"),
        (lambda f: f["acts"][0].update(kind="journal"), "an act is of kind journal"),
        (lambda f: f["acts"][0].update(note=""), "fields are not kind, round"),
        (lambda f: f["acts"][0].update(round=None), "round is of the wrong type"),
        (lambda f: f["acts"][0].update(round=0), "counted from 1"),
        (lambda f: f["acts"][0].update(data=[]), "data is of the wrong type"),
        (lambda f: f["acts"][0].update(entries={}), "entries is of the wrong type"),
        (lambda f: f["acts"][0].update(entries=[{}]), "not a reason and its moves"),
        (lambda f: f["acts"][0].update(entries=[[]]), "not a reason and its moves"),
        (lambda f: f["acts"][0].update(entries=[[["bet"]]]), "unknown reason"),
        (lambda f: f["acts"][0]["entries"][0].append(7), "number of cents"),
        (lambda f: f["acts"][0]["entries"][0][1].append(1), "number of cents"),
    ],
)
def test_B9_a_command_of_another_shape_is_refused_although_its_checksum_is_right(
    change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    fields = json.loads(written(command("main", [act(line())], {"seq": 1})))
    del fields["crc"]
    change(fields)
    with pytest.raises(LineError, match=reason):
        decode(sealed(json.dumps(fields, separators=(",", ":"))[:-1]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "not plain JSON"),
        ('{"seq":1,"seq":1', "twice"),
        pytest.param('{"seq":' + "9" * 4301, "not plain JSON", id="4301 digits"),
        pytest.param('{"a":' + "[" * 10**5, "nested too deeply", id="depth"),
        ('{"seq":"é"', "not plain JSON"),
        ("", "not plain JSON"),
    ],
)
def test_a_text_that_is_no_plain_json_is_refused(text: str, reason: str) -> None:
    with pytest.raises(LineError, match=reason):
        decode(sealed(text))


def test_bytes_without_a_checksum_are_no_line() -> None:
    for raw in (b"", b"\0" * 300, b"{}", encode(line())[:-1], encode(line())[1:]):
        with pytest.raises(LineError, match="checksum"):
            decode(raw)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"format": 4}, "of format 4, and this server reads up to 3"),
        ({"format": 4, "codec": "zstd"}, "of format 4"),
        ({"format": 0}, "no format"),
        ({"format": True}, "no format"),
        ({"format": 1}, "of the old format 1, and this server reads from 2 on"),
        ({"format": 2, "codec": "zstd"}, "no format"),
        ({}, "no format"),
        ([], "no format"),
    ],
)
def test_P2_a_journal_of_another_format_is_refused_by_name(
    data: object, reason: str
) -> None:
    with pytest.raises(LineError, match=reason):
        decode(changed(lambda f: f.update(kind="journal", data=data)))


def test_a_newer_format_is_named_even_when_its_lines_have_other_fields() -> None:
    with pytest.raises(LineError, match="format 4"):
        decode(sealed('{"kind":"journal","data":{"format":4}'))


def test_a_line_of_another_format_than_that_of_its_file_is_refused() -> None:
    lines = {2: encode(line()), 3: written(command("main", [act(line())], {}))}
    header = encode(line(kind="journal", data={"format": 3}, entries=()))
    for format, raw in lines.items():
        assert decode(raw, format)[0] == line()
        assert decode(header, format)[0].kind == "journal"
        with pytest.raises(LineError, match=f"no line of format {5 - format}, which"):
            decode(raw, 5 - format)


def test_the_first_line_names_the_format() -> None:
    for number in (2, 3):
        data = {"format": number}
        first = line(seq=1, kind="journal", data=data, prev=NO_LINE, entries=())
        assert decode(encode(first)) == (first,)


def test_a_line_may_hold_much_and_not_too_deep() -> None:
    wide: dict[str, Any] = {"cards": [[n] for n in range(200)]}
    assert decode(encode(line(data=wide)))[0].data == wide
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        text = '{"seq":' + opened * 101 + "1" + closed * 101
        with pytest.raises(LineError, match="nested too deeply"):
            decode(sealed(text))


@pytest.mark.parametrize(
    "value", [{"As"}, b"As", pytest.param(10**4300, id="4301 digits")]
)
def test_what_is_no_json_is_not_written(value: object) -> None:
    with pytest.raises(LineError, match="it cannot be written"):
        act(Posting(kind="note", data={"value": value}))


@pytest.mark.parametrize("round", [0, -1, True, 1.0])
def test_rounds_are_counted_from_one(round: int) -> None:
    with pytest.raises(ValueError, match="counted from 1"):
        Posting(kind="answer", table="main", round=round)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda f: f.pop("seq"),
            (
                "its fields are not seq, time, kind, table, round, entries, data, "
                "synced, prev"
            ),
        ),
        (lambda f: f.update(seq="7"), "its field seq is of the wrong type"),
        (lambda f: f.update(time=""), "its time is not UTC to the millisecond"),
        (lambda f: f.update(prev=""), "its field prev is not a SHA-256"),
        (
            lambda f: f.update(round=0),
            "its round is wrong: Rounds are whole numbers, counted from 1.",
        ),
        (lambda f: f.update(entries=[1]), "an entry is not a reason and its moves"),
        (
            lambda f: f["entries"][0].update(moves=7),
            "an entry has no list of moves",
        ),
        (
            lambda f: f["entries"][0].update(reason="luck"),
            "an entry gives the unknown reason 'luck'",
        ),
        (
            lambda f: f["entries"][0].update(moves=[7]),
            "a move is not a source, a target and a number of cents",
        ),
        (
            lambda f: f["entries"][0]["moves"][0].__setitem__(2, 0),
            "a move is wrong: A move is of a whole number of cents, at least 1.",
        ),
        (
            lambda f: f.update(kind="journal", data={"format": 4}),
            "it is of format 4, and this server reads up to 3",
        ),
        (
            lambda f: f.update(kind="journal", data={"format": 1}),
            "it is of the old format 1, and this server reads from 2 on",
        ),
        (
            lambda f: f.update(kind="journal", data={"format": 10**6}),
            "it names no format that this server knows",
        ),
        (
            lambda f: f.update(data={"rate": 1.5}),
            "it is not plain JSON, 1.5 is not a whole number",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_told_in_words(
    change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    with pytest.raises(LineError) as caught:
        decode(changed(change))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda f: f.update(state=None),
            "its acts and its state are not those of one command",
        ),
        (lambda f: f["acts"][0].pop("kind"), "an act has no kind"),
        (lambda f: f["acts"][0].update(kind="seal"), "an act is of kind seal"),
        (lambda f: f["acts"][0].update(kind="journal"), "an act is of kind journal"),
        (
            lambda f: f["acts"][0].update(entries=[{}]),
            "an entry is not a reason and its moves",
        ),
    ],
)
def test_what_is_wrong_with_a_command_is_told_in_words(
    change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    fields = json.loads(written(command("main", [act(line())], {"seq": 1})))
    del fields["crc"]
    change(fields)
    with pytest.raises(LineError) as caught:
        decode(sealed(json.dumps(fields, separators=(",", ":"))[:-1]))
    assert str(caught.value) == sentence
