"""Mutation tests of the rules and of the bank: which faults would no test notice?

``mutmut`` writes the mutants and runs them; this says of what, by which tests, how many
and for how long. What survived and why it may is in ``survivors.toml``.
"""
