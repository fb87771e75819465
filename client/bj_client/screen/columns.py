"""The columns of a roster: how wide names, banks, cards and stakes may be.

All lines share them, so that totals and stakes stand below each other. If there is too
little room, the handles give way first, then the verdicts, then amounts are rough, and
then the first cards of a long hand go.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Hand, Seat
from bj_client.screen.canvas import fitting
from bj_client.screen.picture import COMPACT, SMALL
from bj_client.screen.scene import Scene
from bj_client.screen.verdict import verdict
from bj_client.words.money import rough, short
from bj_protocol.views import Presence

OWN = " (you)"

WIDE = 64
"""The columns from which on a seat's name and bank stand before its hands."""
TIGHT_NAME = 7
_MARK = 2
_LEAST_MONEY = 5
_NAMES = (8, 24)
"""The columns of a handle, at least and at most."""
_VERDICT = 12


@dataclass(frozen=True, slots=True)
class Columns:
    """The width of each; a blank is between them."""

    name: int
    bank: int
    start: int
    cards: int
    total: int
    stake: int
    verdict: int

    @classmethod
    def plan(cls, scene: Scene, width: int, *, is_headed: bool) -> "Columns":
        """Share ``width`` columns out; ``is_headed`` has names above their hands."""
        seats = list(scene.table.seats.values())
        hands = [hand for seat in seats for hand in scene.hands(seat)]
        bank = max([_LEAST_MONEY, *(len(short(seat.balance)) for seat in seats)])
        called = (get_cwidth(s.handle) + len(addition(scene, s)) for s in seats)
        wish = max([_NAMES[0], *called])
        if width < WIDE:
            wish = min(wish, width - _MARK - bank - 13)
            start = _MARK if is_headed else _MARK + TIGHT_NAME + 1
            return cls(wish, bank, start, *_hand(scene, hands, width - start, 3))
        least = _cards(scene, hands) + 7 + _stake(hands) + _VERDICT + 3
        most = width - _MARK - bank - 3 - least
        name = max(_NAMES[0], min(_NAMES[1], wish, most))
        start = _MARK + name + bank + 3
        return cls(name, bank, start, *_hand(scene, hands, width - start, 7))


def wagers(hand: Hand, room: int) -> str:
    """Return the stake and the insurance of a hand, rough where there is no room."""
    if not hand.insurance:
        return rough(hand.stake, room)
    half = max(_LEAST_MONEY, (room - 2) // 2)
    forms = (
        f"{short(hand.stake)} ins {short(hand.insurance)}",
        f"{short(hand.stake)}+{short(hand.insurance)}i",
        f"{rough(hand.stake, half)}+{rough(hand.insurance, half)}i",
        rough(hand.stake, room),
    )
    return fitting(forms, room)


def addition(scene: Scene, seat: Seat) -> str:
    """Return the words behind a handle: its player is away, or is you."""
    if seat.presence is not Presence.HERE:
        return f" ({seat.presence.value})"
    return OWN if seat.number in scene.table.ours else ""


def _hand(
    scene: Scene, hands: Sequence[Hand], room: int, total: int
) -> tuple[int, int, int, int]:
    """Return the columns of cards, total, stake and verdict."""
    cards, stake = _cards(scene, hands), _stake(hands)
    said = min(_VERDICT, _longest_verdict(scene))
    stake = min(stake, max(_LEAST_MONEY, room - cards - total - said - 3))
    cards = min(cards, room - total - stake - 2)
    spare = room - cards - total - stake - said - 3
    cards += max(0, min(spare, (17 if total > 3 else 11) - cards))
    return cards, total, stake, max(0, room - cards - total - stake - 3)


def _cards(scene: Scene, hands: Sequence[Hand]) -> int:
    artist = scene.artist
    widths = [artist.width(hand.cards, COMPACT) for hand in hands]
    turns = [
        scene.hands(scene.table.seat(seat))[number]
        for seat, number in scene.in_turn
        if seat and 0 <= number < len(scene.hands(scene.table.seat(seat)))
    ]
    return max([8, *widths, *(artist.least(hand.cards, SMALL) for hand in turns)])


def _stake(hands: Sequence[Hand]) -> int:
    return max([4, *(len(wagers(hand, 40)) for hand in hands)])


def _longest_verdict(scene: Scene) -> int:
    words = (
        verdict(scene, seat.number, number, hand)[0]
        for seat in scene.table.seats.values()
        for number, hand in enumerate(scene.hands(seat))
    )
    return max(map(len, words), default=0)
