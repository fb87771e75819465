"""Rounds that are owed: with our stake, and not proven yet.

A client that loses the line asks for them when it is back. What is recalled of a round
must be what was called and linked, follow from the secret, and lead to the balance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bj_client.fair.deal import Deal, stake_of
from bj_client.fair.draw import Draw, check_links, digits_of, drawn_shoe
from bj_client.fair.finding import Finding, Proof, Refuted, Remark, short_number
from bj_client.fair.known_shoe import contents_of
from bj_client.fair.replay import replay_plays, won_by
from bj_client.fair.ways_out import Ways
from bj_game.event import HandSettled
from bj_game.house import House
from bj_game.round import Round
from bj_game.told import told_of
from bj_protocol import events
from bj_protocol.draw import PastDraw
from bj_protocol.recall import PastRound, RoundEnd

_PLENTY = 2**60
"""Cents of the others, whose purses a recall does not tell."""


@dataclass(slots=True, kw_only=True)
class OwedRound:
    """What we know of a round in which we have money."""

    bet: events.BetPlaced
    """Ours; it is what we have sent, until we hear that it was placed."""
    draw: Draw
    deal: Deal | None = None
    """The round, as far as it was heard, once it was dealt."""
    link: str | None = None
    """Ours, once it was told."""
    is_placed: bool = True
    """Whether we have heard that our bet was placed, and not only sent it."""
    is_doubtful: bool = False
    """Whether it was shown to be wrong."""

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.draw.number

    @property
    def is_shown(self) -> bool:
        """Whether anyone could know who wins, when we heard of it last."""
        return self.deal is not None and self.deal.is_shown

    def check(self, past: PastRound, house: House) -> int | None:
        """Check a round that was not heard to its end, as it is recalled.

        Returns:
            What it would have brought us, in cents, if it is void; None if it is
            settled, or nobody can know.

        Raises:
            Refuted: if something does not hold.
        """
        draw, total = past.draw, self.bet.balance + self.bet.amount * self.bet.spots
        if past.balance_before < total:
            told = short_number(past.balance_before)
            raise Refuted("the balance before it is wrong", told, str(total))
        if past.end is RoundEnd.RETURNED and self.link is None:
            _check_balance(past, 0)
            return None  # nobody could know what it would bring us
        if draw is None or not past.is_retold:
            raise Refuted("its secret and plays are not told")
        self.draw.check_secret(draw.secret)
        if past.end is RoundEnd.RETURNED:
            _check_balance(past, 0)
            return None
        self._check_draw(draw)
        won = self._replay(past, draw, house)
        is_void = past.end is RoundEnd.VOID
        _check_balance(past, 0 if is_void else won or 0)
        return won if is_void else None

    def _check_draw(self, draw: PastDraw) -> None:
        call, links = self.draw.call, {link.seat: link.link for link in draw.links}
        if call is not None:
            known = call.closed
            dealt = [b for b in known.bets if not b.commitment or b.seat in links]
            told = draw.head, draw.bets, draw.left, draw.deck, draw.below_cut
            due = call.head, tuple(dealt), known.left, known.deck, known.below_cut
            if told != due:
                raise Refuted("it is not the round that was called")
        if self.draw.seal is not None:
            check_links(draw.bets, self.draw.seal, draw.links)
        seat, bet, commitment = self.bet.seat, self.bet, self.draw.commitment
        ours = next((bet for bet in draw.bets if bet.seat == seat), None)
        if ours is None or (ours.amount, ours.spots) != (bet.amount, bet.spots):
            raise Refuted("your bet is not in it")
        if ours.commitment != commitment:
            raise Refuted("your commitment is not in it")
        if commitment is not None and seat not in links:
            raise Refuted("it was dealt to you without your link")
        if self.link is not None and links.get(seat) != self.link:
            raise Refuted("your link is not in it")

    def _replay(self, past: PastRound, draw: PastDraw, house: House) -> int | None:
        """Play the round again; return what it has brought us, in cents."""
        own = past.balance_before - self.bet.amount * self.bet.spots
        shoe = drawn_shoe(house, contents_of(draw), draw.secret, draw.head, draw.links)
        stakes = [
            stake_of(bet, own if bet.seat == self.bet.seat else _PLENTY)
            for bet in draw.bets
        ]
        round = replay_plays(house, shoe, stakes, draw.plays)
        if past.end is RoundEnd.SETTLED:
            _check_hands(self.bet.seat, past, round)
        return won_by(round, stake_of(self.bet, own))


def _check_hands(seat: int, past: PastRound, round: Round) -> None:
    happened = (e for e in round.take_events() if isinstance(e, HandSettled))
    ours = [event for event in happened if event.seat == seat]
    settled = [told_of(event) for event in sorted(ours, key=lambda event: event.hand)]
    names = ("outcome", "reason", "stake", "payout")
    told = [tuple(getattr(hand, name) for name in names) for hand in past.hands]
    wanted = [tuple(each[name] for name in names) for each in settled]
    if round.prompts or wanted != told:
        raise Refuted("its results are others", str(told), str(wanted))
    player = next(player for player in round.players if player.seat == seat)
    cards = [tuple(map(str, hand.cards)) for hand in player.hands]
    dealer = tuple(map(str, round.dealer.cards))
    shown = () if past.dealer is None else past.dealer.cards
    is_same = all(
        card in ("??", real) for card, real in zip(shown, dealer, strict=False)
    )
    if cards != [hand.cards for hand in past.hands] or not is_same:
        raise Refuted("its cards are others")


def _check_balance(past: PastRound, won: int) -> None:
    wanted = past.balance_before + won
    if past.balance_after < wanted:  # the host may have given more
        told = short_number(past.balance_after)
        raise Refuted("the balance after it is wrong", told, str(wanted))


class Owing(dict[int, OwedRound]):
    """The rounds that are owed, by their numbers."""

    def __init__(self, ways: Ways) -> None:
        """Start with none."""
        super().__init__()
        self._ways = ways

    def unproven(self, number: int) -> list[OwedRound]:
        """Return the rounds before ``number``, the oldest first."""
        return [self[each] for each in sorted(self) if each < number]

    def recall(
        self, due: Sequence[OwedRound], past: Sequence[PastRound], house: House
    ) -> list[Remark]:
        """Check those of the rounds that are ``due`` as the server recalls them."""
        known = {each.round: each for each in past}
        found: list[Remark] = []
        for owed in due:
            told = known.get(owed.number)
            try:
                if told is None:
                    raise Refuted("it is not among your last rounds")
                found += self._check(owed, told, house)
                del self[owed.number]
            except Refuted as refuted:
                if told is None and not owed.is_placed:
                    del self[owed.number]  # it never came, as nothing says
                    continue
                is_told = told is not None and told.draw is not None
                found.append(self._refuse(owed, refuted, is_told=is_told))
        return found

    def _check(self, owed: OwedRound, told: PastRound, house: House) -> list[Remark]:
        brought, draw = owed.check(told, house), told.draw
        if told.end is RoundEnd.SETTLED and draw is not None:
            digits = digits_of(draw.head, draw.links)
            return [Proof(round=owed.number, digits=digits, is_ours=bool(owed.link))]
        if owed.link is None:
            return []
        how = "the round is void" if told.end is RoundEnd.VOID else "your bet is back"
        number, is_shown = owed.number, owed.is_shown
        return [self._ways.break_off(number, how, brought, is_shown=is_shown)]

    def _refuse(self, owed: OwedRound, refuted: Refuted, *, is_told: bool) -> Remark:
        if is_told:
            owed.is_doubtful = True
            what = f"as it is recalled, {refuted.what}"
            return refuted.finding(owed.number, what, is_alone=True)
        what = f"you have not heard its end, and {refuted.what}"
        remark = self._ways.leave_untold(owed.number, what)
        if isinstance(remark, Finding):
            owed.is_doubtful = True
        else:
            del self[owed.number]
        return remark
