"""The story of a table: its updates in a chain of hashes, signed at certain points."""

from typing import cast

from bj_protocol import events
from bj_protocol.messages import Signed, Update
from bj_protocol.proof import StatementKind, first_head, next_head, statement
from bj_protocol.views import StoryView
from bj_server.bank.signer import Signer

_Ending = events.BetsClosed | events.RoundEnded | events.RoundVoided
_SIGNED: dict[type, StatementKind] = {
    events.BetsClosed: StatementKind.CALL,
    events.RoundEnded: StatementKind.END,
    events.RoundVoided: StatementKind.VOID,
}


class Story:
    """All that one table has told everyone since its server was started."""

    def __init__(self, signer: Signer, table: str) -> None:
        """Begin; ``start`` is called once the table knows where it goes on."""
        self._signer = signer
        self._table = table
        self.key, self.run = signer.key, signer.run
        """The public key of the server, and the number that names this run of it."""
        self.head = first_head(key=signer.key, run=signer.run, table=table)
        self.began: Signed | None = None
        """The statement that every newcomer is told: the beginning of this run."""

    @property
    def view(self) -> StoryView:
        """The key, run and head by which a newcomer follows it from here."""
        return StoryView(
            key=self.key,
            run=self.run,
            head=self.head,
            past_keys=self._signer.past_keys,
            fleet=self._signer.told_fleet,
            start=self._signer.start,
        )

    def start(self, seq: int, round: int, before: str) -> None:
        """Sign where the run begins; ``before`` is the run and head that it follows."""
        self.began = self.sign(StatementKind.START, seq, round, before)

    def tell(self, update: Update, text: str) -> list[Signed]:
        """Add an update, as it is told, and sign each call and end of a round in it."""
        self.head = next_head(self.head, text.encode())
        signed = []
        for event in update.events:
            kind = _SIGNED.get(type(event))
            if kind is not None:
                round = cast("_Ending", event).round
                signed.append(self.sign(kind, update.seq, round))
        return signed

    def sign(self, kind: StatementKind, seq: int, round: int, note: str = "") -> Signed:
        """Sign how the story is after the update ``seq``, the last one."""
        message = statement(
            key=self.key,
            run=self.run,
            table=self._table,
            seq=seq,
            kind=kind,
            round=round,
            head=self.head,
            note=note,
        )
        return Signed(
            table=self._table,
            seq=seq,
            kind=kind,
            round=round,
            head=self.head,
            note=note,
            signature=self._signer.sign(message),
        )
