"""The bank: a double-entry ledger folded from one append-only journal."""
