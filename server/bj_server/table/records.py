"""Records: the lines of a table in the journal, by which it goes on and is audited.

They are read by models, which take nothing on trust, and written as plain dictionaries
of the same fields, without those that are at their defaults.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bj_game.card import parse_cards
from bj_game.house import House, house_of
from bj_game.play import By, Play, Reply, Stake
from bj_game.shoe import Shoe, ShoeContents, shoe_of
from bj_game.shuffle import KeyedStream, NumberedStream, Randomness
from bj_protocol.action import Action
from bj_protocol.model import CardCounts, Hex
from bj_protocol.proof import draw_key
from bj_protocol.recall import PastDraw, PastPlay
from bj_protocol.round_views import ACTIONS
from bj_protocol.views import ClosedBet, Phase, Presence, SeatLink

DRAW = 2
"""How the cards follow from the key; rounds of other draws are not dealt again."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def stated(**fields: object) -> dict[str, object]:
    """Return the fields of a record that say something, as they are written.

    >>> stated(secret="5e", cut=0, key=None)
    {'secret': '5e', 'cut': 0}
    """
    return {name: said for name, said in fields.items() if said not in _NOTHING}


_NOTHING: tuple[object, ...] = (None, "", [])


def _counts(left: object) -> object:
    return tuple(map(int, left)) if isinstance(left, str) else left


class _Drawn(_Record):
    """A secret, and the shoe that is arranged by it."""

    secret: Hex = Field(repr=False)
    """32 bytes, told when the round is over and not before."""
    left: Annotated[CardCounts | None, BeforeValidator(_counts)] = None
    """How many there are of each card of ``PACK``: a digit for each, or a list."""
    deck: str = ""
    """The cards of a deck that is never refilled, in their order."""
    cut: int | None = None
    """The cards under the cut card; None if it is not placed yet, or is none."""
    top: str = ""
    """The cards that are stacked to come out first, for teaching and tests."""

    @property
    def contents(self) -> ShoeContents:
        """The shoe before the round.

        Raises:
            ValueError: if something in it is no card.
        """
        return ShoeContents(
            left=self.left,
            deck=tuple(parse_cards(self.deck)),
            below_cut=self.cut,
            top=tuple(parse_cards(self.top)),
        )


class DrawRecord(_Drawn):
    """The secret of the coming round, before any bet on it.

    From ``key``, ``run``, the rules and the secret follows the seal; these are None at
    a table that proves nothing.
    """

    key: Hex | None = None
    """The server's public key."""
    run: Hex | None = None
    """The number that the server drew when it was started."""
    head: Hex | None = None
    """The head of the table's story when the secret was drawn."""
    stack: str = ""
    """All cards that the host had stacked on the first shoe."""


class DealtSeat(_Record):
    """A seat that is dealt in; amounts in cents, ``stake`` on each of ``spots``."""

    seat: int
    handle: str
    stake: int
    spots: int
    funds: int
    commitment: Hex | None = None
    """The hash that bound its player to a link; None for a player who offered none."""

    def as_stake(self) -> Stake:
        """Return what the seat brings into the round."""
        return Stake(
            seat=self.seat, amount=self.stake, spots=self.spots, funds=self.funds
        )


def drawn(secret: str, contents: ShoeContents) -> dict[str, object]:
    """Return the fields of a secret, and of the shoe that it arranges."""
    deck, top = (" ".join(map(str, c)) for c in (contents.deck, contents.top))
    left = "".join(map(str, contents.left or ()))
    return stated(secret=secret, left=left, deck=deck, cut=contents.below_cut, top=top)


class DealtSeats(BaseModel):
    """The seats of a deal, also of one from before there were draws."""

    model_config = ConfigDict(frozen=True)

    house: str
    seats: tuple[DealtSeat, ...]


