"""The draw: the secret and the shoe from which the cards of a round came.

A secret is drawn before there is a bet, serves one round, and is told when that is
over. The shoe has the cards that the round before has left, or it is a full one.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bj_game.house import House
from bj_game.shoe import Shoe, ShoeContents, new_shoe
from bj_protocol.proof import bet_commitment, seal_of, terms_hash
from bj_server.bank.move import Posting
from bj_server.history.replay import DifferenceError
from bj_server.table.records import DealRecord, DrawRecord, recorded_house

_KEPT = 100_000


class Secrets:
    """The secrets of the last 100,000 rounds of all tables."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def add(self, secret: str) -> bool:
        """Add one, and return whether it is new."""
        raw = bytes.fromhex(secret)
        if raw in self._known:
            return False
        self._known[raw] = None
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return True


@dataclass(eq=False)
class Draws:
    """The facts that the next deal of one table must follow."""

    _table: str
    _secrets: Secrets
    house: House | None = None
    """The rules that are played; None for those that cannot be read."""
    _terms: str = ""
    _drawn: tuple[int | None, DrawRecord] | None = None
    _left: ShoeContents | None = None
    """The cards that the last round left; None if only a full shoe may follow."""
    is_shoe_known: bool = True
    """Whether all rounds before were followed to their end."""

    def name(self, data: Mapping[str, object]) -> None:
        """Play by the rules of a ``house`` line, with a full shoe."""
        self.house, self._drawn, self._left = None, None, None
        self.is_shoe_known = True
        self.house = recorded_house(data)
        # As they were written: another program may know more rules.
        rules = data["rules"]
        assert isinstance(rules, dict)
        self._terms = terms_hash(rules)

    def resume(self, draw: Posting) -> None:
        """Begin with a secret that was drawn before."""
        self._drawn = (draw.round, DrawRecord.model_validate(draw.data))

    def draw(self, round: int | None, draw: DrawRecord, held: object) -> None:
        """Note that a secret is drawn for a round, for which ``held`` is staked."""
        self._drawn = (round, draw)
        if held:
            raise DifferenceError(
                "The secret of the round is drawn when there are bets"
            )
        if draw.key is not None and not self._secrets.add(draw.secret):
            raise DifferenceError("The secret of the round was that of another")

    def check(self, round: int, deal: DealRecord) -> Iterator[DifferenceError]:
        """Tell all that is wrong with the deal of a round."""
        if self._drawn is None or self._drawn[0] != round:
            yield DifferenceError("No secret was drawn for the round before its bets")
        else:
            yield from self._check_secret(round, self._drawn[1], deal)
        yield from _check_links(deal)
        if self.is_shoe_known and not self._is_due(deal.contents):
            yield DifferenceError("The shoe is neither full nor the one that was left")

    def leave(self, shoe: Shoe) -> None:
        """Note the shoe that a settled round has left."""
        assert self.house is not None
        is_over = self.house.shoe == "every_round" or shoe.is_cut_card_out
        self._left, self.is_shoe_known = None if is_over else shoe.contents, True

    def put_back(self, deal: DealRecord) -> None:
        """Note that a round was void, which leaves the shoe as it was."""
        self._left, self.is_shoe_known = deal.contents, True

    def end(self, round: int, told: object) -> None:
        """Compare the secret that the end of a round tells with the one drawn."""
        if self._drawn is None or told is None:
            return
        drawn_for, draw = self._drawn
        if drawn_for != round or draw.secret != told:
            raise DifferenceError("The secret that is told was not drawn for the round")

    def _check_secret(
        self, round: int, draw: DrawRecord, deal: DealRecord
    ) -> Iterator[DifferenceError]:
        if deal.secret != draw.secret:
            yield DifferenceError(
                "The secret is not the one that was drawn before the bets"
            )
        if deal.contents != draw.contents:
            yield DifferenceError(
                "The shoe is not the one that was there before the bets"
            )
        seal = None
        if draw.key is not None and draw.run is not None:
            seal = seal_of(
                key=draw.key,
                run=draw.run,
                table=self._table,
                round=round,
                terms=self._terms,
                secret=draw.secret,
            )
        if seal != deal.seal:
            yield DifferenceError("The seal", str(deal.seal), str(seal))

    def _is_due(self, contents: ShoeContents) -> bool:
        assert self.house is not None
        if contents == self._left:
            return True
        try:
            return contents == new_shoe(self.house, contents.top).contents
        except ValueError:
            return False


def _check_links(deal: DealRecord) -> Iterator[DifferenceError]:
    """Tell which links do not fit; each committed seat has one, and no other seat."""
    links = dict(deal.links)
    if [*links] != [seat.seat for seat in deal.seats if seat.commitment]:
        yield DifferenceError(
            "The seats with links are not those that are committed to one"
        )
        return
    for seat in deal.seats:
        if seat.commitment is None:
            continue
        due = bet_commitment(
            seal=deal.seal or "",
            seat=seat.seat,
            handle=seat.handle,
            link=links[seat.seat],
        )
        if due != seat.commitment:
            yield DifferenceError(
                f"The commitment of {seat.handle}", seat.commitment, due
            )
