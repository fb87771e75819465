"""Telling: the events and decisions of a round as sentences."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from bj_game import event as game
from bj_game.card import HIDDEN
from bj_game.event import RoundEvent
from bj_game.hand import Total
from bj_game.money import dollars
from bj_game.outcome import Outcome
from bj_game.play import By, Play
from bj_server.table.records import AnswerRecord

_BY = {
    By.PLAYER: "",
    By.CLOCK: ", whose time is up",
    By.ABSENCE: ", who is away",
    By.RULES: "",
}

_VERBS = {Outcome.WIN: "wins", Outcome.LOSE: "loses", Outcome.PUSH: "pushes"}


class Teller:
    """Tells one round; knows the players, and who has several hands."""

    def __init__(
        self,
        handles: Mapping[int, str],
        spots: Mapping[int, int],
        *,
        hits_soft_17: bool,
    ) -> None:
        self._handles = handles
        self._hits_soft_17 = hits_soft_17
        self._soft: dict[tuple[int, int], bool] = {}
        """By seat and hand: whether its last total, as told, was soft."""
        self._many = {seat for seat, count in spots.items() if count > 1}

    def decision(self, answer: AnswerRecord) -> str:
        """Return a decision as a sentence, with the one who made it."""
        handle = self._handles.get(answer.seat, f"Seat {answer.seat}")
        amount = f" for {dollars(answer.amount)}" if answer.play is Play.INSURE else ""
        words = answer.play.value.replace("_", " ")
        return f"{handle}{_BY[answer.by]}: {words}{amount}."

    def events(self, happened: Sequence[RoundEvent]) -> list[str]:
        """Return the events, each as a line."""
        return [f"  {self._event(event)}" for event in happened]

    def _event(self, event: RoundEvent) -> str:  # noqa: C901 - one flat match
        who = "Dealer"
        if isinstance(event, game.HandEvent):
            who = self._name(event.seat, event.hand)
        match event:
            case game.CutCardReached():
                return "The cut card comes out."
            case game.DiscardsShuffled():
                return f"The shoe is empty; {event.cards} discards are shuffled."
            case game.DealerPeeked():
                found = "has blackjack" if event.blackjack else "has no blackjack"
                return f"Dealer looks at the hole card, and {found}."
            case game.HoleRevealed():
                self._soft[0, 0] = event.soft
                return f"Dealer turns {event.card}: {Total(event.total, event.soft)}."
            case game.DealerStood():
                return self._dealer_ends(event)
            case game.DealerBusted():
                return f"Dealer is bust with {event.total}."
            case game.SplitDeclined():
                return f"{who} keeps the pair together."
            case game.OfferDeclined():
                return f"{who} takes no offer."
            case game.HandStood():
                rules = " by the rules" if event.by is By.RULES else ""
                total = Total(event.total, self._soft[event.seat, event.hand])
                return f"{who} stands on {total}{rules}."
            case game.HandReached21():
                return f"{who} has {'a natural' if event.natural else '21'}."
            case game.HandReachedCharlie():
                return f"{who} has so many cards that the hand wins."
            case game.HandSurrendered():
                return f"{who} surrenders."
            case game.HandGivenUp():
                return f"{who} gives up."
            case game.EvenMoneyTaken():
                return f"{who} takes even money."
            case game.HandBusted():
                return f"{who} is bust with {event.total}."
            case game.CardDealt():
                self._soft[event.seat, event.hand] = event.soft
                if event.card == HIDDEN:
                    return f"{who} gets a card face down."
                return f"{who} gets {event.card}: {Total(event.total, event.soft)}."
            case game.HandSplit():
                self._many.add(event.seat)
                return f"{who} is split, for another {dollars(event.stake)}."
            case game.HandInsured():
                return f"{who} is insured for {dollars(event.amount)}."
            case game.HandDoubled():
                return f"{who} is doubled to {dollars(event.stake)}."
            case game.AcesValued():
                self._soft[event.seat, event.hand] = False
                return f"{who} counts aces {11 if event.high else 1}: {event.total}."
            case game.InsuranceSettled():
                wager = f"the insurance of {dollars(event.amount)}"
                return _paid(f"{who} {_VERBS[event.outcome]} {wager}", event.payout)
            case game.HandSettled():
                ruling = event.reason.value.replace("_", " ")
                wager = f"{dollars(event.stake)} ({ruling})"
                return _paid(f"{who} {_VERBS[event.outcome]} {wager}", event.payout)
            case _:
                assert_never(event)

    def _dealer_ends(self, event: game.DealerStood) -> str:
        if event.blackjack:
            return "Dealer has blackjack."
        total = Total(event.total, self._soft[0, 0])
        is_hit = total == (17, True) and self._hits_soft_17
        if total.points < 17 or is_hit:
            return f"Dealer has {total} and draws no card."
        return f"Dealer stands on {total}."

    def _name(self, seat: int, hand: int) -> str:
        if seat == 0:
            return "Dealer"
        handle = self._handles[seat]
        return f"{handle}, hand {hand + 1}," if seat in self._many else handle


def _paid(what: str, payout: int) -> str:
    return f"{what}; {dollars(payout)} is paid." if payout else f"{what}."
