"""Invariants: what has to hold at a table after every command, whatever it was."""

from typing import Any

from bj_client.model.table import Table
from bj_protocol.views import HandState, Presence
from bj_server.table.playing import Playing
from support.rig import Rig


class Invariants:
    """Watches a rig, and knows how far it has looked."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._fold: Table | None = None
        """What a client knows that has heard every update."""
        self._told = 0
        self._prompt = 0
        self.rounds = 0
        """The rounds that have ended."""

    def check(self) -> None:
        self._check_money()
        self._check_seats()
        self._check_updates()
        self._check_picture()

    def _check_money(self) -> None:
        books, context = self._rig.bank.books, self._rig.table.context
        books.audit()  # the sum is zero, and each stake is somebody's
        for account, cents in books.ledger.accounts.items():
            assert cents >= 0 or account in ("house", "donor"), account
        phase = self._rig.table.phase
        bets = {
            seat.handle: seat.bet * seat.spots for seat in context.seats if seat.bet
        }
        at_stake = phase.at_stake if isinstance(phase, Playing) else bets
        assert phase is not None or not bets
        assert at_stake == books.held("main", context.round)
        assert all(round == context.round for _, round in books.live_rounds)

    def _check_seats(self) -> None:
        table, context = self._rig.table, self._rig.table.context
        handles = [seat.handle for seat in context.seats]
        assert len(handles) == len(set(handles))
        lines = [seat.line for seat in context.seats if seat.line is not None]
        assert len(lines) == len(set(lines))
        for seat in context.seats:
            assert seat.presence is not Presence.LEAVING or not seat.ask
            if seat.ask and seat.ask.prompt > self._prompt:
                assert seat.is_here, f"{seat.handle} is asked, and cannot answer"
        self._prompt = context.last_prompt
        assert table.turn is None or table.wake_at is not None
        assert table.turn or table.wake_at or not context.seats.here

    def _check_updates(self) -> None:
        new = self._rig.outlet.updates[self._told :]
        for number, update in enumerate(new, start=self._told + 1):
            assert update.seq == number
            self.rounds += sum(e.type == "round_ended" for e in update.events)
            if self._fold is not None:
                self._fold.apply(update)
        self._told += len(new)
        assert self._rig.table.context.seq == self._told

    def _check_picture(self) -> None:
        """See that a snapshot says what the updates have said."""
        if not self._rig.table.context.seats.here:
            self._fold = None  # nobody is there who has heard the updates
            return
        picture = Table(self._rig.picture)
        if self._fold is not None:
            shown = known(picture)
            for name, folded in known(self._fold).items():
                assert folded == shown[name], f"{name}: {folded} is not {shown[name]}"
        else:
            self._fold = picture


def known(table: Table) -> dict[str, Any]:
    for seat in table.seats.values():
        for hand in seat.hands:
            if hand.state is HandState.PLAYING:
                hand.state = HandState.WAITING  # the asks tell which of the two
    return {
        "seq": table.seq,
        "round": table.round,
        "phase": table.phase,
        "seats": table.seats,
        "dealer": table.dealer,
        "shoe": (table.shoe.decks, table.shoe.cards_left, table.shoe.until_cut),
        "asks": table.asks,
    }
