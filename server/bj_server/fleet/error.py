"""Errors of a fleet; each is a sentence that names the thing and the remedy."""

from collections.abc import Sequence

from bj_server.bank.error import BankError


class FleetError(BankError):
    """The fleet cannot do what was asked; the message says why and what helps."""


class FleetAwayError(FleetError):
    """PostgreSQL does not answer; what was asked for may have been done or not."""

    def __init__(self, why: object) -> None:
        reason = " ".join(str(why).split()).removesuffix(".") or type(why).__name__
        super().__init__(
            f"PostgreSQL, which keeps the fleet's bank, does not answer: {reason}. "
            "See that it runs and can be reached."
        )


class UnpaidError(FleetError):
    """A server was drained for good, and PostgreSQL does not know who has left."""

    def __init__(self, name: str, handles: Sequence[str]) -> None:
        super().__init__(
            f"The drain of server {name} has left {len(handles)} visits open, since "
            f"PostgreSQL does not answer: {', '.join(handles)}. Their money is in its "
            "bank folder: start and drain it once more when PostgreSQL is back."
        )


class FencedError(FleetError):
    """Another server has taken this one's name over, and this one may do no more."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The name {name} of this server in its fleet was taken over by another "
            "start or written off, so this server stops. If that was not meant, stop "
            "the other one, and start the one whose bank folder goes on."
        )
