"""Refusals: a code for programs and a sentence for people for every reason."""

from bj_game.money import dollars
from bj_game.play import Reason
from bj_protocol.handle import HANDLE_RULE, KEY_RULE
from bj_protocol.messages import Refused
from bj_protocol.recall import MOST_RECALLED
from bj_protocol.refusal import RefusalCode
from bj_protocol.views import Ask


class RefusalError(Exception):
    """A command that is not carried out, and has changed nothing."""

    def __init__(self, code: RefusalCode, text: str | None = None) -> None:
        """Refuse with ``code``, and its usual sentence unless ``text`` is given."""
        self.code = code
        self.text = text or SENTENCES[code]
        super().__init__(self.text)

    def message(self, prompt: int | None = None) -> Refused:
        """Return the message about it, to an answer of ``prompt`` if there is one."""
        return Refused(code=self.code, text=self.text, prompt=prompt)


_CODES = {
    Reason.ROUND_OVER: RefusalCode.PROMPT_OVER,
    Reason.NOT_YOUR_TURN: RefusalCode.NOT_ASKED,
    Reason.NOTHING_TO_DECLINE: RefusalCode.WRONG_ANSWER,
}
"""For the reasons that have another name on the wire."""

_WAGER_CODES = {
    RefusalCode.BELOW_MINIMUM,
    RefusalCode.ABOVE_MAXIMUM,
    RefusalCode.NOT_A_WHOLE_STEP,
}

_KEPT = "by default under ~/.local/state/blackjack/keys"

