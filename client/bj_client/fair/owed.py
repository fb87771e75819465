"""Rounds that are owed: with our stake, and not proven yet.

Whoever loses the line asks for them when it is back. What is recalled of a round must
be what was called and linked, follow from the secret, and lead to the balance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bj_client.fair.draw import (
    Call,
    Draw,
    Sealer,
    check_links,
    digits_of,
    drawn_shoe,
)
from bj_client.fair.finding import Finding, Proof, Refuted, Remark, short_number
from bj_client.fair.known_shoe import contents_of
from bj_client.fair.ways_out import Ways
from bj_game.event import HandSettled
from bj_game.house import House
from bj_game.illegal import IllegalPlay
from bj_game.play import Decider, Play, Reply
from bj_game.player import Stake
from bj_game.round import Round
from bj_game.shoe import ShoeEmpty
from bj_game.told import told_of
from bj_protocol import events
from bj_protocol.commands import PlaceBet
from bj_protocol.draw import PastDraw
from bj_protocol.recall import PastRound, RoundEnd

_PLENTY = 2**60
"""Cents of the others, whose purses a recall does not tell."""


@dataclass(slots=True, kw_only=True)
class OwedRound:
    """What we know of a round in which we have money."""

    number: int
    seat: int
    amount: int
    """Cents on each spot."""
    spots: int
    balance: int
    """Cents, what was left beside the bet."""
    seal: str | None
    sealer: Sealer | None
    commitment: str | None = None
    """What binds us to our link, if we have offered one."""
    call: Call | None = None
    link: str | None = None
    """Ours, once it was told."""
    is_placed: bool = True
    """Whether we have heard that our bet was placed, and not only sent it."""
    is_shown: bool = False
    """Whether anyone could know who wins, when we heard of it last."""
    is_doubtful: bool = False
    """Whether it was shown to be wrong."""


def check_past(owed: OwedRound, past: PastRound, house: House) -> int | None:
    """Check a round that was not heard to its end, as it is recalled.

    Returns:
        What it would have brought us, in cents, if it is void; None if it is settled,
        or nobody can know.

    Raises:
        Refuted: if something does not hold.
    """
    draw, total = past.draw, owed.balance + owed.amount * owed.spots
    if past.balance_before < total:
        told = short_number(past.balance_before)
        raise Refuted("the balance before it is wrong", told, str(total))
    if past.end is RoundEnd.RETURNED and owed.link is None:
        _check_balance(past, past.balance_before)
        return None  # nobody could know what it would bring us
    if draw is None or not past.is_retold:
        raise Refuted("its secret and plays are not told")
    if owed.seal is not None and owed.sealer is not None:
        owed.sealer.check(owed.seal, owed.number, draw.secret)
    if past.end is RoundEnd.RETURNED:
        _check_balance(past, past.balance_before)
        return None
    _check_call(owed, draw)
    won = _replay(owed, past, draw, house)
    is_void = past.end is RoundEnd.VOID
    _check_balance(past, past.balance_before + (0 if is_void else won))
    return won if is_void else None


def _check_call(owed: OwedRound, draw: PastDraw) -> None:
    call = owed.call
    if call is not None:
        told = draw.head, draw.bets, draw.left, draw.deck, draw.below_cut
        known, linked = call.closed, {link.seat for link in draw.links}
        dealt = [b for b in known.bets if not b.commitment or b.seat in linked]
        if told != (
            call.head,
            tuple(dealt),
            known.left,
            known.deck,
            known.below_cut,
        ):
            raise Refuted("it is not the round that was called")
    if owed.seal is not None:
        check_links(draw.bets, owed.seal, draw.links)
    ours = next((bet for bet in draw.bets if bet.seat == owed.seat), None)
    if ours is None or (ours.amount, ours.spots) != (owed.amount, owed.spots):
        raise Refuted("your bet is not in it")
    if ours.commitment != owed.commitment:
        raise Refuted("your commitment is not in it")
    links = {link.seat: link.link for link in draw.links}
    if owed.commitment is not None and owed.seat not in links:
        raise Refuted("it was dealt to you without your link")
    if owed.link is not None and links.get(owed.seat) != owed.link:
        raise Refuted("your link is not in it")


def _replay(owed: OwedRound, past: PastRound, draw: PastDraw, house: House) -> int:
    """Play the round again; return what it has brought us, in cents."""
    own = past.balance_before - owed.amount * owed.spots
    shoe = drawn_shoe(house, contents_of(draw), draw.secret, draw.head, draw.links)
    try:
        stakes = [
            Stake(
                seat=bet.seat,
                amount=bet.amount,
                spots=bet.spots,
                funds=own if bet.seat == owed.seat else _PLENTY,
            )
            for bet in draw.bets
        ]
        deal = Round(house, shoe, stakes)
        for play in draw.plays:
            by, kind = Decider(play.by.value), Play(play.action.value)
            reply = Reply(play=kind, amount=play.amount, by=by)
            deal.answer(play.seat, reply)
        is_over = not deal.prompts
        while deal.prompts:  # it is void: nobody plays it any more
            prompt = deal.prompts[0]
            deal.answer(prompt.seat, Reply(play=prompt.default, by=Decider.ABSENCE))
    except (IllegalPlay, ShoeEmpty, ValueError, TypeError) as flaw:
        raise Refuted(f"it cannot be played by the rules: {flaw}") from None
    if past.end is RoundEnd.SETTLED:
        _check_hands(owed, past, deal, is_over=is_over)
    player = next(player for player in deal.players if player.seat == owed.seat)
    return player.funds - past.balance_before


def _check_hands(
    owed: OwedRound, past: PastRound, deal: Round, *, is_over: bool
) -> None:
    happened = (e for e in deal.take_events() if isinstance(e, HandSettled))
    ours = [event for event in happened if event.seat == owed.seat]
    settled = [told_of(event) for event in sorted(ours, key=lambda event: event.hand)]
    names = ("outcome", "reason", "stake", "payout")
    told = [tuple(getattr(hand, name) for name in names) for hand in past.hands]
    wanted = [tuple(each[name] for name in names) for each in settled]
    if not is_over or wanted != told:
        raise Refuted("its results are others", str(told), str(wanted))
    player = next(player for player in deal.players if player.seat == owed.seat)
    cards = [tuple(map(str, hand.cards)) for hand in player.hands]
    dealer = tuple(map(str, deal.dealer.cards))
    shown = () if past.dealer is None else past.dealer.cards
    is_same = all(
        card in ("??", real) for card, real in zip(shown, dealer, strict=False)
    )
    if cards != [hand.cards for hand in past.hands] or not is_same:
        raise Refuted("its cards are others")


def _check_balance(past: PastRound, wanted: int) -> None:
    if past.balance_after < wanted:  # the host may have given more
        told = short_number(past.balance_after)
        raise Refuted("the balance after it is wrong", told, str(wanted))


class Owing:
    """The rounds that are owed, by their numbers."""

    def __init__(self, ways: Ways) -> None:
        """Start with none."""
        self._ways = ways
        self._rounds: dict[int, OwedRound] = {}

    def __iter__(self) -> Iterator[OwedRound]:
        """Go through them, the oldest first."""
        return iter(sorted(self._rounds.values(), key=lambda owed: owed.number))

    def stake(self, event: events.BetPlaced, number: int, draw: Draw) -> None:
        """Note that we have money in a round now."""
        self._rounds[number] = OwedRound(
            number=number,
            seat=event.seat,
            amount=event.amount,
            spots=event.spots,
            balance=event.balance,
            seal=draw.seal,
            sealer=draw.sealed_by,
            commitment=draw.offered(number),
        )

    def offer(
        self, bet: PlaceBet, number: int, seat: int, cents: int, draw: Draw
    ) -> None:
        """Note that we may have money in a round, if the bet arrives."""
        self._rounds[number] = OwedRound(
            number=number,
            seat=seat,
            amount=bet.amount,
            spots=bet.spots,
            balance=max(0, cents - bet.amount * bet.spots),
            seal=draw.seal,
            sealer=draw.sealed_by,
            commitment=bet.commitment,
            is_placed=False,
        )

    def forget_offer(self, number: int) -> None:
        """Forget a bet that was not placed when the bets were closed."""
        owed = self._rounds.get(number)
        if owed is not None and not owed.is_placed:
            self.pop(number)

    def get(self, number: int) -> OwedRound | None:
        """Return a round; None if nothing is owed of it."""
        return self._rounds.get(number)

    def pop(self, number: int) -> OwedRound | None:
        """Forget a round, and return what was owed."""
        return self._rounds.pop(number, None)

    def clear(self) -> None:
        """Forget all."""
        self._rounds.clear()

    def doubt(self, number: int) -> None:
        """Note that a round was shown to be wrong, if we have money in it."""
        if number in self._rounds:
            self._rounds[number].is_doubtful = True

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
                self.pop(owed.number)
            except Refuted as refuted:
                if told is None and not owed.is_placed:
                    self.pop(owed.number)  # it never came, as nothing says
                    continue
                is_told = told is not None and told.draw is not None
                found.append(self._refuse(owed, refuted, is_told=is_told))
        return found

    def _check(self, owed: OwedRound, told: PastRound, house: House) -> list[Remark]:
        brought = check_past(owed, told, house)
        draw = told.draw
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
            return Finding(
                round=owed.number,
                what=f"as it is recalled, {refuted.what}",
                told=refuted.told,
                due=refuted.due,
                is_alone=True,
            )
        what = f"you have not heard its end, and {refuted.what}"
        remark = self._ways.leave_untold(owed.number, what)
        if isinstance(remark, Finding):
            owed.is_doubtful = True
        else:
            self.pop(owed.number)
        return remark
