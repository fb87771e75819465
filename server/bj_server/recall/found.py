"""Found: the records of one round that is over, as they are gathered from its end."""

from dataclasses import dataclass, field

from bj_server.bank.docket import Record
from bj_server.bank.line import Line


@dataclass(slots=True, kw_only=True, eq=False)
class Found:
    """One round of a handle; amounts in cents."""

    end: Line
    """The line by which it was over for the handle."""
    owed: int
    """What the handle had at risk at the end, less what was found to have come there;
    0 once the bet itself is found."""
    bet: Line | None = None
    """The line of the bet."""
    deal: Line | None = None
    answers: list[Line] = field(default_factory=list)
    """The decisions of all seats, in their order."""
    house: Record | None = None
    """The rules by which it was dealt."""
    balance_before: int = 0
    balance_after: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing older is needed to tell the round."""
        return self.owed == 0 and (self.deal is None or self.house is not None)
