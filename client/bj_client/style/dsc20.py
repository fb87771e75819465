"""The style ``dsc20``: the log, the drawings and the files of ``specs/dsc20.txt``.

Of a bot nothing is printed but the log, and it stops when the text does: at the end of
the deck, or of the money. People see their cards drawn at each decision, and are asked
to play again. For both, each game writes its own file.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bj_client.model.seat import Faces, Hand
from bj_client.model.table import Table
from bj_client.net.follow import TOO_LATE, Follower
from bj_client.play.keyboard import Heard
from bj_client.play.line_session import LineSession
from bj_client.play.narrator import Narrator
from bj_client.play.output import Tone
from bj_client.question.question import Word
from bj_client.style import Style
from bj_client.style.dsc20_game import (
    Folder,
    Game,
    drawing,
    is_penniless,
    row,
    shown,
    too_little_money,
)
from bj_client.words.money import short
from bj_client.words.text import quoted
from bj_protocol import events
from bj_protocol.action import Action
from bj_protocol.commands import PlaceBet
from bj_protocol.messages import Refused, Snapshot, Update
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask, Outcome

_MONEY = (events.GiftGiven, events.SatOut, events.BetReturned)
_WINNERS = {Outcome.WIN: "Player", Outcome.LOSE: "Dealer", Outcome.PUSH: "Tie"}
"""The text has no example of a tie."""


def summary(number: int, table: Table, outcome: Outcome) -> list[str]:
    """Return the lines of a round that has ended so and is still on the table."""
    return [
        f"ROUND {number}:",
        "",
        *hands(table, Faces(symbols=True)),
        "",
        f"Winner of ROUND {number}: {_WINNERS[outcome]}",
    ]


def hands(table: Table, faces: Faces) -> list[str]:
    """Return the player's hand and the dealer's, drawn one below the other."""
    player = table.me.hands[0].cards if table.me.hands else []
    return [
        "Player Hand:",
        "",
        *drawing(shown(player), faces),
        "",
        "Dealer Hand:",
        "",
        *drawing(shown(table.dealer.cards), faces),
    ]


def log(table: Table) -> list[str]:
    """Return the lines of the round on the table, as far as it has come.

    As a round goes on, lines are added and none is changed.
    """
    dealer = table.dealer.cards
    if not table.me.hands or len(dealer) < 2 or len(table.me.hands[0].cards) < 2:
        return []
    hand = table.me.hands[0]
    lines = [
        f"Player Cards: {row(shown(hand.cards[:2]))}",
        f"Dealer Cards: {row([dealer[0], HIDDEN])}",
        *(f"Player pulled a {row([card])}" for card in hand.cards[2:]),
    ]
    if HIDDEN in dealer:
        return lines
    lines.append(f"Dealer Cards Revealed: {row(shown(dealer[:2]))}")
    lines += [f"Dealer pulled a {row([card])}" for card in dealer[2:]]
    if hand.outcome is not None:
        lines.append(_verdict(hand, hand.outcome, table.dealer))
    return lines


def _verdict(hand: Hand, outcome: Outcome, dealer: Hand) -> str:
    if outcome is Outcome.PUSH:
        return "Player and Dealer tie."
    player, other = ("won", "lost") if outcome is Outcome.WIN else ("lost", "won")
    return (
        f"Player {player} with a score of {hand.total}. "
        f"Dealer {other} with a score of {dealer.total}."
    )


@dataclass(eq=False)
class _Logger(Narrator):
    """Prints the log of each game, and nothing else."""

    _folder: Folder = field(default_factory=Folder, init=False)
    _game: Game = field(default_factory=Game, init=False)
    _round = 0
    _told = 0
    """The lines of the round's log that have been printed."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        self._game.look(table)
        if is_penniless(table):
            least = table.house.minimum_bet
            await self._stop(too_little_money(table.me.balance, least))
        await self._go_on(table)

    async def picture(self, table: Table, snapshot: Snapshot) -> None:
        table.apply(snapshot)
        await self._stop(self._game.stop(None, table))
        await self._go_on(table)

    async def event(self, event: events.Event, table: Table) -> None:
        await self._go_on(table)
        if isinstance(event, events.RoundEnded):
            await self._close_round(table)
        elif isinstance(event, events.RoundVoided):
            await self.notice(quoted(event.text))
        await self._stop(self._game.stop(event, table))

    async def farewell(self, table: Table) -> None:
        pass

    async def _go_on(self, table: Table) -> None:
        lines = log(table)
        if table.round != self._round or not lines:
            self._round, self._told = table.round, 0
        if lines and not self._told and not self._game.is_on and self._game.begin():
            await self._say(self._folder.begin())
        await self._lines(lines[self._told :], Tone.MINE)
        self._told = max(self._told, len(lines))

    async def _close_round(self, table: Table) -> None:
        outcome = table.me.hands[0].outcome if table.me.hands else None
        if outcome is None or not self._game.is_on:
            return
        stake, rung = table.me.hands[0].stake, table.house.minimum_bet
        self._game.close_round(stake, outcome, rung)
        lines = summary(self._game.rounds, table, outcome)
        await self._say(self._folder.append(lines))

    async def _stop(self, sentence: str) -> None:
        self.is_over |= bool(sentence)
        await self._say(sentence)

    async def _say(self, sentence: str) -> None:
        if sentence:
            await self.notice(sentence)


