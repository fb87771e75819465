"""The canvas of ``specs/iipp6.txt`` as lines: title, hands, messages and score."""

from collections.abc import Iterable

from bj_client.model.table import Table
from bj_client.play.narrator import Narrator
from bj_client.play.output import TONES, Tone
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.action import By, SettleReason
from bj_protocol.model import HIDDEN
from bj_protocol.views import Outcome

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
