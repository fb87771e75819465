"""The rules card: the rules of a house, in sentences for people."""

from bj_game.house import House
from bj_game.money import MAX_WAGER, dollars

_EVEN_MONEY = "Every win pays even money; a natural is worth no more than any other 21."

_SPLITS = {
    "none": "There is no splitting.",
    "rank": "Two cards of identical rank may be split",
    "value": "Two cards of equal value, such as a ten and a king, may be split",
}

_ACES = {
    "best": "counts 11, or 1 where 11 would bust",
    "one": "counts 1",
    "player": "counts 11 or 1 as its player says, the dealer's 1 where 11 would bust",
}

_DOUBLES = {
    "none": "There is no doubling.",
    "any_two": "The first decision of a hand may be to double",
    "9-11": "A first hard 9, 10 or 11 may be doubled",
    "10-11": "A first hard 10 or 11 may be doubled",
}

_NO_HINTS = "Hints are forbidden: players are told nothing of what is best."
_GIVE_UP = "A hand may be given up as a loss at any time, to be dealt a new one."

_SURRENDERS = {
    "none": "There is no surrender.",
    "late": "The first decision of a hand that was not split may be to surrender it "
    "for half of the stake, once the dealer is known to have no blackjack.",
    "early": "The first decision of a hand that was not split may be to surrender it "
    "for half of the stake, even before the dealer is known to have no blackjack.",
}


def rules_card(house: House) -> tuple[str, ...]:
    """Return the rules of ``house``, one or two sentences a line.

    >>> rules_card(House(name="cpsc386", title=""))[-2]
    'There is no surrender.'
    """
    lines = (
        _shoe(house),
        _bets(house),
        _values(house),
        _dealer(house),
        _hole_card(house),
        _wins(house),
        _ties(house),
        _split(house),
        _double(house),
        _insurance(house),
        _SURRENDERS[house.surrender],
        _GIVE_UP if house.give_up else "",
        _balance(house),
        "" if house.hints else _NO_HINTS,
    )
    return tuple(line for line in lines if line)


def _shoe(house: House) -> str:
    decks = "One deck" if house.decks == 1 else f"{house.decks} decks"
    if house.shoe == "endless":
        return "The deck is endless: every card is as likely as ever."
    if house.shoe == "never_refilled":
        return (
            f"{decks}, never refilled: the cards that are left are shuffled by hand "
            "before every round, and a new game begins when too few are left for one. "
            "Once no card is left, everyone stands."
        )
    if house.shoe == "every_round":
        return f"{decks}, shuffled before every round."
    return (
        f"{decks}; the cut card lies {_cut_card(house)}, and the shoe is shuffled "
        "after the round in which it comes out. If it is empty before that, the dealer "
        "shuffles the discards and the round goes on."
    )


def _cut_card(house: House) -> str:
    least, most = house.cut_card_min, house.cut_card_max
    if most == 0:
        return "at the bottom"
    many = f"{most} card from" if most == 1 else f"{most} cards from"
    how = {0: "at most ", most: ""}.get(least, f"{least} to ")
    return f"{how}{many} the bottom"


def _bets(house: House) -> str:
    if house.bet == "ladder":
        rung = dollars(house.minimum_bet)
        return f"The bet is {rung}, {rung} more after a win and less after a loss."
    top = dollars(house.maximum_bet) if house.maximum_bet else "your whole balance"
    limit = ""
    if not house.maximum_bet:
        limit = ": there is no other limit"
        if house.maximum_wager < MAX_WAGER:
            limit = f", and never over {dollars(house.maximum_wager)} at once"
    return (
        f"Bets are whole multiples of {dollars(house.bet_step)}, from "
        f"{dollars(house.minimum_bet)} to {top}{limit}.{_spots(house)}"
    )


def _spots(house: House) -> str:
    if house.max_spots == 1:
        return ""
    return (
        f" A player may play up to {house.max_spots} spots, with the same bet on each."
    )


def _values(house: House) -> str:
    ace = _ACES[house.ace]
    charlie = f" {house.charlie} cards without a bust win." if house.charlie else ""
    if not house.hit:
        return f"An ace {ace}. No hand draws a card to its first two."
    complete = " A hand of 21 is complete." if house.complete_at_21 else ""
    return f"An ace {ace}.{complete}{charlie}"


