"""What holds in every round, whatever is dealt and decided."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bj_game.card import parse_cards
from bj_game.event import DealerBusted, HandSettled, InsuranceSettled
from bj_game.play import IllegalPlayError, Play, Reason, Reply, Stake, WagerRange
from bj_game.round import Round
from bj_game.shoe import Shoe, ShoeEmptyError, fill_shoe
from bj_game.shuffle import NumberedStream
from game.transcript import load, read_all

HOUSE = load("cpsc386")


def play_by_dice(seed: int, seats: int) -> tuple[Round, list[tuple[int, Reply]]]:
    """Play a round with random legal answers, and return it with the answers."""
    dice = random.Random(seed)
    shoe = fill_shoe(HOUSE, NumberedStream(seed))
    stakes = [
        Stake(
            seat=seat, amount=100 * dice.randint(1, 50), funds=100 * dice.randint(0, 99)
        )
        for seat in range(1, seats + 1)
    ]
    played = Round(HOUSE, shoe, stakes)
    answers: list[tuple[int, Reply]] = []
    while played.prompt:
        limits = played.prompt.insurance
        amount = 100 * dice.randint(1, limits.maximum // 100) if limits else 0
        reply = Reply(play=dice.choice(played.prompt.plays), amount=amount)
        answers.append((played.prompt.seat, reply))
        played.answer(*answers[-1])
    return played, answers


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_no_money_is_made_or_lost_but_by_the_results(seed: int, seats: int) -> None:
    dice = random.Random(seed)
    brought = {
        seat: 100 * (dice.randint(1, 50) + dice.randint(0, 99))
        for seat in range(1, seats + 1)
    }
    played, _ = play_by_dice(seed, seats)
    for event in played.take_events():
        if isinstance(event, HandSettled):
            brought[event.seat] += event.payout - event.stake
        if isinstance(event, InsuranceSettled):
            brought[event.seat] += event.payout - event.amount
    assert {player.seat: player.funds for player in played.players} == brought
    assert all(player.funds >= 0 for player in played.players)


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_a_round_is_its_shoe_its_stakes_and_its_answers(seed: int, seats: int) -> None:
    first, answers = play_by_dice(seed, seats)
    again, same = play_by_dice(seed, seats)
    assert answers == same
    assert first.take_events() == again.take_events()


@given(st.integers(0, 2**32))
def test_the_dealer_ends_with_seventeen_or_more_or_all_hands_are_bust(
    seed: int,
) -> None:
    played, _ = play_by_dice(seed, 3)
    hands = [hand for player in played.players for hand in player.hands]
    if all(hand.total.points > 21 for hand in hands):
        assert len(played.dealer.cards) == 2
    else:
        assert played.dealer.total.points >= 17


@given(st.integers(0, 2**32), st.sampled_from(Play), st.integers(-100, 10**6))
def test_a_refused_play_leaves_everything_untouched(
    seed: int, play: Play, amount: int
) -> None:
    shoe = fill_shoe(HOUSE, NumberedStream(seed))
    played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=300)])
    while played.prompt:
        played.take_events()
        before = (played.prompt, shoe.dealt, repr(played.players))
        try:
            played.answer(1, Reply(play=play, amount=amount))
        except IllegalPlayError:
            assert (played.prompt, shoe.dealt, repr(played.players)) == before
            assert played.take_events() == ()
            played.answer(1, Reply(play=played.prompt.default))


def test_every_reason_to_refuse_happens_in_a_transcript() -> None:
    refused = {
        answer.partition(" ! ")[2]
        for transcript in read_all()
        for answer in transcript.answers
    }
    assert refused - {""} == set(Reason)


def test_an_insurance_is_in_whole_dollars() -> None:
    shoe = Shoe(parse_cards("Ts Ah 9s 7h"), below_cut=0)
    played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=5000)])
    with pytest.raises(IllegalPlayError) as caught:
        played.answer(1, Reply(play=Play.INSURE, amount=150))
    assert caught.value.reason is Reason.NOT_A_WHOLE_STEP


def test_an_insurance_of_half_the_stake_is_in_cents() -> None:
    shoe = Shoe(parse_cards("Ts Ah 9s 7h"), below_cut=0)
    played = Round(load("downtown"), shoe, [Stake(seat=1, amount=1001, funds=5000)])
    assert played.prompt is not None
    assert played.prompt.insurance == WagerRange(minimum=1, maximum=500, step=1)


def test_a_dealer_of_22_has_busted() -> None:
    shoe = Shoe(parse_cards("Ts Th 9s 6h 6d"), below_cut=0)
    played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=0)])
    played.answer(1, Reply(play=Play.STAND))
    busts = [e for e in played.take_events() if isinstance(e, DealerBusted)]
    assert [bust.total for bust in busts] == [22]


def test_a_shoe_that_runs_out_ends_the_round_with_an_error() -> None:
    shoe = Shoe(parse_cards("Ts 9h 2s 8h"), below_cut=0)
    played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=0)])
    with pytest.raises(ShoeEmptyError):
        played.answer(1, Reply(play=Play.HIT))


def test_a_wager_never_passes_the_printed_ceiling() -> None:
    shoe = Shoe(parse_cards("Ts Ah 9s 7h"), below_cut=0)
    played = Round(HOUSE, shoe, [Stake(seat=1, amount=100, funds=10**30)])
    assert played.prompt is not None
    assert played.prompt.insurance is not None
    ceiling = HOUSE.maximum_wager
    assert played.prompt.insurance.maximum == ceiling - ceiling % 100


@pytest.mark.parametrize(
    ("cards", "default"),
    [
        ("As 9d", Play.ACE_HIGH),
        ("As Kd", Play.ACE_HIGH),
        ("As Ad", Play.ACE_LOW),
    ],
)
def test_aces_count_high_by_default_unless_that_busts(
    cards: str, default: Play
) -> None:
    shoe = Shoe(parse_cards(f"{cards} 9h 8h"))
    played = Round(load("cs220"), shoe, [Stake(seat=1, amount=100, funds=0)])
    assert played.prompt
    assert played.prompt.default is default
