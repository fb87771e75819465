"""A game of ``specs/dsc20.txt`` played on paper: its log, from the seed alone.

Only the two shuffles are ours; their own tests hold them to the text.
"""

import random
from collections.abc import Sequence
from itertools import count

from bj_game.shuffle import modified_overhand, mongean

Card = tuple[str, str]


def whole_game(seed: int, threshold: int) -> list[str]:
    """Play one deck to its end by the text alone, and return the log."""
    suits = ("clubs", "diamonds", "hearts", "spades")
    deck = [(rank, suit) for rank in [*"23456789", "10", *"JQKA"] for suit in suits]
    order = {card: place for place, card in enumerate(deck)}
    lines: list[str] = []
    for number in count(seed):
        if len(deck) < 4:
            break
        numbers = random.Random(number)
        mongeans, overhand = numbers.randrange(6), numbers.randrange(6)
        deck = modified_overhand(deck, min(overhand, len(deck)))
        for _ in range(mongeans):
            deck = mongean(deck)
        player, dealer = deck[0:4:2], deck[1:4:2]
        deck = deck[4:]
        lines.append(f"Player Cards: {short(sorted(player, key=order.__getitem__))}")
        lines.append(f"Dealer Cards: {short(dealer[:1])} (?, ?)")
        lines += pull("Player", player, deck, threshold)
        revealed = sorted(dealer, key=order.__getitem__)
        lines.append(f"Dealer Cards Revealed: {short(revealed)}")
        lines += pull("Dealer", dealer, deck, 17)
        lines.append(verdict(score(player), score(dealer)))
    return [*lines, "Not enough cards for a game."]


def pull(who: str, hand: list[Card], deck: list[Card], threshold: int) -> list[str]:
    lines = []
    while score(hand) < threshold and deck:
        hand.append(deck.pop(0))
        lines.append(f"{who} pulled a {short(hand[-1:])}")
    return lines


def short(cards: Sequence[Card]) -> str:
    return " ".join(f"({rank}, {suit})" for rank, suit in cards)


def score(hand: Sequence[Card]) -> int:
    values = {"A": 1, "J": 10, "Q": 10, "K": 10}
    total = sum(values.get(rank) or int(rank) for rank, _ in hand)
    has_ace = any(rank == "A" for rank, _ in hand)
    return total + 10 if has_ace and total <= 11 else total


def verdict(player: int, dealer: int) -> str:
    if player == dealer or (player > 21 and dealer > 21):
        return "Player and Dealer tie."
    won = player <= 21 and (dealer > 21 or player > dealer)
    how, other = ("won", "lost") if won else ("lost", "won")
    return (
        f"Player {how} with a score of {player}. "
        f"Dealer {other} with a score of {dealer}."
    )
