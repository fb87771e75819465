"""Bots: strategies that answer the table's asks, shipped ones and people's own.

Beside ``fair`` the only package of the client that knows the game. A bot sees no more
than a person. A strategy gets copies, and the bot answers legally, whatever it does.
"""

from bj_client.bot.bot import Bot, BotChoice, read_bot
from bj_client.bot.loader import BotError

__all__ = ["Bot", "BotChoice", "BotError", "read_bot"]
