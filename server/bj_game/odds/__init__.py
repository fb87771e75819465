"""Odds: what a house is worth, and how it is played best, from its own rules.

All is reckoned from a ``House``, and nothing is measured. Stakes are units: 1.0 is the
stake of the hand that is asked about, or the first bet of a round. Cards are texts such
as ``Td``. Ranks are points, 1 an ace and 10 every ten-value, and ``counts`` says how
many cards of the ranks 1 to 10 are left, the hole card among them.

- ``values(house, cards, upcard, counts=None, *, legal=None, hands=1, points=None)``
  returns the worth of each legal ``Play`` of a hand. Give it what a prompt has as
  ``legal``; without it all is taken that the rules allow to such a hand. The first
  answer against an upcard takes some milliseconds, that for a low pair up to a
  tenth of a second, and those after it less.
- ``insurance(house, cards, upcard, counts=None)`` returns what a unit of it wins.
- ``chart(house)`` returns the ``Chart``: an ``Advice`` by total, and by upcard, one of
  ``UPCARDS``; ``Advice.letters`` is what charts print, and ``Chart.exceptions`` are the
  hands whose cards overrule their total.
- ``edge(house)`` returns the ``Edge`` of the whole game to one who plays best.
- ``column(house, upcard)`` is the part of both that takes the time: all hands against
  one upcard of ``upcards_of(house)``. Each is reckoned once and kept.
- ``ahead(house)`` reckons what will be asked of a house, in steps of milliseconds.
- ``dealer(house, upcard, counts=None, *, no_blackjack=False)`` returns how likely each
  end of the dealer is, by total; ``BUST`` and ``BLACKJACK`` are ends, too.

Without ``counts`` the shoe is full, less the cards that are told. What is exact, and
what is not and how far, is in ``docs/odds.md``.
"""

from bj_game.odds.chart import UPCARDS, Advice, Chart, chart
from bj_game.odds.column import Cell, Column, Edge, ahead, column, edge, upcards_of
from bj_game.odds.dealer import BLACKJACK, BUST
from bj_game.odds.position import dealer, insurance, values

__all__ = [
    "BLACKJACK",
    "BUST",
    "UPCARDS",
    "Advice",
    "Cell",
    "Chart",
    "Column",
    "Edge",
    "ahead",
    "chart",
    "column",
    "dealer",
    "edge",
    "insurance",
    "upcards_of",
    "values",
]
