"""A round of very many decisions: none of our answers is forgotten before its end."""

from make_houses import most_decisions

from bj_client.fair.answers import Answers
from bj_client.fair.finding import Report
from bj_client.fair.ways_out import Ways
from bj_protocol.action import Action
from bj_protocol.commands import Hit
from bj_protocol.views import Turn
from bj_server.settings import HOUSES, load_house
from support.message import make_ask


def test_all_answers_of_the_longest_round_are_known_at_its_end() -> None:
    longest = max(most_decisions(load_house(name)) for name in HOUSES)
    report = Report()
    answers = Answers(report, Ways())
    for prompt in range(1, longest + 1):
        ask = make_ask(prompt, Action.HIT, Action.STAND)
        answers.hear_turn(Turn(asks=(ask,), milliseconds=8000), ask.seat, prompt)
        answers.send(Hit(prompt=prompt), prompt + 0.5)
    for prompt in range(1, longest + 1):
        answers.check(4, prompt, "hit")
    assert report.take() == []
