"""The command ``bj-odds``: what the rules of a house are worth, and how to play it."""
