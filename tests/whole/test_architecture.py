"""The page of architecture: its picture is current, and what it names exists."""

import importlib
import re

import make_architecture
import pytest
from make_architecture import PAGE, PICTURE, graph

TEXT = PAGE.read_text("utf-8")
WALK = TEXT.partition("## One bet")[2]
NAMED = sorted(set(re.findall(r"`(bj_[a-z]+\.[\w.]+)`", WALK)))


def found(name: str) -> object:
    """Return what a dotted name stands for.

    Raises:
        AttributeError: if a module has no such thing.
        ModuleNotFoundError: if there is no such module.
    """
    parts = name.split(".")
    classes = [n for n, part in enumerate(parts) if not part.islower()]
    length = classes[0] if classes else len(parts) - 1
    thing: object = importlib.import_module(".".join(parts[:length]))
    for part in parts[length:]:
        thing = getattr(thing, part)
    return thing


@pytest.mark.parametrize("name", NAMED)
def test_what_the_walk_of_a_bet_names_exists(name: str) -> None:
    module, _, last = name.rpartition(".")
    try:
        found(name)
    except (AttributeError, ModuleNotFoundError) as gone:
        pytest.fail(
            f"docs/architecture.md names {name}, which is gone ({gone}): "
            f"write there where {last} of {module} is now, or what does its work."
        )


def test_the_walk_of_a_bet_goes_through_client_protocol_and_server() -> None:
    assert len(NAMED) >= 20
    packages = {name.partition(".")[0] for name in NAMED}
    assert packages == {"bj_client", "bj_protocol", "bj_server"}


def test_the_picture_and_the_table_are_those_of_the_code() -> None:
    said = "the imports have changed: run python docs/make_architecture.py"
    assert PICTURE.read_text("utf-8") == make_architecture.picture(), said
    assert make_architecture.page(TEXT) == TEXT, said


def test_the_graph_knows_what_the_contracts_promise() -> None:
    folders = graph()
    assert folders["bj_protocol"] <= {"bj_game"}
    assert "bj_game" in folders["bj_server.table"]
    assert not any(
        target.startswith("bj_client")
        for name, targets in folders.items()
        for target in targets
        if name.startswith("bj_server")
    )
