"""A line that is lost under the screen, and comes back: seen, and then forgotten."""

import re
from contextlib import ExitStack
from pathlib import Path

from support.terminal import Terminal
from whole.cells import colours, find, watch
from whole.host import Host

SETTINGS = ("--bet-seconds", "600", "--turn-seconds", "600")
CARDS = "Ts 9h 9s 7d Td"
"""19 for ned21; 16 and a bust for the dealer."""
SIZE = (40, 16)
BANNER = "8f2424"


def grounds(terminal: Terminal) -> set[str]:
    """Return the grounds of all cells of the screen."""
    screen = terminal.screen
    cells = [(x, y) for x in range(screen.columns) for y in range(screen.lines)]
    return {colours(terminal, x, y)[1] for x, y in cells}


def test_a_server_that_is_gone_for_a_while_leaves_nothing_on_the_screen(
    tmp_path: Path,
) -> None:
    options = ("--stack", CARDS, *SETTINGS)
    with ExitStack() as stack:
        with Host(tmp_path / "bank", *options) as host:
            known = ("--server", host.address, "--handle", "ned21", "--pace", "0")
            look = {"HOME": str(tmp_path), "COLORTERM": "truecolor"}
            ned = Terminal("bj_client", *known, size=SIZE, **look)
            stack.enter_context(ned)
            ned.until("▶ Bet $1")
            ned.press("100", "$100▏")
            ned.press("\r", "▶ Hit, stand or double?")
        ned.until("The line is lost")
        row = find(ned, "The line is lost")[1]
        shown = range(SIZE[0])
        watch(ned, lambda: {colours(ned, x, row)[1] for x in shown} == {BANNER})
        assert "10♠" in ned.text  # the table stays on view
        ned.child.send("hs5\r")  # counts for nothing
        stack.enter_context(Host(tmp_path / "bank", *options))
        ned.until("▶ Hit, stand or double?")
        watch(ned, lambda: re.search(r"\b(600|59[0-9]) s\b", ned.text) is not None)
        watch(ned, lambda: BANNER not in grounds(ned))
        assert "only q counts" not in ned.text
        ned.press("s", "▶ New deal?")
        assert "won +$100" in ned.text
        ned.until("bank $10,100")
        ned.press("q", "Good-bye, ned21: 1 round, 1 won, 0 lost")
        assert ned.end() == 0
