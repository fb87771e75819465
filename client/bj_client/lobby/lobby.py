"""The lobby without a terminal: the tables, the one that is marked, and the keys.

The tables of a server are listed here, too, for those who only look at them.

The mark stays with a table by its name, since the list is fetched anew now and then.
"""

from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum, auto

from bj_client.net.address import Address
from bj_client.net.connection import Connection
from bj_client.words.money import dollars
from bj_client.words.text import counted, printable
from bj_protocol.chat import clean_chat
from bj_protocol.messages import TableList
from bj_protocol.views import Phase, TableView

Fetch = Callable[[], Awaitable[TableList]]

PHASES = {
    Phase.WAITING: "waiting for players",
    Phase.BETTING: "taking bets",
    Phase.CALLING: "in a round",
    Phase.PLAYING: "in a round",
}


async def fetch_tables(address: Address) -> TableList:
    """Ask a server for its tables.

    Raises:
        ClientError: if it cannot be reached, or is of another version.
    """
    connection = await Connection.open(address)
    try:
        return await connection.tables()
    finally:
        await connection.close()


def listing(found: TableList) -> list[str]:
    """Return the notice of the host, a line for each table, and how to go on."""
    said = [said_by_host(found.notice)] if found.notice else []
    lines = [f"{printable(table.name)}: {about(table)}." for table in found.tables]
    how = "Sit down with --table NAME, or look on with --watch --table NAME."
    return [*said, *lines, how]


def said_by_host(notice: str) -> str:
    """Return a sentence that the host wants everybody to read."""
    return f"The host says: {clean_chat(notice)}"


def about(table: TableView) -> str:
    """Return the facts about a table besides its name, as a clause."""
    most = "" if table.maximum_bet is None else f" to {dollars(table.maximum_bet)}"
    seats = counted(table.seat_count, "seat")
    names = ", ".join(map(printable, table.handles))
    who = f" ({names})" if names else ""
    parts = [
        f"{printable(table.house)} ({printable(table.title)})",
        f"bets from {dollars(table.minimum_bet)}{most}",
        f"{table.seats_taken} of {seats} taken{who}",
        PHASES[table.phase],
    ]
    if table.watchers:
        parts.append(f"{table.watchers} watching")
    if table.private:
        parts.append("private: its code is needed")
    return ", ".join(parts)


