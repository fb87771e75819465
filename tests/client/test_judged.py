"""What each play is worth, what one has cost, and what is kept of all of them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from bj_client.bot import hint as hint_module
from bj_client.bot.hint import (
    FORBIDDEN,
    hint,
    judged,
    kind_of,
    reckon_ahead,
    values,
    verdict,
    worths,
)
from bj_client.model.seat import Hand, Judged
from bj_client.model.table import Table
from bj_client.net.keyring import state_folder
from bj_client.play import line_session
from bj_client.play.play_book import PlayBook, keep_plays, read_book
from bj_client.words.board import dearest, summary
from bj_game import odds
from bj_game.house import House
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Decline, GiveUp, Hit, Split, Stand
from bj_protocol.views import Ask
from support.a_round import a_round
from support.fake_server import fake_server
from support.message import make_ask
from support.visit import run_command, run_lines

PLAY = (Action.HIT, Action.STAND)


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep no plays of other tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def dealt(table: Table, cards: str, total: int, dealer: str, **terms: Any) -> Table:
    rules = {"name": "cpsc386", "title": "Eight decks, even money"} | terms
    table.house = table.house.model_copy(update={"terms": rules})
    table.seats[2].hands = [Hand(cards.split(), total, stake=1000)]
    table.dealer = Hand(dealer.split())
    return table


def held(answer: AnyAnswer, ask: Ask, table: Table) -> dict[int, Judged]:
    return judged(answer, ask, table, worths(ask, table))


def test_each_play_is_told_with_its_worth_the_best_first(table: Table) -> None:
    dealt(table, "8s 8h", 16, "6d ??")
    ask = make_ask(1, Action.SPLIT, *PLAY, Action.DOUBLE)
    found = worths(ask, table)
    assert [action for action, _ in found][:2] == [Action.SPLIT, Action.STAND]
    assert [worth for _, worth in found] == sorted(
        (worth for _, worth in found), reverse=True
    )
    assert values(ask, table).startswith("split +0.33, stand -0.16, ")


def test_what_is_reckoned_ahead_is_not_reckoned_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt(table, "7s 8h", 15, "6d ??")
    ask = make_ask(1, *PLAY)
    thread = reckon_ahead(ask, table)
    assert thread is not None
    thread.join()
    monkeypatch.delattr(odds, "values")
    assert [action for action, _ in worths(ask, table)] == [Action.STAND, Action.HIT]


def test_all_hands_of_a_house_are_reckoned_ahead_once_at_its_first_bet(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[House] = []
    steps = [iter([None] * 3), iter([None])]

    def ahead(house: House) -> Iterator[None]:
        begun.append(house)
        return steps[len(begun) - 1]

    monkeypatch.setattr(odds, "ahead", ahead)
    monkeypatch.setattr(hint_module, "_LATER", 0)
    hint_module._begun.cache_clear()
    bet = make_ask(1)
    dealt(table, "7s 8h", 15, "6d ??")
    turns: list[float] = []
    monkeypatch.setattr(hint_module, "setswitchinterval", turns.append)
    for _ in range(2):
        thread = reckon_ahead(bet, table)
        assert thread is not None
        thread.join()
    assert [house.name for house in begun] == ["cpsc386"]
    assert not list(steps[0])
    assert 0 < max(turns) < 0.001  # seconds for which a key may wait
    dealt(table, "7s 8h", 15, "6d ??", hit_soft_17=True)
    thread = reckon_ahead(bet, table)
    assert thread is not None
    thread.join()
    assert [house.hit_soft_17 for house in begun] == [False, True]
    dealt(table, "7s 8h", 15, "6d ??", unheard_of=True)
    assert reckon_ahead(bet, table) is None
    hint_module._begun.cache_clear()


class Leisure(Event):
    """Tells when somebody has to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waited_for = Event()

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set():
            self.is_waited_for.set()
        return super().wait(timeout)


