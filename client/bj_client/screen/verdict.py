"""Verdicts in short: how a hand stands or has ended, and the style that shows it."""

from bj_client.model.seat import Hand
from bj_client.screen.scene import Scene
from bj_client.words.money import short
from bj_protocol.views import HandState, Outcome

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
