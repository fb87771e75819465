"""Legality: the plays that a hand may make now, and a reason for each that it may not.

The prompts made here are the only source of legality in the project.
"""

from functools import cache
from types import MappingProxyType

from bj_game.card import Card
from bj_game.hand import Aces, Hand, HandState, Player, total_of
from bj_game.house import House
from bj_game.play import Play, Prompt, Reason, WagerRange

# The usual reasons, looked up once: a member of an enumeration costs as much as a call.
_NOT_HERE, _NO_PAIR, _LATER = (
    Reason.NOT_IN_THIS_HOUSE,
    Reason.NOT_A_PAIR,
    Reason.NOT_THE_FIRST_DECISION,
)

_BEFORE_SPLIT = dict.fromkeys(Play, Reason.SPLIT_UNDECIDED)

_BEFORE_ACES = dict.fromkeys(Play, Reason.ACES_UNVALUED)

_BEFORE_PLAY = dict.fromkeys(Play, Reason.OFFER_UNDECIDED) | {
    Play.INSURE: Reason.INSURANCE_NOT_OFFERED,
    Play.ACE_HIGH: Reason.ACES_NOT_ASKED,
    Play.ACE_LOW: Reason.ACES_NOT_ASKED,
}

_DOUBLE_TOTALS = {"9-11": range(9, 12), "10-11": range(10, 12)}


def bet_limits(
    house: House, funds: int, *, rung: int = 0, room: int | None = None
) -> WagerRange:
    """Return the limits of a bet before a round, with ``funds`` free.

    ``rung`` is how far the seat has climbed on a ladder of bets. No more than ``room``
    is taken, but always the minimum.
    """
    least, most = house.minimum_bet, house.maximum_bet or house.maximum_wager
    if house.bet == "ladder":
        least = most = house.minimum_bet + rung
    if room is not None:
        most = min(most, max(least, room))
    funds = min(most, funds)
    return WagerRange.within(minimum=least, funds=funds, step=house.bet_step)


def split_prompt(
    house: House, player: Player, hand: Hand, upcard: Card | None, hands: int
) -> Prompt | None:
    """Return the question whether to split ``hand``, where it comes by itself.

    A split is decided before insurance (``specs/cpsc386.txt``, "Rules"), so it comes by
    itself when the hand's own offer of insurance is to follow. Otherwise it is one of
    the choices of the hand's first decision. ``hands`` are on the table.
    """
    if _insurance_limits(house, player, hand, upcard) is None:
        return None
    if _why_not_split(house, player, hand, hands) is not None:
        return None
    plays = (Play.SPLIT, Play.DECLINE)
    return Prompt(seat=hand.seat, hand=hand.index, plays=plays, denials=_BEFORE_SPLIT)


def offer_prompt(
    house: House, player: Player, hand: Hand, upcard: Card | None
) -> Prompt | None:
    """Return the offer to ``hand`` before its play, if there is one.

    It may be insurance, even money for a natural, and an early surrender.
    """
    limits = _insurance_limits(house, player, hand, upcard)
    plays = [] if limits is None else [Play.INSURE]
    if house.even_money and hand.is_natural and upcard is not None and upcard.is_ace:
        plays.append(Play.EVEN_MONEY)
    if _may_surrender_early(house, hand, upcard):
        plays.append(Play.SURRENDER)
    if not plays:
        return None
    no_even_money = Reason.NOT_A_NATURAL if house.even_money else _NOT_HERE
    denials = _BEFORE_PLAY | {Play.EVEN_MONEY: no_even_money}
    return Prompt(
        seat=hand.seat,
        hand=hand.index,
        plays=(*plays, Play.DECLINE),
        denials=denials,
        insurance=limits,
    )


def ace_prompt(hand: Hand) -> Prompt | None:
    """Return the question how the aces of ``hand`` count, if it has any.

    Players say so in some houses only, and anew after every card
    (``specs/cs220.txt``, 2.1). High is the default unless that busts.
    """
    if not any(card.is_ace for card in hand.cards):
        return None
    if hand.state is not HandState.PLAYING or hand.cards_valued == len(hand.cards):
        return None
    plays = (Play.ACE_HIGH, Play.ACE_LOW)
    if total_of(hand.cards, Aces.ELEVEN).points > 21:
        plays = (Play.ACE_LOW, Play.ACE_HIGH)
    return Prompt(seat=hand.seat, hand=hand.index, plays=plays, denials=_BEFORE_ACES)


def play_prompt(
    house: House, player: Player, hand: Hand, upcard: Card | None, hands: int
) -> Prompt:
    """Return the question how to go on with ``hand``, of ``hands`` in play."""
    return _choices(
        hand.seat,
        hand.index,
        _why_not_hit(house, hand),
        _why_not_double(house, player, hand),
        _why_not_split(house, player, hand, hands),
        _why_not_surrender(house, hand, upcard),
        house.give_up,
        house.even_money,
    )


