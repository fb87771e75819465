"""The rules of blackjack, pure: cards, shoe, hands, houses, round, settlement.

Nothing here does I/O, knows a clock, or draws a random number that it was not given:
same house, same shoe, same answers, same events.
"""
