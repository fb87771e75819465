"""Pictures of terminals for these pages, drawn from sessions that were played."""
