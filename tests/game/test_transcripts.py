"""Every rule of the shipped houses, and its opposite, as a round that is told."""

import pytest

from game.transcript import Transcript, read_all


@pytest.mark.parametrize("transcript", read_all(), ids=lambda t: t.name)
def test_the_round_goes_as_written(transcript: Transcript) -> None:
    lines, balances = transcript.play()
    assert "\n".join(lines) == transcript.lines.strip()
    assert balances == transcript.after


@pytest.mark.no_cover  # the same lines, over and over
def test_a_round_that_is_played_again_is_the_same() -> None:
    for transcript in read_all():
        assert transcript.play() == transcript.play()
