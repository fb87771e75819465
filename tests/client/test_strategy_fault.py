"""The faults of a strategy: what is told and counted, and what is none."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from bj_client.bot.bot import Bot
from bj_client.error import ClientError
from bj_client.model.seat import Faces
from bj_client.model.table import Table
from bj_client.net.keyring import Keyring
from bj_client.play.bot_session import AutoSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.play.visit import Visit
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.commands import (
    Hit,
    PlaceBet,
    Stand,
)
from bj_protocol.events import (
    CardDealt,
    HandSettled,
    HandStood,
    RoundEnded,
)
from bj_protocol.views import (
    HouseView,
    Outcome,
)
from support.answering import Says, SaysMore, deal
from support.fake_server import fake_server
from support.message import make_ask
from support.told import told
from support.visit import run_command

if TYPE_CHECKING:
    from bj_game.strategies import View

PLAYS = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT)


@pytest.fixture
def dealt(table: Table) -> Table:
    """Return the table with ned21's pair of eights against an ace."""
    return deal(table)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("yes", "returned 'yes', not True or False"),
        (1, "returned 1, not True or False"),
        (None, "returned None, not True or False"),
        ([True], "returned [True], not True or False"),
        (ZeroDivisionError, "raised ZeroDivisionError (answering.py, line "),
        (asyncio.CancelledError, "raised CancelledError (answering.py, line "),
        (GeneratorExit, "raised GeneratorExit (answering.py, line "),
    ],
)
def test_nonsense_is_told_and_the_hand_stands(
    dealt: Table, answer: Any, said: str
) -> None:
    bot = Bot(SaysMore(answer))
    assert bot.answer(make_ask(1, *PLAYS), dealt) == Stand(prompt=1)
    split, double, card = bot.adviser.remarks()
    assert split.startswith(f"SaysMore.want_split {said}")
    assert split.endswith(": it does not split.")
    assert double.endswith(": it does not double.")
    assert card.endswith(": the hand stands.")


async def played(bot: Bot, script: Callable[[Any], Any]) -> str:
    """Let a bot play one round of a script, and return what was shown."""
    output = StringIO()
    visit = Visit(
        ("ned21",),
        Narrator(PlainOutput(output), Faces(symbols=True)),
        lambda hotseat, narrator: AutoSession(hotseat.storyteller, narrator, bot, 1),
        keys=Keyring("strategy", warn=pytest.fail),
    )
    async with fake_server(script) as address, asyncio.timeout(60):
        task = asyncio.create_task(visit.run(address))
        await asyncio.wait({task})
    return output.getvalue()


async def test_remarks_are_shown_to_whoever_looks_on() -> None:
    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=100)
        await server.socket.close()

    for bot in (Bot(Says(None)), Bot(Says(None), is_loaded=True)):
        shown = await played(bot, script)
        assert (
            "Says.place_bet returned None, not a number of dollars: it bets $1.00.\n"
            in shown
        )


class Mute(Says):
    def observe(self, view: "View") -> None:
        raise KeyError(view.cards_left)


def test_13_7_a_view_that_cannot_be_borne_is_told_and_the_bet_stands(
    dealt: Table,
) -> None:
    bot = Bot(Mute(20))
    assert bot.answer(make_ask(1), dealt) == PlaceBet(prompt=1, amount=2000)
    (remark,) = bot.adviser.remarks()
    assert remark.startswith("Mute.observe raised KeyError: 411")
    assert remark.endswith("it is asked all the same.")


class Truth:
    """As numpy's booleans are: no bool, but one can be made of it."""

    def __init__(self, *, of: bool) -> None:
        self._of = of

    def __bool__(self) -> bool:
        return self._of


