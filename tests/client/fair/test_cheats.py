"""A server that cheats is found out, whatever it tries, and the round is named.

What these servers tell is chained and signed as if it were true.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bj_client.fair.finding import Finding
from bj_client.fair.ways_out import Ways
from bj_game.round import Round
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import PlaceBet
from bj_protocol.draw import SeatLink
from bj_protocol.messages import Message, Refused, Signed, Snapshot, Update
from bj_protocol.proof import StatementKind, terms_hash
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase, Turn
from bj_server.settings import load_house
from bj_server.table import calling, playing
from bj_server.table.betting import Betting
from bj_server.table.felt import Felt
from bj_server.table.inbox import Reshuffle, Show
from cheating import Change, asked, assert_found, changed, once, play
from company import Cheat, Company

OTHER = "ab" * 32

Patch = pytest.MonkeyPatch


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Company]:
    """Return a table at which ned21 and lia9 sit."""
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        rig.join("lia9")
        yield rig


def found(rig: Company, pattern: str, number: int | None = None) -> None:
    assert_found(rig.players["ned21"], pattern, number)


def bets_changed(**fields: Any) -> Change:
    """Return a change of the first bet in each call."""

    def change(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.BetsClosed):
            return [event]
        first, *rest = event.bets
        bets = (first.model_copy(update=fields), *rest)
        return [event.model_copy(update={"bets": bets})]

    return change


def unsigned(kind: str) -> Cheat:
    """Return what keeps a kind of signatures from everyone."""

    def cheat(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        is_kept = isinstance(message, Signed) and message.kind == kind
        return [] if is_kept else [(message, text)]

    return cheat


def links_sent(rig: Company) -> list[str]:
    """Return the lines of ned21's record in which a link is told."""
    log = rig.players["ned21"].log
    return [line for line in log if '"sent": {"type":"link"' in line]


def without(kind: type[events.Event]) -> Change:
    return lambda event: [] if isinstance(event, kind) else [event]


def test_an_honest_server_is_believed(rig: Company) -> None:
    play(rig, 5)
    rig.send(Reshuffle())
    play(rig, 2)
    ned, lia = rig.players["ned21"], rig.players["lia9"]
    assert not ned.findings
    assert [proof.round for proof in ned.proofs] == [1, 2, 3, 4, 5, 6, 7]
    assert all(proof.is_ours for proof in ned.proofs)
    assert [p.digits for p in ned.proofs] == [p.digits for p in lia.proofs]


