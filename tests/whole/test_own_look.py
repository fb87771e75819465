"""Settings of the screen in a real terminal: keys of one's own, and no colours."""

from pathlib import Path

from support.terminal import Terminal
from whole.host import Host

SETTINGS = """
handle = "ned21"
pace = 0
colours = "none"

[keys]
hit = "s"
stand = "k"
"""


def test_13_8_c9_no_colours_are_no_reason_for_plain_lines(tmp_path: Path) -> None:
    with Host(tmp_path / "bank", "--stack", "Th 9s 9d 7c Td", "--no-clock") as host:
        ours = ("--server", host.address, "--handle", "ned21")
        home = {"HOME": str(tmp_path), "NO_COLOR": "1", "COLORTERM": "truecolor"}
        with Terminal("bj_client", *ours, size=(80, 24), **home) as ned:
            ned.until("▶ Bet $1")
            ned.press("5\r", "▶ Hit, stand or double?")
            assert "♥" in ned.text
            assert "♠" in ned.text
            cells = [
                cell for row in ned.screen.buffer.values() for cell in row.values()
            ]
            assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
            ned.press("qq", "Good-bye, ned21")
            assert ned.end() == 0


def test_keys_are_ones_own_and_nothing_is_coloured(tmp_path: Path) -> None:
    file = tmp_path / "client.toml"
    file.write_text(SETTINGS)
    with Host(tmp_path / "bank", "--stack", "Ts 9h 9s 7d Td", "--no-clock") as host:
        known = ("--server", host.address, "--settings", str(file))
        home = {"HOME": str(tmp_path), "NO_COLOR": "1"}
        with Terminal("bj_client", *known, size=(100, 30), **home) as ned:
            ned.until("▶ Bet $1")
            ned.press("5\r", "▶ Hit, stand or double?")
            assert "s Hit   k Stand   d Double" in ned.text
            cells = [
                cell for row in ned.screen.buffer.values() for cell in row.values()
            ]
            assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
            assert any(cell.reverse for cell in cells)
            ned.press("h", "")  # which is no key now
            ned.press("k", "▶ New deal?")
            assert "won +$5" in ned.text
            ned.press("q", "Good-bye, ned21")
            assert ned.end() == 0
