"""Asking: the question that belongs to each kind of ``Ask``."""

from dataclasses import dataclass
from typing import ClassVar

from bj_client.model.card import rank_name
from bj_client.model.decision import DECISIONS, Decision, offered
from bj_client.model.table import Table
from bj_client.question.bet import Bet
from bj_client.question.question import Asked, Kind, Question, Reading, kind_of
from bj_client.words.money import WagerError, dollars, plain, read_wager
from bj_protocol.action import Action
from bj_protocol.commands import Insure
from bj_protocol.views import Ask

_INSURE = DECISIONS[Action.INSURE]
_HIGH, _LOW = DECISIONS[Action.ACE_HIGH].key, DECISIONS[Action.ACE_LOW].key


def question_for(ask: Ask, table: Table) -> Question:
    """Return the question that puts an ask to a person."""
    match kind_of(ask):
        case Kind.BET:
            return Bet(ask)
        case Kind.GIFT:
            return _Gift(ask)
        case Kind.ACES:
            return _Aces(ask, _hand_name(ask, table))
        case Kind.INSURANCE:
            return _Insurance(ask, _hand_name(ask, table), _half(ask, table))
        case Kind.PAIR:
            return _Pair(ask, _pair_name(table.hand(ask.seat, ask.hand).cards))
        case Kind.OFFER:
            return _Offer(ask, _hand_name(ask, table))
        case _:
            return _Play(ask, _hand_name(ask, table), _half(ask, table))


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


def _put(hand: str, text: str) -> str:
    return f"{hand}: {text}" if hand else f"{text[:1].upper()}{text[1:]}"


@dataclass(frozen=True)
class _Choosing(Asked):
    """A question that is answered by a word alone, without an amount."""

    def answer(self, text: str) -> Reading:
        return self.chosen(text) or self.no_choice(text)


@dataclass(frozen=True)
class _Gift(_Choosing):
    also: ClassVar = {"n": Action.SIT_OUT, "no": Action.SIT_OUT}

    @property
    def prompt(self) -> str:
        gift = dollars(self.asked.gift or 0)
        return f"You are broke. An anonymous donor offers {gift}. Accept (y/n)?"

    @property
    def choices(self) -> str:
        return "type y to accept the gift or n to sit this round out"


@dataclass(frozen=True)
class _Aces(_Choosing):
    hand: str

    @property
    def prompt(self) -> str:
        return _put(self.hand, f"does an ace count 11 ({_HIGH}) or 1 ({_LOW})?")

    @property
    def choices(self) -> str:
        high, low = f"{_HIGH} or 11 for high", f"{_LOW} or 1 for low"
        return f"type {high}, or {low}: it counts for every ace"


@dataclass(frozen=True)
class _Pair(_Choosing):
    pair: str
    also: ClassVar = {"y": Action.SPLIT, "yes": Action.SPLIT}

    @property
    def prompt(self) -> str:
        return f"Split your {self.pair} (y/n)?"

    @property
    def choices(self) -> str:
        return "type y to split the pair or n to keep it together"


@dataclass(frozen=True)
class _Offer(_Choosing):
    """An offer before the play without an insurance."""

    hand: str

    @property
    def prompt(self) -> str:
        parts = [f"{each.choice} ({each.key})" for each in _offers(self.asked)]
        return _put(self.hand, f"{_listed([*parts, 'play on (n)'])}?")

    @property
    def choices(self) -> str:
        parts = [f"{each.key} for {each.choice}" for each in _offers(self.asked)]
        return f"type {_listed([*parts, 'n to play on'])}"


def _offers(ask: Ask) -> list[Decision]:
    return offered({Action.EVEN_MONEY, Action.SURRENDER} & set(ask.actions))


@dataclass(frozen=True)
class _Insuring(Asked):
    """A question to which an insurance is an answer."""

    hand: str
    half: str
    """Half of the stake, as it would be typed."""

    def amount(self, typed: str) -> Reading:
        try:
            text = self.half if typed == "half" else typed
            amount = read_wager(text, self.wager)
        except WagerError as bad:
            return self.complaint(str(bad))
        return Insure(prompt=self.asked.prompt, amount=amount)

    def named_amount(self, text: str) -> Reading:
        """Read the amount behind ``i`` or ``insure``, or a text without them."""
        text = text.removeprefix(_INSURE.word).removeprefix(_INSURE.key)
        return self.amount(text.strip())


@dataclass(frozen=True)
class _Insurance(_Insuring):
    @property
    def prompt(self) -> str:
        hand = f"{self.hand}: insurance" if self.hand else "Insurance"
        more = "".join(f"{c.key} for {c.choice}, " for c in _offers(self.asked))
        return f"{hand} ({self.span}, {more}n for none)?"

    @property
    def choices(self) -> str:
        more = "".join(f", {c.key} for {c.choice}" for c in _offers(self.asked))
        return f"insure for {self.amounts}{more}, or type n for no insurance"

    def answer(self, text: str) -> Reading:
        return self.chosen(text) or self.named_amount(text)


_PLAYS = offered(
    {
        *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT),
        *(Action.SURRENDER, Action.GIVE_UP),
    }
)


@dataclass(frozen=True)
class _Play(_Insuring):
    @property
    def prompt(self) -> str:
        parts = [f"{each.choice} ({each.key})" for each in self._open]
        if self._may_insure:
            parts.append(f"{_INSURE.choice} ({_INSURE.key} AMOUNT)")
        return _put(self.hand, f"{_listed(parts)}?")

    @property
    def choices(self) -> str:
        parts = [f"{each.key} to {each.choice}" for each in self._open]
        if self._may_insure:
            parts.append(f"{_INSURE.key} and {self.amounts} to {_INSURE.choice}")
        return f"type {_listed(parts)}"

    @property
    def _open(self) -> list[Decision]:
        return [each for each in offered(self.asked.actions) if each is not _INSURE]

    @property
    def _may_insure(self) -> bool:
        return Action.INSURE in self.asked.actions

    def answer(self, text: str) -> Reading:
        if (chosen := self.chosen(text)) is not None:
            return chosen
        for play in _PLAYS:
            if text in play.typed:
                return self.complaint(f"You cannot {play.choice} now")
        if text.startswith(_INSURE.key) and self._may_insure:
            return self.named_amount(text)
        return self.no_choice(text)
