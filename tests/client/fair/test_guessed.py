"""Programs that answer before they are asked: no honest server is accused for it.

They guess the numbers of coming questions, so an answer may be carried out in the very
update that asks for it, be refused as too early, or be placed for another round.
"""

import random
from pathlib import Path

import pytest

from bj_protocol.commands import Answer, AnyAnswer, PlaceBet, SitOut, Stand
from bj_protocol.refusal import RefusalCode
from bj_server.settings import load_house
from bj_server.table.inbox import FromLine
from support.cheating import deal_to_ask
from support.company import Company, repeatable
from support.gambler import any_answer, legal_answer

GUESSER = "ned21"


def guesses(chance: random.Random, last: int) -> list[AnyAnswer]:
    """Return answers to questions to come, and to some that were."""
    told: list[AnyAnswer] = [any_answer(chance, last)]
    for prompt in range(last + 1, last + 1 + chance.randint(0, 4)):
        amount = chance.choice((500, 1000, 10**7))
        likely = PlaceBet(prompt=prompt, amount=amount), Stand(prompt=prompt)
        told.append(chance.choice((*likely, SitOut(prompt=prompt))))
    return told


def step(rig: Company, chance: random.Random) -> None:
    """Have an answer that was asked for and guesses come in one batch."""
    asked = [seat for seat in rig.table.context.seats.here if seat.ask]
    batch: list[tuple[str, AnyAnswer]] = []
    if asked and chance.random() < 0.8:
        seat = chance.choice(asked)
        assert seat.ask is not None
        batch.append((seat.handle, legal_answer(chance, seat.ask)))
    else:
        rig.wait(chance.choice((2, 2, 31)))
    guessed = guesses(chance, rig.table.context.last_prompt)
    batch += [(GUESSER, guess) for guess in guessed]
    sent = []
    for handle, answer in batch:
        rig.players[handle].at = rig.clock.now()
        command = rig.players[handle].send(answer)
        if isinstance(command, Answer):
            sent.append(FromLine(rig.line[handle], command))
    rig.send(*sent)
    if chance.random() < 0.02:
        rig.drop(GUESSER)
        rig.outlet.audience.discard(rig.line[GUESSER])
        rig.join(GUESSER)


def test_a_bet_in_the_middle_of_a_round_has_the_link_of_the_round(
    tmp_path: Path,
) -> None:
    """Else the commitment of the round would be another than the server has had."""
    with Company(tmp_path / "bank", house=load_house("cpsc386")) as rig:
        rig.join(GUESSER)
        deal_to_ask(rig)
        player = rig.players[GUESSER]
        commitment = player.checker.rounds.draw.commitment
        assert commitment
        late = PlaceBet(prompt=rig.ask(GUESSER).prompt - 1, amount=100)
        sent = player.send(late)
        assert isinstance(sent, PlaceBet)
        assert sent.commitment == player.checker.rounds.draw.commitment == commitment


@pytest.mark.parametrize("unproven", [False, True])
@pytest.mark.parametrize("house", ["cpsc386", "downtown", "iipp6"])
def test_a_program_that_guesses_has_no_finding(
    tmp_path: Path, house: str, *, unproven: bool
) -> None:
    chance = random.Random(f"{house} {unproven}")
    seats = min(2, load_house(house).max_seats)
    with (
        repeatable(chance),
        Company(tmp_path / "bank", house=load_house(house), seats=seats) as rig,
    ):
        for name in (GUESSER, "lia9")[:seats]:
            rig.join(name)
        rig.players[GUESSER].unproven = unproven
        for _ in range(150):
            step(rig, chance)
        for player in rig.everyone():
            found = [str(finding) for finding in player.findings]
            assert not found, (player.handle, found)
        assert rig.players[GUESSER].proofs
        refused = " ".join(rig.players[GUESSER].refusals)
        assert "answers no question" in refused


def test_a_guess_is_refused_as_the_server_would_refuse_it(tmp_path: Path) -> None:
    with Company(tmp_path / "bank", house=load_house("cpsc386"), seats=1) as rig:
        rig.join("ned21")
        guess = PlaceBet(prompt=99, amount=100)
        refused = rig.players["ned21"].linker.why_not(guess, is_unproven=True)
    assert refused is not None
    assert (refused.code, refused.prompt) == (RefusalCode.NOT_ASKED, 99)
