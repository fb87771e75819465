"""The player that tries to break the game."""

from collections.abc import Callable
from typing import Any

from bj_game.strategies import Card, CheatingPlayer, Hand, PlayerBank


def tricks(play: Callable[..., Any], times: int, *given: object) -> list[Any]:
    """Return what each call does: what it returned, or the kind of its error."""
    done: list[Any] = []
    for _ in range(times):
        try:
            done.append(play(*given))
        except RuntimeError as error:
            done.append(type(error))
    return done


def test_every_kind_of_bet_but_an_honest_one_is_tried() -> None:
    player = CheatingPlayer()
    bets = tricks(player.place_bet, 7, 100)
    assert bets == [-1, 10**30, 0.5, "everything", None, True, RuntimeError]


def test_all_that_it_is_given_is_spoilt() -> None:
    player = CheatingPlayer()
    hand, bank = Hand([Card("5", "clubs")]), PlayerBank(90, 10)
    dealer_up, cards_dealt = [Card("A", "hearts")], [Card("5", "clubs")]
    for ask in (player.want_card, player.want_double, player.want_split):
        tricks(ask, 7, hand, bank, dealer_up, cards_dealt)
    assert hand.get_score() == 21
    assert len(hand) == 2
    assert bank.get_balance() == bank.get_wager() == 10**30
    assert dealer_up == cards_dealt == [Card("K", "spades")] * 3


def test_no_answer_of_it_can_be_relied_on() -> None:
    player = CheatingPlayer()
    hand, bank = Hand([Card("5", "clubs")]), PlayerBank(90, 10)
    aces = tricks(player.use_ace_hi, 7, hand)
    assert aces == ["hit", None, True, 1, RuntimeError, False, [True]]
    sums = tricks(player.want_insurance, 4, hand, bank, [], [])
    assert sums == [10**30, -1, "all", RuntimeError]