def test_nothing_is_reckoned_ahead_while_a_play_is_asked(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    leisure, steps = Leisure(), list[str]()
    monkeypatch.setattr(hint_module, "_LEISURE", leisure)
    monkeypatch.setattr(hint_module, "_LATER", 0)
    hint_module._begun.cache_clear()
    dealt(table, "7s 8h", 15, "6d ??")

    def ahead(house: House) -> Iterator[None]:
        reckon_ahead(make_ask(1, *PLAY), table)
        steps.append("before")
        yield
        steps.append("after")

    monkeypatch.setattr(odds, "ahead", ahead)
    thread = reckon_ahead(make_ask(1), table)
    assert thread is not None
    assert leisure.is_waited_for.wait(60)
    assert (steps, thread.is_alive()) == (["before"], True)
    reckon_ahead(make_ask(1), table)
    thread.join()
    assert steps == ["before", "after"]
    hint_module._begun.cache_clear()


@pytest.mark.parametrize("is_live", [True, False])
async def test_it_is_reckoned_ahead_for_a_person_and_not_for_a_script(
    is_live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    monkeypatch.setattr(
        line_session, "reckon_ahead", lambda ask, _: begun.append(ask.prompt)
    )

    async def script(server: Any) -> None:
        await server.hear()
        await server.say(server.picture(make_ask(7)))
        await server.hear()
        await server.socket.close()

    async with fake_server(script) as address:
        await run_lines(address, "q\n", is_live=is_live, when="?")
    assert begun == ([7] if is_live else [])


@pytest.mark.parametrize(
    ("answer", "best", "cost"),
    [
        (Split(prompt=1), "split", 0),
        (Decline(prompt=1), "split", 1),
        (GiveUp(prompt=1), None, 0),
    ],
)
def test_a_play_is_held_against_the_best_one(
    table: Table, answer: AnyAnswer, best: str | None, cost: int
) -> None:
    dealt(table, "8s 8h", 16, "6d ??")
    found = held(answer, make_ask(1, Action.SPLIT, Action.DECLINE), table)
    assert [each.best for each in found.values()] == ([] if best is None else [best])
    for each in found.values():
        assert (each.cost > 0) is bool(cost)
        assert each.kind == "8,8 against 6"


def test_a_pair_that_cannot_be_split_is_a_hard_hand(table: Table) -> None:
    dealt(table, "8s 8h", 16, "6d ??")
    (found,) = held(
        Hit(prompt=1), make_ask(1, Action.HIT, Action.STAND), table
    ).values()
    assert (found.kind, found.best) == ("hard 16 against 6", "stand")


@pytest.mark.parametrize(
    ("cards", "total", "upcard", "kind"),
    [
        ("Ts 6h", 16, "Kd", "hard 16 against 10"),
        ("As 6h", 17, "Ad", "soft 17 against an ace"),
        ("As 6h Td", 17, "2d", "hard 17 against 2"),
        ("Ks Qh", 20, "5d", "10,10 against 5"),
        ("Ks 2h", 12, None, "hard 12"),
    ],
)
def test_a_kind_of_hand_has_a_name(
    cards: str, total: int, upcard: str | None, kind: str
) -> None:
    assert kind_of(cards.split(), total, upcard) == kind


def test_what_a_play_has_cost_is_a_sentence(table: Table) -> None:
    dealt(table, "Ts 6s", 16, "6d ??")
    (wrong,) = held(Hit(prompt=1), make_ask(1, *PLAY), table).values()
    said = verdict(wrong, table)
    assert said.startswith(
        "With hard 16 against 6 basic strategy stands; that cost $2."
    )
    (right,) = held(Stand(prompt=1), make_ask(1, *PLAY), table).values()
    assert verdict(right, table) == (
        "That was basic strategy: stand with hard 16 against 6."
    )
    assert verdict(None, table) == ""


def test_a_table_without_hints_tells_nothing_and_counts_all_the_same(
    table: Table,
) -> None:
    dealt(table, "Ts 6s", 16, "6d ??", hints=False)
    ask = make_ask(1, *PLAY)
    assert hint(ask, table) == FORBIDDEN
    assert values(ask, table) == ""
    found = held(Hit(prompt=1), ask, table)
    assert verdict(found[1], table) == FORBIDDEN
    assert found[1].cost > 0


async def play(typed: str, *more: str) -> list[str]:
    async with fake_server(a_round()) as address:
        played = await run_command(
            *("--handle", "ned21", "--server", address.shown, *more), typed=typed
        )
    return played.output.splitlines()


async def test_the_word_hint_tells_worths_and_then_what_the_play_has_cost() -> None:
    lines = await play("50\nhint\ns\nhint\nh\nn\n")
    told = [line for line in lines if line.startswith(("Basic", "In stakes"))]
    assert told[:2] == ["Basic strategy: hit.", "In stakes: hit -0.57, stand -0.58."]


async def test_with_hints_a_mistake_is_told_at_once_and_summed_up_at_the_end() -> None:
    lines = await play("50\nh\nh\nn\n", "--hints")
    (told,) = [line for line in lines if line.startswith("With hard 17")]
    assert "basic strategy stands; that cost $" in told
    (summed,) = [line for line in lines if "plays as basic strategy does." in line]
    assert "The others cost $" in summed
    assert "hard 17 against 10 $" in summed
    # Without them nothing is told before the end.
    assert not [line for line in await play("50\nh\nh\nn\n") if "that cost" in line]


async def test_the_plays_of_all_visits_are_kept() -> None:
    first = await play("50\nh\ns\nn\n")
    assert not [line for line in first if line.startswith("All visits")]
    second = await play("50\nh\nh\nn\n")
    (told,) = [line for line in second if line.startswith("All visits of ned21: ")]
    assert "3 of 4 plays were best. The others cost $" in told
    assert read_book("NED21").plays == Counter(
        {"hard 16 against 10": 2, "hard 17 against 10": 2}
    )


def wrong(kind: str, cost: int) -> Judged:
    return Judged(kind, "hit", "stand", cost)


def test_the_five_dearest_kinds_are_told(table: Table) -> None:
    costs = Counter({f"hard {n} against 10": n for n in range(12, 19)})
    told = dearest(costs)
    assert told.startswith("The others cost $1.05: hard 18 against 10 $0.18, ")
    assert told.count("against") == 5
    record = table.record
    record.decisions = {1: False}
    record.judged = {1: wrong("hard 18 against 2", 150)}
    (line,) = summary(table)
    assert line.endswith("The others cost $1.50: hard 18 against 2 $1.50.")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"plays": 3}', '{"plays": {"x": 1}}'])
def test_a_damaged_book_counts_as_empty_and_is_written_anew(text: str) -> None:
    path = state_folder("") / "plays" / "lia9.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert read_book("lia9") == PlayBook()
    kept = keep_plays("lia9", [wrong("hard 12 against 2", 3)])
    assert read_book("lia9") == kept
    assert kept.costs.total() == 3


def test_a_book_that_cannot_be_kept_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    book = keep_plays("lia9", [wrong("hard 12 against 2", 3)])
    assert book.summary("lia9").startswith("All visits of lia9: 0 of 1 play was best.")
    assert read_book("lia9").summary("lia9") == ""
