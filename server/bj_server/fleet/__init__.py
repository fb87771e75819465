"""The fleet: one bank in PostgreSQL for many servers, each with its own journal."""
