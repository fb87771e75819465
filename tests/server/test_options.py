from pathlib import Path

import pytest

from bj_server.net.limits import Limits
from bj_server.options import read_options
from bj_server.settings import load_house


def test_the_defaults_host_one_table_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HOST", "PORT", "BANK", "HOUSE", "SEATS"):
        monkeypatch.delenv(f"BJ_{name}", raising=False)
    settings = read_options([])
    assert (settings.hosts, settings.port) == (("127.0.0.1",), 8765)
    (plan,) = settings.tables
    assert (plan.name, plan.seats, plan.code) == ("main", 4, None)
    assert plan.house == load_house("cpsc386")
    assert settings.bank.name == "bank"


def test_a_flag_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BJ_PORT", "1234")
    monkeypatch.setenv("BJ_TURN_SECONDS", "7")
    assert read_options([]).port == 1234
    assert read_options(["--port", "99"]).port == 99
    assert read_options([]).tables[0].pace.turn_seconds == 7
    monkeypatch.setenv("BJ_ADMIN_PORT", "0")
    monkeypatch.setenv("BJ_LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("BJ_LOG_FORMAT", "json")
    watched = read_options([])
    assert (watched.admin_port, watched.log_format) == (0, "json")
    assert watched.log_level == "debug"


def test_14_2_several_hosts_come_from_flags_or_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BJ_HOST", "::1, 127.0.0.1")
    assert read_options([]).hosts == ("::1", "127.0.0.1")
    options = ["--host", "::ffff:127.0.0.1", "--host", "[::1]", "--host", "127.0.0.1"]
    assert read_options(options).hosts == ("127.0.0.1", "::1")
    for hosts in (["127.0.0.1", "::"], ["0.0.0.0"], ["::1", "192.0.2.7"]):
        with pytest.raises(SystemExit):
            read_options([word for host in hosts for word in ("--host", host)])
        said, told = capsys.readouterr().err.splitlines()
        assert "is open to other machines" in said
        assert told == "bj-server --help tells all options."


def test_14_1_who_may_come_is_set_by_flags_and_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = read_options([])
    assert (usual.code, usual.is_invite_only, usual.logs_addresses) == (
        None,
        False,
        True,
    )
    assert (usual.limits.new_handles, usual.limits.wrong_tries) == (10, 20)
    for name, text in (
        ("BJ_CODE", "open sesame"),
        ("BJ_MAX_NEW_HANDLES", "3"),
        ("BJ_MAX_WRONG_TRIES", "0"),
        ("BJ_TRUSTED_PROXY", "10.0.0.0/8 ::ffff:192.0.2.7"),
        ("BJ_LOG_ADDRESSES", "no"),
    ):
        monkeypatch.setenv(name, text)
    found = read_options([])
    assert (found.code, found.logs_addresses) == ("open sesame", False)
    assert (found.limits.new_handles, found.limits.wrong_tries) == (3, 0)
    networks = [str(network) for network in found.limits.proxies.networks]
    assert networks == ["10.0.0.0/8", "192.0.2.7/32"]
    found = read_options(["--trusted-proxy", "::1", "--log-addresses"])
    assert [str(n) for n in found.limits.proxies.networks] == ["::1/128"]
    assert found.logs_addresses
    monkeypatch.setenv("BJ_TRUSTED_PROXY", "10.0.0")
    for options in ([], ["--invite-only"], ["--code", "short"]):
        with pytest.raises(SystemExit):
            read_options(options)
    assert (
        "BJ_TRUSTED_PROXY: '10.0.0': a proxy is an address" in capsys.readouterr().err
    )
    assert "open sesame" not in repr(found)


def test_limits_come_from_flags_and_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert read_options([]).limits == Limits()
    monkeypatch.setenv("BJ_MAX_CONNECTIONS", "40")
    monkeypatch.setenv("BJ_MAX_PER_ADDRESS", "4")
    monkeypatch.setenv("BJ_MAX_RATE", "0")
    origins = ["https://cards.example", "http://[::1]:8080", "https://cards.example"]
    flags = [word for origin in origins for word in ("--allow-origin", origin)]
    limits = read_options(["--max-per-address", "300", *flags]).limits
    assert (limits.max_connections, limits.max_per_address) == (40, 300)
    assert (limits.max_local, limits.rate) == (300, 0)
    assert limits.allowed_origins == ("https://cards.example", "http://[::1]:8080")


def test_tables_are_named_once_each() -> None:
    settings = read_options(["--table", "main", "--table", "quiet", "--table", "main"])
    assert settings.table_names == ("main", "quiet")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "http"], "'http': a port is a whole number from 0 to 65535"),
        (["--port", "65536"], "'65536': a port is"),
        (["--host", "a..b"], "'a..b': an address is like 192.168.1.20"),
        (["--host", "x" * 64], "an address is like 192.168.1.20"),
        (["--port", "9" * 5000], "a port is"),
        (["--seats", "0"], "'0': a table has 1 to 7 seats"),
        (["--seats", "8"], "'8': a table has 1 to 7 seats"),
        (["--bet-seconds", "nan"], "'nan': seconds are a number"),
        (["--turn-seconds", "-1"], "'-1': seconds are a number"),
        (["--hold-seconds", "soon"], "'soon': seconds are a number"),
        (["--max-connections", "0"], "'0': this is a whole number from 1 to 60000"),
        (["--max-per-address", "x"], "'x': this is a whole number from 1"),
        (["--max-rate", "-1"], "'-1': this is a whole number from 0"),
        (["--allow-origin", "https://x/page"], "an origin is like https://cards"),
        (["--allow-origin", "null"], "an origin is like https://cards"),
        (["--allow-origin", "https://X.example"], "an origin is like https://cards"),
        (["--table", "../x"], "'../x': a table is NAME or NAME=HOUSE"),
        (["--table", "Main"], "'Main': a table is NAME"),
        (["--seed", "x"], "'x': a seed is a whole number"),
        (["--seed", "9" * 19], "a seed is a whole number of 18 digits at most"),
        (["--code", "open \udcff sesame"], "a code has 6 to 64 characters, in UTF-8"),
        (["--bank", ""], "a folder has a name"),
        (["--trusted-proxy", "::ffff:10.0.0.0/104"], "a proxy is an address or a"),
        (["--stack", "As 1d"], "'1d' is not a card"),
        (["--stack", "As " * 9], "there are only 8 of As in the shoe"),
        (
            ["--house", "attic"],
            "There is no house 'attic': name one of atlantic-city, cpsc386",
        ),
        (["--admin-port", "x"], "'x': a port is a whole number from 0 to 65535"),
        (["--log-level", "loud"], "'loud': a level is one of debug, info, warning"),
        (["--log-format", "xml"], "'xml': the log is written as text or json"),
        (["--prot", "1"], "unrecognized arguments"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_options(arguments)
    assert caught.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_house_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "Mine"\ndecks = 6\nmax_seats = 2\n')
    (plan,) = read_options(["--house", str(path)]).tables
    assert (plan.house.name, plan.house.decks, plan.seats) == ("mine", 6, 2)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("decks = 0", "decks is 0; it must be 1 to 8."),
        ("deks = 6", "deks is not a rule; the rules are name, title, source,"),
        ("decks = 6.5", "decks is 6.5; it must be a whole number."),
        ("hit = 1", "hit is 1; it must be true or false."),
        ('tie = "house"', 'tie is \'house\'; it must be one of "push", "dealer".'),
        ("maximum_bet = 50", "maximum_bet is 50; it must be 100 to "),
        ("minimum_bet = 150", "not a whole multiple of bet_step, 100."),
        ("even_money = true", "even_money needs a natural that pays"),
        ("hit = false", 'so double must be "none".'),
        ("decks = ", "The rules are not valid TOML"),
        (f"decks = {'9' * 5000}", "The rules are not valid TOML"),
        (f"decks = {'[' * 20_000}", "The rules are not valid TOML"),
    ],
)
def test_a_house_that_cannot_be_played_is_refused_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str, sentence: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\n{rule}\n')
    with pytest.raises(SystemExit) as caught:
        read_options(["--house", str(path)])
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert f"{path}: " in said
    assert sentence in said


def test_the_houses_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read_options(["--list-houses"])
    assert caught.value.code == 0
    assert "vegas-strip    Las Vegas Strip, four decks" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        read_options(["--show-house", "european"])
    shown = capsys.readouterr().out
    assert shown.startswith("european: European, no hole card\n- 6 decks")
    assert "- The dealer has no hole card" in shown
    assert "Source: " in shown


def test_a_house_of_ones_own_needs_no_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "Mine"\n')
    with pytest.raises(SystemExit):
        read_options(["--show-house", str(path)])
    assert "Source" not in capsys.readouterr().out
