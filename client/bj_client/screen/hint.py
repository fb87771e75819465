"""The hint: one line that always tells who must do what."""

from prompt_toolkit.utils import get_cwidth

from bj_client.bot.hint import values
from bj_client.model.decision import DECISIONS
from bj_client.question.question import Kind
from bj_client.screen.canvas import cut, fitting
from bj_client.screen.control import PRESETS
from bj_client.screen.scene import Scene, Showing
from bj_client.words.money import short, span
from bj_client.words.text import listed, printable
from bj_protocol.action import Action
from bj_protocol.model import HIDDEN
from bj_protocol.views import Phase

PLAYS = (
    *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.INSURE),
    *(Action.EVEN_MONEY, Action.SURRENDER, Action.GIVE_UP),
)
"""The plays of a hand, in the order in which they are named."""
_BRIEF_HANDLE = 8


def calls(scene: Scene) -> list[str]:
    """Return the forms of the open question; each says whom and which hand it asks."""
    forms = _forms_hint(scene) or _forms_call(scene)
    forms = [f"{_hand(scene)}{form}" for form in forms]
    if len(scene.table.ours) < 2:
        return forms
    handle = scene.table.ours[scene.seat_asked].handle
    brief = cut(handle, _BRIEF_HANDLE, scene.glyphs.more)
    return [f"{handle}: {forms[0]}", *(f"{brief}: {form}" for form in forms)]


def _forms_hint(scene: Scene) -> list[str]:
    """Return the plays with their worth, where the player has asked for it."""
    ask = scene.ask
    if ask is None or ask.prompt != scene.hinted:
        return []
    told = values(ask, scene.table)
    return [f"Best first: {told}?", f"{told}?"] if told else []


def _hand(scene: Scene) -> str:
    ask = scene.ask
    is_of_one = scene.kind in {Kind.PLAY, Kind.PAIR, Kind.OFFER}
    if not is_of_one or ask is None or len(scene.table.seat(ask.seat).hands) < 2:
        return ""
    return f"Hand {ask.hand + 1}: "


def _forms_call(scene: Scene) -> list[str]:
    key = scene.keymap.shown
    either = f"{key('y')} or {key('n')}"
    typed = f": ${scene.typed}{scene.glyphs.cursor}"
    match scene.kind:
        case Kind.BET:
            return _bets(scene, typed)
        case Kind.INSURANCE:
            return _insurances(scene, typed)
        case Kind.GIFT:
            gift = short((scene.ask and scene.ask.gift) or 0)
            long = f"You are broke. A donor offers {gift}: take it? {either}"
            return [long, f"Take {gift}? {either}", f"A gift? {either}"]
        case Kind.ACES:
            high, low = map(scene.keymap.key, (Action.ACE_HIGH, Action.ACE_LOW))
            typed = f" {scene.typed}{scene.glyphs.cursor}" if scene.typed else ""
            return [
                f"Does an ace count 11 ({high}) or 1 ({low})?{typed}",
                f"Ace: 11 ({high}) or 1 ({low})?{typed}",
                f"Ace: {high} or {low}?{typed}",
            ]
        case Kind.PAIR:
            return [f"Split the pair? {either}", f"Split? {either}"]
        case Kind.OFFER:
            words, keys = _plays_asked(scene)
            offers, no = _joined(words), key("n")
            return [
                f"{offers}, or {no} to play on?",
                f"{offers}? {no} for no",
                f"{_joined([*keys, no], '; ')}?",
            ]
        case Kind.AGAIN:
            return _again(scene)
        case Kind.PLAY if scene.deals:
            return ["Hit or stand?"]
        case _:
            return _plays(scene, typed)


def _bets(scene: Scene, typed: str) -> list[str]:
    span = _span(scene)
    out = f", or {scene.keymap.shown('o')} to sit out"
    out = out if Action.SIT_OUT in scene.asked else ""
    forms = [f"Bet {span}{out}{typed}", f"Bet {span}{typed}", f"Bet{typed}"]
    if scene.spots == 1:
        return forms
    return [f"Bet {span} a spot (50x2 for two){out}{typed}", *forms]


def _insurances(scene: Scene, typed: str) -> list[str]:
    span, key = _span(scene), scene.keymap.shown
    none = f"or {key('n')} for none"
    even = f"{key('e')} for even money, {none}"
    brief = [f"Insure {span}{typed}", f"Insure{typed}"]
    if Action.EVEN_MONEY not in scene.asked:
        return [f"Insurance, {span}, {none}{typed}", *brief]
    return [f"Insurance, {span}, {even}{typed}", f"Insure, {even}{typed}", *brief]


def _plays(scene: Scene, typed: str) -> list[str]:
    words, keys = _plays_asked(scene)
    if scene.typed:
        return [f"{_joined(words)}?{typed}", f"Insure{typed}"]
    slashed = "/".join(words).capitalize()
    brief = [f"{_joined(keys)}?", f"{'/'.join(keys)}?"]
    return [f"{_joined(words)}?", f"{slashed}?", *brief]


