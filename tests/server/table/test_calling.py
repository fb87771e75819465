"""The call: what is sealed, who sends a link, and what follows where one is missing."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bj_game.card import parse_cards
from bj_game.shoe import ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream
from bj_protocol import events
from bj_protocol.commands import Link, PlaceBet
from bj_protocol.messages import Refused, Signed, Snapshot, Update
from bj_protocol.proof import (
    StatementKind,
    bet_commitment,
    draw_key,
    first_head,
    next_head,
    seal_of,
    statement,
    terms_hash,
)
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Phase
from bj_server.settings import load_house
from support.company import repeatable
from support.rig import Lay, Rig

LINKS = {"ned21": "11" * 32, "lia9": "22" * 32, "ibad": "33" * 32}


@pytest.fixture(autouse=True)
def _repeatable(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the secrets of each test be the same whenever it runs."""
    with repeatable(random.Random(request.node.name)):
        yield


@pytest.fixture
def rig(lay: Lay) -> Rig:
    """A table at which each round is proven."""
    return lay(seed=None)


def bet(rig: Rig, handle: str, dollars: int = 100) -> None:
    """Bet, committed to the player's link."""
    seal = rig.table.context.seal
    assert seal is not None
    commitment = bet_commitment(
        seal=seal, seat=rig.seat(handle).seat, handle=handle, link=LINKS[handle]
    )
    prompt = rig.ask(handle).prompt
    placed = PlaceBet(prompt=prompt, amount=dollars * 100, commitment=commitment)
    assert rig.answer(handle, placed) is None


def link(rig: Rig, handle: str, **changes: str) -> Refused | None:
    """Send a player's link for the call that is on."""
    assert rig.table.context.story is not None
    told = {"head": rig.table.context.story.head, "link": LINKS[handle]} | changes
    line = rig.line[handle]
    before = len(rig.outlet.heard[line])
    rig.link(line, Link(head=told["head"], link=told["link"]))
    new = rig.outlet.heard[line][before:]
    return next((m for m in new if isinstance(m, Refused)), None)


def call(rig: Rig, *handles: str, dollars: int = 100) -> str:
    """Have players join and bet, and return the head of the call."""
    for handle in handles:
        rig.join(handle)
    for handle in handles:
        bet(rig, handle, dollars)
    assert rig.picture.phase is Phase.CALLING
    assert rig.table.context.story is not None
    return rig.table.context.story.head


def deal(rig: Rig) -> str:
    """Have ned21 dealt to until there is a question; return the head of that call."""
    head = call(rig, "ned21")
    assert link(rig, "ned21") is None
    while rig.picture.phase is not Phase.PLAYING:  # a dealer's blackjack, say
        bet(rig, "ned21", 1)
        assert rig.table.context.story is not None
        head = rig.table.context.story.head
        assert link(rig, "ned21") is None
    return head


def last(rig: Rig, kind: type[events.Event]) -> events.Event:
    return rig.seen(kind)[-1]


def play_out(rig: Rig) -> None:
    while rig.picture.phase is Phase.PLAYING:
        handle = next(each for each in rig.line if rig.is_asked(each))
        rig.play(handle, "decline" if "decline" in rig.legal(handle) else "stand")


def test_a_round_follows_from_what_was_sealed_called_and_linked(rig: Rig) -> None:
    head = call(rig, "ned21", "lia9")
    closed = last(rig, events.BetsClosed)
    assert isinstance(closed, events.BetsClosed)
    assert [(b.seat, b.handle, b.amount) for b in closed.bets] == [
        (1, "ned21", 10_000),
        (2, "lia9", 10_000),
    ]
    assert not rig.seen(events.CardDealt)
    assert link(rig, "lia9") is None
    assert rig.picture.phase is Phase.CALLING
    assert link(rig, "ned21") is None
    began = last(rig, events.RoundBegan)
    assert isinstance(began, events.RoundBegan)
    told = [(each.seat, each.link) for each in began.links]
    assert told == [(1, LINKS["ned21"]), (2, LINKS["lia9"])]
    play_out(rig)
    ended = last(rig, events.RoundEnded)
    assert isinstance(ended, events.RoundEnded)
    assert ended.secret is not None
    story = rig.table.context.story
    assert story is not None
    terms = terms_hash(rig.picture.house.terms)
    assert closed.seal == seal_of(
        key=story.key,
        run=story.run,
        table="main",
        round=1,
        terms=terms,
        secret=ended.secret,
    )
    contents = ShoeContents(left=closed.left, below_cut=closed.below_cut)
    shoe = shoe_of(load_house("cpsc386"), contents)
    shoe.arrange(KeyedStream(draw_key(ended.secret, head, told)))
    assert shoe.until_cut == began.until_cut
    dealt = [e.card for e in rig.events if isinstance(e, events.CardDealt)]
    hole = dealt.index("??")
    turned = last(rig, events.HoleRevealed)
    assert isinstance(turned, events.HoleRevealed)
    dealt[hole] = turned.card
    assert dealt == [str(shoe.draw()) for _ in dealt]


