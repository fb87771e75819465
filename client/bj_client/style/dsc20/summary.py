"""The summary of a round, as the game summary of ``specs/dsc20.txt`` prints it."""

from bj_client.card import Faces
from bj_client.style.dsc20.card import drawing, shown
from bj_client.table import Table
from bj_protocol.views import Outcome

_WINNERS = {Outcome.WIN: "Player", Outcome.LOSE: "Dealer", Outcome.PUSH: "Tie"}
"""The text has no example of a tie."""


def summary(number: int, table: Table, outcome: Outcome) -> list[str]:
    """Return the lines of a round that has ended so and is still on the table."""
    return [
        f"ROUND {number}:",
        "",
        *hands(table, Faces(symbols=True)),
        "",
        f"Winner of ROUND {number}: {_WINNERS[outcome]}",
    ]


def hands(table: Table, faces: Faces) -> list[str]:
    """Return the player's hand and the dealer's, drawn one below the other."""
    player = table.me.hands[0].cards if table.me.hands else []
    return [
        "Player Hand:",
        "",
        *drawing(shown(player), faces),
        "",
        "Dealer Hand:",
        "",
        *drawing(shown(table.dealer.cards), faces),
    ]
