"""The catalogue: each fault with the property that it breaks, and a seed that shows it.

A fault is put into the server, or into the rules, before a world is played. Worlds with
all else as it is find every one of them.
"""

from dataclasses import dataclass

from simulation.faults import bank, rules, table
from simulation.play import Plant


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault."""

    plant: Plant
    breaks: str
    """The first property that fails in the world of the seed."""
    seed: int

    @property
    def name(self) -> str:
        return self.plant.__name__


FAULTS = (
    Fault(bank.settle_twice, "no honest server is accused", 1),
    Fault(bank.forget_an_escrow, "no fault of ours comes", 2),
    Fault(bank.forget_the_escrow_of_a_double, "no fault of ours comes", 1),
    Fault(bank.make_money, "money sums to zero", 1),
    Fault(bank.let_a_player_owe, "nobody is below zero", 1),
    Fault(bank.tell_before_it_is_durable, "what is told is on the disk", 6),
    Fault(bank.sync_nothing, "a bank opens after any end", 6),
    Fault(bank.lose_a_line, "the audit finds nothing", 34),
    Fault(table.restart_the_clock, "a clock runs on", 4),
    Fault(table.show_a_clock_that_is_fresh, "a clock runs on", 1),
    Fault(table.accept_a_stale_prompt, "no honest server is accused", 50),
    Fault(table.wait_for_ever, "every prompt ends", 2),
    Fault(table.decide_too_soon, "the clock decides in time", 2),
    Fault(table.forget_an_answer, "the audit finds nothing", 52),
    Fault(table.show_less_money, "no honest server is accused", 1),
    Fault(table.leak_the_hole_card, "no hidden card is told", 1),
    Fault(table.tell_another_card, "no honest server is accused", 1),
    Fault(table.tell_another_balance, "no honest server is accused", 1),
    Fault(table.tell_of_no_stand, "no honest server is accused", 1),
    Fault(table.tell_the_secret, "no secret is told", 1),
    Fault(table.log_the_secret, "no secret is told", 1),
    Fault(table.reuse_a_nonce, "no honest server is accused", 1),
    Fault(table.draw_without_the_links, "no honest server is accused", 2),
    Fault(table.skip_a_card, "no honest server is accused", 1),
    Fault(table.sign_something_else, "no honest server is accused", 1),
    Fault(rules.pay_even_money_for_a_natural, "a round ends as the rules have it", 47),
    Fault(rules.pay_insurance_twice, "a round ends as the rules have it", 53),
    Fault(rules.let_the_house_take_ties, "a round ends as the rules have it", 10),
    Fault(
        rules.return_the_stake_of_a_bust_hand, "a round ends as the rules have it", 34
    ),
    Fault(rules.stand_on_16, "a round ends as the rules have it", 34),
)