SENTENCES = {
    RefusalCode.BAD_MESSAGE: "The message could not be read; see docs/protocol.md.",
    RefusalCode.TOO_MANY_BAD_MESSAGES: (
        "Too many messages could not be read, so the line is closed; mend the client, "
        "then join again."
    ),
    RefusalCode.NOT_JOINED: "Say hello with a handle before anything else.",
    RefusalCode.ALREADY_JOINED: (
        "This connection has already said who it is; open another for another handle."
    ),
    RefusalCode.TOO_FAST: (
        "Too many messages that bring nothing came from you; wait some seconds, then "
        "go on."
    ),
    RefusalCode.VERSION_MISMATCH: "Client and server speak different protocols.",
    RefusalCode.BAD_HANDLE: HANDLE_RULE,
    RefusalCode.BAD_KEY: KEY_RULE,
    RefusalCode.KEY_NEEDED: (
        "A handle is played with its key, and this hello has none. Send the one that "
        f"its player's client keeps, {_KEPT}; a new handle takes any new key."
    ),
    RefusalCode.WRONG_KEY: (
        "This handle has another key. Use the one that its player's client keeps, "
        f"{_KEPT}, or ask the host to reset it."
    ),
    RefusalCode.NO_SUCH_TABLE: "There is no table of that name here.",
    RefusalCode.TABLE_FULL: "Every seat at this table is taken; try again later.",
    RefusalCode.SEATED_ELSEWHERE: (
        "This handle sits at another table of this server; leave that one first."
    ),
    RefusalCode.CODE_NEEDED: (
        "This table is private: join with its code, which its host can tell you."
    ),
    RefusalCode.WRONG_CODE: (
        "That is not the code of this private table; ask its host for it."
    ),
    RefusalCode.TOO_MANY_TRIES: (
        "Too many codes and keys from your address were wrong."
    ),
    RefusalCode.TOO_MANY_HANDLES: (
        "Too many new handles have come from your address; handles that have played "
        "here can always join."
    ),
    RefusalCode.NOT_INVITED: (
        "This server is for those whom its host has invited; ask the host to invite "
        "your handle."
    ),
    RefusalCode.BANNED: "The host has shut this server to this handle; ask the host.",
    RefusalCode.NOT_SEATED: (
        "A watcher can say and answer nothing; join with a handle to play."
    ),
    RefusalCode.MUTED: "The host has muted you; you can play, but not chat.",
    RefusalCode.NOTHING_SAID: "Nothing in that can be shown; say more.",
    RefusalCode.NOT_SO_MANY_ROUNDS: (
        f"Between 1 and {MOST_RECALLED} of your last rounds can be told; ask for so "
        "many."
    ),
    RefusalCode.RECALLING: (
        "Your last rounds are being looked up already; wait until they are told."
    ),
    RefusalCode.RECALL_FAILED: (
        "Your last rounds cannot be read just now, for a reason that is in the log of "
        "the server; ask the host."
    ),
    RefusalCode.NOT_ASKED: "You are not asked anything now; wait for your turn.",
    RefusalCode.PROMPT_OVER: (
        "That question is over; answer the one in the latest turn, if it asks you."
    ),
    RefusalCode.WRONG_ANSWER: (
        "That does not answer the question; its actions list the answers."
    ),
    RefusalCode.LINK_OVER: (
        "The table waits for no link of yours with that head; send one with each bet, "
        "and tell it once the bets are closed."
    ),
    RefusalCode.NOT_YOUR_LINK: (
        "That is not the link that your bet was committed to; tell that one."
    ),
    RefusalCode.BELOW_MINIMUM: "That is less than the smallest wager.",
    RefusalCode.ABOVE_MAXIMUM: "That is more than you may wager.",
    RefusalCode.NOT_A_WHOLE_STEP: "That is not a whole step.",
    RefusalCode.NOT_ENOUGH_FUNDS: (
        "Your free balance does not cover it; play the hand on without."
    ),
    RefusalCode.BANK_STALLED: (
        "The bank cannot write to its disk just now, so no bet or decision is taken. "
        "Your stakes are safe; play goes on by itself when it can."
    ),
    RefusalCode.NO_SUCH_SPOTS: "You cannot bet on that many spots.",
    RefusalCode.NOT_A_PAIR: "Only a pair can be split; the rules say which.",
    RefusalCode.ALREADY_SPLIT: "This hand cannot be split again in this house.",
    RefusalCode.TOO_MANY_HANDS: "The decks have cards for no more hands in this round.",
    RefusalCode.NOT_THE_FIRST_DECISION: (
        "Only the first decision of a hand can do that; hit or stand."
    ),
    RefusalCode.SPLIT_UNDECIDED: "Split or decline first.",
    RefusalCode.OFFER_UNDECIDED: "Take or decline the offer first.",
    RefusalCode.ACES_UNVALUED: "Say first whether the hand's aces count 11 or 1.",
    RefusalCode.ACES_NOT_ASKED: "You are not asked how aces count now.",
    RefusalCode.NOT_A_NATURAL: "Only a natural against an ace has even money.",
    RefusalCode.NOT_IN_THIS_HOUSE: "The rules of this house do not have that.",
    RefusalCode.NOT_AFTER_A_SPLIT: "That cannot be done after a split in this house.",
    RefusalCode.NOT_ON_THIS_TOTAL: (
        "This house allows a double on other totals only; its rules say which."
    ),
    RefusalCode.ONE_CARD_ON_SPLIT_ACES: "Split aces get one card each, and stand.",
    RefusalCode.INSURANCE_NOT_OFFERED: "Insurance is not offered on this hand now.",
}


def refusal_for(reason: Reason, ask: Ask) -> RefusalError:
    """Return the refusal of an answer to ``ask`` that the rules do not allow.

    The refusal of a wager tells the range.
    """
    code = _CODES.get(reason) or RefusalCode[reason.name]
    if ask.wager is None or code not in _WAGER_CODES:
        return RefusalError(code)
    low, high, step = (
        dollars(cents)
        for cents in (ask.wager.minimum, ask.wager.maximum, ask.wager.step)
    )
    return RefusalError(code, f"{SENTENCES[code]} Wager {low} to {high}, by {step}.")
