import json
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_protocol import commands, events, messages
from bj_protocol.action import Action
from bj_protocol.codec import (
    MessageError,
    decode_command,
    decode_message,
    encode,
    version_of,
)
from bj_protocol.commands import Hello, Hit, Leave, PlaceBet
from bj_protocol.messages import Refused, Update
from bj_protocol.refusal import RefusalCode


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "7",
        '"x"',
        "[]",
        "{}",
        "true",
        "",
        "]",
        "hi\x04",
        '{"type":"hit"',
        "[" * 9999,
    ],
)
def test_N1_what_is_no_object_of_a_type_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(MessageError) as caught:
        decode_command(text)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"type":"bet"}', "no message of that type"),
        ('{"type":7}', "no message of that type"),
        ('{"prompt":7}', "has no type"),
        ('{"type":"place_bet"}', "field prompt"),
        ('{"type":"place_bet","prompt":1}', "field amount"),
        ('{"type":"hit","prompt":"1"}', "field prompt"),
        ('{"type":"hit","prompt":1,"handle":"ned21"}', "a field that its type"),
        ('{"type":"hello","version":"1","handle":"a"}', "field version"),
    ],
)
def test_N2_what_is_wrong_with_a_message_is_named(text: str, sentence: str) -> None:
    with pytest.raises(MessageError, match=sentence):
        decode_command(text)


@pytest.mark.parametrize(
    "amount", ["NaN", "Infinity", "-Infinity", "1e999", "0.5", "5.6e-14", "1e3", '"5"']
)
def test_B9_money_is_a_whole_number_or_nothing(amount: str) -> None:
    with pytest.raises(MessageError):
        decode_command(f'{{"type":"place_bet","prompt":1,"amount":{amount}}}')


@pytest.mark.parametrize("amount", ["true", "null", "[]", "{}"])
def test_money_of_another_type_is_refused(amount: str) -> None:
    with pytest.raises(MessageError, match="amount"):
        decode_command(f'{{"type":"place_bet","prompt":1,"amount":{amount}}}')


def test_B12_a_number_of_4301_digits_is_a_bad_message() -> None:
    with pytest.raises(MessageError):
        decode_command(f'{{"type":"place_bet","prompt":1,"amount":{"9" * 4301}}}')


def test_B12_a_number_of_4299_digits_is_read_exactly() -> None:
    text = f'{{"type":"place_bet","prompt":1,"amount":{"9" * 4299}}}'
    assert decode_command(text) == PlaceBet(prompt=1, amount=10**4299 - 1)


def test_the_refusal_never_repeats_what_was_received() -> None:
    for text in ('{"type":"\x1b[2J"}', '{"type":"hit","prompt":1,"\\u001b[2J":1}'):
        with pytest.raises(MessageError) as caught:
            decode_command(text)
        assert "\x1b" not in str(caught.value)
        assert "2J" not in str(caught.value)


def test_invalid_utf_8_is_refused() -> None:
    with pytest.raises(MessageError):
        decode_command(b'{"type":"hit\xff","prompt":1}')


def test_every_action_is_the_type_of_one_answer() -> None:
    answers = typing.get_args(commands.AnyAnswer)
    types = [answer.model_fields["type"].default for answer in answers]
    assert sorted(types) == sorted(Action)


@given(st.integers())
def test_a_command_comes_back_as_it_was(number: int) -> None:
    for command in (PlaceBet(prompt=number, amount=number), Hit(prompt=number)):
        assert decode_command(encode(command)) == command


def test_a_hello_and_a_leave_come_back_as_they_were() -> None:
    for command in (Hello(version=2, handle="ned21"), Leave()):
        assert decode_command(encode(command)) == command


def test_a_message_comes_back_as_it_was() -> None:
    update = Update(
        table="main",
        seq=3,
        events=(events.BetPlaced(seat=1, amount=100, balance=10**30),),
        turn=None,
    )
    refused = Refused(code=RefusalCode.NOT_ASKED, text="No.", prompt=None)
    for message in (update, refused):
        assert decode_message(encode(message)) == message
    assert json.loads(encode(update))["events"][0]["balance"] == 10**30


def test_a_server_that_talks_nonsense_is_noticed() -> None:
    with pytest.raises(MessageError):
        decode_message('{"type":"update"}')


def test_messages_cannot_be_changed() -> None:
    refused = messages.Refused(code=RefusalCode.NOT_ASKED, text="No.", prompt=None)
    with pytest.raises(ValueError, match="frozen"):
        refused.text = "Yes."  # type: ignore[misc]


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", '{"version":true}', '{"version":"1"}', "[" * 100_000]
)
def test_what_names_no_version_has_none(text: str) -> None:
    assert version_of(text) is None
