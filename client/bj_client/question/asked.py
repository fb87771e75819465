"""Asking: the question that belongs to each kind of ``Ask``, and to the bet."""

import re
from dataclasses import dataclass

from bj_client.model.decision import DECISIONS, Decision, offered
from bj_client.model.seat import rank_name
from bj_client.model.table import Table
from bj_client.question.question import (
    Complaint,
    Kind,
    Question,
    Reading,
    decisions,
    kind_of,
)
from bj_client.words.money import (
    ANY_WAGER,
    WagerError,
    amounts,
    dollars,
    largest,
    plain,
    read_wager,
    span,
)
from bj_client.words.text import listed
from bj_protocol.action import Action
from bj_protocol.commands import Insure, PlaceBet
from bj_protocol.views import Ask

_OUT = DECISIONS[Action.SIT_OUT].key
_spread = re.compile(r"(?P<amount>.*[^ ]) *x *(?P<spots>[0-9]{1,2})")
_TIMES = {"again": 1, "twice": 2}


def _ask_bet(ask: Ask, last: PlaceBet | None) -> Question:
    """Ask for the bet, typed as ``50``, or ``50 x 2`` for two spots."""
    wager = ask.wager or ANY_WAGER
    most = {1: "", 2: "2"}.get(ask.spots, f"2 to x{ask.spots}")
    spots = f" a spot, x{most} for more" if most else ""
    behind = f", with x{most} behind it for so many spots" if most else ""
    can_sit_out = Action.SIT_OUT in ask.actions
    out = f", {_OUT} to sit out" if can_sit_out else ""
    sits = f", or {_OUT} to sit this round out" if can_sit_out else ""
    return Bet(
        f"Bet ({span(wager)}{spots}{out})?",
        f"bet {amounts(wager)}{behind}{sits}",
        ask,
        decisions(ask),
        last,
    )


@dataclass(frozen=True)
class Bet(Question):
    """The question how much to bet, and on how many spots."""

    last: PlaceBet | None = None
    """The last bet of the seat, which can be made again, or twice."""

    def answer(self, text: str) -> Reading:
        """Read a bet, or the wish to sit out."""
        if text not in _TIMES:
            return self.words.get(text) or self.amount(text)
        if self.last is None:
            return self.complaint("You have not bet here yet")
        spots = f" x {self.last.spots}" if self.last.spots > 1 else ""
        return self.amount(f"{plain(self.last.amount * _TIMES[text])}{spots}")

    def amount(self, typed: str) -> Reading:
        """Read an amount, and the number of spots behind it."""
        ask = self.ask
        assert ask is not None
        wager = ask.wager or ANY_WAGER
        if typed in {"all", "all in"}:
            return PlaceBet(prompt=ask.prompt, amount=largest(wager))
        spread = _spread.fullmatch(typed)
        spots = 1 if spread is None else int(spread["spots"])
        if not 1 <= spots <= ask.spots:
            return self.complaint("That is not a number of spots to bet on here")
        try:
            amount = read_wager(spread["amount"] if spread else typed, wager)
        except WagerError as bad:
            return self.complaint(str(bad))
        return PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)


_INSURE = DECISIONS[Action.INSURE]
_HIGH, _LOW = DECISIONS[Action.ACE_HIGH].key, DECISIONS[Action.ACE_LOW].key
_OFFERS = {Action.EVEN_MONEY, Action.SURRENDER}
_PLAYS = (
    *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
    *(Action.SURRENDER, Action.GIVE_UP),
)


def question_for(ask: Ask, table: Table, last: PlaceBet | None = None) -> Question:
    """Return the question that puts an ask to a person; ``last`` is their last bet."""
    several = len(table.seat(ask.seat).hands) > 1
    hand = f"Hand {ask.hand + 1}: " if several else ""
    match kind_of(ask):
        case Kind.BET:
            return _ask_bet(ask, last)
        case Kind.GIFT:
            return Question(
                f"You are broke. An anonymous donor offers {dollars(ask.gift or 0)}. "
                "Accept (y/n)?",
                "type y to accept the gift or n to sit this round out",
                ask,
                decisions(ask, {"n": Action.SIT_OUT, "no": Action.SIT_OUT}),
            )
        case Kind.ACES:
            return Question(
                _put(hand, f"does an ace count 11 ({_HIGH}) or 1 ({_LOW})?"),
                f"type {_HIGH} or 11 for high, or {_LOW} or 1 for low: it counts for "
                "every ace",
                ask,
                decisions(ask),
            )
        case Kind.PAIR:
            pair = _pair_name(table.hand(ask.seat, ask.hand).cards)
            return Question(
                f"Split your {pair} (y/n)?",
                "type y to split the pair or n to keep it together",
                ask,
                decisions(ask, {"y": Action.SPLIT, "yes": Action.SPLIT}),
            )
        case Kind.OFFER:
            return _ask_offer(ask, hand)
        case Kind.INSURANCE:
            return _ask_insurance(ask, hand, _half(ask, table))
        case _:
            return _ask_play(ask, hand, _half(ask, table))


