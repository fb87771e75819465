"""Bots: strategies that answer the table's asks, shipped ones and people's own.

Beside ``fair`` the only package of the client that knows the game. A bot sees no more
than a person. A strategy gets copies, and the bot answers legally, whatever it does.
"""