def _dealer(house: House) -> str:
    if house.dealer_draws == "never":
        return "The dealer draws no card to the first two."
    rule = "draws to 17 and stands on every 17, soft or hard"
    if house.hit_soft_17:
        rule = "draws to 17, and on a soft 17 too"
    if house.dealer_draws == "always" or house.both_bust == "push":
        return f"The dealer {rule}, also when every hand is bust."
    return f"The dealer {rule}, and draws nothing once no hand is left to beat."


def _hole_card(house: House) -> str:
    if house.deal == "dealer_last":
        is_for_busts = house.dealer_draws == "always" or house.both_bust == "push"
        unless = "" if is_for_busts else " and are not bust"
        return f"The dealer gets cards only once you have played{unless}."
    return {
        "peek": "With an ace or a ten-value up the dealer looks at the hole card "
        "before anyone plays; a blackjack ends the round.",
        "no_peek": "The hole card is turned when all have played.",
        "none": "The dealer has no hole card: the second card is drawn when all have "
        "played, and a blackjack then takes doubled and split stakes too.",
    }[house.hole_card]


def _wins(house: House) -> str:
    if house.natural == "plain":
        return _EVEN_MONEY
    even = (
        " Against an ace it may be settled at even money." if house.even_money else ""
    )
    return (
        f"A win pays even money, and a natural {house.natural.replace(':', ' to ')}; "
        f"it beats every other 21.{even} Odd payouts are rounded down to the cent."
    )


def _ties(house: House) -> str:
    tie = "Equal totals push: the stake comes back."
    if house.tie == "dealer":
        naturals = "" if house.natural == "plain" else ", of two naturals too"
        tie = f"The dealer wins equal totals{naturals}."
    both = " So do hand and dealer when both are bust." * (house.both_bust == "push")
    if not house.knows_blackjack:
        return tie + both
    beats = "A 21 of any kind does not lose to the dealer's blackjack."
    if house.blackjack_beats_21:
        beats = "The dealer's blackjack beats every other 21."
    return f"{tie}{both} {beats}"


def _split(house: House) -> str:
    if house.split == "none":
        return _SPLITS["none"]
    often = "once a round"
    if house.max_hands > 2:
        often = f"until there are {house.max_hands} hands"
    aces = ""
    if house.one_card_on_split_aces:
        aces = " Split aces get one card each and stand."
    if not house.resplit_aces and house.max_hands > 2:
        aces += " Aces are split once."
    most = house.most_hands
    if most and house.max_seats * house.max_spots * house.max_hands > most:
        aces += f" The cards are enough for {most} hands at once, and no more are made."
    goes_on = "is played on" if house.hit else "stands"
    return (
        f"{_SPLITS[house.split]}, {often}, for a second stake; each half gets one card "
        f"and {goes_on}. A ten and an ace after a split is a plain 21.{aces}"
    )


def _double(house: House) -> str:
    if house.double == "none":
        return _DOUBLES["none"]
    if house.split == "none":
        after = ""
    elif house.double_after_split:
        after = " After a split too."
    else:
        after = " Not after a split."
    return (
        f"{_DOUBLES[house.double]}: the stake is doubled, one card is dealt, and the "
        f"hand ends.{after}"
    )


def _insurance(house: House) -> str:
    if house.insurance == "none":
        return "There is no insurance."
    what = "an ace" if house.insurance == "ace" else "an ace or a ten-value"
    when = "at its turn, after the split is decided"
    if house.insurance_asked == "all_first":
        when = "before anyone plays"
    limit = "for up to half of its stake"
    if house.insurance_limit == "balance":
        limit = f"for {dollars(house.minimum_bet)} up to your free balance"
    pays = "even money" if house.insurance_pays == "1:1" else "2 to 1"
    return (
        f"Against {what} each hand may be insured {when}, {limit}; it pays {pays} if "
        "the dealer has blackjack, else it is lost."
    )


def _balance(house: House) -> str:
    start = f"You start with {dollars(house.opening_balance)}"
    if not house.donor_gift:
        return f"{start}."
    wait = house.donor_wait_rounds
    after = f" after {wait} {'round' if wait == 1 else 'rounds'}" if wait else ""
    return (
        f"{start}; a player who goes broke is offered {dollars(house.donor_gift)} by "
        f"an anonymous donor{after}."
    )
