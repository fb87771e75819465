"""The session of ``specs/iipp6.txt``: Deal is good at any time."""

from bj_client.question.question import NO, YES, Complaint, Question, Reading, Word
from bj_client.style.game import Game
from bj_client.style.iipp6_canvas import Canvas
from bj_client.style.style import Style
from bj_protocol import events
from bj_protocol.commands import AnyAnswer, GiveUp, Hit, Stand
from bj_protocol.messages import Update
from bj_protocol.views import Ask


def _typed(name: str, reading: Reading) -> dict[str, Reading]:
    """Return what the name of a button and its first letter mean."""
    return {name: reading, name[0]: reading}


def hit_or_stand(ask: Ask) -> Question:
    """Ask how the hand is played; a new deal gives it up."""
    return Question(
        "Hit or stand?",
        "type hit, stand, or deal to lose this round and be dealt a new one",
        ask,
        {
            **_typed("hit", Hit(prompt=ask.prompt)),
            **_typed("stand", Stand(prompt=ask.prompt)),
            **_typed("deal", GiveUp(prompt=ask.prompt)),
        },
    )


def new_deal(*, has_busted: bool = False) -> Question:
    """Ask once a round is over, as the client itself does.

    ``has_busted`` says that the round was lost by going bust.
    """
    choices = "type deal for a new deal or q to leave"
    over = Complaint(
        f"{'You have busted' if has_busted else 'The round is over'}: {choices}."
    )
    words = {
        **dict.fromkeys(YES, Word.GO_ON),
        **dict.fromkeys(NO, Word.LEAVE),
        **_typed("deal", Word.GO_ON),
        **_typed("hit", over),
        **_typed("stand", over),
    }
    return Question("New deal?", choices, words=words)


class DealSession(Game):
    """One player's rounds; the first is dealt at once."""

    _has_busted = False
    _deals_anew = False
    """Whether Deal was typed in the middle of the round, which is lost by it."""

    def _turn_question(self, ask: Ask) -> Question:
        return hit_or_stand(ask)

    def _again_question(self) -> Question:
        return new_deal(has_busted=self._has_busted)

    async def _acknowledge(self, reading: Reading) -> None:
        if isinstance(reading, Complaint):
            await self.narrator.notice(reading.sentence)
        elif isinstance(reading, Word):
            await self._look(reading)

    async def _update(self, update: Update) -> None:
        for event in update.events:
            if isinstance(event, events.RoundBegan):
                self._has_busted = False
            elif isinstance(event, events.HandBusted):
                self._has_busted = event.seat in self._table.ours
        await super()._update(update)

    async def _send(self, ask: Ask, answer: AnyAnswer) -> None:
        self._deals_anew = isinstance(answer, GiveUp)
        await super()._send(ask, answer)

    def _game_over(self) -> None:
        super()._game_over()
        if self._deals_anew:
            self._again = None


IIPP6 = Style(
    name="iipp6",
    houses=("iipp6",),
    narrator=Canvas,
    session=DealSession,
    alone=True,
    inline=True,
)
