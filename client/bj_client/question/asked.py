"""Asking: the question that belongs to each kind of ``Ask``."""

from collections.abc import Callable
from dataclasses import dataclass

from bj_client.model.card import rank_name
from bj_client.model.table import Table
from bj_client.question.bet import Bet
from bj_client.question.question import Asked, Question, Reading
from bj_client.words.money import WagerError, dollars, plain, read_wager
from bj_protocol.action import Action
from bj_protocol.commands import (
    AcceptGift,
    AceHigh,
    AceLow,
    AnyAnswer,
    Decline,
    Double,
    EvenMoney,
    GiveUp,
    Hit,
    Insure,
    SitOut,
    Split,
    Stand,
    Surrender,
)
from bj_protocol.views import Ask


def question_for(ask: Ask, table: Table) -> Question:
    """Return the question that puts an ask to a person."""
    actions = frozenset(ask.actions)
    turn = actions & {Action.HIT, Action.STAND}
    if Action.PLACE_BET in actions:
        return Bet(ask)
    if Action.ACCEPT_GIFT in actions:
        return _Gift(ask)
    hand = _hand_name(ask, table)
    if Action.ACE_HIGH in actions:
        return _Aces(ask, hand)
    if Action.INSURE in actions and not turn:
        return _Insurance(ask, hand, _half(ask, table))
    if actions >= {Action.SPLIT, Action.DECLINE} and not turn:
        return _Pair(ask, _pair_name(table.hand(ask.seat, ask.hand).cards))
    if Action.DECLINE in actions and actions & _OFFERS and not turn:
        return _Offer(ask, hand)
    return _Play(ask, hand, _half(ask, table))


def _half(ask: Ask, table: Table) -> str:
    """Return half of the hand's stake, as it would be typed to insure for it."""
    hands = table.seat(ask.seat).hands
    if Action.INSURE not in ask.actions or ask.hand >= len(hands):
        return ""
    half = hands[ask.hand].stake // 2
    if ask.wager is not None:
        half -= half % ask.wager.step
        half = min(max(half, ask.wager.minimum), ask.wager.maximum)
    return plain(half)


def _hand_name(ask: Ask, table: Table) -> str:
    several = len(table.seat(ask.seat).hands) > 1
    return f"Hand {ask.hand + 1}" if several else ""


def _pair_name(cards: list[str]) -> str:
    ranks = [rank_name(card) for card in cards]
    if len(set(ranks)) > 1:  # a pair by value
        return " and ".join(ranks)
    return f"{ranks[0]}s" if ranks else "pair"


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} or {parts[-1]}"


@dataclass(frozen=True)
class _Gift(Asked):
    @property
    def prompt(self) -> str:
        gift = dollars(self.asked.gift or 0)
        return f"You are broke. An anonymous donor offers {gift}. Accept (y/n)?"

    @property
    def choices(self) -> str:
        return "type y to accept the gift or n to sit this round out"

    def answer(self, text: str) -> Reading:
        match text:
            case "y" | "yes":
                return AcceptGift(prompt=self.asked.prompt)
            case "n" | "no" | "o":
                return SitOut(prompt=self.asked.prompt)
            case _:
                return self.no_choice(text)


@dataclass(frozen=True)
class _Insurance(Asked):
    hand: str
    half: str

    @property
    def prompt(self) -> str:
        hand = f"{self.hand}: insurance" if self.hand else "Insurance"
        more = "".join(f"{c.letter} for {c.word}, " for c in self._others)
        return f"{hand} ({self.span}, {more}n for none)?"

    @property
    def choices(self) -> str:
        more = "".join(f", {c.letter} for {c.word}" for c in self._others)
        return f"insure for {self.amounts}{more}, or type n for no insurance"

    @property
    def _others(self) -> list["_Choice"]:
        return _offered(self.asked)

    def answer(self, text: str) -> Reading:
        if text in {"n", "no", "none"}:
            return Decline(prompt=self.asked.prompt)
        for choice in self._others:
            if text in {choice.letter, choice.word}:
                return choice.command(prompt=self.asked.prompt)
        return _insured(self, _named_amount(text), self.half)


def _named_amount(text: str) -> str:
    """Return the text behind ``i`` or ``insure``, or all of a text without them."""
    return text.removeprefix("insure").removeprefix("i").strip()


def _insured(question: Asked, text: str, half: str) -> Reading:
    """Read an amount to insure for; ``half`` is that of the stake."""
    try:
        amount = read_wager(half if text == "half" else text, question.wager)
    except WagerError as bad:
        return question.complaint(str(bad))
    return Insure(prompt=question.asked.prompt, amount=amount)


