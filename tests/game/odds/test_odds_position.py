"""The worth of plays at one position."""

from dataclasses import replace
from typing import Any

import pytest

from bj_game import odds
from bj_game.house import House
from bj_game.play import Play
from game.exact import Exact
from game.simulation import RANKS
from game.transcript import load
from game.worth import UPCARDS, values_of

STRIP = load("vegas-strip")
ENDLESS = replace(STRIP, shoe="endless")
FULL = (Play.HIT, Play.STAND, Play.DOUBLE, Play.SPLIT)


def worths(house: House, cards: str, upcard: str, **more: object) -> dict[str, float]:
    shown = [rank + suit for rank, suit in zip(cards, "shdcsh", strict=False)]
    found = odds.values(house, shown, upcard + "h", **more)  # type: ignore[arg-type]
    return {play.value: value for play, value in found.items()}


@pytest.mark.parametrize("upcard", UPCARDS)
def test_20_1_each_play_is_worth_what_is_published(upcard: str) -> None:
    for first in RANKS:
        for second in RANKS[RANKS.index(first) :]:
            if first + second == "AT":
                continue
            known = values_of(first + second, UPCARDS.index(upcard))
            found = worths(ENDLESS, first + second, upcard)
            if first == second and known["split"] < max(known.values()):
                # The page goes on splitting where that is worse than to play on.
                split = found.pop("split")
                assert known.pop("split") - 3e-6 < split < max(found.values())
            assert found == pytest.approx(known, abs=3e-6), first + second


TORTURE = pytest.mark.torture


@pytest.mark.parametrize(
    ("name", "cards", "upcard"),
    [
        ("european", (6, 10), 10),
        ("dsc20", (7, 7), 10),
        pytest.param("dsc20", (2, 3), 1, marks=TORTURE),
        pytest.param("vegas-strip", (8, 8), 10, marks=TORTURE),
        pytest.param("vegas-strip", (1, 6), 1, marks=TORTURE),
        ("downtown", (7, 9), 9),
        pytest.param("downtown", (2, 10), 3, marks=TORTURE),
    ],
)
def test_20_1_each_card_that_is_out_is_reckoned_with(
    name: str, cards: tuple[int, int], upcard: int
) -> None:
    house = load(name)
    known = Exact(house, upcard).values(*cards)
    known.pop("split", None)
    shown = "".join(RANKS[card - 1] for card in cards)
    found = worths(house, shown, RANKS[upcard - 1])
    found.pop("split", None)
    assert found == pytest.approx(known, abs=1e-12)


@pytest.mark.torture
@pytest.mark.parametrize("card", [6, 7, 8, 9])
def test_20_1_a_split_into_two_is_exact(card: int) -> None:
    house = load("cpsc386")
    known = Exact(house, 10).values(card, card)["split"]
    found = worths(house, 2 * str(card), "T")["split"]
    assert found == pytest.approx(known, abs=1e-12)


def test_20_1_what_is_left_is_that_of_a_full_shoe_unless_it_is_told() -> None:
    house = load("european")
    counts = [24] * 9 + [96]
    for rank in (10, 6, 10):
        counts[rank - 1] -= 1
    told = worths(house, "T6", "T", counts=counts)
    assert told == pytest.approx(worths(house, "T6", "T"), abs=1e-12)
    counts[4] = 0
    assert worths(house, "T6", "T", counts=counts)["hit"] < told["hit"]


def test_20_1_a_shoe_of_few_cards_is_reckoned_as_if_none_were_taken() -> None:
    few = [1] * 9 + [4]
    found = worths(STRIP, "T6", "T", counts=few)
    known = worths(ENDLESS, "T6", "T", counts=few)
    assert found == pytest.approx(known, abs=1e-12)