TOLD: dict[str, tuple[Change, str]] = {
    "another secret": (once(events.RoundEnded, secret=OTHER), "not the one that was"),
    "no secret": (once(events.RoundEnded, secret=None), "secret .* is not told"),
    "another seal in the call": (
        once(events.BetsClosed, seal=OTHER),
        "not of the round that was sealed",
    ),
    "no commitment": (bets_changed(commitment=None), "your commitment is not"),
    "another commitment": (bets_changed(commitment=OTHER), "your commitment is not"),
    "another stake": (bets_changed(amount=5000), "bets that are called are others"),
    "more spots": (bets_changed(spots=2), "bets that are called are others"),
    "another handle": (bets_changed(handle="kim"), "bets that are called are others"),
    "a bet left out": (once(events.BetsClosed, bets=()), "bets that are called"),
    "another cut card": (
        once(events.BetsClosed, below_cut=65),
        "shoe is none of this house",
    ),
    "another round": (once(events.RoundBegan, round=1), "another number|not the one"),
    "a cut card elsewhere": (once(events.RoundBegan, until_cut=3), "cut card is at"),
    "cards counted wrong": (once(events.RoundEnded, cards_left=-1), "counted wrong"),
    "a payout too small": (once(events.HandSettled, payout=-100), "by its draw"),
    "a balance too small": (once(events.HandSettled, balance=-100), "balance of seat"),
    "another total": (once(events.CardDealt, total=1), "by its draw"),
    "another hole card": (once(events.HoleRevealed, card="2c"), "by its draw"),
    "a card left out": (without(events.HoleRevealed), "by its draw"),
    "a round that does not end": (without(events.RoundEnded), "was not settled"),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told_otherwise_is_found(
    rig: Company, monkeypatch: Patch, name: str
) -> None:
    change, pattern = TOLD[name]
    play(rig)
    changed(rig, monkeypatch, change)
    play(rig, 2)
    found(rig, pattern)


# The seal.


def test_a_round_without_a_seal_is_not_bet_on(rig: Company, monkeypatch: Patch) -> None:
    changed(rig, monkeypatch, once(events.BettingOpened, seal=None))
    play(rig, 2)
    found(rig, "is not sealed")
    assert "proves nothing" in rig.players["ned21"].refusals[0]


def test_a_seal_that_is_used_again_is_found(rig: Company, monkeypatch: Patch) -> None:
    prepare = Felt.prepare
    seals: list[str | None] = []

    def again(felt: Felt) -> None:
        prepare(felt)
        seals.append(felt.seal)
        felt.seal = seals[0]

    monkeypatch.setattr(Felt, "prepare", again)
    play(rig, 3)
    found(rig, "seal is that of a round before")


def test_a_seal_for_other_rules_is_found(rig: Company, monkeypatch: Patch) -> None:
    rig.table.felt.terms = terms_hash({"name": "another"})
    play(rig, 2)
    found(rig, "not the one that was sealed")


# The call.


def test_a_round_without_a_call_is_found(rig: Company, monkeypatch: Patch) -> None:
    monkeypatch.setattr(Betting, "is_to_be_called", property(lambda _: False))
    play(rig)
    found(rig, "dealt without a call", 1)


def test_cards_that_are_gone_from_the_shoe_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    play(rig, 2)

    def steal(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.BetsClosed) or event.left is None:
            return [event]
        left = list(event.left)
        left[event.left.index(8)] -= 1
        left[event.left.index(7)] += 1
        return [event.model_copy(update={"left": tuple(left)})]

    changed(rig, monkeypatch, steal)
    play(rig)
    found(rig, "cards in the shoe were counted wrong", 3)
    assert len(links_sent(rig)) == 2


def test_a_call_that_is_not_signed_gets_no_link(
    rig: Company, monkeypatch: Patch
) -> None:
    rig.outlet.cheat = unsigned("call")
    play(rig, 2, most=20)
    found(rig, "has not signed the call", 1)
    assert not links_sent(rig)
    assert rig.players["ned21"].refusals


def test_a_second_call_of_a_round_gets_no_link(
    rig: Company, monkeypatch: Patch
) -> None:
    calls: list[events.BetsClosed] = []

    def twice(event: events.Event) -> list[events.Event]:
        if isinstance(event, events.BetsClosed):
            calls.append(event)
            return [event, event]
        return [event]

    changed(rig, monkeypatch, twice)
    play(rig, 1, most=4)
    found(rig, "called twice", 1)
    assert not links_sent(rig)


# The links.


def links_changed(
    change: Callable[[tuple[SeatLink, ...]], tuple[SeatLink, ...]],
) -> Change:
    def told(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundBegan):
            return [event]
        return [event.model_copy(update={"links": change(event.links)})]

    return told


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (
            lambda ls: (ls[0].model_copy(update={"link": OTHER}), *ls[1:]),
            "committed to",
        ),
        (lambda ls: ls[::-1], "order of the seats"),
        (lambda ls: ls[1:], "not those of the call"),
    ],
)
def test_links_that_are_told_otherwise_are_found(
    rig: Company, monkeypatch: Patch, change: Any, pattern: str
) -> None:
    changed(rig, monkeypatch, links_changed(change))
    play(rig)
    found(rig, pattern, 1)