class DealRecord(_Drawn):
    """A round that is dealt: all that its cards follow from, but the rules."""

    draw: int = Field(ge=DRAW, le=DRAW, strict=True)
    house: str
    seal: Hex | None = None
    """The hash that bound the server to the secret; None where nothing is proven."""
    head: Hex
    """The head of the story after the call; zeros without a call."""
    seed: int | None = None
    """The number that arranges the shoe in the place of the secret, for teaching and
    tests; None without one."""
    links: tuple[tuple[int, Hex], ...] = ()
    """The seats that were called with their links, in the order of the seats."""
    seats: tuple[DealtSeat, ...]

    def as_draw(self, plays: Iterable[PastPlay]) -> PastDraw | None:
        """Return the draw of a round that is over; None if nothing was proven."""
        if self.seal is None:
            return None
        bets = [
            ClosedBet(
                seat=seat.seat,
                handle=seat.handle,
                amount=seat.stake,
                spots=seat.spots,
                commitment=seat.commitment,
            )
            for seat in self.seats
        ]
        return PastDraw(
            secret=self.secret,
            seal=self.seal,
            head=self.head,
            bets=tuple(bets),
            links=tuple(SeatLink(seat=seat, link=link) for seat, link in self.links),
            plays=tuple(plays),
            **contents_view(self.contents),
        )


def contents_view(contents: ShoeContents) -> dict[str, Any]:
    """Return the contents of a shoe as a call and a past draw tell them."""
    return {
        "left": contents.left,
        "deck": tuple(map(str, contents.deck)),
        "below_cut": contents.below_cut,
    }


def recorded_house(data: Mapping[str, object]) -> House:
    """Return the house of the data of a ``house`` line.

    A rule that it does not name, since it is older than that rule, is at its default.

    Raises:
        ValueError: if those are no rules.
    """
    match data:
        case {"rules": dict(rules)}:
            return house_of(rules)
        case _:
            raise ValueError("there are no rules")


def shoe_of_deal(house: House, deal: DealRecord) -> Shoe:
    """Return the shoe from which a round was dealt, as it was before the first card.

    Raises:
        ValueError: if ``house`` has no such shoe.
    """
    shoe = shoe_of(house, deal.contents)
    shoe.arrange(numbers_of(deal.secret, deal.head, deal.links, deal.seed))
    return shoe


def numbers_of(
    secret: str, head: str, links: Sequence[tuple[int, str]], seed: int | None
) -> Randomness:
    """Return the numbers that arrange the shoe of a round."""
    if seed is not None:
        return NumberedStream(seed)
    return KeyedStream(draw_key(secret, head, links))


class AnswerRecord(_Record):
    """A decision in a round, with its maker; ``amount`` is that of an insurance."""

    seat: int
    play: Play
    by: By = By.PLAYER
    amount: int = 0

    def as_reply(self) -> Reply:
        """Return the decision as the round takes it."""
        return Reply(play=self.play, amount=self.amount, by=self.by)

    def as_play(self) -> PastPlay:
        """Return the decision as every player of the round may recall it."""
        action = ACTIONS[self.play]
        return PastPlay(seat=self.seat, action=action, by=self.by, amount=self.amount)


class SeatState(_Record):
    """A taken seat; the fields are those of ``bj_server.table.seat.Seat``.

    Fields of an older server that this one does not know are passed over.
    """

    model_config = ConfigDict(extra="ignore")

    seat: int
    handle: str
    presence: Presence = Presence.HERE
    decided: bool = False
    """Whether it lets the round pass; older servers said so of a bet, too."""
    broke: int = 0
    missed: int = 0
    rung: int = 0
    out: int = 0
    ask: int | None = None
    """The id of the open question, where an older server kept it with the seat."""
    last: tuple[int, Action, int] | None = None
    """The last accepted answer: prompt, kind, and the update that it led to."""


class TableState(_Record):
    """A table between two commands, as the bank keeps it.

    Fields of an older server that this one does not know are passed over.
    """

    model_config = ConfigDict(extra="ignore")

    version: Literal[1] = 1
    seq: int
    """The last update, that of the last command included."""
    prompt: int
    """The last question's id."""
    round: int
    phase: Phase
    asks: tuple[tuple[int, int], ...] = ()
    """The seats that are asked something in a round, and the ids of the questions."""
    seats: tuple[SeatState, ...] = ()
