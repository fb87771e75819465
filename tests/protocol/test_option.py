"""The rows of options, and the order of their sources."""

from importlib.metadata import PackageNotFoundError

import pytest

from bj_protocol.option import COMMAS, OneOf, Option, Parser, Setting, between, checked


def small(text: str) -> int:
    return between(int(text), 0, 9)


ROWS = (
    Setting("--size N", read=checked(small, "a size has one digit"), default=3),
    Setting("--name NAME", default=("main",), apart=COMMAS),
    Setting("--loud"),
    Setting("--[no-]log", default=True),
    OneOf((Option("words WORD", default=(), count="*"), Option("--all"))),
    Option("--form", choices=("text", "json")),
)


def values(*arguments: str, **variables: str) -> dict[str, object]:
    parser = Parser(prog="bj-test")
    parser.add_rows(ROWS, "all")
    said = parser.in_environment(variables)
    return vars(parser.complete(parser.parse_args(arguments), said))


def test_a_flag_goes_before_a_variable_and_that_before_the_default() -> None:
    assert values("--all") == {
        "size": 3,
        "name": ("main",),
        "loud": False,
        "log": True,
        "words": (),
        "all": True,
        "form": None,
    }
    said = {"BJ_SIZE": "4", "BJ_NAME": "a, b", "BJ_LOUD": "yes", "BJ_LOG": "0"}
    found = values("a", **said)
    assert (found["size"], found["name"]) == (4, ["a", "b"])
    assert (found["loud"], found["log"], found["words"]) == (True, False, ["a"])
    found = values("a", "--size", "5", "--name", "c", "--log", **said)
    assert (found["size"], found["name"], found["log"]) == (5, ["c"], True)
    assert values("a", BJ_SIZE="")["size"] == 3
    assert values("a", BJ_NAME=" ")["name"] == ("main",)


def test_a_wrong_text_is_told_with_its_source_unless_a_flag_goes_before_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments, variables, sentence in (
        (["--size", "x"], {}, "argument --size: 'x': a size has one digit"),
        ([], {"BJ_SIZE": "10"}, "BJ_SIZE: '10': a size has one digit"),
        ([], {"BJ_LOUD": "so"}, "BJ_LOUD: 'so' is neither yes nor no: say 1 or 0."),
        (["--form", "x"], {}, "argument --form: invalid choice: 'x'"),
        (["--siz", "1"], {}, "unrecognized arguments: --siz"),
    ):
        with pytest.raises(SystemExit):
            values("a", *arguments, **variables)
        assert sentence in capsys.readouterr().err
    assert values("a", "--size", "1", BJ_SIZE="10")["size"] == 1


def test_a_command_has_its_orders_and_prints_its_texts_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = Parser(prog="bj-test", epilog="one\n  two")
    parser.add_orders("order", {"go": ("leave", (Option("place PLACE"),))}, str.upper)
    assert vars(parser.parse_args(["go", "home"])) == {"order": "go", "place": "home"}
    assert "one\n  two" in parser.format_help()
    with pytest.raises(SystemExit):
        parser.parse_args(["go", "--help"])
    assert "LEAVE" in capsys.readouterr().out


def test_the_release_is_told_also_if_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    parser = Parser(prog="bj-test")
    parser.add_version()
    with pytest.raises(SystemExit):
        parser.parse_args(["--version"])
    assert capsys.readouterr().out == "bj-test (not installed)\n"


def test_what_is_wrong_is_told_alone_and_where_the_options_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        values("--all", "--size", "99")
    assert capsys.readouterr().err == (
        "bj-test: error: argument --size: '99': a size has one digit\n"
        "bj-test --help tells all options.\n"
    )
