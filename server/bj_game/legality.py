"""Legality: what a hand may do now, and the reason for everything that it may not.

The prompts made here are the only source of legality in the project.
"""

from bj_game.card import Card
from bj_game.hand import Hand
from bj_game.house import House
from bj_game.illegal import Reason
from bj_game.play import Play, Prompt
from bj_game.player import Player
from bj_game.wager import WagerLimits

__all__ = ["insurance_prompt", "play_prompt", "split_prompt"]


def split_prompt(house: House, player: Player, upcard: Card) -> Prompt | None:
    """Return the question whether to split, where it must come by itself.

    A split is decided before insurance (``specs/cpsc386.txt``, "Rules"), so it comes by
    itself when insurance is to follow. Otherwise it is one of the choices of the hand's
    first decision.
    """
    hand = player.hands[0]
    if _insurance_limits(house, player, upcard) is None:
        return None
    if _why_not_split(player, hand) is not None:
        return None
    return Prompt(
        seat=player.seat,
        hand=0,
        plays=(Play.SPLIT, Play.DECLINE),
        denials=dict.fromkeys(Play, Reason.SPLIT_UNDECIDED),
    )


def insurance_prompt(
    house: House, player: Player, index: int, upcard: Card
) -> Prompt | None:
    """Return the question whether to insure hand ``index``, where it is offered."""
    limits = _insurance_limits(house, player, upcard)
    if limits is None:
        return None
    return Prompt(
        seat=player.seat,
        hand=index,
        plays=(Play.INSURE, Play.DECLINE),
        denials=dict.fromkeys(Play, Reason.INSURANCE_UNDECIDED),
        insurance=limits,
    )


def play_prompt(player: Player, index: int) -> Prompt:
    """Return the question how to go on with hand ``index``."""
    hand = player.hands[index]
    denials = {
        Play.INSURE: Reason.INSURANCE_NOT_OFFERED,
        Play.DECLINE: Reason.NOTHING_TO_DECLINE,
    }
    plays = [Play.HIT, Play.STAND]
    for play, denial in (
        (Play.DOUBLE, _why_not_double(player, hand)),
        (Play.SPLIT, _why_not_split(player, hand)),
    ):
        if denial is None:
            plays.append(play)
        else:
            denials[play] = denial
    return Prompt(seat=player.seat, hand=index, plays=tuple(plays), denials=denials)


def _insurance_limits(house: House, player: Player, upcard: Card) -> WagerLimits | None:
    limits = WagerLimits.within(
        minimum=house.minimum_bet,
        funds=min(player.funds, house.maximum_wager),
        step=house.bet_step,
    )
    offered = upcard.is_ace or upcard.is_ten_valued
    return limits if offered and limits.is_possible else None


def _why_not_split(player: Player, hand: Hand) -> Reason | None:
    if len(player.hands) > 1:
        return Reason.ALREADY_SPLIT
    if len(hand.cards) > 2 or hand.is_split_declined:
        return Reason.NOT_THE_FIRST_DECISION
    if not hand.is_pair:
        return Reason.NOT_A_PAIR
    if player.funds < hand.stake:
        return Reason.NOT_ENOUGH_FUNDS
    return None


def _why_not_double(player: Player, hand: Hand) -> Reason | None:
    if len(hand.cards) > 2:
        return Reason.NOT_THE_FIRST_DECISION
    if player.funds < hand.stake:
        return Reason.NOT_ENOUGH_FUNDS
    return None
