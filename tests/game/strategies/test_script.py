"""A scripted player does what is written, in order, and says what cannot be done."""

import pytest

from bj_game.strategies import Card, Hand, PlayerBank, ScriptPlayer
from bj_game.strategies.script_player import ScriptError

HAND = Hand([Card("8", "spades"), Card("8", "hearts")])
Asked = tuple[Hand, PlayerBank, list[Card], list[Card]]
ASKED: Asked = (HAND, PlayerBank(90, 10), [], [])


def play(player: ScriptPlayer) -> str:
    """Ask about everything that is legal at a pair, as a bot does."""
    if player.want_surrender(*ASKED):
        return "surrender"
    if amount := player.want_insurance(*ASKED):
        return f"insure {amount}"
    if player.want_split(*ASKED):
        return "split"
    if player.want_double(*ASKED):
        return "double"
    return "hit" if player.want_card(*ASKED) else "stand"


def test_each_line_is_a_round_and_each_word_a_play() -> None:
    player = ScriptPlayer(
        "# tess plays\n"
        "50 split hit, stand double   # in this order\n"
        "\n"
        "10 insure 5 surrender\n"
    )
    assert player.place_bet(1000) == 50
    played = [play(player) for _ in range(4)]
    assert played == ["split", "hit", "stand", "double"]
    assert player.place_bet(1000) == 10
    assert [play(player), play(player)] == ["insure 5", "surrender"]


def test_without_a_word_left_it_stands_and_after_the_last_line_it_begins_again() -> (
    None
):
    player = ScriptPlayer("5 hit\n0\n")
    assert [player.place_bet(9), play(player), play(player)] == [5, "hit", "stand"]
    assert [player.place_bet(9), player.place_bet(9), play(player)] == [0, 5, "hit"]


def test_words_that_no_question_came_for_end_with_their_round() -> None:
    player = ScriptPlayer("5 hit hit hit\n7 double\n")
    player.place_bet(9)
    assert (player.place_bet(9), play(player)) == (7, "double")


def test_a_line_may_end_the_visit() -> None:
    player = ScriptPlayer("5 stand\nleave\n")
    assert not player.want_to_leave(100)
    assert isinstance(player, ScriptPlayer)
    player.place_bet(100)
    assert player.want_to_leave(100)


def test_aces_count_as_the_script_says_and_else_unless_that_busts() -> None:
    soft, hard = Hand([Card("A", "clubs")]), Hand([Card("A", "clubs")] * 2)
    player = ScriptPlayer("5 high low")
    player.place_bet(9)
    assert [player.use_ace_hi(hard), player.use_ace_hi(soft)] == [True, False]
    assert [player.use_ace_hi(soft), player.use_ace_hi(hard)] == [True, False]


def test_a_word_that_cannot_be_played_is_an_error_once() -> None:
    player = ScriptPlayer("\n5 double hit")
    player.place_bet(9)
    with pytest.raises(ScriptError, match="line 2 says double, which is not legal now"):
        player.want_card(*ASKED)
    assert player.want_card(*ASKED)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("", "The script has no round: write a bet, as in: 50 stand."),
        ("# nothing\n", "The script has no round"),
        (",\n", "The script has no round"),
        ("5\nhit", "Line 2 of the script begins with 'hit': a round begins with its"),
        ("-5", "Line 1 of the script begins with '-5'"),
        ("²", "Line 1 of the script begins with '²'"),
        ("leave now", "Line 1 of the script begins with 'leave'"),
        (
            "5 hitt",
            "Line 1 of the script has 'hitt': after the bet come the words hit, ",
        ),
        ("5 insure", "Line 1 of the script insures for no amount: write whole dollars"),
        ("5 insure half", "Line 1 of the script insures for no amount"),
    ],
)
def test_a_script_without_sense_is_refused_by_its_line(
    script: str, sentence: str
) -> None:
    with pytest.raises(ScriptError) as bad:
        ScriptPlayer(script)
    assert str(bad.value).startswith(sentence)