def _half(ask: Ask, table: Table) -> str:
    """Return half of the hand's stake, as it would be typed to insure for it."""
    hands = table.seat(ask.seat).hands
    if Action.INSURE not in ask.actions or ask.hand >= len(hands):
        return ""
    half = hands[ask.hand].stake // 2
    if ask.wager is not None:
        half -= half % ask.wager.step
        half = min(max(half, ask.wager.minimum), largest(ask.wager))
    return plain(half)


def _pair_name(cards: list[str]) -> str:
    ranks = [rank_name(card) for card in cards]
    if len(set(ranks)) > 1:  # a pair by value
        return " and ".join(ranks)
    return f"{ranks[0]}s" if ranks else "pair"


def _put(hand: str, text: str) -> str:
    return f"{hand}{text}" if hand else f"{text[:1].upper()}{text[1:]}"


def _offers(ask: Ask) -> list[Decision]:
    return offered(_OFFERS.intersection(ask.actions))


def _ask_offer(ask: Ask, hand: str) -> Question:
    """Ask about an offer before the play without an insurance."""
    parts = [f"{each.choice} ({each.key})" for each in _offers(ask)]
    keys = [f"{each.key} for {each.choice}" for each in _offers(ask)]
    return Question(
        _put(hand, f"{listed([*parts, 'play on (n)'], 'or')}?"),
        f"type {listed([*keys, 'n to play on'], 'or')}",
        ask,
        decisions(ask),
    )


@dataclass(frozen=True)
class _Insuring(Question):
    """A question to which an insurance is an answer."""

    half: str = ""
    """Half of the stake, as it would be typed."""
    is_named: bool = False
    """Whether the amount needs a word before it."""

    def answer(self, text: str) -> Reading:
        if text in self.words or (self.is_named and not text.startswith(_INSURE.key)):
            return super().answer(text)
        bare = text.removeprefix(_INSURE.word).removeprefix(_INSURE.key)
        return self.amount(bare.strip())

    def amount(self, typed: str) -> Reading:
        assert self.ask is not None
        try:
            text = self.half if typed == "half" else typed
            amount = read_wager(text, self.ask.wager or ANY_WAGER)
        except WagerError as bad:
            return self.complaint(str(bad))
        return Insure(prompt=self.ask.prompt, amount=amount)


def _ask_insurance(ask: Ask, hand: str, half: str) -> Question:
    wager = ask.wager or ANY_WAGER
    more = "".join(f"{each.key} for {each.choice}, " for each in _offers(ask))
    keys = "".join(f", {each.key} for {each.choice}" for each in _offers(ask))
    return _Insuring(
        _put(hand, f"insurance ({span(wager)}, {more}n for none)?"),
        f"insure for {amounts(wager)}{keys}, or type n for no insurance",
        ask,
        decisions(ask),
        half,
    )


def _ask_play(ask: Ask, hand: str, half: str) -> Question:
    plays = [each for each in offered(ask.actions) if each is not _INSURE]
    parts = [f"{each.choice} ({each.key})" for each in plays]
    keys = [f"{each.key} to {each.choice}" for each in plays]
    may_insure = Action.INSURE in ask.actions
    if may_insure:
        parts.append(f"{_INSURE.choice} ({_INSURE.key} AMOUNT)")
        wager = amounts(ask.wager or ANY_WAGER)
        keys.append(f"{_INSURE.key} and {wager} to {_INSURE.choice}")
    prompt = _put(hand, f"{listed(parts, 'or')}?")
    choices = f"type {listed(keys, 'or')}"
    closed = {
        word: Complaint(f"You cannot {play.choice} now: {choices}.")
        for play in offered(_PLAYS)
        for word in play.typed
    }
    words = closed | decisions(ask)
    if not may_insure:
        return Question(prompt, choices, ask, words)
    return _Insuring(prompt, choices, ask, words, half, is_named=True)
