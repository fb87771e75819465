"""The settings file: what counts, in which order, and what is wrong with it."""

from pathlib import Path

import pytest

from bj_client.error import Exit
from bj_client.options import Options, read_options


class Write:
    """Writes the settings file."""

    def __init__(self, config: Path) -> None:
        self._config = config

    def __call__(self, text: str) -> None:
        self._config.write_text(text, "utf-8")


NED = ["--handle", "ned21"]
FULL = """
handle = ["lia9", "ned21"]
server = "wss://cards.example.org"
server-key = "{key}"
table = "high"
code = "open sesame"
tls-pin = "sha256:{pin}"
key-file = "ned.key"
pace = 2
reconnect = 7.5
bet = 20
insecure = true
unproven = true
plain = true
ascii = true
colours = 256
hints = true
keys.hit = "j"
keys.stand = "h"
""".replace("{pin}", "ab" * 32).replace("{key}", "CD" * 32)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the settings are looked for."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "blackjack" / "client.toml"


@pytest.fixture
def write(config: Path) -> Write:
    config.parent.mkdir()
    return Write(config)


def place(options: Options) -> tuple[str | None, str | None, str | None]:
    return options.table, options.code, options.server.trust.pin


def test_every_setting_may_stand_in_the_file(write: Write, config: Path) -> None:
    write(FULL)
    options = read_options([], {})
    assert options.handles == ("lia9", "ned21")
    assert options.server.shown == "wss://cards.example.org"
    assert place(options) == ("high", "open sesame", "ab" * 32)
    assert options.key_file == config.parent / "ned.key"
    assert (options.pace, options.reconnect, options.bet) == (2.0, 7.5, 2000)
    assert (options.is_insecure, options.hints) == (True, True)
    assert (options.unproven, options.server_key) == (True, "cd" * 32)
    assert (options.plain, options.ascii) == (True, True)
    assert options.colours == "256"
    assert options.keymap.own == {"h": "j", "s": "h"}


def test_a_missing_file_is_no_error(config: Path) -> None:
    assert not config.exists()
    assert read_options(NED, {}).pace is None


def test_flags_go_before_the_environment_and_that_before_the_file(
    write: Write,
) -> None:
    write('handle = "lia9"\npace = 1\nbet = 20\ntable = "low"\nplain = true')
    options = read_options([], {"BJ_PACE": "", "BJ_TABLE": ""})
    assert (options.handles, options.pace, options.table) == (("lia9",), 1, "low")
    variables = {"BJ_HANDLE": "eve", "BJ_PACE": "2", "BJ_BET": "30", "BJ_TABLE": "high"}
    options = read_options([], {**variables, "BJ_PLAIN": "0"})
    assert (options.handles, options.pace, options.bet) == (("eve",), 2, 3000)
    assert (options.table, options.plain) == ("high", False)
    flags = ["--pace", "3", "--bet", "40", "--table", "main", "--bot", "basic"]
    options = read_options([*NED, *flags], variables)
    assert (options.handles, options.pace, options.bet) == (("ned21",), 3, 4000)
    assert options.table == "main"


def test_another_file_may_be_named(tmp_path: Path, write: Write) -> None:
    write("pace = 1")
    for name, pace in (("a", 2), ("b", 3)):
        (tmp_path / name).write_text(f"pace = {pace}")
    first = {"BJ_SETTINGS": str(tmp_path / "a")}
    assert read_options(NED, first).pace == 2
    assert read_options([*NED, "--settings", str(tmp_path / "b")], first).pace == 3


def test_what_is_said_of_one_server_counts_for_no_other(write: Write) -> None:
    write(FULL)
    nothing = (None, None, None)
    assert place(read_options(["--server", "localhost"], {})) == nothing
    assert place(read_options([], {"BJ_SERVER": "localhost"})) == nothing
    solo = read_options(["--solo"], {"BJ_TABLE": "high"})
    assert (place(solo), solo.handles) == (nothing, ("lia9", "ned21"))
    pin = "cd" * 32
    assert place(read_options(["--tls-pin", pin], {})) == ("high", "open sesame", pin)


