"""Play: a visit of one keyboard or bot, from the first hello to the end."""