def test_20_1_a_hand_that_is_over_can_only_stand() -> None:
    assert worths(ENDLESS, "AT", "6") == pytest.approx({"stand": 1.5})
    assert worths(ENDLESS, "AT", "A") == pytest.approx({"stand": 1.5})
    assert worths(ENDLESS, "T95", "6") == pytest.approx({"stand": -1.0})
    complete = worths(ENDLESS, "T56", "6")
    assert complete["stand"] == pytest.approx(values_of("T9", 4)["stand"], abs=0.5)
    assert list(complete) == ["stand"]
    charlie = replace(ENDLESS, charlie=5)
    assert worths(charlie, "22223", "T") == pytest.approx({"stand": 1.0})
    assert worths(charlie, "2222", "T")["hit"] > worths(ENDLESS, "2222", "T")["hit"]


def test_20_1_a_21_of_the_house_of_the_text_may_draw_and_give_up() -> None:
    found = worths(load("iipp6"), "AT", "T")
    assert set(found) == {"hit", "stand", "give_up"}
    assert found["give_up"] == -1
    assert found["stand"] > found["hit"]


def test_20_1_what_a_split_hand_may_do_is_less() -> None:
    def plays(cards: str, hands: int, house: House = ENDLESS) -> set[str]:
        return set(worths(house, cards, "6", hands=hands))

    assert plays("88", 1) == {"hit", "stand", "double", "split"}
    assert plays("88", 3) == {"hit", "stand", "double", "split"}
    assert plays("88", 4) == {"hit", "stand", "double"}
    assert plays("AA", 2) == {"stand"}
    assert plays("AA", 2, replace(ENDLESS, resplit_aces=True)) == {"stand", "split"}
    assert plays("8A", 2) == {"hit", "stand", "double"}
    assert plays("AT", 2) == {"stand"}
    single = replace(ENDLESS, double_after_split=False)
    assert plays("65", 2, single) == {"hit", "stand"}
    assert plays("TT", 1, load("dsc20")) == {"hit", "stand"}
    late = replace(ENDLESS, surrender="late")
    assert "surrender" in plays("T6", 1, late)
    assert "surrender" not in plays("T6", 2, late)


def test_20_1_an_insurance_is_worth_what_the_hidden_cards_say() -> None:
    house = load("cpsc386")
    insured = odds.insurance(house, ["Ts", "6d"], "Ah")
    assert insured == pytest.approx(2 * 127 / 413 - 1)
    offered = worths(house, "T6", "A", legal=[Play.INSURE, Play.DECLINE])
    assert offered["insure"] == pytest.approx(offered["decline"] + insured / 2)
    known = worths(house, "T6", "A")
    assert offered["decline"] == pytest.approx(max(known.values()))
    before = worths(house, "88", "T", legal=[Play.SPLIT, Play.DECLINE])
    after = worths(house, "88", "T")
    assert before["split"] == pytest.approx(after.pop("split"))
    assert before["decline"] == pytest.approx(max(after.values()))


def test_20_1_what_is_offered_before_the_look_is_judged_before_it() -> None:
    asked = [Play.INSURE, Play.EVEN_MONEY, Play.DECLINE]
    found = worths(ENDLESS, "AT", "A", legal=asked)
    hidden = 4 / 13
    assert found["even_money"] == 1
    assert found["decline"] == pytest.approx(1.5 * (1 - hidden))
    assert found["insure"] == pytest.approx(found["decline"] + (3 * hidden - 1) / 2)
    early = replace(ENDLESS, surrender="early")
    offered = worths(early, "T6", "A", legal=[Play.SURRENDER, Play.DECLINE])
    best = max(worths(early, "T6", "A").values())
    assert offered["surrender"] == -0.5
    assert offered["decline"] == pytest.approx((1 - hidden) * best - hidden)
    assert "surrender" not in worths(early, "T6", "A")
    assert worths(early, "T6", "9")["surrender"] == -0.5