class Whole:
    """As numpy's integers are."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


class Broken:
    def __bool__(self) -> bool:
        raise ValueError("more than one element is ambiguous")


def test_13_7_truth_values_and_integers_of_other_libraries_are_taken(
    dealt: Table,
) -> None:
    for says, answer in ((True, Hit(prompt=1)), (False, Stand(prompt=1))):
        bot = Bot(Says(Truth(of=says)))
        assert bot.answer(make_ask(1, Action.HIT, Action.STAND), dealt) == answer
        assert not bot.adviser.remarks()
    bot = Bot(Says(Whole(50)))
    assert bot.answer(make_ask(1), dealt) == PlaceBet(prompt=1, amount=5000)
    assert not bot.adviser.remarks()
    bot = Bot(Says(Broken()))
    assert bot.answer(make_ask(1, Action.HIT, Action.STAND), dealt) == Stand(prompt=1)
    assert len(bot.adviser.remarks()) == 1


def test_13_7_a_fault_is_told_once_and_counted(dealt: Table) -> None:
    bot = Bot(Says(ZeroDivisionError))
    for prompt in range(1, 4):
        bot.answer(make_ask(prompt, Action.HIT, Action.STAND), dealt)
    bot.answer(make_ask(4), dealt)
    assert len(bot.adviser.remarks()) == 2
    assert bot.adviser.remarks() == ()
    assert bot.adviser.tally() == (
        "Says.want_card raised an error 3 times.",
        "Says.place_bet raised an error once.",
    )
    assert bot.adviser.faults == 4


def test_13_7_a_bet_above_the_most_is_told_and_no_fault(dealt: Table) -> None:
    bot = Bot(Says(10**9))
    bot.answer(make_ask(1), dealt)
    bot.answer(make_ask(2), dealt)
    assert len(bot.adviser.remarks()) == 1
    assert bot.adviser.tally() == ("Says.place_bet returned a wrong value 2 times.",)
    assert bot.adviser.faults == 0


async def test_13_7_a_strategy_that_hangs_is_told_of_while_it_hangs(
    tmp_path: Any,
) -> None:
    go_on, warned = threading.Event(), []

    def warn(sentence: str) -> None:
        warned.append(sentence)
        go_on.set()

    class Hangs(Says):
        def place_bet(self, balance: int) -> int:
            assert go_on.wait(60)
            return 10

    async def script(server: Any) -> None:
        await server.hello(make_ask(1))
        assert await server.hear() == PlaceBet(prompt=1, amount=1000)
        await server.socket.close()

    async with fake_server(script) as address:
        visit = Visit(
            ("ned21",),
            Narrator.silent(),
            lambda hotseat, narrator: AutoSession(
                hotseat.storyteller,
                narrator,
                Bot(Hangs(0), is_loaded=True),
                slow=0,
                warn=warn,
            ),
            keys=Keyring(address.name, print, tmp_path / "key"),
        )
        with contextlib.suppress(ClientError):
            await visit.run(address)
    (sentence,) = warned
    assert sentence.startswith("Hangs has not answered for 0 s; ")


BETS_ONCE = """
class Player:
    def place_bet(self, balance):
        return 10
    def use_ace_hi(self, hand):
        return True
    def want_card(self, hand, bank, dealer_up, cards_dealt):
        return {}
"""


@pytest.mark.parametrize(
    ("returns", "code", "said"),
    [
        ("False", 0, ""),
        ("'no'", 13, "Player.want_card returned a wrong value once."),
    ],
)
async def test_13_7_a_visit_with_faults_ends_with_a_tally_and_its_code(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, returns: str, code: int, said: str
) -> None:
    name = f"faulty_{code}"
    (tmp_path / f"{name}.py").write_text(BETS_ONCE.format(returns))
    monkeypatch.chdir(tmp_path)
    cards = [(2, "Ts", 10), (0, "Td", 10), (2, "6h", 16), (0, "??", 10)]

    house = HouseView(name="own", title="", rules=(), minimum_bet=100)

    async def script(server: Any) -> None:
        await server.hello(make_ask(1), house=house)
        await server.hear()
        await server.update(
            11,
            *told("""
                2 bets 10 -> 9990
                round 3 begins: 2
            """),
            *(
                CardDealt(seat=seat, hand=0, card=card, total=total, soft=False)
                for seat, card, total in cards
            ),
            asks=(make_ask(2, Action.HIT, Action.STAND),),
        )
        assert await server.hear() == Stand(prompt=2)
        lost = {"outcome": Outcome.LOSE, "reason": SettleReason.LOWER_TOTAL}
        settled: dict[str, Any] = {
            "stake": 1000,
            "payout": 0,
            "balance": 999_000,
            **lost,
        }
        await server.update(
            12,
            HandStood(seat=2, hand=0, total=16, by=By.PLAYER),
            HandSettled(seat=2, hand=0, **settled),
            RoundEnded(round=3, cards_left=400, until_cut=330),
        )
        await server.part()

    async with fake_server(script) as address:
        played = await run_command(
            *("--handle", "ned21", "--server", address.shown, "--quiet"),
            *("--bot", f"{name}:Player", "--rounds", "1"),
        )
    assert played.code == code
    assert said in played.output
    assert "Td" not in played.output
    assert played.output.splitlines()[-1].startswith("Good-bye, ned21: 1 round")
