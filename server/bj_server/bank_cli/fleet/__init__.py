"""The office of a fleet: its key, and the bank that its servers share."""
