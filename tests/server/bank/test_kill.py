"""P1, Q1: what was acknowledged is there after a kill, and nothing is half there."""

import asyncio
import os
import signal
from pathlib import Path
from typing import NoReturn

from bj_server.bank.bank import Bank
from bj_server.bank.move import Payment, Reason

KILLS = 30


async def play(bank: Bank) -> None:
    """Play for ever, and tell on standard output what is durable."""
    till = bank.till("main")
    for handle in ("ned21", "lia9"):
        till.open(handle, 1000_00)
    till.seal({})
    await till.commit()
    while True:
        round = till.last_round + 1
        for handle in ("ned21", "lia9"):
            till.stake(round, handle, 5_00)
        till.seal({})
        await till.commit()
        tell("bet", round)
        till.record("answer", round, {"action": "stand"})
        till.seal({})
        await till.commit()
        payments = [
            Payment(handle="ned21", reason=Reason.HAND_WON, stake=5_00, payout=10_00),
            Payment(handle="lia9", reason=Reason.PUSH, stake=5_00, payout=5_00),
        ]
        till.settle(round, payments, {})
        till.seal({})
        await till.commit()
        tell("settled", bank.balance("ned21"))


def tell(word: str, number: int) -> None:
    os.write(1, f"{word} {number}\n".encode())


def be_a_server(folder: Path, output: int) -> NoReturn:
    """Be the forked process that plays until it is killed."""
    try:
        os.dup2(output, 1)
        asyncio.run(play(Bank.open(folder)))
    finally:
        os._exit(1)


def play_and_kill(folder: Path, acts: int) -> tuple[int, int]:
    """Kill a bank after some acknowledgements; return the last round and balance."""
    reads, writes = os.pipe()
    process = os.fork()
    if not process:
        be_a_server(folder, writes)
    os.close(writes)
    with open(reads) as said:
        for _ in range(acts):
            said.readline()
        os.kill(process, signal.SIGKILL)
        told = {"bet": 0, "settled": 0}
        for line in said:
            # The pipe holds what was acknowledged up to the kill.
            word, _, number = line.partition(" ")
            if number.endswith("\n"):
                told[word] = int(number)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
    return told["bet"], told["settled"]


def test_P1_P5_after_every_kill_the_bank_is_whole_and_has_all_that_was_told(
    folder: Path,
) -> None:
    balance = 1000_00
    for number in range(KILLS):
        last_bet, last_balance = play_and_kill(folder, acts=number % 7)
        bank = Bank.open(folder)
        bank.audit()
        if "player:lia9" in bank.books.ledger:
            assert bank.balance("lia9") == 1000_00
            assert bank.balance("ned21") >= max(balance, last_balance)
            assert bank.balance("ned21") % 5_00 == 0
            balance = bank.balance("ned21")
        assert bank.till("main").last_round >= last_bet
        assert bank.till("main").held(bank.till("main").last_round) == {}
        assert (last_bet == 0) or ("player:ned21" in bank.books.ledger)
        bank.close()
    assert balance > 1000_00
