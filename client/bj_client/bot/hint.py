"""The hint: what each play is worth by the rules of the table, and what one has cost.

There is none for money, for insurance and for the value of an ace, and none at a table
whose rules this client does not know in full.
"""

from functools import cache, lru_cache
from sys import setswitchinterval
from threading import Event, Lock, Thread
from time import sleep

from bj_client.model.decision import DECISIONS
from bj_client.model.seat import Judged
from bj_client.model.table import Table
from bj_client.system import start_thread
from bj_game.card import parse_cards
from bj_game.house import House, known_house
from bj_game.play import Play
from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer
from bj_protocol.model import HIDDEN
from bj_protocol.views import Ask

PLAYS = frozenset(
    {Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER}
)
"""The answers that play a hand, as opposed to those about money."""

_JUDGED = PLAYS | {Action.DECLINE}

Worths = tuple[tuple[Action, float], ...]
"""The legal plays and what each is worth in stakes of the hand, the best first."""

_Asked = tuple[House, tuple[str, ...], str | None, tuple[Play, ...], int, int | None]
"""Rules, cards, upcard, plays, number of hands, and what the hand counts."""

_ONE_AT_A_TIME = Lock()
_LEISURE = Event()
"""Is set while no play of a hand is asked, so that all hands may be reckoned ahead."""
_LATER = 0.5
"""The seconds after which all hands of a house are begun with."""
_PAUSE = 0.002
"""The seconds between two steps of that, in which another may begin."""
_SWITCH = 0.0003
"""The seconds for which a key waits at most for another thread from then on."""

FORBIDDEN = "Hints are forbidden at this table."
_NO_HINT = "Basic strategy has nothing to say now: it is about how to play a hand."


def worths(ask: Ask, table: Table) -> Worths:
    """Return each legal play and what it is worth in stakes of the hand, best first.

    Nothing where that is not known, or no play of a hand is asked.
    """
    asked = _asked(ask, table)
    return () if asked is None else _reckoned(asked)


def reckon_ahead(ask: Ask, table: Table) -> Thread | None:
    """Begin in a thread with what a hint and the answer will want, if anything.

    At a play that is the worth of the hand; a low one may take a tenth of a second.
    Whoever needs it sooner waits for the rest of that only. At the first other
    question, most often for a bet, it is all hands of the house: a second or two,
    which pause while a play is asked, so that no hint waits for another hand.
    """
    asked = _asked(ask, table)
    if asked is not None:
        _LEISURE.clear()
        return start_thread(lambda: _reckoned(asked))
    _LEISURE.set()
    house = known_house(table.house.terms)
    return None if house is None else _begun(house)


@cache
def _begun(house: House) -> Thread:
    return start_thread(lambda: _reckon(house))


def _reckon(house: House) -> None:
    """Reckon all hands of a house, once the first screen is drawn."""
    sleep(_LATER)
    setswitchinterval(_SWITCH)
    from bj_game import odds  # no sooner: the screen is drawn without them

    steps = odds.ahead(house)
    is_over: object = None
    while not is_over:
        _LEISURE.wait()
        with _ONE_AT_A_TIME:
            is_over = next(steps, True)
        sleep(_PAUSE)


def _asked(ask: Ask, table: Table) -> _Asked | None:
    house = known_house(table.house.terms)
    hand = table.hand(ask.seat, ask.hand)
    is_play = PLAYS.intersection(ask.actions)
    if house is None or not is_play or len(hand.cards) < 2 or HIDDEN in hand.cards:
        return None
    upcard = _upcard(table)
    if upcard is None and house.deal != "dealer_last":
        return None
    legal = tuple(Play(action) for action in ask.actions if action in _JUDGED)
    hands = max(1, len(table.seat(ask.seat).hands))
    return house, tuple(hand.cards), upcard, legal, hands, hand.total or None


def _reckoned(asked: _Asked) -> Worths:
    with _ONE_AT_A_TIME:
        return _values(asked)


@lru_cache(maxsize=32)
def _values(asked: _Asked) -> Worths:
    from bj_game import odds

    house, cards, upcard, legal, hands, points = asked
    found = odds.values(house, cards, upcard, legal=legal, hands=hands, points=points)
    told = [(Action(play), worth) for play, worth in found.items()]
    return tuple(sorted(told, key=lambda value: -value[1]))


