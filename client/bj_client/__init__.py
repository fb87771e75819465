"""The terminal client of the blackjack table.

It shows what the server says and answers what the server asks; it decides nothing.
"""