def test_20_1_a_player_who_values_the_aces_counts_them_well() -> None:
    house = load("cs220")
    asked = [Play.ACE_HIGH, Play.ACE_LOW]
    soft = worths(house, "A8", "6", legal=asked)
    assert soft["ace_high"] == worths(house, "A8", "6")["stand"] > soft["ace_low"]
    assert worths(house, "AA", "6", legal=asked)["ace_high"] == pytest.approx(-1)
    full = worths(house, "AT", "6", legal=asked)
    assert full["ace_high"] == worths(house, "AT", "6")["stand"]
    said = worths(house, "A8", "6", points=9)
    assert said["stand"] < worths(house, "A8", "6")["stand"]
    baby = replace(load("cs1114-baby"), ace="player", split="none")
    found = odds.values(baby, ["As", "8s"], None, legal=asked)
    assert found[Play.ACE_HIGH] > found[Play.ACE_LOW]


def test_20_1_a_play_that_is_no_play_of_a_hand_has_no_worth() -> None:
    assert worths(ENDLESS, "T6", "T", legal=[Play.STAND, Play.EVEN_MONEY]) == {
        "stand": pytest.approx(values_of("T6", 8)["stand"], abs=3e-6)
    }


def test_20_1_cards_that_are_not_there_are_told() -> None:
    house = replace(load("iipp6"), split="none")
    with pytest.raises(ValueError, match="no 7s left"):
        odds.values(house, ["7s", "7h", "7d", "7c"], "7s")


CASINOS: dict[str, tuple[str, dict[str, Any]]] = {
    "1ds17r4": ("vegas-strip", {"decks": 1, "cut_card_min": 0, "cut_card_max": 26}),
    "2dh17r4": ("downtown", {}),
    "5ds17r4": ("vegas-strip", {"decks": 5}),
    "euro-8dh17r4": ("european", {"decks": 8, "hit_soft_17": True}),
}
"""Pages of https://wizardofodds.com/games/blackjack/appendix/9/, and their rules."""


@pytest.mark.no_cover  # long, and other tests cover the same
@pytest.mark.parametrize(
    ("page", "cards", "known"),
    [
        ("1ds17r4", "2A", (-0.661732, -0.067808, -0.593281)),
        ("1ds17r4", "32", (-0.659375, -0.291565, -1.318751)),
        ("1ds17r4", "65", (-0.634013, 0.172946, 0.240259)),
        ("1ds17r4", "7A", (-0.101015, -0.108386, -0.357778)),
        ("2dh17r4", "2A", (-0.594150, -0.103429, -0.571816)),
        ("2dh17r4", "65", (-0.587564, 0.121079, 0.166650)),
        ("5ds17r4", "53", (-0.664573, -0.200797, -0.807170)),
        ("5ds17r4", "65", (-0.660850, 0.148532, 0.133896)),
        ("euro-8dh17r4", "2A", (-0.722307, -0.378980, -1.024082)),
        ("euro-8dh17r4", "65", (-0.721201, -0.235977, -0.537869)),
    ],
)
def test_20_1_a_pack_is_worth_what_is_published(
    page: str, cards: str, known: tuple[float, ...]
) -> None:
    name, rules = CASINOS[page]
    house = replace(load(name), double="any_two", max_spots=1, **rules)
    found = worths(house, cards, "A")
    told = [found[play] for play in ("stand", "hit", "double")]
    assert told == pytest.approx(known, abs=6e-7)


def test_20_5_a_late_surrender_is_judged_after_the_look() -> None:
    house, offered = replace(ENDLESS, surrender="late"), (Play.SURRENDER, Play.DECLINE)
    for cards in ("T4", "T6"):
        found = worths(house, cards, "T")
        best = max(value for play, value in found.items() if play != "surrender")
        told = worths(house, cards, "T", legal=offered)
        assert told["surrender"] == pytest.approx(-0.5 * 12 / 13 - 1 / 13)
        assert told["decline"] == pytest.approx(best * 12 / 13 - 1 / 13)
    early = worths(replace(house, surrender="early"), "T4", "T", legal=offered)
    assert early["surrender"] == -0.5 > early["decline"]
