"""Round: finding the round that somebody names, and telling it."""

from bj_server.bank.books import Books
from bj_server.bank.docket import Record
from bj_server.bank.line import Line
from bj_server.office.options import Options, RoundName
from bj_server.office.reading import Reading
from bj_server.office.report import Exit, Refused, Report, as_json
from bj_server.office.story import Story


class _Search:
    """Follows the rounds that a name may mean: one at each table."""

    def __init__(self, name: RoundName, books: Books) -> None:
        self.stories: dict[str, Story] = {}
        self._name = name
        self._last: dict[str, int] = {}
        self._houses = {t: docket.house for t, docket in books.dockets.items()}

    def visit(self, line: Line) -> None:
        table = line.table
        if table is None:
            return
        if line.kind == "house":
            self._houses[table] = Record.of(line)
        elif line.round is not None:
            self._last[table] = max(line.round, self._last.get(table, 0))
            if line.round == self._name.number and self._name.table in (None, table):
                story = self.stories.setdefault(table, Story(table, line.round))
                story.follow(line, self._houses.get(table))

    @property
    def story(self) -> Story:
        """The one round that was found.

        Raises:
            Refused: if there is none, or more than one.
        """
        if len(self.stories) == 1:
            return next(iter(self.stories.values()))
        raise Refused(Exit.WRONG_OPTIONS, self._several() or self._none())

    def _several(self) -> str | None:
        if not self.stories:
            return None
        names = " or ".join(f"{table}/{self._name.number}" for table in self.stories)
        return f"More than one table has a round {self._name.number}: say {names}."

    def _none(self) -> str:
        last = ", ".join(f"{table}/{last}" for table, last in self._last.items())
        known = f"the last of each table: {last}" if last else "none was played yet"
        at = f" at table {self._name.table!a}" if self._name.table else ""
        return f"There is no round {self._name.number}{at}; {known}."


def tell_round(options: Options) -> Report:
    """Report what happened in a round, card by card.

    Raises:
        Refused: if there is no such round or no bank.
        BankError: if the bank cannot be read.
    """
    reading = Reading(options.bank)
    search = _Search(options.round, reading.books())
    end = reading.read(search.visit)
    story = search.story
    remarks, status = [end.remark], Exit.FINE
    if story.wrong is not None:
        remarks.append(f"{story.wrong} bj-bank audit tells more.")
        status = Exit.UNSOUND
    lines = as_json(story.fields) if options.as_json else story.lines
    return Report(lines=lines, remarks=remarks, status=status)