def agreement(answer: AnyAnswer, ask: Ask, found: Worths) -> dict[int, bool | None]:
    """Return whether a play is the best that was found, by prompt; {} for no play."""
    if not PLAYS.intersection(ask.actions):
        return {}
    return {ask.prompt: answer.type is found[0][0] if found else None}


def judged(
    answer: AnyAnswer, ask: Ask, table: Table, found: Worths
) -> dict[int, Judged]:
    """Return a play held against the best one, by prompt; {} where that is unknown."""
    worth = dict(found).get(answer.type)
    if worth is None:
        return {}
    best, most = found[0]
    hand = table.hand(ask.seat, ask.hand)
    upcard = _upcard(table)
    cost = 0 if answer.type is best else max(1, round((most - worth) * hand.stake))
    is_split = Action.SPLIT in ask.actions
    kind = kind_of(hand.cards, hand.total, upcard, is_split=is_split)
    played, better = (_word(action, ask) for action in (answer.type, best))
    return {ask.prompt: Judged(kind, played, better, cost)}


def kind_of(
    cards: list[str], total: int, upcard: str | None, *, is_split: bool = True
) -> str:
    """Return the kind of a hand, for people; a pair is one where it may be split.

    >>> kind_of(["8s", "8d"], 16, "Th"), kind_of(["As", "7d"], 18, "9h")
    ('8,8 against 10', 'soft 18 against 9')
    >>> kind_of(["As", "Ad"], 12, "Th"), kind_of(["8s", "8d"], 16, "Ah", is_split=False)
    ('ace,ace against 10', 'hard 16 against an ace')
    """
    ranks = [card.value for card in parse_cards(" ".join(cards))]
    low = sum(ranks)
    if is_split and len(ranks) == 2 and ranks[0] == ranks[1]:
        name = _rank(ranks[0]).removeprefix("an ")
        kind = f"{name},{name}"
    else:
        points = total or low
        kind = f"{'soft' if 1 in ranks and points > low else 'hard'} {points}"
    if upcard is None:
        return kind
    return f"{kind} against {_rank(parse_cards(upcard)[0].value)}"


def hint(ask: Ask, table: Table) -> str:
    """Return the advice as a sentence; empty where there is none."""
    if not PLAYS.intersection(ask.actions):
        return ""
    if why_not := _why_not(table):
        return why_not
    best = next((action for action, _ in worths(ask, table)), None)
    return "" if best is None else f"Basic strategy: {_word(best, ask)}."


def values(ask: Ask, table: Table) -> str:
    """Return the worth of each play, the best first; empty where there is no hint."""
    found = () if _why_not(table) else worths(ask, table)
    return ", ".join(f"{_word(action, ask)} {worth:+.2f}" for action, worth in found)


def verdict(last: Judged | None, table: Table) -> str:
    """Return what there is to say of the last play; empty without one."""
    why_not = _why_not(table)
    if why_not or last is None:
        return why_not
    if not last.cost:
        return f"That was basic strategy: {last.play} with {last.kind}."
    verb, *rest = last.best.split()
    cost = f"${last.cost / 100:.2f}"
    does = " ".join([f"{verb}s", *rest])
    return f"With {last.kind} basic strategy {does}; that cost {cost}."


def verdicts(table: Table) -> list[str]:
    """Return what there is to say of the last plays of all who play here."""
    said = [verdict(own.record.last_judged, table) for own in table.ours.values()]
    return [*dict.fromkeys(filter(None, said))] or [_NO_HINT]


def _word(action: Action, ask: Ask) -> str:
    if action is Action.DECLINE:
        is_split = Action.SPLIT in ask.actions
        return "keep the pair together" if is_split else "play on"
    return DECISIONS[action].word


def _why_not(table: Table) -> str:
    """Return why there are no hints at a table; empty where there are."""
    house = known_house(table.house.terms)
    if house is None:
        return (
            f"No hints for this house: this client does not know all rules of "
            f"{table.house.name}, and does not judge your plays here."
        )
    return "" if house.hints else FORBIDDEN


def _upcard(table: Table) -> str | None:
    return next((card for card in table.dealer.cards if card != HIDDEN), None)


def _rank(value: int) -> str:
    return "an ace" if value == 1 else str(value)
