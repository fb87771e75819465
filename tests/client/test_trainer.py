"""The trainer: what it deals, how it judges, and what it keeps."""

import io
import sys
from errno import EPIPE
from random import Random

import pytest

from bj_client.bot.drill import HOUSES, KINDS, PACK_TEXTS, Drill, indices, shipped_house
from bj_client.command import run
from bj_client.model.decision import DECISIONS
from bj_client.model.seat import Faces
from bj_client.play.play_book import read_book
from bj_client.screen.canvas import glyphs_for
from bj_client.screen.picture import CardArtist
from bj_client.trainer.lesson import (
    TITLES,
    CountLesson,
    IndexLesson,
    Lesson,
    PlayLesson,
    Sight,
)
from bj_client.trainer.view import draw
from bj_protocol.action import Action

STRIP = shipped_house("vegas-strip")


def drill(seed: int = 1) -> Drill:
    return Drill(STRIP, Random(seed))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("hard", ("hard",)),
        ("soft", ("soft",)),
        ("pairs", tuple(f"{rank},{rank}" for rank in ("ace", *range(2, 11)))),
        ("doubles", ("soft",)),
        ("16", ("hard 16 against 10", "8,8 against 10")),
    ],
)
def test_a_kind_that_is_asked_for_is_dealt(kind: str, words: tuple[str, ...]) -> None:
    dealer = drill()
    for _ in range(12):
        hand = dealer.deal(kind)
        assert hand.kind.startswith(words), hand.kind
        assert len(hand.worths) >= 2
        assert [*hand.worths.values()] == sorted(hand.worths.values(), reverse=True)


def test_each_second_hand_is_one_that_went_wrong() -> None:
    dealer, wrong = drill(), {"soft 18 against 9"}
    kinds = [dealer.deal("all", wrong).kind for _ in range(24)]
    assert 6 <= kinds.count("soft 18 against 9") <= 18


@pytest.mark.parametrize("name", HOUSES)
def test_every_shipped_house_can_be_drilled(name: str) -> None:
    house = shipped_house(name)
    if house.hit:
        hand = Drill(house, Random(3)).deal("all")
        assert hand.judge(hand.best).cost == 0
        worst = [*hand.worths][-1]
        assert hand.judge(worst).cost > 0


def test_a_play_is_judged_and_the_next_hand_is_dealt() -> None:
    lesson = PlayLesson(drill(), "16", set())
    lesson.press("x")
    assert lesson.sight.score == "0 of 0 right, mistakes cost $0.00"
    for _ in range(6):
        hand = lesson._hand
        lesson.press(DECISIONS[hand.best].key)
        assert lesson.sight.is_right
        assert lesson.sight.said[0].startswith("Right: ")
    hand = lesson._hand
    worst = [*hand.worths][-1]
    lesson.press(DECISIONS[worst].key)
    assert lesson.sight.is_right is False
    assert lesson.sight.said[0].startswith(f"With {hand.kind} it is best to ")
    assert lesson.wrong == {hand.kind}
    assert lesson.sight.score.startswith("6 of 7 right, mistakes cost $")


def count_of(cards: list[str]) -> int:
    return sum((c[0] in "23456") - (c[0] in "TJQKA") for c in cards)


def test_a_deck_is_counted_down_to_its_last_card() -> None:
    lesson = CountLesson(Random(2), 1)
    seen: list[str] = []
    while lesson.sight.keys == (("enter", "Next"),):
        lesson.press("enter")
        seen += lesson.sight.cards
    assert len(set(seen)) >= 48
    shown = {*lesson._cards[:51]}
    (last,) = set(PACK_TEXTS) - shown
    for key in (*str(count_of([*shown])), "enter"):
        lesson.press(key)
    assert lesson.answers == [True]
    assert lesson.sight.said[1] == f"The last card is the {last[0]} of its deck."


