"""The desk: carries out one order of the host, and tells the result.

Orders about money and keys go through a table, like all that moves money there, so that
they are on the disk before they are told.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from bj_game.house import HouseError
from bj_game.money import in_dollars
from bj_protocol.chat import clean_chat
from bj_protocol.handle import canonical_handle
from bj_server.bank.disk import naming, replace_file
from bj_server.bank.error import BankError
from bj_server.bank.handles import Bans, Invites
from bj_server.bank.plain_json import write_plain
from bj_server.bank.snapshot import Document
from bj_server.floor import Floor, FloorError
from bj_server.host_cli import order as orders
from bj_server.host_cli.order import Order, Reply
from bj_server.settings import load_house, seats_of
from bj_server.table import inbox
from bj_server.table.dealer import Dealer

if TYPE_CHECKING:
    from bj_server.fleet.member import Orders

NOTICE_NAME = "notice.json"

_REMEDY = 'mend it, as in {"notice":"Cards at 8."}, or delete it to have no notice'


class Board:
    """One notice, or none, which a file in the bank ``folder`` keeps."""

    def __init__(self, folder: Path) -> None:
        self._path, self.text = folder / NOTICE_NAME, ""
        found = Document.read(self._path, _REMEDY)
        if found is not None:
            text = found.fields.get("notice")
            if not isinstance(text, str):
                raise found.damaged("has no notice")
            self.text = clean_chat(text)

    def post(self, text: str) -> str:
        """Hang up a notice, or take it down where ``text`` is empty."""
        cleaned = clean_chat(text)
        with naming(self._path):
            if cleaned:
                replace_file(self._path, write_plain({"notice": cleaned}).encode())
            else:
                self._path.unlink(missing_ok=True)
        self.text = cleaned
        return cleaned


_log = logging.getLogger(__name__)

_SECONDS = 4.0
"""How long an order waits for the disk before the host is told to look later."""
_STALLED = "The bank cannot write to its disk just now, so nothing was changed."
_STOPS = "The server stops, so nothing was changed: use bj-bank once it has stopped."
_SLOW = (
    "It is not on the disk yet, which is slow or full, and will be as soon as it can: "
    "do not order it again, but look at bj-bank history later."
)


@dataclass(eq=False)
class Desk:
    """The place at which the host speaks to the tables of a floor."""

    _floor: Floor
    _bans: Bans
    _board: Board
    _invited: Invites
    _fleet: "Orders | None" = None
    """Has accounts and bans in its own bank; None for a server alone."""

    def __post_init__(self) -> None:
        self._lobby = self._floor.lobby

    async def obey(self, order: Order) -> Reply:
        """Carry out an order; tables act on it in turn, as on everything else."""
        about = getattr(order, "handle", None)
        handle = None if about is None else canonical_handle(about)
        table = str(getattr(order, "table", None) or getattr(order, "name", ""))
        known = {"handle": handle, "table": table if table in self._lobby else None}
        _log.info("the host orders %s", order.do, extra=known)
        try:
            return Reply(is_done=True, lines=tuple(await self._do(order)))
        except (FloorError, HouseError, BankError) as why:
            return Reply(is_done=False, lines=(str(why),))

    async def _do(self, order: Order) -> list[str]:  # noqa: C901 - one flat match
        match order:
            case orders.Proclaim(text=text, table=table):
                told = self._named(table)
                for dealer in told:
                    dealer.submit(inbox.Proclaim(text))
                return [f"Said at {', '.join(dealer.name for dealer in told)}."]
            case orders.Notice(text=text):
                return [self._post(text)]
            case orders.Shuffle(table=table):
                named = self._named(table)
                for dealer in named:
                    dealer.submit(inbox.Reshuffle())
                soon = "gets new cards as soon as no round is on."
                return [f"Table {dealer.name} {soon}" for dealer in named]
            case orders.About():
                return await self._about(order)
            case orders.Gift():
                return [await self._give(order)]
            case orders.Open():
                return [self._open(order)]
            case orders.Close():
                return [self._close(order)]
            case orders.Whole():
                return self._whole(order)

    def _whole(self, order: orders.Whole) -> list[str]:
        match order.do:
            case "drain":
                return [self._drain()]
            case "tables":
                return list(self._tables())
            case "bans":
                return list(self._bans) or ["Nobody is banned."]
            case "invites":
                return list(self._invited) or ["Nobody is invited."]

    def _post(self, text: str) -> str:
        self._floor.post(self._board.post(text))
        if not text:
            return "The notice is taken down."
        return "The lobby and all tables have the notice, until bj-host notice --clear."

    def _named(self, table: str | None) -> list[Dealer]:
        """Return the dealer of the table of that name, or all of them for None."""
        dealers = {place.dealer.name: place.dealer for place in self._lobby}
        if table is not None and table not in dealers:
            known = ", ".join(dealers)
            raise FloorError(f"There is no table of that name here; there is {known}.")
        return list(dealers.values()) if table is None else [dealers[table]]

    # Players.

    async def _about(self, order: orders.About) -> list[str]:
        handle = self._handle(order.handle)
        match order.do:
            case "kick":
                return [self._kick(handle)]
            case "reset-key":
                return await self._reset_key(handle)
            case "ban":
                await self._ban(handle)
                is_here = self._lobby.of_handle(handle) is not None
                went = [self._kick(handle)] if is_here else await self._doubt(handle)
                return [" ".join((f"{handle} is banned from this server.", *went))]
            case "unban":
                if handle not in self._bans:
                    raise FloorError(f"{handle} is not banned.")
                await self._unban(handle)
                return [f"{handle} may join again."]
            case "invite":
                self._invited.add(handle)
                return [f"{handle} is invited to this server."]
            case "uninvite":
                if handle not in self._invited:
                    raise FloorError(f"{handle} is not invited.")
                self._invited.discard(handle)
                return [f"{handle} is invited no more."]
            case "mute" | "unmute":
                is_muted = order.do == "mute"
                self._floor.mute(handle, is_muted=is_muted)
                said = f"{handle} can chat {'no more' if is_muted else 'again'}."
                return [" ".join((said, *await self._doubt(handle)))]

    async def _ban(self, handle: str) -> None:
        if self._fleet is None:
            self._bans.add(handle)
        else:
            await self._fleet.ban(handle)

    async def _unban(self, handle: str) -> None:
        if self._fleet is None:
            self._bans.discard(handle)
        else:
            await self._fleet.unban(handle)

    def _kick(self, handle: str) -> str:
        place = self._lobby.of_handle(handle)
        if place is None:
            raise FloorError(
                f"{handle} sits at no table; bj-host tables lists who does."
            )
        place.dealer.submit(inbox.SendAway(handle))
        return f"{handle} is sent away from table {place.dealer.name}."

    def _handle(self, written: str) -> str:
        handle = canonical_handle(written)
        if handle is None:
            raise FloorError(
                f"{written!a} is no handle: those have letters, digits and . _ - + "
                "@ alone. bj-host tables lists who plays."
            )
        return handle

    async def _doubt(self, handle: str) -> list[str]:
        """Return a remark, if nobody has used a handle, which may be misspelt."""
        if await self._has_account(handle):
            return []
        return [f"Nobody has an account as {handle} yet{self._meant(handle)}"]

    async def _check_known(self, handle: str) -> None:
        if not await self._has_account(handle):
            raise FloorError(
                f"Nobody has an account as {handle}{self._meant(handle)} bj-bank "
                "balances lists all."
            )

    async def _has_account(self, handle: str) -> bool:
        if self._fleet is not None:
            return await self._fleet.has_account(handle)
        return self._bank_of(handle).balance(handle) is not None

    def _meant(self, handle: str) -> str:
        """Return the end of a sentence: the players here who are spelt nearly so."""
        views = (place.dealer.view(is_private=False) for place in self._lobby)
        here = sorted({seated for view in views for seated in view.handles})
        near = get_close_matches(handle, here)
        return f"; did you mean {' or '.join(near)}?" if near else "."

    # Accounts.

    def _bank_of(self, handle: str) -> Dealer:
        """Return the dealer to whom an order about an account goes."""
        place = self._lobby.of_handle(handle) or next(iter(self._lobby))
        return place.dealer

    async def _give(self, gift: orders.Gift) -> str:
        handle, given = self._handle(gift.handle), in_dollars(gift.amount)
        await self._check_known(handle)
        most = self._bank_of(handle).largest_gift
        if gift.amount > most:
            raise FloorError(f"No gift may be over {in_dollars(most)} now.")
        if self._fleet is not None:
            now = in_dollars(await self._fleet.give(handle, gift.amount))
            return (
                f"The donor has given {given} to {handle}, who has {now} at rest in "
                "the fleet, and takes it along at the next hello without a seat."
            )
        await self._carry_out(
            handle, lambda done: inbox.Give(handle, gift.amount, done)
        )
        now = in_dollars(self._bank_of(handle).balance(handle) or 0)
        return f"The donor has given {given} to {handle}, who now has {now}."

    async def _reset_key(self, handle: str) -> list[str]:
        await self._check_known(handle)
        if self._fleet is not None:
            await self._fleet.reset_key(handle)
        await self._carry_out(handle, lambda done: inbox.ResetKey(handle, done))
        said = [f"{handle} has no key any more: the next one to join claims it."]
        if self._lobby.of_handle(handle) is not None:
            said.append(
                f"The player who sits there plays on: bj-host kick {handle} ends that."
            )
        return said

    async def _carry_out(
        self, handle: str, make: Callable[[asyncio.Future[bool]], inbox.Command]
    ) -> None:
        """Have a table write something down, and wait until it is on the disk."""
        done = asyncio.get_running_loop().create_future()
        dealer = self._bank_of(handle)
        dealer.submit(make(done))
        try:
            async with asyncio.timeout(_SECONDS):
                is_done = await done
        except TimeoutError:
            raise FloorError(_SLOW) from None
        if not is_done:
            raise FloorError(_STOPS if dealer.is_gone else _STALLED)

    # Tables.

    def _open(self, order: orders.Open) -> str:
        if canonical_handle(order.name) != order.name:
            raise FloorError(
                "A table's name is written like a handle, in small letters."
            )
        house = None if order.house is None else load_house(order.house)
        plan = replace(self._floor.settings.plan(order.name, house), code=order.code)
        self._floor.open(plan)
        private = "" if plan.code is None else ", private"
        return (
            f"Table {plan.name} is open: {plan.house.name}, {seats_of(plan.seats)}"
            f"{private}, until it is closed or the server stops. Add it to the "
            "server's tables to keep it."
        )

    def _close(self, order: orders.Close) -> str:
        (dealer,) = self._named(order.name)
        when = "once its round is over" if dealer.is_playing else "now"
        self._floor.close(dealer.name)
        return f"Table {dealer.name} closes {when}; its players are told their bank."

    def _drain(self) -> str:
        rounds = self._floor.drain()
        if not rounds:
            return "No round is on, so the server stops now."
        which = "the round that is on is" if rounds == 1 else f"{rounds} rounds are"
        return f"No new round begins; the server stops once {which} over."

    def _tables(self) -> Iterator[str]:
        if self._lobby.notice:
            yield f"The notice is: {self._lobby.notice}"
        for place in self._lobby:
            table = place.dealer.view(is_private=False)
            who = ", ".join(table.handles) or "nobody"
            private = ", private" if place.code is not None else ""
            closing = ", closing" if place.dealer.is_draining else ""
            yield (
                f"{table.name}: {table.house}, {table.seats_taken} of "
                f"{seats_of(table.seat_count)}{private}, {table.phase}{closing}, "
                f"{table.watchers} watching; {who}"
            )
