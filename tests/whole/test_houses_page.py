import make_houses


def test_the_page_of_houses_is_current() -> None:
    assert make_houses.PAGE.read_text() == make_houses.page(), "run make pages"
