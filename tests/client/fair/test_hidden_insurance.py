"""An insurance of ours that has won, and that a recall leaves out."""

import random
from pathlib import Path

import pytest

from bj_protocol.action import Action
from bj_protocol.commands import Insure
from bj_protocol.messages import Message, Recalled
from bj_protocol.recall import PastRound
from bj_protocol.views import Outcome
from bj_server.table.playing import Playing
from support.company import Company, repeatable

_AMOUNT = 500


def _left_out(past: PastRound, more: int) -> PastRound:
    """Return a round without our insurance, and ``more`` cents than it has brought."""
    assert past.draw is not None
    plays = [each for each in past.draw.plays if each.seat != past.seat]
    kept = [each for each in past.decisions if each.action is not Action.INSURE]
    hands = tuple(
        hand.model_copy(update={"insurance": 0, "insured": None}) for hand in past.hands
    )
    brought = sum(hand.payout - hand.stake for hand in hands)
    return past.model_copy(
        update={
            "draw": past.draw.model_copy(update={"plays": tuple(plays)}),
            "decisions": tuple(kept),
            "hands": hands,
            "balance_after": past.balance_before + brought + more,
        }
    )


@pytest.mark.parametrize("more", [0, 1, 500])
def test_a_won_insurance_that_is_left_out_is_found(tmp_path: Path, more: int) -> None:
    insured = 0
    for seed in range(60):
        chance = random.Random(seed)
        with repeatable(chance), Company(tmp_path / str(seed), seats=2) as rig:
            rig.join("ned21")
            rig.join("lia9")
            rig.bet("ned21", 1)
            rig.bet("lia9", 1)
            if not rig.is_asked("ned21") or Action.INSURE not in rig.legal("ned21"):
                continue
            rig.outlet.deaf.add(rig.line["ned21"])
            prompt = rig.ask("ned21").prompt
            rig.answer("ned21", Insure(prompt=prompt, amount=_AMOUNT))
            while isinstance(rig.table.phase, Playing):
                rig.wait(31)
            lies: list[PastRound] = []

            def hide(
                message: Message,
                text: str,
                line: int | None,
                lies: list[PastRound] = lies,
            ) -> list[tuple[Message, str]]:
                if not isinstance(message, Recalled):
                    return [(message, text)]
                *rest, last = message.rounds
                won = [
                    h
                    for h in last.hands
                    if h.insured and h.insured.outcome is Outcome.WIN
                ]
                if not won:
                    return [(message, text)]
                lies.append(_left_out(last, more))
                told = Recalled(rounds=(*rest, lies[-1]))
                return [(told, told.model_dump_json())]

            rig.outlet.cheat = hide
            rig.kill()
            rig.join("ned21")
            player = rig.players["ned21"]
            player.remarks += player.checker.finish()
            if lies:
                insured += 1
                assert player.findings, f"seed {seed}"
    assert insured
