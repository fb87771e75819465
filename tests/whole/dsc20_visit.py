"""Visits to a table of ``dsc20`` by the shipped commands, and what the text prints."""

import os
import sys
from pathlib import Path

from support.nursery import run_quickly
from whole.host import Host

POOR = """\
name = "dsc20"
title = "The worked example"
max_seats = 1
shoe = "never_refilled"
decks = 1
cut_card_min = 0
cut_card_max = 0
dealer_draws = "always"
both_bust = "push"
insurance = "none"
split = "none"
double = "none"
bet = "ladder"
minimum_bet = 500
bet_step = 500
opening_balance = 500
donor_gift = 0
"""
"""The house with the wallet of the worked example, and no donor."""

EXAMPLE = "Ts 9h 9s 8h Tc 9d 9c 8d Th Td Kh Kd Qs Qd 6d Qc"
"""Four rounds to stand in: two wins, a tie and a loss."""

EXAMPLE_LOG = """\
Player Cards: (9, spades) (10, spades)
Dealer Cards: (9, hearts) (?, ?)
Dealer Cards Revealed: (8, hearts) (9, hearts)
Player won with a score of 19. Dealer lost with a score of 17.
Player Cards: (9, clubs) (10, clubs)
Dealer Cards: (9, diamonds) (?, ?)
Dealer Cards Revealed: (8, diamonds) (9, diamonds)
Player won with a score of 19. Dealer lost with a score of 17.
Player Cards: (10, hearts) (K, hearts)
Dealer Cards: (10, diamonds) (?, ?)
Dealer Cards Revealed: (10, diamonds) (K, diamonds)
Player and Dealer tie.
Player Cards: (6, diamonds) (Q, spades)
Dealer Cards: (Q, diamonds) (?, ?)
Dealer Cards Revealed: (Q, clubs) (Q, diamonds)
Player lost with a score of 16. Dealer won with a score of 20.
Wallet amount $5 is less than bet amount $10.
"""

SUMMARY = """\
ROUND 1:

Player Hand:

----
|10  |
| ♠  |
|--10|

----
|A   |
| ♣  |
|--A |

Dealer Hand:

----
|7   |
| ♣  |
|--7 |

----
|Q   |
| ♠  |
|--Q |

Winner of ROUND 1: Player

ROUND 2:

Player Hand:

----
|10  |
| ♥  |
|--10|

----
|J   |
| ♥  |
|--J |

Dealer Hand:

----
|K   |
| ♥  |
|--K |

----
|A   |
| ♥  |
|--A |

Winner of ROUND 2: Dealer
"""
"""The round that the text prints, and one that is lost."""

SUMMARY_STACK = "Ac Qs Ts 7c Jh Kh Th Ah"


def command(host: Host, *options: str) -> list[str]:
    shown = ["--plain", "--style", "dsc20", "--server", host.address]
    return [sys.executable, "-m", "bj_client", *shown, "--handle", "ned21", *options]


def run(
    host: Host, folder: Path, *options: str, typed: str = "", ascii_only: bool = False
) -> str:
    """Play from a folder, with ``typed`` as the piped input, and return the output."""
    letters = ["--ascii"] if ascii_only else []
    ended = run_quickly(
        command(host, *options, *letters),
        cwd=folder,
        input=typed,
        timeout=60,
        env=dict(os.environ) | {"PYTHONIOENCODING": "utf-8"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def bot(host: Host, folder: Path, threshold: int = 15, rounds: int = 1) -> str:
    """Have a bot that stands at a threshold play, and return its log."""
    plays = ["--bot", f"threshold:{threshold}", "--rounds", str(rounds)]
    return run(host, folder, *plays)


def played(tmp_path: Path, stack: str, threshold: int = 15, rounds: int = 1) -> str:
    """Return the log of a bot's whole visit to a stacked table."""
    with Host(tmp_path / "bank", "--house", "dsc20", "--stack", stack) as host:
        return bot(host, tmp_path, threshold, rounds)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def summaries(folder: Path) -> dict[str, str]:
    files = (folder / "game_summaries").iterdir()
    return {file.name: file.read_text("utf-8") for file in files}
