"""Fairness: our part in each draw, and the check of all that the server tells."""
