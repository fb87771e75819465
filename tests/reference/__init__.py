"""The rules once more, from the texts and not from the engine: slow and plain.

``settle`` plays a whole round by the sentences of ``docs/houses.md``, of the texts in
which the houses are written down, and of casinos. It knows the settings of a house and
nothing else of ``bj_game``; cards, plays and outcomes are words here, as on the wire.
``disagreements`` holds a round that was told against it. Money is in cents, seats are
from 1, the hands of a seat from 0.

    told = [event for update in updates for event in update["events"]]
    assert not disagreements(house, bets, answers, told)
"""

from reference.judge import cards_of, disagreements
from reference.play import settle
from reference.word import Answer, Bet, HandEnd, InsuranceEnd, Question, Settlement

__all__ = [
    "Answer",
    "Bet",
    "HandEnd",
    "InsuranceEnd",
    "Question",
    "Settlement",
    "cards_of",
    "disagreements",
    "settle",
]
