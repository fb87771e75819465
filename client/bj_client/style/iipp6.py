"""The style ``iipp6``: the canvas of ``specs/iipp6.txt`` as lines, and its session.

Title, hands, messages and score are shown as they come; Deal is good at any time.
"""

from collections.abc import Iterable

from bj_client.model.table import Table
from bj_client.play.narrator import Narrator
from bj_client.play.output import TONES, Tone
from bj_client.question.question import NO, YES, Complaint, Question, Reading, Word
from bj_client.style import Style
from bj_client.style.cs1114 import Game
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.action import By, SettleReason
from bj_protocol.commands import AnyAnswer, GiveUp, Hit, Stand
from bj_protocol.messages import Update
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask, Outcome

_VERDICTS = {
    SettleReason.DEALER_BUSTED: "The dealer has busted. You win.",
    SettleReason.LOWER_TOTAL: "The dealer wins.",
    SettleReason.TIE_TO_DEALER: "The dealer wins ties.",
    SettleReason.GIVEN_UP: "You lost the round.",
}


def verdict(event: events.HandSettled) -> str:
    """Say who has won, as the text has it."""
    known = _VERDICTS.get(event.reason)
    return known or ("You win." if event.outcome is Outcome.WIN else "You lose.")


class Canvas(Narrator):
    """Shows the hands as they come, their results, and the score."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        """Show the title and the buttons, and a round that is being played."""
        await self.output.line("Blackjack", Tone.TITLE)
        await self.output.line("Deal (d), Hit (h), Stand (s); ? helps, q leaves.")
        await self._lines(notices, Tone.NOTICE)
        if table.me.hands:
            await self.board(table)

    async def event(self, event: events.Event, table: Table) -> None:
        """Show an event as the text does."""
        if isinstance(event, events.CardDealt):
            await self._dealt(event, table)
        elif isinstance(event, events.RoundVoided):
            await self.notice(quoted(event.text))
        elif getattr(event, "seat", None) in table.ours:
            await self._mine(event, table)

    async def board(self, table: Table) -> None:
        """Show both hands."""
        if not table.me.hands:
            await self.output.line("No cards are on the table.")
            return
        await self._dealer(table)
        await self._player(table)

    async def _dealt(self, event: events.CardDealt, table: Table) -> None:
        """Show both hands once they are dealt, then those that the player draws."""
        if event.seat in table.ours and len(table.me.hands[0].cards) > 2:
            await self._player(table)
        elif event.card == HIDDEN and table.me.hands:
            await self.board(table)

    async def _mine(self, event: events.Event, table: Table) -> None:
        match event:
            case events.HandBusted():
                await self.output.line("You have busted", Tone.LOSE)
            case events.HandStood(by=By.CLOCK):
                await self.notice("Time is up: you stand.")
            case events.HandSettled():
                await self._dealer(table)
                await self.output.line(verdict(event), TONES[event.outcome])
                await self.output.line(f"Score: {table.record.score}", Tone.MINE)
            case _:
                pass  # money, which the text does not have

    async def _dealer(self, table: Table) -> None:
        """Show the dealer's hand; the hole card is its first, as in the text."""
        up, *rest = table.dealer.cards or [HIDDEN]
        cards = [*rest[:1], up, *rest[1:]]
        value = "" if HIDDEN in cards else f" ({table.dealer.value})"
        await self.output.line(f"Dealer: {self.faces.cards(cards)}{value}")

    async def _player(self, table: Table) -> None:
        hand = table.me.hands[0]
        cards = self.faces.cards(hand.cards)
        await self.output.line(f"Player: {cards} ({hand.value})", Tone.MINE)


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

    _turn_question = staticmethod(hit_or_stand)
    _has_busted = False
    _deals_anew = False
    """Whether Deal was typed in the middle of the round, which is lost by it."""

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


STYLE = Style(
    name="iipp6",
    houses=("iipp6",),
    narrator=Canvas,
    session=DealSession,
    alone=True,
)