@dataclass(frozen=True)
class _Offer(Asked):
    """An offer before the play without an insurance."""

    hand: str

    @property
    def prompt(self) -> str:
        parts = [f"{choice.word} ({choice.letter})" for choice in _offered(self.asked)]
        return _put(self.hand, f"{_listed([*parts, 'play on (n)'])}?")

    @property
    def choices(self) -> str:
        parts = [
            f"{choice.letter} for {choice.word}" for choice in _offered(self.asked)
        ]
        return f"type {_listed([*parts, 'n to play on'])}"

    def answer(self, text: str) -> Reading:
        if text in {"n", "no", "none", "play on"}:
            return Decline(prompt=self.asked.prompt)
        for choice in _offered(self.asked):
            if text in {choice.letter, choice.word}:
                return choice.command(prompt=self.asked.prompt)
        return self.no_choice(text)


@dataclass(frozen=True)
class _Aces(Asked):
    hand: str

    @property
    def prompt(self) -> str:
        text = "does an ace count 11 (h) or 1 (l)?"
        return f"{self.hand}: {text}" if self.hand else f"D{text[1:]}"

    @property
    def choices(self) -> str:
        return "type h or 11 for high, or l or 1 for low: it counts for every ace"

    def answer(self, text: str) -> Reading:
        match text:
            case "h" | "high" | "11":
                return AceHigh(prompt=self.asked.prompt)
            case "l" | "low" | "1":
                return AceLow(prompt=self.asked.prompt)
            case _:
                return self.no_choice(text)


@dataclass(frozen=True)
class _Pair(Asked):
    pair: str

    @property
    def prompt(self) -> str:
        return f"Split your {self.pair} (y/n)?"

    @property
    def choices(self) -> str:
        return "type y to split the pair or n to keep it together"

    def answer(self, text: str) -> Reading:
        match text:
            case "y" | "yes" | "p" | "split":
                return Split(prompt=self.asked.prompt)
            case "n" | "no":
                return Decline(prompt=self.asked.prompt)
            case _:
                return self.no_choice(text)


@dataclass(frozen=True)
class _Choice:
    action: Action
    letter: str
    word: str
    command: Callable[..., AnyAnswer]


_CHOICES = (
    _Choice(Action.HIT, "h", "hit", Hit),
    _Choice(Action.STAND, "s", "stand", Stand),
    _Choice(Action.DOUBLE, "d", "double", Double),
    _Choice(Action.SPLIT, "p", "split", Split),
    _Choice(Action.GIVE_UP, "g", "give up and deal anew", GiveUp),
    _Choice(Action.EVEN_MONEY, "e", "even money", EvenMoney),
    _Choice(Action.SURRENDER, "u", "surrender", Surrender),
    _Choice(Action.DECLINE, "n", "decline", Decline),
    _Choice(Action.SIT_OUT, "o", "sit out", SitOut),
)


_PLAYS = {
    Action.HIT,
    Action.STAND,
    Action.DOUBLE,
    Action.SPLIT,
    Action.SURRENDER,
    Action.GIVE_UP,
}

_OFFERS = {Action.EVEN_MONEY, Action.SURRENDER}


def _offered(ask: Ask) -> list[_Choice]:
    offered = _OFFERS & set(ask.actions)
    return [choice for choice in _CHOICES if choice.action in offered]


def _put(hand: str, text: str) -> str:
    return f"{hand}: {text}" if hand else f"{text[:1].upper()}{text[1:]}"


@dataclass(frozen=True)
class _Play(Asked):
    hand: str
    half: str

    @property
    def prompt(self) -> str:
        parts = [f"{choice.word} ({choice.letter})" for choice in self._open]
        if Action.INSURE in self.asked.actions:
            parts.append("insure (i AMOUNT)")
        return _put(self.hand, f"{_listed(parts)}?")

    @property
    def choices(self) -> str:
        parts = [f"{choice.letter} to {choice.word}" for choice in self._open]
        if Action.INSURE in self.asked.actions:
            parts.append(f"i and {self.amounts} to insure")
        return f"type {_listed(parts)}"

    @property
    def _open(self) -> list[_Choice]:
        return [choice for choice in _CHOICES if choice.action in self.asked.actions]

    def answer(self, text: str) -> Reading:
        for choice in _CHOICES:
            if text in {choice.letter, choice.word}:
                if choice in self._open:
                    return choice.command(prompt=self.asked.prompt)
                if choice.action in _PLAYS:
                    return self.complaint(f"You cannot {choice.word} now")
        if text.startswith("i") and Action.INSURE in self.asked.actions:
            return _insured(self, _named_amount(text), self.half)
        return self.no_choice(text)