def test_settings_of_players_do_not_hinder_those_who_look(write: Write) -> None:
    write(FULL)
    options = read_options(["--watch"], {})
    assert (options.watch, options.handles, options.table) == (True, (), "high")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pase = 1", "has 'pase', which is no setting: there are handle, server"),
        ("solo = true", "has 'solo', which is no setting"),
        ('pace = "fast"', "has a wrong pace: write a number, without quotes."),
        ("pace = true", "has a wrong pace: write a number"),
        ("pace = 61", "has a wrong pace: the pace is a number of seconds, 0 to 60."),
        ("pace = nan", "has a wrong pace: the pace is"),
        ("bet = 2.5", "has a wrong bet: the bet is a whole number of dollars"),
        ("ascii = 1", "has a wrong ascii: write true or false."),
        ("colours = 8", 'has a wrong colours: write "none", 16, 256 or "true".'),
        ('colours = "few"', "has a wrong colours: the colours are none, 16, 256 or"),
        ("keys = 1", "has a wrong keys: write a table, as in keys.hit"),
        ("keys.hit = 1", "has a wrong keys: write each key as a text in quotes."),
        ('keys.hit = "s"', "has a wrong keys: the key 's' is given to hit and stand"),
        ('keys.hit = "a b"', "has a wrong keys: the key of hit is one character"),
        ("server = 1", "has a wrong server: write a text in quotes."),
        ('server = "http://x"', "has a wrong server: "),
        ('table = "a\\nb"', "has a wrong table: a name of printable characters"),
        ("handle = 7", "has a wrong handle: write a text, or a list of texts"),
        ('handle = ""', "has a wrong handle: write a text"),
        ('handle = ["a", "A"]', "has a wrong handle: a handle is given twice"),
        ('tls-pin = "abc"', "has a wrong tls-pin: "),
        ('key-file = "~nobody-of-that-name/key"', "has a wrong key-file: "),
        ("pace = ", "is no TOML ("),
        pytest.param(f"pace = {'[' * 20_000}", "is no TOML (", id="nested"),
    ],
)
def test_what_is_wrong_names_the_file_and_the_key(
    write: Write,
    config: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    sentence: str,
) -> None:
    write(text)
    with pytest.raises(SystemExit) as stopped:
        read_options(NED, {})
    assert stopped.value.code == Exit.USAGE
    assert f"The settings file {config} {sentence}" in capsys.readouterr().err


def test_a_named_file_that_is_missing_or_unreadable_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = tmp_path / "long.toml"
    long.write_text("#" * (2**20 + 1))
    for path, sentence in (
        (long, f"The settings file {long} cannot be read (File too large): "),
        (tmp_path / "none.toml", f"There is no settings file {tmp_path}/none.toml: "),
        (tmp_path, f"The settings file {tmp_path} cannot be read (Is a directory): "),
    ):
        with pytest.raises(SystemExit) as stopped:
            read_options([*NED, "--settings", str(path)], {})
        assert stopped.value.code == Exit.USAGE
        assert sentence in capsys.readouterr().err


def test_a_file_that_is_no_text_is_told(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.parent.mkdir()
    config.write_bytes(b"\xff")
    with pytest.raises(SystemExit):
        read_options(NED, {})
    assert "is no TOML (" in capsys.readouterr().err


def test_a_wrong_file_hinders_nobody_who_asks_for_help(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write("pase = 1")
    with pytest.raises(SystemExit) as stopped:
        read_options(["--help"], {})
    assert stopped.value.code == 0
    assert "--settings FILE" in capsys.readouterr().out


def test_a_wrong_bet_in_the_environment_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_options(NED, {"BJ_BET": "much"})
    assert "BJ_BET: the bet is a whole number" in capsys.readouterr().err


def test_the_key_of_a_server_is_of_that_server_alone(write: Write) -> None:
    write(FULL)
    assert read_options(["--server", "localhost"], {}).server_key is None
    solo = read_options(["--solo"], {"BJ_SERVER_KEY": "ab" * 32})
    assert (solo.server_key, solo.unproven) == (None, True)
    named = read_options([*NED, "--server-key", "ef" * 32], {})
    assert (named.server_key, read_options(NED, {}).unproven) == ("ef" * 32, True)


def test_a_wrong_key_of_a_server_is_told_with_the_file(
    write: Write, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write('server-key = "abc"')
    with pytest.raises(SystemExit):
        read_options(NED, {})
    said = capsys.readouterr().err
    assert f"{config} has a wrong server-key: the key of a server is 64" in said
