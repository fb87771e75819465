"""Fairness: cutting the shoe, and checking what the server says about it."""
