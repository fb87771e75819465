"""The net: websockets in, one bounded outbox a connection out."""
