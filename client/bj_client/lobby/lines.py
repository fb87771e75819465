"""The lobby in lines: the tables in numbered sentences, and the question which."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bj_client.error import ClientError
from bj_client.lobby.lobby import Choice, Fetch, Lobby, about
from bj_client.play.input import EndOfInputError, LineInput
from bj_client.play.output import Output, Tone
from bj_client.question.question import Question
from bj_client.words.text import printable


@dataclass(eq=False)
class LobbyLines:
    """Asks which table, by lines, until one is chosen."""

    lobby: Lobby
    fetch: Fetch
    output: Output
    open_input: Callable[[], LineInput]
    _input: LineInput = field(init=False)
    _is_new: bool = field(default=True, init=False)
    """Whether the list is as it was when the lobby was made."""

    async def choose(self) -> Choice | None:
        """Return the choice of the player; None if they leave."""
        lines = self._input = self.open_input()
        try:
            return await self._choose()
        except EndOfInputError:
            return None
        finally:
            await lines.close()

    async def _choose(self) -> Choice | None:
        if not self._is_new:
            await self._refresh()
        self._is_new = False
        await self._list()
        while True:
            typed = await self._ask(self._question())
            match typed.casefold():
                case "q" | "quit" | "leave":
                    return None
                case "r" | "t" | "table":
                    await self._refresh()
                    await self._list()
                case _ if (choice := await self._chosen(typed)) is not None:
                    return choice
                case _:
                    pass

    async def _chosen(self, typed: str) -> Choice | None:
        """Return the choice that a line makes; else say what is wrong with it."""
        word, _, rest = typed.partition(" ")
        watches = word.casefold() in {"w", "watch"} and bool(rest)
        name = self._named(rest.strip() if watches else typed)
        if name is None:
            question = self._question()
            why = "That is none of the tables" if typed else "Nothing was typed"
            await self._notice(question.complaint(why).sentence)
            return None
        lobby = self.lobby
        lobby.mark(name)
        choice = lobby.choose(watches=watches or not lobby.handles)
        if choice is not None or lobby.typed is None:
            return choice
        hint = "type the code that its host has given you, or nothing to go back"
        asked = f"What is the code of {printable(name)}?"
        code = await self._ask(Question(asked, hint))
        lobby.typed = None
        if not code:
            return None
        return Choice(table=name, watches=watches or not lobby.handles, code=code)

    def _named(self, typed: str) -> str | None:
        """Return the name of the table of that number or name."""
        names = [table.name for table in self.lobby.tables]
        if typed in names:
            return typed
        if typed.isascii() and typed.isdigit() and 0 < int(typed[:9]) <= len(names):
            return names[int(typed) - 1]
        return None

    def _question(self) -> Question:
        count = len(self.lobby.tables)
        sits = "a number to sit down, w and a number to look on"
        if not self.lobby.handles:
            sits = "a number to look on"
        asked = f"Which table (1 to {count})?" if count > 1 else "Which table (1)?"
        choices = f"type {sits}, r for the list as it is now, or q to leave"
        return Question(asked, choices)

    async def _ask(self, question: Question) -> str:
        await self._input.pose(question)
        line = await self._input.read()
        await self._input.pose(None)
        return line.text.strip()

    async def _list(self) -> None:
        lobby = self.lobby
        if lobby.banner:
            await self._notice(lobby.banner)
            lobby.notice = ""
        for number, table in enumerate(lobby.tables, 1):
            yours = ", your seat" if lobby.sits_at(table) else ""
            name = printable(table.name)
            await self.output.line(f"{number}. {name}: {about(table)}{yours}.")

    async def _refresh(self) -> None:
        try:
            self.lobby.update(await self.fetch())
        except ClientError as ending:
            await self._notice(str(ending))

    async def _notice(self, sentence: str) -> None:
        await self.output.line(sentence, Tone.NOTICE)