def _again(scene: Scene) -> list[str]:
    leave = scene.keymap.shown("q")
    if scene.deals:
        deal = scene.keymap.key(Action.DOUBLE)
        asked = f"New deal? {deal} deals, {leave} leaves"
        forms = [f"{scene.outcome} {asked}", f"{scene.outcome} New deal?", asked]
        return [*(form.strip() for form in forms), "New deal?"]
    yes = scene.keymap.shown("y")
    return [f"New deal? {yes} plays on, {leave} leaves", f"New deal? {yes} or {leave}"]


def _plays_asked(scene: Scene) -> tuple[list[str], list[str]]:
    """Return the words and the keys of the plays that are asked."""
    plays = [DECISIONS[action] for action in PLAYS if action in scene.asked]
    keys = [scene.keymap.shown(play.key) for play in plays]
    return [play.word for play in plays], keys


def _joined(words: list[str], comma: str = ", ") -> str:
    text = listed(words, "or", comma)
    return text if get_cwidth(words[0]) == 1 else text[:1].upper() + text[1:]


def _span(scene: Scene) -> str:
    wager = None if scene.ask is None else scene.ask.wager
    return "an amount" if wager is None else span(wager)


def hint(scene: Scene, room: int) -> str:
    """Return the longest form of the line that ``room`` cells hold.

    A chat that is being written shows its end; any other line is cut in its shortest
    form.
    """
    more = scene.glyphs.more
    is_covered = scene.is_cut_off() or scene.is_leaving or scene.page is not None
    if scene.chat is not None and not is_covered:
        text = f"{scene.chat}{scene.glyphs.cursor}"
        lead = "" if text.startswith("/") else "Say: "
        return f"{lead}{_end(text, room - len(lead), more)}"
    forms = [printable(form) for form in _forms(scene)]
    return cut(fitting(forms, room), room, more)


def _forms(scene: Scene) -> list[str]:
    if scene.is_cut_off():
        leave = scene.keymap.shown("q")
        return [
            f"The line is lost and tried again; only {leave} counts, and leaves",
            f"The line is lost; only {leave} counts",
        ]
    if scene.is_leaving:
        leave = scene.keymap.shown(scene.leaves_by)
        return [
            f"You have money in play. Leave all the same? {leave} leaves, Esc stays",
            f"Leave all the same? {leave} or Esc",
            f"Leave? {leave} or Esc",
        ]
    if scene.page is not None:
        key = scene.keymap.shown(scene.page.key)
        closes = f"Space{f' or {key}' if key else ''} closes this page"
        return [f"{closes}, up and down turn it", closes]
    if scene.showing is not None:
        return _SHOWN[scene.showing]
    return calls(scene) if scene.question is not None else _waiting(scene)


_SHOWN = {
    Showing.RUNS: [
        "A record is played: Space pauses, n shows the next event, q quits",
        "Space pauses, n goes on, q quits",
    ],
    Showing.PAUSED: [
        "Paused: Space plays on, n shows the next event, q quits",
        "Paused: Space or n goes on",
    ],
    Showing.OVER: ["The record ends here; q closes it"],
}


def _waiting(scene: Scene) -> list[str]:
    whom = _waited_for(scene)
    if scene.preset is not None:
        chosen = f"you will {DECISIONS[scene.preset].word}"
        return [*(f"{form}; {chosen}" for form in whom), chosen.capitalize()]
    if scene.may_preset:
        keys = listed([*map(scene.keymap.shown, PRESETS)], "or")
        return [f"{whom[0]}; {keys} chooses ahead", *whom]
    return whom


def _waited_for(scene: Scene) -> list[str]:
    table = scene.table
    asks = [ask for ask in table.asks if ask.seat not in table.ours]
    if table.phase is Phase.CALLING:
        return ["The cards are drawn"]
    if scene.is_telling:
        return ["The dealer's turn" if _is_dealers_turn(scene) else "The dealer deals"]
    if asks:
        handles = list(dict.fromkeys(table.seat(ask.seat).handle for ask in asks))
        count = f"Waiting for {len(handles)} players"
        named = f"Waiting for {listed(handles)}"
        if len(handles) > 3:
            return [count]
        return [named] if len(handles) == 1 else [named, count]
    if table.phase is Phase.PLAYING:
        return ["Waiting for the dealer"]
    return ["Waiting for players"]


def _is_dealers_turn(scene: Scene) -> bool:
    """Say whether the dealer plays, and does not just get a card of the deal."""
    cards = scene.table.dealer.cards
    return scene.told == (0, 0) and len(cards) > 1 and HIDDEN not in cards


def _end(text: str, room: int, more: str) -> str:
    """Return the end of a text that is too long, after a mark that it goes on."""
    if get_cwidth(text) <= room:
        return text
    kept = text
    while kept and get_cwidth(more + kept) > room:
        kept = kept[1:]
    return more + kept
