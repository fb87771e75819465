"""The hint: one line that always says what is expected of whom."""

from prompt_toolkit.utils import get_cwidth

from bj_client.money import short
from bj_client.screen.kind import Kind
from bj_client.screen.scene import Scene
from bj_protocol.action import Action
from bj_protocol.views import Phase

__all__ = ["hint"]

_SHORT_OUTCOME = 26
_WORDS = {
    Action.HIT: "hit",
    Action.STAND: "stand",
    Action.DOUBLE: "double",
    Action.SPLIT: "split",
    Action.INSURE: "insure",
    Action.EVEN_MONEY: "even money",
    Action.SURRENDER: "surrender",
    Action.GIVE_UP: "give up",
}


def hint(scene: Scene, room: int) -> str:
    """Return the line, shorter where ``room`` cells are too few for it."""
    text = _hint(scene)
    if get_cwidth(text) <= room:
        return text
    text = _brief(scene) or text
    extra = get_cwidth(text) - room
    is_typed = scene.chat is not None or bool(scene.typed)
    return text[extra:] if extra > 0 and is_typed else text


def _brief(scene: Scene) -> str:
    if scene.is_cut_off():
        return f"The line is lost; only {_key(scene, 'q')} counts"
    if scene.is_leaving:
        return f"Leave all the same? {_key(scene, scene.leaves_by)} or Esc"
    if scene.page is not None:
        return "Space closes this page"
    if scene.chat is not None:
        return ""
    match scene.kind:
        case Kind.BET | Kind.INSURANCE:
            word = "Bet" if scene.kind is Kind.BET else "Insure"
            return f"{_whose(scene)}{word} {_span(scene)}{_typed(scene)}"
        case Kind.GIFT:
            return f"{_whose(scene)}Take {_gift(scene)}? {_yes_or_no(scene)}"
        case Kind.AGAIN if scene.deals:
            is_short = len(scene.outcome) <= _SHORT_OUTCOME
            return f"{scene.outcome if is_short else ''} New deal?".strip()
        case _:
            return _waiting(scene) if scene.question is None else ""


def _hint(scene: Scene) -> str:
    if scene.is_cut_off():
        leave = _key(scene, "q")
        return f"The line is lost and tried again; only {leave} counts, and leaves"
    if scene.is_leaving:
        return (
            "You have money in play. Leave all the same? "
            f"{_key(scene, scene.leaves_by)} leaves, Esc stays"
        )
    if scene.page is not None:
        return "Space closes this page, up and down turn it"
    if scene.chat is not None:
        return f"Say: {scene.chat}{scene.glyphs.cursor}"
    if scene.question is None:
        return f"{_waiting(scene)}{_chosen(scene)}"
    return f"{_whose(scene)}{_asked(scene)}"


def _whose(scene: Scene) -> str:
    table = scene.table
    if len(table.ours) < 2:
        return ""
    return f"{table.ours[scene.seat_asked].handle}: "


def _asked(scene: Scene) -> str:
    match scene.kind:
        case Kind.BET:
            out = f", or {_key(scene, 'o')} to sit out"
            out = out if Action.SIT_OUT in scene.asked else ""
            return f"Bet {_span(scene)}{out}{_typed(scene)}"
        case Kind.INSURANCE:
            no = _key(scene, "n")
            return f"Insurance, {_span(scene)}, or {no} for none{_typed(scene)}"
        case Kind.GIFT:
            take = f"take it? {_yes_or_no(scene)}"
            return f"You are broke. A donor offers {_gift(scene)}: {take}"
        case Kind.ACES:
            high, low = _key(scene, "a"), _key(scene, "l")
            return f"Does an ace count 11 ({high}) or 1 ({low})?"
        case Kind.PAIR:
            return f"{_hand(scene)}Split the pair? {_yes_or_no(scene)}"
        case Kind.OFFER:
            no = _key(scene, "n")
            return f"{_hand(scene)}{_list(scene).capitalize()}, or {no} to play on?"
        case Kind.AGAIN if scene.deals:
            deal, leave = _key(scene, "d"), _key(scene, "q")
            asked = f"New deal? {deal} deals, {leave} leaves"
            return f"{scene.outcome} {asked}".strip()
        case Kind.PLAY if scene.deals:
            return "Hit or stand?"
        case Kind.AGAIN:
            yes, leave = _key(scene, "y"), _key(scene, "q")
            return f"New deal? {yes} plays on, {leave} leaves"
        case _:
            text = f"{_hand(scene)}{_list(scene).capitalize()}?"
            return text + (_typed(scene) if scene.typed else "")


def _list(scene: Scene) -> str:
    words = [word for action, word in _WORDS.items() if action in scene.asked]
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _hand(scene: Scene) -> str:
    ask = None if scene.question is None else scene.question.ask
    if ask is None or len(scene.table.seat(ask.seat).hands) < 2:
        return ""
    return f"Hand {ask.hand + 1}: "


def _span(scene: Scene) -> str:
    ask = None if scene.question is None else scene.question.ask
    wager = None if ask is None else ask.wager
    if wager is None:
        return "an amount"
    return f"{short(wager.minimum)} to {short(wager.maximum)}"


def _gift(scene: Scene) -> str:
    ask = None if scene.question is None else scene.question.ask
    return short((ask and ask.gift) or 0)


def _typed(scene: Scene) -> str:
    return f": ${scene.typed}{scene.glyphs.cursor}"


def _waiting(scene: Scene) -> str:
    table = scene.table
    asks = [ask for ask in table.asks if ask.seat not in table.ours]
    if scene.is_telling:
        return "The dealer's turn" if scene.told == (0, 0) else "The dealer deals"
    if asks:
        handles = dict.fromkeys(table.seat(ask.seat).handle for ask in asks)
        return f"Waiting for {_named(list(handles))}"
    if table.phase is Phase.PLAYING:
        return "Waiting for the dealer"
    return "Waiting for players"


def _named(handles: list[str]) -> str:
    if len(handles) > 3:
        return f"{len(handles)} players"
    return " and ".join(filter(None, [", ".join(handles[:-1]), *handles[-1:]]))


def _chosen(scene: Scene) -> str:
    if scene.preset is not None:
        return f"; you will {_WORDS[scene.preset]}"
    hit, stand, double, split = map(scene.keymap.shown, "hsdp")
    ahead = f"; {hit}, {stand}, {double} or {split} chooses ahead"
    return ahead if scene.may_preset else ""


def _key(scene: Scene, key: str) -> str:
    return scene.keymap.shown(key)


def _yes_or_no(scene: Scene) -> str:
    return f"{_key(scene, 'y')} or {_key(scene, 'n')}"
