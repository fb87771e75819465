"""Write what is made in docs/reference.md: options, orders, exit codes and keys.

python docs/make_reference.py

The page is written by hand, except for the blocks between ``<!-- made: NAME -->`` and
``<!-- end -->``. Those come from the parsers that the commands read with, so they say
what ``--help`` says.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bj_client.keymap import NAMES
from bj_client.options.options import make_parser as parser_of_client
from bj_client.options.settings import KEYS
from bj_client.replay.command import make_parser as parser_of_replay
from bj_client.verify import make_parser as parser_of_verify
from bj_protocol.option import Parser
from bj_server.bank_cli.options import make_parser as parser_of_bank
from bj_server.host_cli.command import make_parser as parser_of_host
from bj_server.odds_cli.options import make_parser as parser_of_odds
from bj_server.options.options import make_parser as parser_of_server
from bj_server.settings import bank_of

PAGE = Path(__file__).with_name("reference.md")

_BLOCK = re.compile(r"(<!-- made: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_ASIDE = re.compile(r" \((?:(BJ_[^;:()]+)(?:; )?)?(?:default:? ([^()]+))?\)")
"""Where the help names the variable of an option, its default, or both."""
_CODE = re.compile(r"(?<![\w`-])(--[a-z][a-z-]+|BJ_[A-Z_]+(?:=1)?|bj-[a-z]+)(?![\w`])")
_USUAL_BANK = "~/.local/share/blackjack-table/bank"
_ABOUT = ("--help", "--version")
_UNNAMED = ("options", "positional arguments")
"""Groups that argparse makes by itself."""


def page(text: str) -> str:
    """Return the text of the page with each block made anew.

    Raises:
        KeyError: if the page names a block that is none.
    """
    blocks = dict(_blocks())
    return _BLOCK.sub(
        lambda found: f"{found[1]}\n{blocks[found[2]]()}\n{found[3]}", text
    )


def _options(parser: Parser) -> str:
    """Return a table of options for each group of a parser."""
    parts = []
    for group in parser._action_groups:
        rows = [
            (_flag(action), *_explained(parser, action))
            for action in group._group_actions
            if _is_told(action)
        ]
        if rows:
            title = group.title or ""
            named = f"**{title[:1].upper()}{title[1:]}**\n\n"
            head = ("option", "environment", "default", "meaning")
            parts.append(("" if title in _UNNAMED else named) + _table(head, rows))
    return "\n".join(parts)


def _is_told(action: argparse.Action) -> bool:
    return not set(action.option_strings) & set(_ABOUT) and action.help is not None


def _flag(action: argparse.Action) -> str:
    """Return an option or an argument as it is typed."""
    if not action.option_strings:
        return f"`{_many(action)}`"
    value = "" if action.nargs == 0 else f" {_value(action)}"
    long = [name for name in action.option_strings if name.startswith("--")]
    return ", ".join(f"`{name}{value}`" for name in long)


def _many(action: argparse.Action) -> str:
    return f"{_value(action)} ..." if action.nargs in ("*", "+") else _value(action)


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return "|".join(action.choices)
    return str(action.metavar or action.dest.upper())


def _explained(parser: Parser, action: argparse.Action) -> tuple[str, str, str]:
    """Return the variable of an option, its default, and what it means."""
    said = (action.help or "").replace("%%", "%")
    said = said.replace(str(bank_of(parser, None)), _USUAL_BANK)
    found = _ASIDE.search(said)
    variable, default = found.groups("") if found else ("", "")
    setting = next((s for s in parser.settings if s.key == action.dest), None)
    if not variable and setting is not None:
        other = f"={int(not setting.unsaid)}" if setting.is_switch else ""
        variable = f"{setting.variable}{other}"
    variable, _, more = variable.partition(", ")
    shown = f"`{variable}`" if variable else ""
    return (
        f"{shown}, {more}" if more else shown,
        default,
        _sentence(_ASIDE.sub("", said)),
    )


def _orders(parser: argparse.ArgumentParser) -> str:
    """Return a table of what may follow the name of a command."""
    return _table(("order", "what it does", "options"), list(_order_rows(parser)))


def _order_rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, str]]:
    (orders,) = _below(parser)
    for choice in orders._choices_actions:
        order = orders.choices[choice.dest]
        if _below(order):
            yield from _order_rows(order)
            continue
        own = [a for a in order._actions if _is_order_option(a)]
        typed = [order.prog, *(_many(a) for a in own if not a.option_strings)]
        options = [a for a in own if a.option_strings]
        what = _sentence(choice.help or "")
        more = " ".join(f"{_flag(a)}: {_sentence(a.help or a.dest)}" for a in options)
        yield f"`{' '.join(typed)}`", what, more


def _below(parser: argparse.ArgumentParser) -> "list[argparse._SubParsersAction[Any]]":
    return [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]


def _is_order_option(action: argparse.Action) -> bool:
    usual = {"--help", "--bank", "--fleet", "--json"}
    return not usual & set(action.option_strings)


def _exit_codes(parser: argparse.ArgumentParser) -> str:
    """Return the table of exit codes that the end of a command's help has."""
    told = re.search(
        r"^exit (?:status|codes):\n((?: +.+\n?)+)", parser.epilog or "", re.MULTILINE
    )
    if told is None:
        raise ValueError(f"The help of {parser.prog} ends without its exit codes.")
    whole = re.sub(r"\n {4,}(?=\D)", " ", told[1])
    codes = re.findall(r"^ +(\d+) +(.+)$", whole, re.MULTILINE)
    return _table(("exit code", "meaning"), [(c, _sentence(what)) for c, what in codes])


def _keys() -> str:
    rows = [(f"`{name}`", f"`{key}`") for name, key in NAMES.items()]
    return _table(("name", "key"), rows)


def _settings() -> str:
    *names, last = (f"`{name}`" for name in KEYS)
    return f"{', '.join(names)} and {last}.\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table, without the columns in which nothing stands."""
    columns = [column for column in zip(head, *rows, strict=True) if any(column[1:])]
    lines = [
        f"| {' | '.join(_cell(c) for c in row)} |" for row in zip(*columns, strict=True)
    ]
    return "\n".join([lines[0], "|---" * len(columns) + "|", *lines[1:]]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sentence(text: str) -> str:
    """Return a phrase of the help as a sentence, with what is typed set off."""
    marked = _CODE.sub(r"`\1`", text)
    return marked[:1].upper() + marked[1:] + ("" if marked.endswith(".") else ".")


def _blocks() -> Iterator[tuple[str, Callable[[], str]]]:
    yield "keys of bj-client", _keys
    yield "settings of bj-client", _settings
    parsers = (
        parser_of_server(),
        parser_of_client(),
        parser_of_replay(),
        parser_of_verify(),
        parser_of_bank(),
        parser_of_host(),
        parser_of_odds(),
    )
    for parser in parsers:
        yield f"options of {parser.prog}", partial(_options, parser)
        yield f"orders of {parser.prog}", partial(_orders, parser)
        yield f"exit codes of {parser.prog}", partial(_exit_codes, parser)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