def test_links_that_are_said_to_be_late_are_counted_with_the_wins_they_cost(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(calling, "SITS_OUT", 0)
    with Company(tmp_path / "bank") as rig:
        rig.join("ned21")
        rig.join("lia9")
        rig.mute.add("ned21")
        play(rig, 12)
        ned = rig.players["ned21"]
        said = " ".join(map(str, ned.notes))
        assert not ned.findings
        assert "in time, 2.0 seconds after the call by your clock, the 12. time" in said
        assert "round without your link would have been won, as 2 of" in said


def test_wins_that_are_left_out_beyond_chance_are_a_finding() -> None:
    ways = Ways()
    for number in range(20):
        ways.leave_out(number, 2.0)
        remarks = ways.miss_win(number)
        assert isinstance(remarks[0], Finding) is (number == 19)


def test_links_of_others_that_are_missing_too_often_are_a_finding(
    rig: Company,
) -> None:
    rig.mute.add("lia9")
    play(rig, 26)  # of which it sits out five after each
    ned = rig.players["ned21"]
    assert "without the link of lia9; 1 of 1 link" in str(ned.notes[0])
    found(rig, "5 of 5 of lia9, and who is in league", 25)


def test_links_that_bad_lines_miss_are_counted_and_no_finding() -> None:
    ways, others = Ways(), ("lia9", "ibad", "tess")
    for number in range(1, 301):
        missing = others[number % 3 : number % 3 + 1] if number % 25 == 0 else ()
        remarks = ways.call(number, others, missing)
        assert not any(isinstance(remark, Finding) for remark in remarks)
    assert "12 of 900 links of others did not come" in str(remarks[0])


def test_links_that_many_miss_in_turn_are_a_finding_of_all() -> None:
    ways, others = Ways(), ("lia9", "ibad", "tess", "kim", "oleg", "pia")
    first = next(
        number
        for number in range(1, 100)
        for remark in ways.call(number, others, [others[number % 6]])
        if isinstance(remark, Finding)
    )
    assert first == 22


# The draw and the end.


def test_a_shoe_in_another_order_is_found(rig: Company, monkeypatch: Patch) -> None:
    play(rig, 2)
    monkeypatch.setattr(
        Felt,
        "arrange",
        lambda felt, links: felt.shoe.arrange(KeyedStream(bytes(32))),
    )
    play(rig)
    found(rig, "by its draw|cut card is at", 3)


def test_rules_that_are_not_those_of_the_card_are_found(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    house = load_house("vegas-strip")
    with Company(tmp_path / "bank", house=house) as rig:
        rig.join("ned21")
        played = Round
        worse = replace(house, natural="1:1", hit_soft_17=not house.hit_soft_17)
        monkeypatch.setattr(
            playing, "Round", lambda _, shoe, stakes: played(worse, shoe, stakes)
        )
        play(rig, 60)
        found(rig, "by its draw and the rules")


@pytest.mark.parametrize("lost", [Action.HIT, Action.DOUBLE, Action.STAND])
def test_plays_that_are_not_offered_are_found(
    rig: Company, monkeypatch: Patch, lost: Action
) -> None:
    def fewer(turn: Turn) -> Turn:
        asks = tuple(
            ask.model_copy(
                update={"actions": tuple(a for a in ask.actions if a != lost)}
            )
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    asked(rig, monkeypatch, fewer)
    play(rig, 3)
    found(rig, "by its draw and the rules")


def test_a_lower_limit_for_bets_is_found(rig: Company, monkeypatch: Patch) -> None:
    def lower(turn: Turn) -> Turn:
        asks = tuple(
            ask
            if ask.wager is None
            else ask.model_copy(
                update={"wager": ask.wager.model_copy(update={"maximum": 1000})}
            )
            for ask in turn.asks
        )
        return turn.model_copy(update={"asks": asks})

    play(rig)
    asked(rig, monkeypatch, lower)
    play(rig, 2)
    found(rig, "asked for what the house does not ask")


def test_a_refusal_of_what_was_offered_is_found(rig: Company) -> None:
    ask = rig.ask("ned21")
    ned = rig.players["ned21"]
    ned.send(PlaceBet(prompt=ask.prompt, amount=1000))
    refused = Refused(code=RefusalCode.NOT_ENOUGH_FUNDS, text="No.", prompt=ask.prompt)
    rig.outlet.tell(rig.line["ned21"], refused)
    found(rig, "refuses what it has just offered", 1)


def test_a_win_that_is_paid_and_void_is_a_finding_at_once(
    rig: Company, monkeypatch: Patch
) -> None:
    def void(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundEnded):
            return [event]
        return [
            events.RoundVoided(
                round=event.round, text="Oh.", cards_left=416, secret=event.secret
            )
        ]

    changed(rig, monkeypatch, void)
    play(rig)
    found(rig, "void after your link was told.*you would have", 1)


def test_a_second_void_after_our_link_is_a_finding(rig: Company) -> None:
    for _ in range(2):
        rig.mute.add("lia9")
        number = rig.table.felt.round
        play(rig, 1, most=1)
        rig.table.void("Something went wrong with this round; it is void.")
        rig.send()
        rig.wait(3)
        rig.mute.clear()
        assert rig.table.felt.round > number
    ned = rig.players["ned21"]
    assert "is void after your link was told" in str(ned.notes[0])
    found(rig, "that is the 2. time", 2)


def test_stakes_that_do_not_come_back_after_a_void_are_found(
    rig: Company, monkeypatch: Patch
) -> None:
    changed(rig, monkeypatch, without(events.BetReturned))
    for _ in range(20):
        play(rig, 1, most=1)
        if rig.picture.phase is Phase.PLAYING:
            break
    rig.table.void("Something went wrong with this round; it is void.")
    rig.send()
    found(rig, "those that were placed are gone")


def test_a_bet_that_is_given_back_after_our_link_is_found(
    rig: Company, monkeypatch: Patch
) -> None:
    def back(event: events.Event) -> list[events.Event]:
        if not isinstance(event, events.RoundBegan):
            return [event]
        returned = events.BetReturned(seat=1, amount=1000, balance=1_000_000)
        others = tuple(seat for seat in event.seats if seat != 1)
        return [returned, event.model_copy(update={"seats": others})]

    changed(rig, monkeypatch, back)
    play(rig)
    found(rig, "bets came back of seats whose links are not missing", 1)


# The story.


def test_a_story_for_one_player_alone_is_found(rig: Company) -> None:
    def fork(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line == rig.line["ned21"] and isinstance(message, Update):
            said = events.Announced(text="Only for you.")
            other = message.model_copy(update={"events": (*message.events, said)})
            return [(other, other.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = fork
    play(rig, 1, most=10)
    found(rig, "is not what was told")
    assert not rig.players["lia9"].findings


def test_two_signed_stories_are_a_proof_by_themselves(rig: Company) -> None:
    play(rig)
    story = rig.table.felt.story
    assert story is not None
    head, story.head = story.head, OTHER
    line, seq = rig.line["ned21"], rig.table.felt.seq
    other = story.sign(StatementKind.END, seq, 1)
    story.head = head
    rig.outlet.tell(line, other)
    ned = rig.players["ned21"]
    found(rig, "signed two stories", 1)
    two = next(f for f in ned.findings if "two stories" in str(f))
    assert ned.checker.is_for_anyone(str(two))


@pytest.mark.parametrize("kind", ["start", "end"])
def test_a_signature_that_is_missing_stops_the_bets(tmp_path: Path, kind: str) -> None:
    with Company(tmp_path / "bank") as rig:
        rig.outlet.cheat = unsigned(kind)
        rig.join("ned21")
        play(rig, 2, most=10)
        ned = rig.players["ned21"]
        assert f"has not signed the {kind}" in ned.refusals[0]
        assert "--unproven" in ned.refusals[0]


def test_another_key_is_found(rig: Company) -> None:
    play(rig)
    ned = rig.players["ned21"]
    ned.checker.story._pinned = OTHER
    rig.send(Show(rig.line["ned21"]))
    found(rig, "signs with another key")


def test_a_picture_of_another_story_is_found(rig: Company) -> None:
    play(rig)

    def other(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Snapshot) and message.story is not None:
            story = message.story.model_copy(update={"head": OTHER})
            message = message.model_copy(update={"story": story})
            return [(message, message.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = other
    rig.send(Show(rig.line["ned21"]))
    found(rig, "of another story than was told")


# What is not proven at all.


@pytest.mark.parametrize("options", [{"seed": 7}, {"stack": "As Td"}])
def test_a_table_that_proves_nothing_is_not_bet_at(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    with Company(tmp_path / "bank", **options) as rig:
        rig.unproven = False
        rig.join("ned21")
        play(rig, 1, most=5)
        ned = rig.players["ned21"]
        assert ned.refusals[0].startswith("This table proves nothing")
        assert not ned.findings


def test_rules_that_are_not_known_are_not_bet_on(tmp_path: Path) -> None:
    with Company(tmp_path / "bank") as rig:

        def odd(
            message: Message, text: str, line: int | None
        ) -> list[tuple[Message, str]]:
            if isinstance(message, Snapshot):
                terms = {**message.house.terms, "house_always_wins": True}
                house = message.house.model_copy(update={"terms": terms})
                message = message.model_copy(update={"house": house})
                return [(message, message.model_dump_json())]
            return [(message, text)]

        rig.outlet.cheat = odd
        rig.join("ned21")
        play(rig, 1, most=5)
        assert (
            "rules that your client does not know" in (rig.players["ned21"].refusals[0])
        )