class _Teller(_Logger):
    """Prints the log, and between its lines all that people need to know besides."""

    async def welcome(self, table: Table, notices: Iterable[str]) -> None:
        await Narrator.welcome(self, table, notices)
        await super().welcome(table, ())

    async def event(self, event: events.Event, table: Table) -> None:
        wallet = f"the wallet has {short(table.me.balance)}"
        if isinstance(event, events.BetPlaced):
            bet = short(event.amount)
            await self.output.line(f"The bet is {bet}; {wallet} left.")
        elif isinstance(event, _MONEY):
            await Narrator.event(self, event, table)
        await super().event(event, table)
        if isinstance(event, events.RoundEnded) and table.me.hands:
            await self.output.line(f"{wallet.capitalize()}.")

    async def turn(self, ask: Ask, table: Table) -> None:
        if table.hand(ask.seat, ask.hand).cards:
            await self._lines(["", *hands(table, self.faces), ""])

    async def farewell(self, table: Table) -> None:
        await Narrator.farewell(self, table)


def set_bet(asks: Iterable[Ask]) -> PlaceBet | None:
    """Return the one bet that the house takes, if it asks for one."""
    for ask in asks:
        limits = ask.wager if Action.PLACE_BET in ask.actions else None
        if limits is not None and limits.minimum == limits.maximum:
            return PlaceBet(prompt=ask.prompt, amount=limits.minimum)
    return None


class _LadderSession(LineSession):
    """A player's visit to a table whose house sets the bets."""

    _is_in = True
    """Whether the player has said yes to the coming round."""
    _placed = 0
    """The prompt of the last bet that was placed."""
    _in_flight = False
    """Whether the result of that bet is still to be heard."""
    _offered = 0
    """The prompt of the last bet that was made to wait for a yes."""

    async def _hear(self, member: Follower, message: Heard) -> None:
        await super()._hear(member, message)
        match message:
            case Refused(code=code, prompt=self._placed):
                self._in_flight = False
                if code in TOO_LATE:
                    self._is_in = True  # the yes holds for the next round
            case Update(events=happened):
                # The bets were perhaps closed without ours, as far as these tell.
                kinds = {type(event) for event in happened}
                is_placed = events.BetPlaced in kinds
                self._in_flight &= events.BettingOpened in kinds and not is_placed
            case _:
                self._in_flight = False

    async def _open(self) -> None:
        if self._in_flight:
            return
        bet = set_bet(self._table.my_asks)
        if bet is not None and not self._left:
            if self._is_in and bet.prompt != self._placed:
                await self._place(bet)
            elif bet.prompt > max(self._placed, self._offered):
                self._offered = bet.prompt
                self._ask_again()
        await super()._open()

    async def _place(self, bet: PlaceBet) -> None:
        self._is_in, self._placed, self._in_flight = False, bet.prompt, True
        self._again = self._question = None
        self._answered.add(bet.prompt)
        for ask in self._table.my_asks:
            if ask.prompt == bet.prompt:
                await self.hotseat.answer(ask, bet)

    async def _do(self, word: Word) -> None:
        if word is Word.GO_ON:
            self._is_in = True
        await super()._do(word)


STYLE = Style(
    name="dsc20",
    houses=("dsc20",),
    narrator=_Teller,
    bot_narrator=_Logger,
    session=_LadderSession,
)
