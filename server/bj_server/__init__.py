"""The server of the blackjack table: it owns the shoe, the dealer and the money.

``table`` plays, ``bank`` keeps the money, ``net`` speaks with clients, and the
commands at the top put them together.
"""
