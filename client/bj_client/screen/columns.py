"""The columns of a roster: how wide names, banks, cards and stakes may be.

All lines share them, so that totals and stakes stand below each other. If there is too
little room, the handles give way first, then the verdicts, then amounts are rough, and
then the first cards of a long hand go. The words beside a hand stand here, too: boxes
and lines show the same ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from bj_client.model.seat import Hand, Seat
from bj_client.screen.canvas import fitting
from bj_client.screen.picture import COMPACT, SMALL
from bj_client.screen.scene import Scene
from bj_client.words.money import rough, short
from bj_protocol.views import HandState, Outcome, Presence

_STATES = {
    HandState.WAITING: "",
    HandState.PLAYING: "",
    HandState.STOOD: "stands",
    HandState.TWENTY_ONE: "21",
    HandState.BUSTED: "bust",
    HandState.SURRENDERED: "surrendered",
    HandState.GIVEN_UP: "given up",
    HandState.CHARLIE: "charlie",
}
_BLACKJACK = "blackjack"
_OUTCOMES = {
    Outcome.WIN: ("won", "class:win"),
    Outcome.LOSE: ("lost", "class:lose"),
    Outcome.PUSH: ("push", "class:push"),
}


def verdict(
    scene: Scene, seat: int, number: int, hand: Hand, room: int = 0
) -> tuple[str, str]:
    """Return the words, which may be none, and their style.

    A blackjack that has won is called one where that is not longer than ``room``.
    """
    if hand.outcome is None:
        words = _BLACKJACK if hand.natural else _STATES[hand.state]
        is_bust = hand.state is HandState.BUSTED
        return words, "class:lose" if is_bust else "class:dim"
    word, style = _OUTCOMES[hand.outcome]
    result = scene.last.results.get((seat, number))
    net = 0 if result is None else result.payout - result.stake
    gain = f" {'+' if net > 0 else ''}{short(net)}" if net else ""
    is_named = hand.natural and hand.outcome is Outcome.WIN
    if is_named and len(_BLACKJACK + gain) <= room:
        word = _BLACKJACK
    return f"{word}{gain}", style


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