_LONGEST_CODE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A table to go to."""

    table: str
    watches: bool = False
    code: str | None = field(default=None, repr=False)


class Wish(Enum):
    """Wishes in the lobby other than a table."""

    LEAVE = auto()
    NEWS = auto()
    """To have the list as it is now."""


@dataclass(eq=False, repr=False)  # a code may be in it
class Lobby:
    """The tables of a server, and a player's choice among them."""

    tables: tuple[TableView, ...]
    _: KW_ONLY
    server: str
    handles: tuple[str, ...] = ()
    """The players; nobody is one who watches."""
    code: str | None = None
    """What is tried at private tables until one refuses it."""
    says: str = ""
    """The notice of the host."""
    marked: str = field(default="", init=False)
    """The name of the table that keys are about."""
    notice: str = field(default="", init=False)
    """The last sentence about a refusal, or about a list that did not come."""
    typed: str | None = field(default=None, init=False)
    """The code that is being typed; None while none is asked for."""
    _number: str = field(default="", init=False)
    """The digits that were typed last, of a list with numbers of two."""
    _watches: bool = field(default=False, init=False)
    _is_old: bool = field(default=False, init=False)
    """Whether the notice tells that the server was not reached."""

    def __post_init__(self) -> None:
        """Mark the first table at which one of the players sits, or the first."""
        self._mark_some()
        ours = (table.name for table in self.tables if self.sits_at(table))
        self.marked = next(ours, self.marked)

    @property
    def banner(self) -> str:
        """The notice of the host, and the last sentence about a refusal."""
        said = said_by_host(self.says) if self.says else ""
        return " ".join(filter(None, (said, self.notice)))

    def update(self, found: TableList) -> None:
        """Take in the list as it is now."""
        self.tables, self.says = found.tables, found.notice
        if self._is_old:
            self._is_old, self.notice = False, ""
        self._mark_some()

    def miss(self, sentence: str) -> None:
        """Tell why the list, or a table, was not reached until the list comes again."""
        self._is_old, self.notice = True, sentence

    def refuse(self, sentence: str) -> None:
        """Tell why a table was not entered; a code that was tried counts no more.

        Without a sentence the player is back, and nothing was refused; that a server
        was missed is told on.
        """
        if sentence:
            self._is_old, self.code = False, None
        if not self._is_old:
            self.notice = sentence

    def sits_at(self, table: TableView) -> bool:
        """Say whether one of the players is known to have a seat at ``table``."""
        ours = {handle.casefold() for handle in self.handles}
        return any(handle.casefold() in ours for handle in table.handles)

    def has_room(self, table: TableView) -> bool:
        """Say whether the players can sit down at ``table``."""
        free = table.seat_count - table.seats_taken
        return bool(self.handles) and (free >= len(self.handles) or self.sits_at(table))

    @property
    def is_long(self) -> bool:
        """Whether numbers have several digits, so that Enter must end them."""
        return len(self.tables) > 9

    @property
    def view(self) -> TableView | None:
        """The table that is marked."""
        return next((t for t in self.tables if t.name == self.marked), None)

    def mark(self, name: str) -> None:
        """Mark the table of that name, if it is still there."""
        if self.typed is None and any(table.name == name for table in self.tables):
            self.marked = name

    def press(self, key: str) -> Choice | Wish | None:
        """Take a key: a character, or a name such as ``enter`` or ``up``.

        Returns:
            The choice or wish that follows; None for nothing.
        """
        if self.typed is not None:
            return self._type(key)
        number, self._number = self._number, ""
        match key:
            case "up" | "down" | "k" | "j" | "tab":
                self._move(-1 if key in {"up", "k"} else 1)
            case "pageup" | "pagedown":
                self._move(-5 if key == "pageup" else 5)
            case "enter" | "s":
                return self.choose(watches=not self.handles)
            case "w":
                return self.choose(watches=True)
            case "r":
                self.notice = ""
                return Wish.NEWS
            case "q":
                return Wish.LEAVE
            case _ if key and key in "0123456789":
                return self._pick(number, key)
            case _:
                pass
        return None

    def paste(self, text: str) -> None:
        """Take a pasted text, which only counts as a code."""
        if self.typed is not None:
            self.typed = (self.typed + "".join(text.split("\n")))[:_LONGEST_CODE]

    def choose(self, *, watches: bool) -> Choice | None:
        """Return the marked table as the choice; None if its code is asked for."""
        table = self.view
        if table is None:
            return None
        self._watches = watches
        self._is_old, self.notice = False, ""
        if table.private and self.code is None:
            self.typed = ""
            return None
        return Choice(table=table.name, watches=watches, code=self.code)

    def _type(self, key: str) -> Choice | None:
        typed = self.typed or ""
        match key:
            case "escape":
                self.typed = None
            case "enter":
                self.typed = None
                code = typed.strip() or None  # a player who sits there needs none
                return Choice(table=self.marked, watches=self._watches, code=code)
            case "backspace":
                self.typed = typed[:-1]
            case _ if len(key) == 1:
                self.typed = (typed + key)[:_LONGEST_CODE]
            case _:
                pass
        return None

    def _pick(self, number: str, digit: str) -> Choice | None:
        """Mark a table by the next digit of its number; choose it if that is all."""
        for typed in (number + digit, digit):
            if 0 < int(typed) <= len(self.tables):
                self._number, self.marked = typed, self.tables[int(typed) - 1].name
                return None if self.is_long else self.choose(watches=not self.handles)
        return None

    def _move(self, rows: int) -> None:
        names = [table.name for table in self.tables]
        if names:
            place = names.index(self.marked) + rows
            self.marked = names[max(0, min(place, len(names) - 1))]

    def _mark_some(self) -> None:
        if self.view is None:
            self.marked = self.tables[0].name if self.tables else ""
            self.typed = None


Chooser = Callable[[], Awaitable[Choice | None]]
"""Shows a lobby, and returns the choice of the player; None if they leave."""


def needs_choice(tables: tuple[TableView, ...], code: str | None) -> bool:
    """Say whether there is more than one way, or a code to ask for."""
    return len(tables) > 1 or any(table.private and code is None for table in tables)


async def choose(
    lobby: Lobby, chooser: Chooser, visit: Callable[[Choice], Awaitable[str | None]]
) -> None:
    """Let a player choose tables until a visit is over, or the player leaves.

    ``visit`` goes to a table. It returns None once the player has left for good, and
    otherwise why the player is back in the lobby: the sentence of a refusal, or an
    empty one where that was the player's own wish.

    Raises:
        ClientError: if a visit has ended otherwise.
    """
    while (choice := await chooser()) is not None:
        refusal = await visit(choice)
        if refusal is None:
            return
        lobby.refuse(refusal)
