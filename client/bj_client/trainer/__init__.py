"""The trainer: drills of play and of counting, alone and without a server."""