def test_a_link_counts_once_for_its_call_and_its_commitment(rig: Rig) -> None:
    call(rig, "ned21", "lia9")
    over, other = RefusalCode.LINK_OVER, RefusalCode.NOT_YOUR_LINK
    for changes, code in (
        ({"head": "00" * 32}, over),
        ({"link": LINKS["ibad"]}, other),
        ({"link": LINKS["lia9"]}, other),
    ):
        refused = link(rig, "ned21", **changes)
        assert refused is not None
        assert refused.code is code
    assert link(rig, "ned21") is None
    refused = link(rig, "ned21")
    assert refused is not None
    assert refused.code is over
    assert link(rig, "lia9") is None
    refused = link(rig, "lia9")
    assert refused is not None
    assert refused.code is over


def test_whose_link_is_missing_is_named_and_sits_out_five_rounds(rig: Rig) -> None:
    call(rig, "ned21", "lia9")
    assert link(rig, "ned21") is None
    rig.wait(2)
    began = last(rig, events.RoundBegan)
    assert isinstance(began, events.RoundBegan)
    assert (began.seats, began.missing) == ((1,), (2,))
    assert rig.balance("lia9") == 10_000
    for _ in range(5):
        play_out(rig)
        assert rig.picture.phase is Phase.BETTING
        assert not rig.is_asked("lia9")
        bet(rig, "ned21", 1)
        assert link(rig, "ned21") is None
    play_out(rig)
    assert rig.is_asked("lia9")


def test_who_is_alone_sits_out_nothing(rig: Rig) -> None:
    call(rig, "ned21")
    sealed = rig.table.context.seal
    rig.wait(2)
    voided = last(rig, events.RoundVoided)
    assert isinstance(voided, events.RoundVoided)
    assert voided.missing == (1,)
    assert voided.secret is not None
    assert rig.balance("ned21") == 10_000
    assert rig.picture.round == 2
    assert rig.table.context.seal not in (None, sealed)
    assert rig.is_asked("ned21")
    assert not rig.seen(events.CardDealt)


def test_who_offers_no_link_is_dealt_in(rig: Rig) -> None:
    rig.join("ned21")
    rig.join("lia9")
    rig.bet("lia9")
    bet(rig, "ned21")
    assert rig.picture.phase is Phase.CALLING
    closed = last(rig, events.BetsClosed)
    assert isinstance(closed, events.BetsClosed)
    assert [each.commitment is None for each in closed.bets] == [False, True]
    assert link(rig, "ned21") is None
    began = last(rig, events.RoundBegan)
    assert isinstance(began, events.RoundBegan)
    assert began.seats == (1, 2)


def test_where_nobody_offers_a_link_there_is_no_call(rig: Rig) -> None:
    rig.join("ned21")
    rig.bet("ned21")
    assert not rig.seen(events.BetsClosed)
    assert rig.picture.phase is not Phase.CALLING
    assert rig.seen(events.CardDealt)


def test_a_table_without_proof_calls_nobody(lay: Lay) -> None:
    rig = lay(seed=7)
    rig.join("ned21")
    prompt = rig.ask("ned21").prompt
    placed = PlaceBet(prompt=prompt, amount=10_000, commitment="ab" * 32)
    assert rig.answer("ned21", placed) is None
    assert not rig.seen(events.BetsClosed)
    assert rig.picture.story is None
    assert rig.picture.seal is None


def test_who_is_back_in_time_has_a_part_in_the_draw(rig: Rig) -> None:
    head = call(rig, "ned21", "lia9")
    assert link(rig, "lia9") is None
    rig.drop("ned21")
    rig.join("ned21")
    assert link(rig, "ned21", head=head) is None
    began = last(rig, events.RoundBegan)
    assert isinstance(began, events.RoundBegan)
    assert began.missing == ()


def test_a_restart_before_the_cards_ends_the_round_and_seals_anew(rig: Rig) -> None:
    call(rig, "ned21", "lia9")
    secret, sealed = rig.table.context.secret, rig.table.context.seal
    rig.restart()
    assert rig.balance("ned21") == 10_000
    rig.join("ned21")
    assert rig.picture.round == 2
    assert rig.table.context.seal != sealed
    assert rig.table.context.secret != secret
    rig.bank.journal.write()
    journal = rig.settings.bank / "journal-000001.jsonl"
    refund = next(
        line for line in journal.read_text().splitlines() if '"kind":"refund"' in line
    )
    assert secret in refund


