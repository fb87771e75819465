"""Bots: strategies that answer the table's asks, shipped ones and people's own.

Beside ``hint`` the only package of the client that knows the game; a bot sees no more
than a person. What a strategy gets are copies, and whatever it does, the bot answers
legally.
"""

from bj_client.bot.bot import Bot
from bj_client.bot.choice import BotChoice, read_bot
from bj_client.bot.loader import BotError

__all__ = ["Bot", "BotChoice", "BotError", "read_bot"]
