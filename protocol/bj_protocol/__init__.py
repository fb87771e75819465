"""The language of the blackjack table: all that goes over the wire.

A client sends a `Command`, a server sends a `Message`; each is one JSON object in one
text frame. ``docs/protocol.md`` tells the same to people, and ``docs/protocol/``
holds the JSON Schema. This package knows pydantic and a few values of the game, but
no sockets and no screens.
"""

PROTOCOL_VERSION = 2
"""The version that this package speaks; both ends must speak the same."""