def test_of_a_shoe_the_true_count_is_asked_too() -> None:
    lesson = CountLesson(Random(4), 6)
    while lesson.sight.keys == (("enter", "Next"),):
        lesson.press("enter")
    shown, left = lesson._cards[: lesson._end], len(lesson._cards) - lesson._end
    running = count_of(shown)
    assert lesson.sight.asked == "Running count? _"
    for key in ("9", "9", "backspace", "backspace", *str(running), "x", "enter"):
        lesson.press(key)
    assert "True count, to the nearest whole, with " in lesson.sight.asked
    lesson.press("enter")  # no answer yet
    for key in (*str(round(52 * running / left) + 1), "enter"):
        lesson.press(key)
    assert lesson.answers == [True, False]
    assert lesson.sight.said[0].startswith("Not ")


def test_indices_are_those_of_the_house() -> None:
    found = {(index.kind, index.play): index.true for index in indices(STRIP)}
    assert -1 <= found["hard 16 against 10", Action.STAND] <= 1
    assert 3 <= found["hard 15 against 10", Action.STAND] <= 5
    assert indices(shipped_house("cs1114")) == []
    lesson = IndexLesson(Random(1), "vegas-strip", indices(STRIP)[:1])
    true = lesson._asked.true
    for key in ("5", "backspace", *str(true), "enter", *str(true + 1), "enter"):
        lesson.press(key)
    assert lesson.answers == [True, False]
    assert lesson.sight.said[0].startswith(f"Not {true + 1:+}: stand with hard 16")


def lines(monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return run(["--train", *words])


def test_in_lines_it_asks_judges_and_keeps_the_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = ("--house", "iipp6", "--seed", "5", "--handle", "Ned21")
    assert lines(monkeypatch, "h\ns\nq\n", "16", *house) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Dealer: ")
    assert said[2].startswith("What do you do? h Hit, s Stand")
    assert said[-2].startswith("1 of 2 right, mistakes cost $0.")
    assert said[-1].startswith(
        "All drills of ned21 in iipp6: 1 of 2 plays were best. The"
    )
    book = read_book("ned21", "drills/iipp6")
    assert (book.plays.total(), book.right.total()) == (2, 1)


def test_the_word_may_stand_anywhere_and_the_help_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    assert run(["16", "--house", "iipp6", "--train", "--seed", "5"]) == 0
    assert capsys.readouterr().out.startswith("Dealer: ")
    with pytest.raises(SystemExit, match="2"):
        run(["--bot", "basic", "--train"])
    assert "bj-client --train: " in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        run(["--help"])
    assert "bj-client --train " in capsys.readouterr().out


def test_in_lines_a_number_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BJ_HANDLE", "ned21")
    assert lines(monkeypatch, "\n" * 17 + "1\n", "deck", "--seed", "1") == 0
    said = capsys.readouterr().out
    assert "the running count is " in said
    assert said.splitlines()[-2] in ("1 of 1 right.", "0 of 1 right.")


def test_scores_of_counting_are_kept_for_each_handle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def last_of(typed: str, *words: str) -> str:
        assert lines(monkeypatch, typed, *words, "--seed", "1") == 0
        return capsys.readouterr().out.splitlines()[-1]

    index = ("index", "--house", "cpsc386", "--handle", "ned21")
    told = "All answers of ned21 to cpsc386: indices: "
    assert last_of("99\n", *index) == f"{told}0 of 1 right."
    assert last_of("99\n98\n", *index) == f"{told}0 of 3 right."
    assert last_of("", *index) == "0 of 0 right."
    deck = ("deck", "--handle", "lia9")
    assert not read_book("lia9", "counts").plays
    right = count_of(CountLesson(Random(1), 1)._cards[:51])
    told = "All answers of lia9 to Hi-Lo: count down a deck: 1 of 1 right."
    assert last_of("\n" * 17 + f"{right}\n", *deck) == told


def test_a_name_that_is_no_handle_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(["--train", "deck", "--handle", "a b"])
    assert "is no handle: name yourself" in capsys.readouterr().err


def test_a_house_without_an_index_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lines(monkeypatch, "", "index", "--house", "cs1114") == 2
    assert "No play of cs1114 has an index" in capsys.readouterr().err


def test_a_house_in_which_nobody_chooses_a_play_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lines(monkeypatch, "", "--house", "cs1114-baby") == 2
    assert "No play of cs1114-baby is a choice" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "cards"), [("european", 1), ("cpsc386", 2)])
