import make_schema


def test_the_schema_in_the_docs_is_current() -> None:
    for name, text in make_schema.schemas().items():
        path = make_schema.FOLDER / name
        assert path.read_text(encoding="utf-8") == text, "run make pages"
