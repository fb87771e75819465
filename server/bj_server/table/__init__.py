"""The table: one dealer, its seats, and the only authority over them."""