def test_a_house_without_a_hole_card_shows_none(name: str, cards: int) -> None:
    lesson = PlayLesson(Drill(shipped_house(name), Random(1)), "all", set())
    assert len(lesson.sight.dealer) == cards


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45), (40, 12)])
def test_everything_fits_on_the_screen(size: tuple[int, int]) -> None:
    pressed: list[str] = []
    artist = CardArtist(Faces(symbols=True), glyphs_for(Faces(symbols=True)))
    lesson: Lesson = PlayLesson(drill(), "doubles", set())
    lesson.press("h")
    canvas = draw(lesson.sight, *size, artist, pressed.append)
    text = "\n".join(canvas.lines)
    for words in ("Trainer", "What do you do?", "h Hit", "q Leave"):
        assert words in text
    assert len(canvas.lines) == size[1]
    y = next(y for y, line in enumerate(canvas.lines) if "h Hit" in line)
    canvas.clicks[canvas.lines[y].index("h Hit"), y]()
    assert pressed == ["h"]


def test_a_sight_without_cards_is_drawn_too() -> None:
    artist = CardArtist(Faces(symbols=False), glyphs_for(Faces(symbols=False)))
    sight = Sight(title=TITLES["index"], asked="From which true count on? _")
    text = "\n".join(draw(sight, 80, 24, artist, lambda _: None).lines)
    assert "From which true count on? _" in text
    assert set(KINDS) < set(TITLES)


@pytest.mark.parametrize("size", [(40, 16), (40, 22), (60, 20), (80, 22), (80, 24)])
@pytest.mark.parametrize("name", HOUSES)
def test_all_that_is_said_of_a_play_is_on_the_screen(
    name: str, size: tuple[int, int]
) -> None:
    house = shipped_house(name)
    if not house.hit:
        return
    artist = CardArtist(Faces(symbols=True), glyphs_for(Faces(symbols=True)))
    lesson = PlayLesson(Drill(house, Random(7)), "all", set())
    for _ in range(12):
        lesson.press(DECISIONS[[*lesson._hand.worths][-1]].key)
        text = " ".join(
            "\n".join(draw(lesson.sight, *size, artist, print).lines).split()
        )
        for said in lesson.sight.said:
            assert said in text


def test_in_lines_words_count_and_what_counts_for_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = ("--house", "iipp6", "--seed", "5", "--handle", "ned21", "--ascii")
    assert lines(monkeypatch, "Hit\nfold\nS\n", "16", *house) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Dealer: KS"
    verdicts = [line for line in said if line.startswith(("With hard 16", "Right: "))]
    assert len(verdicts) == 2
    assert said.count("That is no answer: type h or s; q leaves.") == 1
    assert lines(monkeypatch, "x\n+99\n", "index", "--house", "cpsc386") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "That is no answer: type a whole number; q leaves."
    assert said[3].startswith("Not +99: ")


def test_a_minus_begins_a_number_and_stands_nowhere_else() -> None:
    lesson = IndexLesson(Random(1), "vegas-strip", indices(STRIP)[:1])
    for key in ("-", "-", "3", "-", "enter"):
        lesson.press(key)
    assert lesson.sight.said[0].startswith("Not -3: ")


class ClosedPipe(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(EPIPE, "Broken pipe")


@pytest.mark.parametrize("closed", [None, ClosedPipe()])
def test_in_lines_nobody_who_reads_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    closed: io.StringIO | None,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", closed)
        assert lines(patch, "s\n", "16", "--house", "iipp6") == 0
    assert not capsys.readouterr().err


def test_in_lines_an_input_that_is_closed_is_at_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["--train", "16", "--house", "iipp6"]) == 0
    assert not capsys.readouterr().err


def test_in_lines_ctrl_c_keeps_the_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopped(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            if line := super().readline():
                return line
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Stopped("s\n"))
    assert run(["--train", "16", "--house", "iipp6", "--handle", "ned21"]) == 130
    assert capsys.readouterr().out.splitlines()[-1].startswith("All drills of ned21")
