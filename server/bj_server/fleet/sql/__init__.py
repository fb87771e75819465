"""All SQL of the product: a fleet's bank in PostgreSQL. Only this package knows it."""
