"""Rounds written as text: read from data files, played, and told line by line."""

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from bj_game import event as happening
from bj_game.card import HIDDEN, parse_cards
from bj_game.event import RoundEvent
from bj_game.hand import Total
from bj_game.house import House, parse_house
from bj_game.play import IllegalPlayError, Play, Reply, Stake
from bj_game.round import Round
from bj_game.shoe import Shoe

FOLDER = Path(__file__).parent / "transcripts"
HOUSES = Path(__file__).parents[2] / "server" / "bj_game" / "houses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A round as it is written in a data file.

    Money is in dollars there: ``bets`` and ``balances`` go by seat, from 1. An answer
    is a play, with the seat before it where several play, as in ``2 insure 50``; one
    with a ``!`` is to be refused for the reason behind it. ``below_cut`` cards lie
    below the cut card, where there is one, and ``left`` cards are to be
    left over. ``rules`` are those in
    which the house differs from the shipped one of its name. ``spots`` is how many each
    seat plays, every one of them for its bet.
    """

    name: str
    shoe: str
    answers: list[str]
    lines: str
    bets: list[int]
    balances: list[int]
    spots: list[int]
    after: list[float]
    below_cut: int | None = None
    left: int = 0
    house: str = "cpsc386"
    rules: dict[str, Any] = field(default_factory=dict)

    def play(self) -> tuple[list[str], list[float]]:
        """Return the lines of the round and the balances in dollars after it."""
        told: list[str] = []
        stakes = [
            Stake(
                seat=seat,
                amount=bet * 100,
                funds=(balance - bet * spots) * 100,
                spots=spots,
            )
            for seat, (bet, balance, spots) in enumerate(
                zip(self.bets, self.balances, self.spots, strict=True), start=1
            )
            if bet
        ]
        shoe = Shoe(parse_cards(self.shoe), below_cut=self.below_cut)
        played = Round(replace(load(self.house), **self.rules), shoe, stakes)
        told += [tell(event, played) for event in played.take_events()]
        for answer in self.answers:
            told.append(f"> {answer}")
            told += self._answer(played, answer)
        assert played.prompt is None, f"{self.name}: still asks {played.prompt}"
        assert shoe.left == self.left, f"{self.name}: {shoe.left} cards are left"
        return told, [dollars(player.funds) for player in played.players]

    def _answer(self, played: Round, answer: str) -> list[str]:
        words, _, refusal = answer.partition(" ! ")
        seat, reply = read_answer(words)
        reason = ""
        try:
            played.answer(seat, reply)
        except IllegalPlayError as illegal:
            reason = illegal.reason
        assert reason == refusal, f"{self.name}: {answer}: {reason or 'not refused'}"
        return [tell(event, played) for event in played.take_events()]


def load(house: str) -> House:
    return parse_house((HOUSES / f"{house}.toml").read_text())


def read_answer(text: str) -> tuple[int, Reply]:
    words = text.split()
    seat = int(words.pop(0)) if words[0].isdigit() else 1
    amount = int(words[1]) * 100 if len(words) > 1 else 0
    return seat, Reply(play=Play(words[0]), amount=amount)


@cache
def read_all() -> tuple[Transcript, ...]:
    """Return every transcript of every data file."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for table in tomllib.loads(path.read_text())["round"]:
            found.append(_read(table))
    return tuple(found)


def _read(table: dict[str, Any]) -> Transcript:
    bets = table.pop("bets", [100])
    balances = table.pop("balances", [1000] * len(bets))
    spots = table.pop("spots", [1] * len(bets))
    return Transcript(bets=bets, balances=balances, spots=spots, **table)


def tell(event: RoundEvent, played: Round) -> str:
    """Return the line for one event of the round that is played."""
    match event:
        case happening.CardDealt(seat=seat, hand=hand, card=card):
            shown = f"({played.dealer.cards[1]})" if card == HIDDEN else card
            return f"{_who(seat, hand)} {shown} = {Total(event.total, event.soft)}"
        case happening.HoleRevealed(card=card, total=total, soft=soft):
            return f"dealer turns {card} = {Total(total, soft)}"
        case happening.CutCardReached():
            return "cut card"
        case happening.DiscardsShuffled(cards=cards):
            return f"discards shuffled: {cards}"
        case happening.DealerPeeked(blackjack=blackjack):
            return f"dealer peeks: {'blackjack' if blackjack else 'no blackjack'}"
        case happening.DealerStood(total=total, blackjack=blackjack):
            assert total == played.dealer.total.points
            ending = " blackjack" if blackjack else ""
            return f"dealer stands {played.dealer.total}{ending}"
        case happening.HandStood(seat=seat, hand=hand, total=total):
            (player,) = (each for each in played.players if each.seat == seat)
            assert total == player.hands[hand].total.points
            return f"{_who(seat, hand)} stands {player.hands[hand].total}"
        case happening.DealerBusted(total=total):
            return f"dealer busts {total}"
        case _:
            return f"{_who(event.seat, event.hand)} {_decision(event)}"


def _who(seat: int, hand: int) -> str:
    return f"{seat}{ascii_lowercase[hand]}" if seat else "dealer"


_PLAIN = {
    happening.SplitDeclined: "keeps the pair",
    happening.OfferDeclined: "no insurance",
    happening.HandSurrendered: "surrenders",
    happening.HandGivenUp: "is given up",
    happening.EvenMoneyTaken: "takes even money",
    happening.HandReachedCharlie: "wins by its cards",
}


def _decision(event: RoundEvent) -> str:
    match event:
        case happening.AcesValued(high=high, total=total):
            return f"counts aces {'11' if high else '1'} = {total}"
        case happening.HandReached21(natural=natural):
            return "has a natural" if natural else "has 21"
        case happening.HandBusted(total=total):
            return f"busts {total}"
        case _:
            return _PLAIN.get(type(event)) or _money(event)


def _money(event: RoundEvent) -> str:
    match event:
        case happening.HandSplit(stake=stake, new_hand=new_hand, balance=balance):
            return (
                f"splits off {ascii_lowercase[new_hand]} for {_usd(stake)}, "
                f"{_usd(balance)} left"
            )
        case happening.HandInsured(amount=amount, balance=balance):
            return f"insures {_usd(amount)}, {_usd(balance)} left"
        case happening.HandDoubled(stake=stake, balance=balance):
            return f"doubles to {_usd(stake)}, {_usd(balance)} left"
        case happening.InsuranceSettled(outcome=outcome, amount=amount, payout=payout):
            return f"insurance {outcome} {_usd(amount)} -> {_usd(payout)}"
        case happening.HandSettled(outcome=outcome, stake=stake, payout=payout):
            return f"{outcome} {_usd(stake)} -> {_usd(payout)}: {event.reason}"
        case _:
            raise AssertionError(event)


def _usd(cents: int) -> str:
    return str(dollars(cents))


def dollars(cents: int) -> float:
    """Return whole dollars where they are whole."""
    return cents / 100 if cents % 100 else cents // 100
