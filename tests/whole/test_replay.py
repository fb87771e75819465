"""A record that is played back on the whole screen of a real terminal."""

from pathlib import Path

from support.recording import write_record
from support.rig import Lay
from support.terminal import Terminal


def test_a_record_is_played_by_keys(lay: Lay, tmp_path: Path) -> None:
    rig = lay(stack="Ts 9h 9s 7d Td")
    rig.join("ned21")
    rig.bet("ned21", 5)
    rig.play("ned21", "stand")
    path = write_record(tmp_path / "evening.jsonl", rig, "ned21", seconds=1_000.0)
    known = {"size": (100, 30), "HOME": str(tmp_path)}
    with Terminal("bj_client", "replay", str(path), **known) as screen:  # type: ignore[arg-type]
        screen.until("Welcome, ned21")
        screen.press(" ", "Paused")
        screen.press("n", "ned21 bets $5")
        screen.press("\x1b[C\x1b[C", "gets 10♠")
        screen.press("?", "Space pauses, and goes on.")
        screen.press(" ", "Welcome, ned21")
        screen.press(" ", "A record is played")
        screen.press("n" * 20, "The record ends here")
        assert "won +$5" in screen.text
        screen.press("q", "Good-bye, ned21: 1 round, 1 won")
        assert screen.end() == 0
    with Terminal("bj_client", "replay", str(path), "--line", **known) as lines:  # type: ignore[arg-type]
        lines.until("Welcome, ned21")
        lines.answer("n", "ned21 bets $5")
        lines.child.send("\x03")
        assert lines.end() == 130
