"""The office: what a host may know of the bank, read from its files alone."""
