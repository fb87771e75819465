"""A player that follows a script, so that what it does is known before.

A script has a line for each round: the bet in whole dollars, then a word for each
play, in the order in which they are wanted. A bet of 0 lets the round pass, and
``leave`` ends the visit; after its last line a script begins again. What follows a
``#`` is a remark::

    50 split hit stand stand   # two hands: the first draws a card
    10 insure 5 double
    leave
"""

from bj_game.strategies.player import Cards, Hand, PlayerBank

_LEAVE, _INSURE = "leave", "insure"
_WORDS = ("hit", "stand", "double", "split", "surrender", "high", "low", _INSURE)


class ScriptError(ValueError):
    """A script that makes no sense, or not now; the first argument is a sentence."""


class ScriptPlayer:
    """Does what its script says, word for word; without a word left it stands.

    A word is kept until it is asked for; one that cannot be played any more when a card
    is offered is an error.
    """

    def __init__(self, script: str) -> None:
        """Read a script.

        Raises:
            ScriptError: naming the line, if it makes no sense.
        """
        lines = [line.split("#")[0].replace(",", " ") for line in script.splitlines()]
        self._rounds = [
            _round(number, words)
            for number, line in enumerate(lines, 1)
            if (words := line.split())
        ]
        if not self._rounds:
            raise ScriptError("The script has no round: write a bet, as in: 50 stand.")
        self._next = 0
        self._line = 0
        self._words: list[str] = []

    def want_to_leave(self, balance: int) -> bool:
        """Return whether the next line ends the visit."""
        return self._rounds[self._next][1] == [_LEAVE]

    def place_bet(self, balance: int) -> int:
        """Return the bet of the next line."""
        self._line, (bet, *self._words) = self._rounds[self._next]
        self._next = (self._next + 1) % len(self._rounds)
        return int(bet)

    def use_ace_hi(self, hand: Hand) -> bool:
        """Return what the script says; without a word, high unless that busts."""
        if self._take("high"):
            return True
        return not self._take("low") and hand.score_hand(ace_hi=True) <= 21

    def want_card(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether the next word is to hit.

        Raises:
            ScriptError: if it is something that cannot be done now.
        """
        if not self._words or self._take("stand"):
            return False
        if self._take("hit"):
            return True
        word = self._words.pop(0)
        raise ScriptError(f"line {self._line} says {word}, which is not legal now")

    def want_double(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether that is the next word."""
        return self._take("double")

    def want_split(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether that is the next word."""
        return self._take("split")

    def want_surrender(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> bool:
        """Return whether that is the next word."""
        return self._take("surrender")

    def want_insurance(
        self, hand: Hand, bank: PlayerBank, dealer_up: Cards, cards_dealt: Cards
    ) -> int:
        """Return the dollars behind the next word, if that is to insure."""
        return int(self._words.pop(0)) if self._take(_INSURE) else 0

    def _take(self, word: str) -> bool:
        is_next = self._words[:1] == [word]
        if is_next:
            del self._words[0]
        return is_next


def _round(number: int, words: list[str]) -> tuple[int, list[str]]:
    """Return the number and the words of a line, once they are known to make sense."""
    first, *rest = words
    if words != [_LEAVE] and not _is_amount(first):
        raise ScriptError(
            f"Line {number} of the script begins with {first[:40]!r}: a round begins "
            f"with its bet in whole dollars, or is just {_LEAVE}."
        )
    plays = iter(rest)
    for word in plays:
        if word not in _WORDS:
            raise ScriptError(
                f"Line {number} of the script has {word[:40]!r}: after the bet come "
                f"the words {', '.join(_WORDS)} and its dollars."
            )
        if word == _INSURE and not _is_amount(next(plays, "")):
            raise ScriptError(
                f"Line {number} of the script insures for no amount: write whole "
                "dollars, as in insure 5."
            )
    return number, words


def _is_amount(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 12
