"""Tables: from the command line and from a file."""

from pathlib import Path

import pytest

from bj_server.options import read_options
from bj_server.settings import TablePlan


def tables(*arguments: str) -> dict[str, TablePlan]:
    return {plan.name: plan for plan in read_options(arguments).tables}


def write(folder: Path, text: str) -> str:
    path = folder / "tables.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_each_table_may_have_a_house_of_its_own() -> None:
    found = tables("--table", "main", "--table", "high=vegas-strip")
    assert [plan.house.name for plan in found.values()] == ["cpsc386", "vegas-strip"]
    assert [plan.seats for plan in found.values()] == [4, 7]


def test_what_a_table_leaves_out_is_as_the_options_say(tmp_path: Path) -> None:
    file = write(tmp_path, '[a]\n[b]\nhouse = "iipp6"\nseats = 2\nturn_seconds = 5\n')
    flags = ("--house", "european", "--seats", "3", "--turn-seconds", "9")
    found = tables("--tables", file, "--table", "c", "--bet-seconds", "7", *flags)
    shown = [(p.house.name, p.seats, p.pace.turn_seconds) for p in found.values()]
    assert shown == [("european", 3, 9), ("iipp6", 2, 5), ("european", 3, 9)]
    assert {plan.pace.bet_seconds for plan in found.values()} == {7}


def test_13_5_seats_that_the_decks_do_not_carry_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = 'name = "x"\ntitle = ""\nshoe = "every_round"\ndecks = 1\n'
    (tmp_path / "x.toml").write_text(f"{rules}max_seats = 1\nmax_spots = 4\n")
    house = str(tmp_path / "x.toml")
    file = write(tmp_path, '[a]\nhouse = "x.toml"\nseats = 7\n')
    assert tables("--house", house, "--seats", "2")["main"].seats == 2
    for flags, name in (
        (("--house", house, "--seats", "7"), "main"),
        (("--table", f"b={house}", "--seats", "7"), "b"),
        (("--tables", file), "a"),
    ):
        with pytest.raises(SystemExit):
            tables(*flags)
        said = capsys.readouterr().err
        why = "max_spots times max_seats is too many"
        assert f"table {name} cannot have 7 seats: {why}" in said


def test_no_clock_is_for_one_table_or_for_all(tmp_path: Path) -> None:
    file = write(tmp_path, "[a]\nclock = false\n[b]\n")
    assert [p.pace.has_clock for p in tables("--tables", file).values()] == [
        False,
        True,
    ]
    both = tables("--tables", file, "--no-clock").values()
    assert [plan.pace.has_clock for plan in both] == [False, False]


def test_hints_may_be_forbidden_at_one_table(tmp_path: Path) -> None:
    file = write(tmp_path, '[a]\nhints = false\nhouse = "iipp6"\n[b]\n')
    found = tables("--tables", file)
    assert [plan.house.hints for plan in found.values()] == [False, True]


def test_a_code_is_shown_to_nobody(tmp_path: Path) -> None:
    (plan,) = tables("--tables", write(tmp_path, '[a]\ncode = "sesame!"\n')).values()
    assert plan.code == "sesame!"
    assert "sesame" not in repr(plan)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no tables"),
        ("[a\n", "is not valid TOML"),
        ("[Main]\n", "a table's name is written like a handle"),
        ("a = 3\n", "a is no table: write a name such as [main] above what each"),
        ("[[table]]\nname = 'a'\n", "table is no table: write a name such as [main]"),
        (
            "[a]\nhous = 'iipp6'\n",
            "table a: there is no setting hous; there are house,",
        ),
        ("[a]\nhouse = 'nowhere'\n", "table a: There is no house"),
        ("[a]\nhouse = 3\n", "table a: house is not valid"),
        ("[a]\nseats = 8\n", "table a: seats is not valid"),
        ("[a]\nseats = '4'\n", "table a: seats is not valid"),
        ("[a]\ncode = 'abc'\n", "table a: code is not valid"),
        ("[a]\nturn_seconds = nan\n", "table a: turn_seconds is not valid"),
        ("[a]\nturn_seconds = 0\n", "table a: turn_seconds is not valid"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        tables("--tables", write(tmp_path, text))
    assert caught.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    assert sentence in said
    assert "tables.toml" in said


def test_a_file_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        tables("--tables", str(tmp_path / "none.toml"))
    assert "none.toml cannot be read" in capsys.readouterr().err


def test_a_table_that_is_named_twice_is_told_by_its_own_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        tables("--table", "a", "--table", "a=iipp6")
    assert "argument --table: The table a is named" in capsys.readouterr().err


def test_one_name_is_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(tables("--table", "a", "--table", "a=cpsc386")) == ["a"]
    with pytest.raises(SystemExit):
        tables("--table", "a", "--table", "a=iipp6")
    assert "The table a is named twice" in capsys.readouterr().err


def test_a_stack_must_fit_the_shoe_of_every_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stack = ("--stack", "As As")
    assert tables("--table", "main", *stack)
    with pytest.raises(SystemExit):
        tables("--table", "main", "--table", "one=iipp6", *stack)
    assert "argument --stack" in capsys.readouterr().err
