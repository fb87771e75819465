"""Faults of the table: clocks, questions, pictures and secrets."""

import logging
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bj_protocol.events import Announced, CardDealt, HandSettled, HandStood
from bj_protocol.messages import Snapshot, Update
from bj_protocol.model import HIDDEN
from bj_server.bank.signer import Signer
from bj_server.table import context as context_module
from bj_server.table import records
from bj_server.table.betting import Betting
from bj_server.table.context import TableContext
from bj_server.table.playing import Playing
from bj_server.table.seat import Seat
from bj_server.table.table import Table


def restart_the_clock(patch: pytest.MonkeyPatch) -> None:
    """Give a player more time for an answer that is refused."""
    honest = Table._refuse

    def refuse(table: Table, line: int, refusal: Any, prompt: Any) -> None:
        honest(table, line, refusal, prompt)
        if table.phase is not None:
            table.phase.deadline += 5

    patch.setattr(Table, "_refuse", refuse)


def show_a_clock_that_is_fresh(patch: pytest.MonkeyPatch) -> None:
    """Show each newcomer the whole time that there was."""

    def change(picture: Snapshot) -> Snapshot:
        turn = picture.turn
        if turn is None:
            return picture
        fresh = turn.model_copy(update={"milliseconds": 30_000})
        return picture.model_copy(update={"turn": fresh})

    _picture(patch, change)


def accept_a_stale_prompt(patch: pytest.MonkeyPatch) -> None:
    """Take an answer for one to the question that is open now."""
    honest = Table._accept

    def accept(table: Table, seat: Seat, answer: Any) -> None:
        if seat.ask is not None:
            answer = answer.model_copy(update={"prompt": seat.ask.prompt})
        honest(table, seat, answer)
        seat.last_answer = None

    patch.setattr(Table, "_accept", accept)


def wait_for_ever(patch: pytest.MonkeyPatch) -> None:
    """Decide for nobody whose time is over."""
    patch.setattr(Table, "_due", property(lambda _: None))


def decide_too_soon(patch: pytest.MonkeyPatch) -> None:
    """Decide for a player while there is time."""
    honest: Any = Table._due

    def due(table: Table) -> float | None:
        end: float | None = honest.fget(table)
        return None if end is None else end - 3

    patch.setattr(Table, "_due", property(due))


def forget_an_answer(patch: pytest.MonkeyPatch) -> None:
    """Go on after a crash without the last play of the round."""
    honest = Playing.resume

    def resume(context: Any, pending: Any) -> Playing:
        fewer = replace(pending, answers=pending.answers[:-1])
        return honest(context, fewer)

    patch.setattr(Playing, "resume", resume)


def show_less_money(patch: pytest.MonkeyPatch) -> None:
    """Show each newcomer a dollar less than everybody has."""

    def change(picture: Snapshot) -> Snapshot:
        seats = tuple(
            seat.model_copy(update={"balance": seat.balance - 100})
            for seat in picture.seats
        )
        return picture.model_copy(update={"seats": seats})

    _picture(patch, change)


def _picture(patch: pytest.MonkeyPatch, change: Any) -> None:
    honest = Table.snapshot

    def snapshot(table: Table, line: int) -> Snapshot | None:
        picture = honest(table, line)
        return None if picture is None else cast("Snapshot", change(picture))

    patch.setattr(Table, "snapshot", snapshot)


def leak_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    """Tell the card that lies face down."""

    def change(table: Table, event: Any) -> list[Any]:
        playing = table.phase
        is_hole = isinstance(event, CardDealt) and event.card == HIDDEN
        if not is_hole or not isinstance(playing, Playing):
            return [event]
        return [_with(event, card=str(playing.deal.dealer.cards[-1]))]

    _told(patch, change)


def tell_another_card(patch: pytest.MonkeyPatch) -> None:
    """Tell a deuce for each king."""

    def change(_: Table, event: Any) -> list[Any]:
        is_king = isinstance(event, CardDealt) and event.card[0] == "K"
        return [_with(event, card="2c")] if is_king else [event]

    _told(patch, change)


def tell_another_balance(patch: pytest.MonkeyPatch) -> None:
    """Tell a cent too much where a hand is settled."""

    def change(_: Table, event: Any) -> list[Any]:
        if isinstance(event, HandSettled):
            return [_with(event, balance=event.balance + 1)]
        return [event]

    _told(patch, change)


def tell_of_no_stand(patch: pytest.MonkeyPatch) -> None:
    """Tell nobody that a hand stands."""
    _told(patch, lambda _, event: [] if isinstance(event, HandStood) else [event])


def _with(event: Any, **fields: Any) -> Any:
    """Return an event with other fields, whatever kind of class it has."""
    if hasattr(event, "model_copy"):
        return event.model_copy(update=fields)
    return replace(event, **fields)


def _told(patch: pytest.MonkeyPatch, change: Any) -> None:
    honest = Table.close_update

    def close_update(table: Table) -> Update | None:
        update = honest(table)
        if update is None:
            return None
        events = tuple(new for old in update.events for new in change(table, old))
        return update.model_copy(update={"events": events})

    patch.setattr(Table, "close_update", close_update)


def tell_the_secret(patch: pytest.MonkeyPatch) -> None:
    """Tell the secret of a round when bets are called for."""
    honest = Betting.call

    def call(context: TableContext) -> Betting:
        betting = honest(context)
        context.outgoing.post(Announced(text=f"psst: {context.secret}"))
        return betting

    patch.setattr(Betting, "call", call)


def log_the_secret(patch: pytest.MonkeyPatch) -> None:
    """Write the secret of a round into the log."""
    honest = TableContext.prepare

    def prepare(context: TableContext) -> None:
        honest(context)
        logging.getLogger("bj_server.table").info("sealed %s", context.secret)

    patch.setattr(TableContext, "prepare", prepare)


def reuse_a_nonce(patch: pytest.MonkeyPatch) -> None:
    """Seal the same secret for each round."""
    same = SimpleNamespace(token_hex=lambda count: "5a" * count)
    patch.setattr(context_module, "secrets", same)


def draw_without_the_links(patch: pytest.MonkeyPatch) -> None:
    """Draw the cards from the secret of the server alone."""
    honest = records.numbers_of

    def numbers_of(secret: str, head: str, _: Any, seed: Any) -> Any:
        return honest(secret, head, [], seed)

    patch.setattr(context_module, "numbers_of", numbers_of)


def skip_a_card(patch: pytest.MonkeyPatch) -> None:
    """Burn the first card of a round that nobody is told of."""
    honest = TableContext.arrange

    def arrange(context: TableContext, links: Any) -> None:
        honest(context, links)
        context.shoe.draw()

    patch.setattr(TableContext, "arrange", arrange)


def sign_something_else(patch: pytest.MonkeyPatch) -> None:
    """Sign other words than those that are told."""
    honest = Signer.sign
    patch.setattr(
        Signer, "sign", lambda signer, message: honest(signer, message + b"!")
    )
