"""The linker: takes part in the draw, and bets only where that is worth something.

Each bet gets a fresh link on its way out, and its commitment goes with it. When the
bets are closed and the checker finds all in order, the signature included, the link is
sent at once, for one head of the story only. It is forgotten with its round.
"""

import secrets

from bj_client.fair.answers import ABOUT_RECALLS
from bj_client.fair.checker import Checker
from bj_protocol.commands import Command, Link, PlaceBet, Recall
from bj_protocol.messages import Message, Recalled, Refused
from bj_protocol.proof import SECRET_BYTES, bet_commitment
from bj_protocol.refusal import RefusalCode

ABOUT_LINKS = {RefusalCode.LINK_OVER, RefusalCode.NOT_YOUR_LINK}
"""Refusals of what the client has sent by itself."""
_REMEDY = "start bj-client with --unproven to play without proof."


class Linker:
    """One player's links, through one connection after the other."""

    def __init__(self, checker: Checker) -> None:
        """Send the links that ``checker`` agrees with."""
        self._checker = checker
        self._link = ""
        self._seal: str | None = None
        """The seal of the round that the link is for."""
        self._prompt = 0
        """The question that a bet with the link has answered last."""
        self._told: str | None = None
        """The head that it was sent for."""
        self._recalls: list[bool] = []
        """The recalls that are not answered, and whether they are our own."""
        self._is_recall_due = False

    def why_not(self, command: Command, *, is_unproven: bool = False) -> Refused | None:
        """Return why a bet is not sent, as the server would; None for all that is."""
        if not isinstance(command, PlaceBet):
            return None
        self._checker.go_on()
        story, rounds = self._checker.story, self._checker.rounds
        is_seated = rounds.bets.own_seat is not None
        if story.is_on and is_seated and self._checker.answers.is_guess(command.prompt):
            text = "This bet answers no question that your client has heard."
            code = RefusalCode.NOT_ASKED
            return Refused(code=code, text=text, prompt=command.prompt)
        if is_unproven:
            return None
        why = ""
        if self._checker.awaits_missed:
            why = "The server has not told yet what you have missed"
        elif not story.is_on or rounds.draw.seal is None:
            why = "This table proves nothing"
        elif rounds.house is None:
            why = "This table has rules that your client does not know"
        elif story.owed:
            why = f"The server has not signed the {story.owed} that it owes"
        elif story.is_broken:
            why = "The signatures of the server do not hold"
        else:
            why = rounds.owing.why_not(rounds.number)
        if not why:
            return None
        text = f"{why}, so your client does not bet here: {_REMEDY}"
        code = RefusalCode.NOT_IN_THIS_HOUSE
        return Refused(code=code, text=text, prompt=command.prompt)

    def dress(self, command: Command) -> Command:
        """Return a command as it goes out: a bet with a commitment to a link."""
        if isinstance(command, Recall):
            self._recalls.append(False)
        if isinstance(command, PlaceBet):
            self._checker.go_on()
        rounds, handle = self._checker.rounds, self._checker.handle
        seat, seal = rounds.bets.own_seat, rounds.draw.seal
        if not isinstance(command, PlaceBet) or not (handle and seat and seal):
            return command
        # One that is sent again is the same bet, and none is taken after the call.
        is_closed = rounds.draw.is_call_unheard or rounds.draw.call or rounds.deal
        is_same = command.prompt == self._prompt or is_closed
        if seal != self._seal or (self._told is not None and not is_same):
            self._link = secrets.token_bytes(SECRET_BYTES).hex()
            self._seal, self._told = seal, None
        self._prompt = command.prompt
        commitment = bet_commitment(
            seal=seal, seat=seat, handle=handle, link=self._link
        )
        return command.model_copy(update={"commitment": commitment})

    def answer(self, message: Message) -> list[Link | Recall]:
        """Return the commands that follow from a message that the checker has heard."""
        rounds, story = self._checker.rounds, self._checker.story
        call, head = rounds.draw.call, rounds.draw.head
        if call is not None and rounds.draw.is_link_due and not story.owed:
            rounds.draw.is_link_due = False
            is_ours = call.seal == self._seal
            if is_ours and not story.is_broken and self._told in (None, head):
                self._told = head
                return [Link(head=head, link=self._link)]
        wanted = self._checker.wants_recall
        was_due, self._is_recall_due = self._is_recall_due, bool(wanted)
        # A player may ask first, right after a picture, and for fewer.
        unanswered = self._recalls[isinstance(message, Recalled) :]
        if wanted and was_due and not unanswered:
            self._recalls.append(True)
            return [Recall(rounds=wanted)]
        return []

    def is_private(self, message: Message) -> bool:
        """Whether a message answers a command of our own, and concerns no player."""
        match message:
            case Recalled():
                return bool(self._recalls) and self._recalls.pop(0)
            case Refused(code=code) if code in ABOUT_RECALLS:
                return bool(self._recalls) and self._recalls.pop(0)
            case Refused(code=code):
                return code in ABOUT_LINKS
            case _:
                return False

    def lose(self) -> None:
        """Note that the line is lost, with all that was asked for on it."""
        self._recalls.clear()
