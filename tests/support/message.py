"""Messages of a table at which ned21 has seat 2, for tests of the client."""

from typing import Any

from bj_protocol import PROTOCOL_VERSION
from bj_protocol.action import Action
from bj_protocol.events import Event
from bj_protocol.messages import Snapshot, Update
from bj_protocol.views import (
    Ask,
    DealerView,
    HandState,
    HandView,
    HouseView,
    PaceView,
    Phase,
    Presence,
    SeatView,
    ShoeView,
    Turn,
    WagerRange,
    You,
)

BETS = WagerRange(minimum=100, maximum=1_000_000, step=100)


def make_ask(prompt: int = 1, *actions: Action, **fields: Any) -> Ask:
    """Return an ask of seat 2, ned21's; a bet unless other actions are given."""
    if not actions:
        actions = (Action.PLACE_BET, Action.SIT_OUT)
    if {Action.PLACE_BET, Action.INSURE} & set(actions):
        fields.setdefault("wager", BETS)
    return Ask(**{"prompt": prompt, "seat": 2, "hand": 0, "actions": actions, **fields})


def make_seat(number: int, handle: str, **fields: Any) -> SeatView:
    known: dict[str, Any] = {
        "balance": 1_000_000,
        "presence": Presence.HERE,
        "bet": 0,
        "hands": (),
    }
    return SeatView(seat=number, handle=handle, **(known | fields))


def make_hand(
    cards: str,
    total: int,
    *,
    soft: bool = False,
    stake: int = 5000,
    insurance: int = 0,
    state: HandState = HandState.PLAYING,
) -> HandView:
    """Return a hand with the cards of a text, and the stake in cents."""
    return HandView(
        cards=tuple(cards.split()),
        total=total,
        soft=soft,
        stake=stake,
        insurance=insurance,
        state=state,
    )


def make_snapshot(*asks: Ask, **fields: Any) -> Snapshot:
    """Return a table at which lia9 has seat 1 and the receiver, ned21, seat 2."""
    known: dict[str, Any] = {
        "version": PROTOCOL_VERSION,
        "table": "main",
        "seq": 10,
        "you": You(handle="ned21", seat=2),
        "house": HouseView(
            name="cpsc386",
            title="Eight decks, even money",
            rules=("The dealer stands on 17.",),
            minimum_bet=100,
            terms={"name": "cpsc386", "title": "Eight decks, even money"},
        ),
        "pace": PaceView(
            bet_seconds=30, insurance_seconds=20, turn_seconds=30, hold_seconds=60
        ),
        "seat_count": 4,
        "phase": Phase.BETTING,
        "round": 3,
        "seats": (make_seat(1, "lia9"), make_seat(2, "ned21")),
        "dealer": DealerView(name="Dealer", cards=(), total=None, soft=False),
        "shoe": ShoeView(decks=8, cards_left=416, until_cut=345),
        "turn": Turn(asks=asks, milliseconds=30_000) if asks else None,
        "story": None,
        "notices": (),
    }
    return Snapshot(**(known | fields))


def make_update(seq: int, *events: Event, asks: tuple[Ask, ...] = ()) -> Update:
    turn = Turn(asks=asks, milliseconds=30_000) if asks else None
    return Update(table="main", seq=seq, events=events, turn=turn)
