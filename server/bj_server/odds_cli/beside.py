"""Compute and keep the figures of a house beside a server, with what time is left.

``python -m bj_server.odds_cli.beside`` reads the rules as JSON, and tells who has the
edge.
"""

import json
import os
import sys

from bj_game.house import house_of
from bj_server.odds_cli.report import edge_sentence
from bj_server.odds_cli.sheet import compute
from bj_server.odds_cli.store import keep

if __name__ == "__main__":
    os.nice(19)
    house = house_of(json.load(sys.stdin))
    sheet = compute(house)
    keep(house, sheet)
    sys.stdout.write(f"{edge_sentence(sheet.edge)}\n")
