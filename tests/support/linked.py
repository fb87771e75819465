"""A table on a bench whose players commit to links, and give them when called."""

import random
from typing import Any

from bj_protocol.commands import AnyAnswer, Link, PlaceBet
from bj_protocol.messages import Refused
from bj_protocol.proof import bet_commitment
from bj_server.table.calling import Calling
from bj_server.table.inbox import Command
from support.rig import Rig


class LinkedRig(Rig):
    """A rig at which everyone's client has a part in each draw."""

    def __init__(self, *parts: Any, **options: Any) -> None:
        self.links: dict[str, str] = {}
        """The last link of each handle."""
        self.silent: set[str] = set()
        """Whose clients give no link."""
        self.given: list[tuple[int, int, Link]] = []
        """The links that were given: the line, what it had heard before, the link."""
        self._chance = random.Random(8)
        super().__init__(*parts, **{"seed": None, **options})

    def answer(self, handle: str, answer: AnyAnswer) -> Refused | None:
        seal = self.table.context.seal
        if isinstance(answer, PlaceBet) and seal is not None:
            link = self.links[handle] = self._chance.randbytes(32).hex()
            seat = self.seat(handle).seat
            known = bet_commitment(seal=seal, seat=seat, handle=handle, link=link)
            answer = answer.model_copy(update={"commitment": known})
        return super().answer(handle, answer)

    def send(self, *batch: Command) -> None:
        super().send(*batch)
        phase = self.table.phase
        while isinstance(phase, Calling) and phase.head is not None:
            given = [s for s in phase.missing if self._can_give(s.handle)]
            if not given:
                return
            line = self.line[given[0].handle]
            link = Link(head=phase.head, link=self.links[given[0].handle])
            self.given.append((line, len(self.outlet.heard[line]), link))
            self.link(line, link)
            phase = self.table.phase

    def _can_give(self, handle: str) -> bool:
        seat = self.table.context.seats.of_handle(handle)
        is_here = seat is not None and seat.line is not None
        return is_here and handle in self.line and handle not in self.silent
