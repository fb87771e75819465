"""The command ``bj-bank``: shows a bank from its files alone, and changes accounts."""
