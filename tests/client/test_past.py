"""Past rounds as a player reads them, in lines and on a page."""

from io import StringIO
from typing import Any

import pytest

from bj_client.model.seat import Faces
from bj_client.play.narrator import Narrator
from bj_client.play.output import PlainOutput
from bj_client.question.question import Complaint, read_slash
from bj_client.words.past_round import past_round
from bj_protocol.action import Action, By, SettleReason
from bj_protocol.commands import Recall
from bj_protocol.messages import Recalled
from bj_protocol.proof import round_digits
from bj_protocol.recall import (
    PastDecision,
    PastDraw,
    PastHand,
    PastInsurance,
    PastRound,
    RoundEnd,
)
from bj_protocol.views import ClosedBet, DealerView, HandState, Outcome, SeatLink

HEAD, MINE, HERS = "5e" * 32, "01" * 32, "02" * 32
DIGITS = round_digits(HEAD, [(1, MINE), (2, HERS)])


def bet(seat: int, handle: str) -> ClosedBet:
    commitment = f"{seat}" * 64
    return ClosedBet(
        seat=seat, handle=handle, amount=5_000, spots=1, commitment=commitment
    )


def draw(*links: tuple[int, str]) -> PastDraw:
    return PastDraw(
        secret="07" * 32,
        seal="08" * 32,
        head=HEAD,
        bets=(bet(1, "ned21"), bet(2, "lia9"), bet(3, "zoe")),
        links=tuple(SeatLink(seat=seat, link=link) for seat, link in links),
        left=None,
        below_cut=None,
        plays=(),
    )


def hand(*cards: str, **fields: Any) -> PastHand:
    known: dict[str, Any] = {
        "cards": cards,
        "total": 19,
        "soft": False,
        "stake": 5_000,
        "insurance": 0,
        "state": HandState.STOOD,
        "outcome": Outcome.WIN,
        "reason": SettleReason.HIGHER_TOTAL,
        "payout": 10_000,
    }
    return PastHand(**known | fields)


def past(**fields: Any) -> PastRound:
    known: dict[str, Any] = {
        "table": "main",
        "round": 12,
        "time": "2024-05-01T12:30:00.123Z",
        "seat": 1,
        "bet": 5_000,
        "spots": 1,
        "end": RoundEnd.SETTLED,
        "is_retold": True,
        "hands": (hand("Ts", "9h"),),
        "dealer": DealerView(name="Dealer", cards=("9h", "9s"), total=18, soft=False),
        "decisions": (
            PastDecision(hand=0, action=Action.STAND, by=By.PLAYER),
            PastDecision(hand=0, action=Action.STAND, by=By.CLOCK),
        ),
        "balance_before": 1_000_000,
        "balance_after": 1_005_000,
        "draw": None,
    }
    return PastRound(**known | fields)


def lines(one: PastRound) -> list[str]:
    return past_round(one, Faces(symbols=False))


def test_a_round_is_told_with_its_cards_decisions_and_money() -> None:
    assert lines(past()) == [
        (
            "Round 12 at table main, 2024-05-01 12:30:00 UTC: bet $50.00; bank "
            "$10,000.00 before, $10,050.00 after."
        ),
        "The dealer has 9H 9S (18).",
        "The hand has 10S 9H (19) for $50.00, won (higher total), and $100.00 is paid.",
        "Decided: stand; stand, by the clock.",
    ]


def test_several_hands_are_numbered_and_an_insurance_is_told() -> None:
    insured = PastInsurance(outcome=Outcome.WIN, amount=2_000, payout=4_000)
    lost = {"outcome": Outcome.LOSE, "reason": SettleReason.DEALER_BLACKJACK}
    hands = (
        hand("8s", "3c", total=11, payout=0, insured=insured, **lost),
        hand("8h", "2c", total=10, payout=0, **lost),
    )
    made = (
        PastDecision(hand=0, action=Action.SPLIT, by=By.PLAYER),
        PastDecision(hand=0, action=Action.INSURE, by=By.PLAYER, amount=2_000),
        PastDecision(hand=1, action=Action.DECLINE, by=By.ABSENCE),
    )
    told = lines(past(hands=hands, decisions=made, spots=2))
    assert told[0].split("; ")[0].endswith("bet $50.00 on each of 2 spots")
    assert told[2:] == [
        (
            "Hand 1 has 8S 3C (11) for $50.00, lost (dealer blackjack); the "
            "insurance of $20.00 won, and $40.00 is paid."
        ),
        "Hand 2 has 8H 2C (10) for $50.00, lost (dealer blackjack).",
        "Decided: hand 1 split; hand 1 insure for $20.00; hand 2 no, in your absence.",
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"end": RoundEnd.VOID}, "It was void, and every stake came back."),
        ({"end": RoundEnd.RETURNED}, "The bet came back before a card was dealt."),
        ({"is_retold": False}, "Its cards cannot be made again from the journal."),
        (
            {"draw": draw()},
            "No player has had a part in the draw of its cards.",
        ),
        (
            {"draw": draw((1, MINE), (2, HERS))},
            f"Its cards were drawn by the server and you and lia9: {DIGITS}.",
        ),
        (
            {"draw": draw((2, HERS), (3, MINE))},
            (
                "Its cards were drawn by the server and lia9 and zoe: "
                f"{round_digits(HEAD, [(2, HERS), (3, MINE)])}."
            ),
        ),
    ],
)
def test_what_is_out_of_the_way_is_said(fields: dict[str, Any], sentence: str) -> None:
    assert sentence in lines(past(**fields))


def test_a_card_that_was_never_turned_stays_hidden() -> None:
    dealer = DealerView(name="Dealer", cards=("9h", "??"), total=9, soft=False)
    assert "The dealer has 9H (9) and a hidden card." in lines(past(dealer=dealer))
    nothing = DealerView(name="Dealer", cards=(), total=None, soft=False)
    assert "The dealer has no card on view." in lines(past(dealer=nothing))


@pytest.mark.parametrize(
    ("count", "title"),
    [
        (0, "ned21 has played no round to its end yet."),
        (1, "The last round of ned21:"),
        (2, "The last 2 rounds of ned21, the newest last:"),
    ],
)
async def test_the_title_says_whose_rounds_they_are(count: int, title: str) -> None:
    paper = StringIO()
    narrator = Narrator(PlainOutput(paper), Faces(symbols=False))
    rounds = tuple(past(round=number) for number in range(12, 12 + count))
    await narrator.recalled("ned21", Recalled(rounds=rounds))
    assert paper.getvalue().splitlines()[0] == title
    assert paper.getvalue().count("Round 1") == count


def test_the_number_of_rounds_may_be_left_out() -> None:
    assert read_slash("/history") == Recall(rounds=20)
    assert read_slash("/History  3 ") == Recall(rounds=3)


@pytest.mark.parametrize("text", ["0", "21", "-1", "many", "١", "99999"])
def test_another_number_is_a_sentence(text: str) -> None:
    complaint = read_slash(f"/history {text}")
    assert isinstance(complaint, Complaint)
    assert complaint.sentence == "Say how many rounds, 1 to 20, as in /history 5."
