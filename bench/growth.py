"""How much a bank grows with each round, plain and packed.

    python bench/growth.py             # 60 rounds at tables of 1, 3 and 5 players

Everybody does anything that is legal, so rounds are longer than those of people who
play well.
"""

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bj_server.bank.segment import GZIP_LEVEL
from support.banks import play
from support.linked import LinkedRig


def grown(folder: Path, players: int, rounds: int) -> tuple[float, float]:
    """Return the bytes a round, plain and packed."""
    handles = [f"player-{number}" for number in range(players)]
    with LinkedRig(folder, seats=players) as rig:
        for handle in handles:
            rig.join(handle)
        play(rig, rounds, handles)
        rig.bank.journal.write()
        content = b"".join(path.read_bytes() for path in folder.glob("journal-*"))
        played = rig.table.context.round
    return len(content) / played, len(gzip.compress(content, GZIP_LEVEL)) / played


def main() -> None:
    """Play and print the figures."""
    parser = argparse.ArgumentParser(description="How much a bank grows.")
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    for players in (1, 3, 5):
        with tempfile.TemporaryDirectory() as name:
            plain, small = grown(Path(name) / "bank", players, rounds)
        print(f"{players} players: {plain:,.0f} bytes a round, {small:,.0f} packed")


if __name__ == "__main__":
    main()
