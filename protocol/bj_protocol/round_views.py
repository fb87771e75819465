"""Views of a round: hands and questions, as everyone may see them.

The server tells of a round by them, and the client's check makes them again from the
round that it has played for itself. A hole card is hidden here until it is turned.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from bj_game import event as game
from bj_game.card import HIDDEN
from bj_game.hand import Hand, Player, total_of
from bj_game.house import House
from bj_game.play import Play, Prompt
from bj_game.round import Round
from bj_protocol.action import Action
from bj_protocol.recall import PastDecision, PastHand, PastInsurance, PastPlay
from bj_protocol.views import Ask, DealerView, HandView

ACTIONS = {play: Action(play) for play in Play}
"""The words of the wire for the plays of the game."""


def ask_view(number: int, prompt: Prompt) -> Ask:
    """Return the question of ``prompt`` under the id ``number``."""
    return Ask(
        prompt=number,
        seat=prompt.seat,
        hand=prompt.hand,
        actions=_actions(prompt.plays),
        wager=prompt.insurance,
    )


@cache  # the same few, over and over
def _actions(plays: tuple[Play, ...]) -> tuple[Action, ...]:
    return tuple(ACTIONS[play] for play in plays)


def hand_views(player: Player) -> tuple[HandView, ...]:
    """Return the hands of a seat."""
    return tuple(_hand_view(hand) for hand in player.hands)


def _hand_view(hand: Hand) -> HandView:
    return HandView(
        cards=tuple(str(card) for card in hand.cards),
        total=hand.total.points,
        soft=hand.total.soft,
        stake=hand.stake,
        insurance=hand.insurance,
        state=hand.state,
    )


def dealer_view(house: House, deal: Round | None) -> DealerView:
    """Return the dealer's hand, the hole card only once it is turned."""
    if deal is None:
        return DealerView(name=house.dealer_name, cards=(), total=None, soft=False)
    cards = deal.dealer.cards
    shown = cards[:1] if deal.is_hole_hidden else cards
    hidden = (HIDDEN,) * (len(cards) - len(shown))
    total = total_of(shown, deal.dealer.aces)
    return DealerView(
        name=house.dealer_name,
        cards=(*(str(card) for card in shown), *hidden),
        total=total.points if shown else None,
        soft=total.soft,
    )


def past_hands(
    views: tuple[HandView, ...], seat: int, happened: Iterable[game.RoundEvent]
) -> tuple[PastHand, ...]:
    """Return the hands of a seat with their results."""
    hands: list[dict[str, Any]] = [dict(view) for view in views]
    for event in happened:
        match event:
            case game.InsuranceSettled(seat=whose) if whose == seat:
                hands[event.hand]["insured"] = PastInsurance(
                    outcome=event.outcome, amount=event.amount, payout=event.payout
                )
            case game.HandSettled(seat=whose) if whose == seat:
                hands[event.hand] |= {
                    "outcome": event.outcome,
                    "reason": event.reason,
                    "payout": event.payout,
                }
            case _:
                pass
    return tuple(PastHand(**fields) for fields in hands)


def decision_view(hand: int, play: PastPlay) -> PastDecision:
    """Return a decision about a hand, as its player may recall it."""
    amount = play.amount if play.action is Action.INSURE else None
    return PastDecision(hand=hand, action=play.action, by=play.by, amount=amount)
