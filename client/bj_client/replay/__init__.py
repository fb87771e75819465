"""Playing a record back: a visit to a table, as it was seen and heard there."""
