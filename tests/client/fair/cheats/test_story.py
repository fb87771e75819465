"""Stories that are told twice, not signed, or signed by another."""

from pathlib import Path

import pytest

from bj_game.house import House
from bj_protocol import events
from bj_protocol.commands import Resync
from bj_protocol.messages import Message, Snapshot, Update
from bj_protocol.proof import StatementKind
from bj_server.table.inbox import FromLine
from bj_server.table.story import Story
from support.cheating import found, pictured, play, unsigned
from support.company import Company

OTHER = "ab" * 32


@pytest.mark.usefixtures("two_seats")
def test_a_story_for_one_player_alone_is_found(rig: Company) -> None:
    def fork(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if line == rig.line["ned21"] and isinstance(message, Update):
            said = events.Announced(text="Only for you.")
            other = message.model_copy(update={"events": (*message.events, said)})
            return [(other, other.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = fork
    play(rig, 1, most=10)
    found(rig, "does not fit the story that was told")
    assert not rig.players["lia9"].findings


def test_two_signed_stories_are_a_proof_by_themselves(rig: Company) -> None:
    play(rig)
    story = rig.table.context.story
    assert story is not None
    head, story.head = story.head, OTHER
    line, seq = rig.line["ned21"], rig.table.context.seq
    other = story.sign(StatementKind.END, seq, 1)
    story.head = head
    rig.outlet.tell(line, other)
    ned = rig.players["ned21"]
    found(rig, "signed two stories", 1)
    two = next(f for f in ned.findings if "two stories" in str(f))
    assert ned.checker.story.is_for_anyone(str(two))


@pytest.mark.parametrize("kind", ["start", "end"])
def test_a_signature_that_is_missing_stops_the_bets(
    tmp_path: Path, house: House, kind: str
) -> None:
    with Company(tmp_path / "bank", house=house, seats=min(4, house.max_seats)) as rig:
        rig.outlet.cheat = unsigned(kind)
        rig.join("ned21")
        play(rig, 2, most=10)
        ned = rig.players["ned21"]
        assert f"has not signed the {kind}" in ned.refusals[0]
        assert "--unproven" in ned.refusals[0]


def test_another_key_is_found(rig: Company) -> None:
    """Another server goes on in the middle of a visit, with a key of its own."""

    def other(picture: Snapshot) -> Snapshot:
        assert picture.story is not None
        story = picture.story.model_copy(update={"key": OTHER})
        return picture.model_copy(update={"story": story})

    play(rig)
    rig.outlet.cheat = pictured(other)
    rig.send(FromLine(rig.line["ned21"], Resync()))
    found(rig, "signs with another key")


def test_a_picture_of_another_story_is_found(rig: Company) -> None:
    play(rig)

    def other(
        message: Message, text: str, line: int | None
    ) -> list[tuple[Message, str]]:
        if isinstance(message, Snapshot) and message.story is not None:
            story = message.story.model_copy(update={"head": OTHER})
            message = message.model_copy(update={"story": story})
            return [(message, message.model_dump_json())]
        return [(message, text)]

    rig.outlet.cheat = other
    rig.send(FromLine(rig.line["ned21"], Resync()))
    found(rig, "of another story than was told")


@pytest.mark.parametrize("is_told", [False, True])
def test_a_run_that_does_not_begin_with_its_first_head_is_found(
    rig: Company, monkeypatch: pytest.MonkeyPatch, *, is_told: bool
) -> None:
    """Something comes before all that is told of the run, in its start or after it."""
    start = Story.start

    def begin(story: Story, seq: int, round: int, before: str) -> None:
        if is_told:
            story.head = OTHER
        start(story, seq, round, before)
        story.head = OTHER

    play(rig)
    monkeypatch.setattr(Story, "start", begin)
    rig.restart()
    for handle in rig.players:
        rig.join(handle)
    play(rig, 1, most=5)
    found(rig, "signed start does not fit|of another story than was told")