@cache  # the reasons are few, and so are the questions
def _choices(
    seat: int,
    hand: int,
    no_hit: Reason | None,
    no_double: Reason | None,
    no_split: Reason | None,
    no_surrender: Reason | None,
    may_give_up: bool,
    has_even_money: bool,
) -> Prompt:
    """Return the question with the plays that nothing speaks against."""
    reasons = {
        Play.HIT: no_hit,
        Play.STAND: None,
        Play.DOUBLE: no_double,
        Play.SPLIT: no_split,
        Play.SURRENDER: no_surrender,
        Play.GIVE_UP: None if may_give_up else _NOT_HERE,
        Play.INSURE: Reason.INSURANCE_NOT_OFFERED,
        Play.EVEN_MONEY: Reason.NOT_A_NATURAL if has_even_money else _NOT_HERE,
        Play.DECLINE: Reason.NOTHING_TO_DECLINE,
        Play.ACE_HIGH: Reason.ACES_NOT_ASKED,
        Play.ACE_LOW: Reason.ACES_NOT_ASKED,
    }
    plays = tuple(play for play, reason in reasons.items() if reason is None)
    denials = {play: reason for play, reason in reasons.items() if reason is not None}
    return Prompt(seat=seat, hand=hand, plays=plays, denials=MappingProxyType(denials))


def has_offers(house: House, upcard: Card) -> bool:
    """Whether any hand may be offered something before its play."""
    is_early = house.surrender == "early" and may_hide_blackjack(upcard)
    is_for_naturals = house.even_money and upcard.is_ace
    return house.insures(upcard.value) or is_early or is_for_naturals


def may_hide_blackjack(upcard: Card | None) -> bool:
    """Whether an upcard makes a blackjack with the right hole card."""
    return upcard is not None and upcard.value in (1, 10)


def _insurance_limits(
    house: House, player: Player, hand: Hand, upcard: Card | None
) -> WagerRange | None:
    if upcard is None or not house.insures(upcard.value):
        return None
    funds = min(player.funds, house.maximum_wager)
    minimum, step = house.minimum_bet, house.bet_step
    if house.insurance_limit == "half_stake":
        # Half of the smallest bet is less than a bet, so any cent will do.
        minimum, step = 1, 1
        funds = min(funds, hand.stake // 2)
    limits = WagerRange.within(minimum=minimum, funds=funds, step=step)
    return limits if limits.is_possible else None


def _may_surrender_early(house: House, hand: Hand, upcard: Card | None) -> bool:
    if house.surrender != "early" or hand.is_split or not may_hide_blackjack(upcard):
        return False
    # A complete hand has no decision, and one with aces to be valued is not complete.
    return not (hand.is_natural and house.complete_at_21 and house.ace == "best")


def _why_not_hit(house: House, hand: Hand) -> Reason | None:
    if not house.hit:
        return _NOT_HERE
    is_frozen = hand.is_split and _is_frozen(house, hand)
    return Reason.ONE_CARD_ON_SPLIT_ACES if is_frozen else None


def _is_frozen(house: House, hand: Hand) -> bool:
    """Whether the hand, one of a split, is an ace that gets one card and no more."""
    return house.one_card_on_split_aces and hand.cards[0].is_ace


def _why_not_split(
    house: House, player: Player, hand: Hand, hands: int
) -> Reason | None:
    if house.split == "none":
        return _NOT_HERE
    if hand.is_split:
        on_spot = sum(each.spot == hand.spot for each in player.hands)
        if on_spot >= house.max_hands:
            return Reason.ALREADY_SPLIT
    if len(hand.cards) > 2 or hand.is_split_declined:
        return _LATER
    if not (hand.is_pair or (house.split == "value" and hand.is_pair_by_value)):
        return _NO_PAIR
    if hand.is_split and hand.cards[0].is_ace and not house.resplit_aces:
        return Reason.ALREADY_SPLIT
    most = house.most_hands
    if most is not None and hands >= most:
        return Reason.TOO_MANY_HANDS
    if player.funds < hand.stake:
        return Reason.NOT_ENOUGH_FUNDS
    return None


def _why_not_double(house: House, player: Player, hand: Hand) -> Reason | None:
    if house.double == "none":
        return _NOT_HERE
    if len(hand.cards) > 2:
        return _LATER
    if hand.is_split and _is_frozen(house, hand):
        return Reason.ONE_CARD_ON_SPLIT_ACES
    if hand.is_split and not house.double_after_split:
        return Reason.NOT_AFTER_A_SPLIT
    if house.double != "any_two" and not _is_on(house.double, hand):
        return Reason.NOT_ON_THIS_TOTAL
    if player.funds < hand.stake:
        return Reason.NOT_ENOUGH_FUNDS
    return None


def _is_on(totals: str, hand: Hand) -> bool:
    total = hand.total
    return total.points in _DOUBLE_TOTALS[totals] and not total.soft


def _why_not_surrender(house: House, hand: Hand, upcard: Card | None) -> Reason | None:
    if house.surrender == "none":
        return _NOT_HERE
    if hand.is_split:
        return Reason.NOT_AFTER_A_SPLIT
    was_offered = house.surrender == "early" and may_hide_blackjack(upcard)
    if was_offered or len(hand.cards) > 2:
        return _LATER
    return None
