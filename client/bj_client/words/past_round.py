"""Past rounds as sentences, for a player who looks back."""

from bj_client.model.decision import DECISIONS
from bj_client.model.seat import Faces, value_of
from bj_client.words.money import dollars
from bj_protocol.action import By
from bj_protocol.messages import Recalled
from bj_protocol.model import HIDDEN
from bj_protocol.proof import round_digits
from bj_protocol.recall import (
    MOST_RECALLED,
    PastDecision,
    PastDraw,
    PastHand,
    PastRound,
    RoundEnd,
)
from bj_protocol.views import DealerView, Outcome


def read_count(text: str) -> int | None:
    """Read how many rounds somebody wants to see; None if that is no such number.

    >>> read_count("5"), read_count(""), read_count("21"), read_count("-1")
    (5, 20, None, None)
    """
    if not text:
        return MOST_RECALLED
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    count = int(text)
    return count if 1 <= count <= MOST_RECALLED else None


def past_title(handle: str, recalled: Recalled) -> str:
    """Return the title: the player of the rounds, and how many there are."""
    count = len(recalled.rounds)
    if not count:
        return f"{handle} has played no round to its end yet."
    rounds = "last round" if count == 1 else f"last {count} rounds"
    return f"The {rounds} of {handle}"


def past_round(past: PastRound, faces: Faces) -> list[str]:
    """Return the lines of a round: bet and bank, cards, results, and the draw."""
    time = past.time[:19].replace("T", " ")
    spots = f" on each of {past.spots} spots" if past.spots > 1 else ""
    bank = f"{dollars(past.balance_before)} before, {dollars(past.balance_after)} after"
    bet = f"bet {dollars(past.bet)}{spots}; bank {bank}."
    lines = [f"Round {past.round} at table {past.table}, {time} UTC: {bet}"]
    if past.end is not RoundEnd.SETTLED:
        lines.append(_ENDS[past.end])
    if not past.is_retold:
        lines.append("Its cards cannot be made again from the journal.")
    if past.dealer is not None:
        lines.append(f"The dealer has {_dealer(past.dealer, faces)}.")
    many = len(past.hands) > 1
    for number, hand in enumerate(past.hands, 1):
        lines.append(f"{f'Hand {number}' if many else 'The hand'} {_hand(hand, faces)}")
    if past.decisions:
        made = "; ".join(_decision(each, many=many) for each in past.decisions)
        lines.append(f"Decided: {made}.")
    if past.draw is not None:
        lines.append(_draw(past.draw, past.seat))
    return lines


_ENDS = {
    RoundEnd.VOID: "It was void, and every stake came back.",
    RoundEnd.RETURNED: "The bet came back before a card was dealt.",
}

_OUTCOMES = {Outcome.WIN: "won", Outcome.LOSE: "lost", Outcome.PUSH: "pushed"}

_BY = {
    By.PLAYER: "",
    By.CLOCK: ", by the clock",
    By.ABSENCE: ", in your absence",
    By.RULES: ", by the rules",
}


def _dealer(dealer: DealerView, faces: Faces) -> str:
    shown = [card for card in dealer.cards if card != HIDDEN]
    if not shown:
        return "no card on view"
    total = f" ({value_of(dealer.total or 0, soft=dealer.soft)})"
    hidden = " and a hidden card" if len(shown) < len(dealer.cards) else ""
    return f"{faces.cards(shown)}{total}{hidden}"


def _hand(hand: PastHand, faces: Faces) -> str:
    total = value_of(hand.total, soft=hand.soft)
    text = f"has {faces.cards(list(hand.cards))} ({total}) for {dollars(hand.stake)}"
    if hand.outcome is not None:
        text += f", {_OUTCOMES[hand.outcome]}"
    if hand.reason is not None:
        text += f" ({hand.reason.value.replace('_', ' ')})"
    if hand.payout:
        text += f", and {dollars(hand.payout)} is paid"
    if hand.insured is not None:
        insured = hand.insured
        text += f"; the insurance of {dollars(insured.amount)} "
        text += f"{_OUTCOMES[insured.outcome]}"
        text += f", and {dollars(insured.payout)} is paid" if insured.payout else ""
    return f"{text}."


def _decision(decision: PastDecision, *, many: bool) -> str:
    hand = f"hand {decision.hand + 1} " if many else ""
    amount = "" if decision.amount is None else f" for {dollars(decision.amount)}"
    return f"{hand}{DECISIONS[decision.action].word}{amount}{_BY[decision.by]}"


def _draw(draw: PastDraw, seat: int | None) -> str:
    """Name the players with a part in the draw, and the digits to compare it by."""
    bets = {bet.seat: bet.handle for bet in draw.bets}
    linked = [link.seat for link in draw.links]
    if not linked:
        return "No player has had a part in the draw of its cards."
    digits = round_digits(draw.head, [(each.seat, each.link) for each in draw.links])
    others = [bets[number] for number in linked if number != seat and number in bets]
    who = ["you"] * (seat in linked) + others
    return f"Its cards were drawn by the server and {' and '.join(who)}: {digits}."