def test_a_restart_after_the_first_card_changes_nothing_of_the_draw(rig: Rig) -> None:
    head = deal(rig)
    secret, order = rig.table.context.secret, rig.table.context.shoe.order
    rig.restart()
    rig.join("ned21")
    context = rig.table.context
    assert (context.secret, context.head, context.shoe.order) == (secret, head, order)
    play_out(rig)
    ended = last(rig, events.RoundEnded)
    assert isinstance(ended, events.RoundEnded)
    assert ended.secret == secret


def test_a_void_leaves_the_shoe_as_it_was(rig: Rig) -> None:
    deal(rig)
    before = rig.table.context.source.contents
    assert rig.table.context.shoe.contents != before
    rig.table.void("Something went wrong with this round; it is void.")
    rig.send()
    assert rig.table.context.shoe.contents == before
    (voided,) = rig.seen(events.RoundVoided)
    assert isinstance(voided, events.RoundVoided)
    assert voided.cards_left == sum(before.left or ())


def test_all_is_chained_and_what_counts_is_signed(rig: Rig) -> None:
    call(rig, "ned21", "lia9")
    for handle in ("lia9", "ned21"):
        assert link(rig, handle) is None
    play_out(rig)
    rig.leave("lia9")
    heard = rig.outlet.heard[rig.line["lia9"]]
    snapshot, start = heard[0], heard[1]
    assert isinstance(snapshot, Snapshot)
    assert isinstance(start, Signed)
    assert (start.kind, start.note) == (StatementKind.START, "")
    story = snapshot.story
    assert story is not None
    heads = {0: first_head(key=story.key, run=story.run, table="main")}
    for update, text in zip(rig.outlet.updates, rig.outlet.texts, strict=True):
        heads[update.seq] = next_head(heads[update.seq - 1], text.encode())
    assert heads[snapshot.seq] == story.head
    signed = [message for message in heard if isinstance(message, Signed)]
    kinds = [each.kind for each in signed]
    assert kinds == [
        StatementKind.START,
        StatementKind.CALL,
        StatementKind.END,
        StatementKind.GOODBYE,
    ]
    assert signed[-1].note == f"lia9 {rig.bank.balance('lia9')}"
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(story.key))
    for each in signed:
        assert each.head == heads[each.seq]
        message = statement(
            key=story.key,
            run=story.run,
            table=each.table,
            seq=each.seq,
            kind=each.kind,
            round=each.round,
            head=each.head,
            note=each.note,
        )
        public.verify(bytes.fromhex(each.signature), message)
    follows = [type(m) for m in heard]
    assert follows[follows.index(Signed, 2) - 1] is Update


def test_a_run_says_of_which_story_it_is_the_next_part(rig: Rig) -> None:
    head = deal(rig)
    assert rig.table.context.story is not None
    run = rig.table.context.story.run
    rig.restart()
    line = rig.join("ned21")
    start = next(m for m in rig.outlet.heard[line] if isinstance(m, Signed))
    assert start.note == f"{run} {head}"


def test_a_deck_that_is_shuffled_by_hand_is_told_in_its_order(lay: Lay) -> None:
    rig = lay(seed=None, house=load_house("dsc20"), seats=1)
    head = call(rig, "ned21", dollars=5)
    closed = last(rig, events.BetsClosed)
    assert isinstance(closed, events.BetsClosed)
    assert (closed.left, len(closed.deck)) == (None, 52)
    secret = rig.table.context.secret
    assert link(rig, "ned21") is None
    deck = tuple(parse_cards(" ".join(closed.deck)))
    shoe = shoe_of(load_house("dsc20"), ShoeContents(left=None, deck=deck))
    told = [(1, LINKS["ned21"])]
    shoe.arrange(KeyedStream(draw_key(secret, head, told)))
    first = rig.seen(events.CardDealt)[0]
    assert isinstance(first, events.CardDealt)
    assert first.card == str(shoe.draw())


def test_the_key_of_a_server_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    with Rig(tmp_path / "bank", seed=None) as rig:
        key = rig.bank.signer.key
        rig.restart()
        assert rig.bank.signer.key == key
        path = tmp_path / "bank" / "server.key"
        assert path.stat().st_mode & 0o777 == 0o600


def test_nothing_is_proven_of_a_shoe_that_another_server_has_stacked(lay: Lay) -> None:
    rig = lay(stack="Ts 9h 9s 8h", seed=None)
    rig.join("ned21")
    rig.restart(stack=())
    rig.join("ned21")
    assert rig.picture.seal is not None
    assert rig.table.context.source.contents.top == ()
    bet(rig, "ned21")
    closed = last(rig, events.BetsClosed)
    assert isinstance(closed, events.BetsClosed)
    assert closed.left == (8,) * 52
