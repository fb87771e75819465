"""Gamblers for tests: one plays at random, one says anything, and one is meek."""

import random

from bj_protocol.action import Action
from bj_protocol.commands import AnyAnswer, Insure, PlaceBet
from bj_protocol.views import Ask
from support.rig import PLAYS


def legal_answer(chance: random.Random, ask: Ask) -> AnyAnswer:
    """Return one of the answers that are legal; wagers are small."""
    action = chance.choice(ask.actions)
    wager = ask.wager
    if action in (Action.PLACE_BET, Action.INSURE):
        assert wager is not None
        most = min(wager.maximum, wager.minimum + 20 * wager.step)
        amount = chance.randrange(wager.minimum, most + 1, wager.step)
        if action is Action.INSURE:
            return Insure(prompt=ask.prompt, amount=amount)
        spots = chance.randint(1, ask.spots)
        return PlaceBet(prompt=ask.prompt, amount=amount, spots=spots)
    return PLAYS[action.value](ask.prompt)


def any_answer(chance: random.Random, last_prompt: int) -> AnyAnswer:
    """Return an answer to about any question, legal or not, with about any amount."""
    prompt = last_prompt + chance.choice((-10, -3, -2, -1, -1, 0, 0, 0, 0, 1))
    action = chance.choice(list(Action))
    amount = chance.choice((-100, 0, 1, 99, 100, 500, 12_345, 10**6, 10**9, 2**53))
    if action is Action.INSURE:
        return Insure(prompt=prompt, amount=amount)
    if action is Action.PLACE_BET:
        return PlaceBet(prompt=prompt, amount=amount, spots=chance.randint(0, 5))
    return PLAYS[action.value](prompt)


def meek_answer(ask: Ask) -> AnyAnswer:
    """Bet five dollars, stand, and decline whatever else is offered."""
    if Action.PLACE_BET in ask.actions:
        return PlaceBet(prompt=ask.prompt, amount=500)
    return PLAYS["stand" if Action.STAND in ask.actions else "decline"](ask.prompt)
