"""Legal answers: the named filters that keys, buttons and hints share."""

from collections.abc import Callable

from bj_client.question.question import Kind
from bj_client.screen.scene import Scene, Showing
from bj_protocol.action import Action


def may(scene: Scene, *actions: Action) -> bool:
    """Say whether one of ``actions`` can be answered now."""
    return scene.keys_count and bool(scene.asked & set(actions))


def may_accept(scene: Scene) -> bool:
    """Say whether there is something to say yes to."""
    return scene.keys_count and scene.kind in {Kind.PAIR, Kind.GIFT, Kind.AGAIN}


def can_decline(scene: Scene) -> bool:
    """Say whether there is something to say no to, other than leaving."""
    gift = scene.kind is Kind.GIFT
    return may(scene, Action.DECLINE) or (scene.keys_count and gift)


def can_type_amount(scene: Scene) -> bool:
    """Say whether digits are an amount now, or what an ace counts.

    They are from the first moment on: alone they send nothing, and a bet that lacks its
    first digit is another bet.
    """
    amounts = {Action.PLACE_BET, Action.INSURE, Action.ACE_HIGH}
    return scene.is_open and bool(scene.asked & amounts)


def can_deal(scene: Scene) -> bool:
    """Say whether Enter deals: a bet that is typed, or the next round."""
    is_bet = may(scene, Action.PLACE_BET) and bool(scene.typed)
    return is_bet or (scene.keys_count and scene.kind is Kind.AGAIN)


def can_deal_anew(scene: Scene) -> bool:
    """Say whether Deal deals: between rounds, or in one that is lost by it."""
    return may(scene, Action.GIVE_UP) or (scene.keys_count and scene.kind is Kind.AGAIN)


def can_bet_again(scene: Scene) -> bool:
    """Say whether the last bet can be made again."""
    return may(scene, Action.PLACE_BET) and scene.seat_asked in scene.bets


def can_say(scene: Scene) -> bool:
    """Say whether the table can be spoken to."""
    return bool(scene.table.ours) and not scene.is_cut_off()


def can_look(key: str) -> Callable[[Scene], bool]:
    """Return the filter that tells whether a key opens its page, or closes it again."""

    def can(scene: Scene) -> bool:
        page = scene.page
        return (page is None or page.key == key) and not scene.is_cut_off()

    return can


def can_go_on(scene: Scene) -> bool:
    """Say whether there is more of a record to play."""
    return scene.showing is not Showing.OVER and scene.page is None


def can_change(scene: Scene) -> bool:
    """Say whether the player can go and choose another table."""
    return scene.has_lobby and not scene.is_cut_off()


def can_leave(scene: Scene) -> bool:
    """Say whether the player can leave, which is always so."""
    return scene is not None
