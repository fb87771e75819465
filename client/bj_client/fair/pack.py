"""The pack: how often each card has come out of the shoe on the table."""

from collections import Counter
from collections.abc import Iterable

from bj_client.fair.finding import Finding
from bj_game.house import House
from bj_protocol import events


class Pack:
    """The cards that were shown since the shoe was shuffled."""

    def __init__(self) -> None:
        """Start with none."""
        self._out: Counter[str] = Counter()

    def clear(self) -> None:
        """Begin with a new shoe."""
        self._out.clear()

    def keep(self, cards: Iterable[str | None]) -> None:
        """Begin with a shoe that has all cards but these, which lie on the table."""
        self._out = Counter(card for card in cards if card not in (None, "??"))

    def fold(
        self, event: events.Event, number: int, house: House | None
    ) -> list[Finding]:
        """Count a card that is shown in round ``number``."""
        if not isinstance(event, events.CardDealt | events.HoleRevealed):
            return []
        card = event.card
        if house is None or house.shoe == "endless" or card == "??":
            return []
        self._out[card] += 1
        if self._out[card] <= house.decks:
            return []
        what = f"there are more of {card} than the decks of the shoe have"
        told = f"{self._out[card]} of {card}"
        return [
            Finding(round=number, what=what, told=told, due=f"at most {house.decks}")
        ]
