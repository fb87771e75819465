"""Which bots there are, and how people's own are found."""

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from bj_client.bot.bot import SHIPPED, read_bot
from bj_client.bot.loader import BotError
from bj_client.options import read_options
from bj_game.house import House
from bj_game.strategies import Card, CountingPlayer, Hand, View

GOOD = """
class MyPlayer:
    def place_bet(self, balance):
        return 5
    def use_ace_hi(self, hand):
        return True
    def want_card(self, hand, bank, dealer_up, cards_dealt):
        return False
"""
_numbers = count(1)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a file for a module of an unused name, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    known = set(sys.modules)
    yield tmp_path / f"strategy_of_test_{next(_numbers)}.py"
    for name in set(sys.modules) - known:
        del sys.modules[name]


def why_not(name: str) -> str:
    with pytest.raises(BotError) as bad:
        read_bot(name)
    return str(bad.value)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_bot_can_be_made(name: str) -> None:
    choice = read_bot(name)
    assert choice.name == name
    assert not choice.is_loaded
    assert choice.make(2500) is not choice.make(2500)


@pytest.mark.parametrize("name", ["threshold:15", "random:7", "counting:8"])
def test_some_take_a_number(name: str) -> None:
    assert read_bot(name).make(1000)


@pytest.mark.parametrize(("name", "packs"), [("counting", 8), ("counting:2", 2)])
def test_the_counting_bot_takes_the_packs_of_the_house_unless_it_is_told(
    name: str, packs: int
) -> None:
    player = read_bot(name).strategy(bet=10)
    assert isinstance(player, CountingPlayer)
    rules = House(name="ours", title="Ours", decks=8)
    player.observe(
        View(
            cards_seen=[],
            cards_left=416,
            is_shuffled=False,
            house=rules,
            last_result=None,
        )
    )
    sixteen = Hand([Card("10", "clubs"), Card("6", "hearts")])
    chance = player.chance_to_bust(sixteen, sixteen.get_cards())
    assert chance == (32 * packs - 2) / (52 * packs - 2)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody", "There is no bot 'nobody': name one of basic, best, conserva"),
        ("", "There is no bot ''"),
        ("basic:3", "The bot basic takes no number: write just basic."),
        ("threshold:", "The part after threshold: is the score at which it stands, 2"),
        ("threshold:22", "2 to 21."),
        ("threshold:x", "2 to 21."),
        ("counting:9", "the number of packs in the shoe, 1 to 8."),
        ("random:-1", "the seed of its choices, 0 to 999999999999."),
        ("a b:C", "'a b:C' is no module:Class, as in mymodule:MyPlayer."),
        ("./my.py:C", "is no module:Class"),
        ("nosuchmodule:C", "There is no module nosuchmodule, neither in this folder"),
        ("json.nosuch:C", "There is no module json.nosuch, neither"),
        ("sys:C", "There is no class C in the module sys (built in): "),
        ("json:dumps", "There is no class dumps in the module json ("),
    ],
)
def test_a_bot_that_cannot_be_had_is_told(name: str, sentence: str) -> None:
    assert sentence in why_not(name)


def test_a_class_of_the_current_folder_is_found(module: Path) -> None:
    module.write_text(GOOD)
    choice = read_bot(f"{module.stem}:MyPlayer")
    assert choice.is_loaded
    assert not choice.takes_bet
    assert choice.make(1000) is not choice.make(1000)
    assert sys.path[0] != str(module.parent)
    assert sys.path[-1] == str(module.parent)


def test_a_class_of_a_package_is_found(module: Path) -> None:
    folder = module.with_suffix("")
    folder.mkdir()
    (folder / "mine.py").write_text(GOOD)
    assert read_bot(f"{folder.name}.mine:MyPlayer").is_loaded


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "There is no class MyPlayer in the module {name} ({path}): it has none."),
        ("class A: pass\nclass B: pass", "({path}): its classes are A, B."),
        ("MyPlayer = 5", "There is no class MyPlayer in"),
        (
            "class MyPlayer:\n  def place_bet(self, balance): return 1",
            (
                "MyPlayer has no method use_ace_hi: a strategy has place_bet, "
                "use_ace_hi and want_card."
            ),
        ),
        (GOOD.replace("def want_card", "want_card = 1\n    def x"), "method want_card"),
        (
            GOOD + "    def __init__(self):\n        1 / 0\n",
            (
                "MyPlayer() raised ZeroDivisionError: division by zero ({name}.py, "
                "line 10): a strategy is made without arguments."
            ),
        ),
        (GOOD + "    def __init__(self, x): pass", "missing 1 required positional"),
        (GOOD + "    def __init__(self): exit()", "MyPlayer() raised SystemExit"),
        (
            "import no_such_thing",
            (
                "The module {name} cannot be imported: it raised ModuleNotFoundError: "
                "No module named 'no_such_thing' ({name}.py, line 1)."
            ),
        ),
        ("raise ImportError", "it raised ImportError ({name}.py, line 1)."),
        ("def (:", "it raised SyntaxError: invalid syntax ({name}.py, line 1)."),
        ("import sys\nsys.exit(3)", "it raised SystemExit: 3 ({name}.py, line 2)."),
    ],
)
def test_what_is_wrong_with_a_strategy_is_told(
    module: Path, source: str, sentence: str
) -> None:
    module.write_text(source)
    told = why_not(f"{module.stem}:MyPlayer")
    assert sentence.format(name=module.stem, path=module) in told


def test_the_ending_of_a_file_is_not_part_of_the_name(module: Path) -> None:
    module.write_text(GOOD)
    assert "leave .py out" in why_not(f"{module.name}:MyPlayer")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bot", "nosuchmodule:C"], "--bot: There is no module nosuchmodule"),
        (["--bot", "random", "--bet", "5"], "random decides what it bets"),
        (["--bet", "5"], "--bet is for bots: add --bot NAME"),
        (["--quiet"], "--quiet is for bots: add --bot NAME"),
        (["--bot", "threshold:1"], "argument --bot: The part after threshold:"),
    ],
)
def test_the_command_line_says_so_and_ends_with_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_options(["--handle", "tess", *arguments], {})
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_the_help_names_every_shipped_bot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read_options(["--help"], {})
    shown = capsys.readouterr().out
    assert [name for name in SHIPPED if name not in shown] == []


def test_the_bet_is_for_the_bots_that_take_one() -> None:
    options = read_options(["--handle", "tess", "--bot", "dealer", "--bet", "5"], {})
    assert options.bet == 500
    assert options.bot is not None
    assert options.bot.name == "dealer"
