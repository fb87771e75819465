from pathlib import Path

from bj_protocol.schema import main, schemas

DOCS = Path(__file__).parents[2] / "docs" / "protocol"


def test_the_schema_in_the_docs_is_current() -> None:
    for name, text in schemas().items():
        assert (DOCS / name).read_text() == text, "run make pages"


def test_the_schema_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    main([str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == set(schemas())
