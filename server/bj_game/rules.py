"""The rules card: what a house plays, in sentences for people."""

from bj_game.house import House
from bj_game.money import dollars

__all__ = ["rules_card"]

_CARD = """
{decks} decks; the cut card lies {low} to {high} cards from the bottom, and the shoe \
is shuffled after the round in which it comes out.
Bets are whole multiples of {step}, from {minimum} to your whole balance, and never \
over {ceiling} at once.
An ace counts 11, or 1 where 11 would bust. A hand of 21 is complete.
The dealer draws to 17 and stands on every 17, soft or hard; when every hand is bust \
the dealer turns the hole card and draws nothing.
Every win pays even money; a natural is worth no more than any other 21.
Equal totals push: the stake comes back. A 21 of any kind does not lose to the \
dealer's blackjack.
Two cards of identical rank may be split, once a round, for a second stake; each half \
gets one card and is played on. A ten and an ace after a split is a plain 21.
The first decision of a hand may be to double: the stake is doubled, one card is \
dealt, and the hand ends. After a split too.
Against an ace or a ten-value each hand may be insured at its turn, after the split \
is decided, for {minimum} up to your free balance; it pays even money if the dealer \
has blackjack, else it is lost.
There is no surrender.
You start with {opening}; a player who goes broke is offered {gift} by an anonymous \
donor.
"""


def rules_card(house: House) -> tuple[str, ...]:
    """Return the rules of ``house``, one or two sentences a line.

    >>> rules_card(House(name="cpsc386", title=""))[-2]
    'There is no surrender.'
    """
    text = _CARD.format(
        decks=house.decks,
        low=house.cut_card_min,
        high=house.cut_card_max,
        step=dollars(house.bet_step),
        minimum=dollars(house.minimum_bet),
        ceiling=dollars(house.maximum_wager),
        opening=dollars(house.opening_balance),
        gift=dollars(house.donor_gift),
    )
    return tuple(text.strip().splitlines())
