"""The log of a round, in the words of ``specs/dsc20.txt``."""

from bj_client.card import HIDDEN
from bj_client.seat import Hand
from bj_client.style.dsc20.card import in_order, row
from bj_client.table import Table
from bj_protocol.views import Outcome


def log(table: Table) -> list[str]:
    """Return the lines of the round on the table, as far as it has come.

    As a round goes on, lines are added and none is changed.
    """
    dealer = table.dealer.cards
    if not table.me.hands or len(dealer) < 2 or len(table.me.hands[0].cards) < 2:
        return []
    hand = table.me.hands[0]
    lines = [
        f"Player Cards: {row(in_order(hand.cards[:2]))}",
        f"Dealer Cards: {row([dealer[0], HIDDEN])}",
        *(f"Player pulled a {row([card])}" for card in hand.cards[2:]),
    ]
    if HIDDEN in dealer:
        return lines
    lines.append(f"Dealer Cards Revealed: {row(in_order(dealer[:2]))}")
    lines += [f"Dealer pulled a {row([card])}" for card in dealer[2:]]
    if hand.outcome is not None:
        lines.append(_verdict(hand, hand.outcome, table.dealer))
    return lines


def _verdict(hand: Hand, outcome: Outcome, dealer: Hand) -> str:
    match outcome:
        case Outcome.WIN:
            player, other = "won", "lost"
        case Outcome.LOSE:
            player, other = "lost", "won"
        case Outcome.PUSH:
            return "Player and Dealer tie."
    return (
        f"Player {player} with a score of {hand.total}. "
        f"Dealer {other} with a score of {dealer.total}."
    )
