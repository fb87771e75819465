"""Write the figures of the shipped houses, which come with ``bj-odds``.

python docs/make_figures.py
"""

from pathlib import Path

from bj_server import odds_cli
from bj_server.odds_cli.sheet import compute, ship
from bj_server.settings import HOUSES, load_house

FILE = Path(odds_cli.__file__).with_name("shipped.json")

if __name__ == "__main__":
    houses = [load_house(name) for name in HOUSES]
    FILE.write_text(ship((house, compute(house)) for house in houses), "ascii")
