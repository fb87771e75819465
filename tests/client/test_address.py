import pytest

from bj_client.net.address import read_address


@pytest.mark.parametrize(
    ("text", "uri", "shown"),
    [
        ("localhost", "ws://localhost:8765", "localhost:8765"),
        ("  localhost  ", "ws://localhost:8765", "localhost:8765"),
        ("localhost:1", "ws://localhost:1", "localhost:1"),
        ("Example.ORG:9000", "ws://example.org:9000", "example.org:9000"),
        ("10.0.0.7", "ws://10.0.0.7:8765", "10.0.0.7:8765"),
        ("my_host", "ws://my_host:8765", "my_host:8765"),
        ("[::1]:8765", "ws://[::1]:8765", "[::1]:8765"),
        ("[::1]", "ws://[::1]:8765", "[::1]:8765"),
        ("::1", "ws://[::1]:8765", "[::1]:8765"),
        ("ws://host", "ws://host", "ws://host"),
        ("ws://host:81/table", "ws://host:81/table", "ws://host:81/table"),
        ("wss://example.org", "wss://example.org", "wss://example.org"),
    ],
)
def test_an_address_is_read(text: str, uri: str, shown: str) -> None:
    address = read_address(text)
    assert (address.uri, address.shown) == (uri, shown)


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (("localhost", "127.0.0.1", "::1", "127.8.0.1:8765", "ws://[::1]:8765/"),)
        + ("localhost:8765",),
        (("Example.org", "example.org.:8765", "ws://EXAMPLE.org:8765"),)
        + ("example.org:8765",),
        (("wss://example.org", "wss://example.org:443/"), "example.org:443"),
        (("ws://example.org",), "example.org:80"),
        (("wss://example.org/a?b",), "example.org:443/a?b"),
        (("fe80:0::1", "[fe80::1]"), "[fe80::1]:8765"),
        (("10.0.0.7",), "10.0.0.7:8765"),
    ],
)
def test_a_server_has_one_name_however_it_is_typed(
    texts: tuple[str, ...], name: str
) -> None:
    assert {read_address(text).name for text in texts} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ":8765",
        "host:",
        "host:0",
        "host:65536",
        "host:-1",
        "host:http",
        "host/path",
        "host:80:81",
        "user@host",
        "a b",
        "a\x1b[31m",
        "höst",
        "-host",
        "a..b",
        "[::1",
        "[nonsense]",
        "http://host",
        "ws://",
        "ws://host:0",
        "ws://host#part",
        "ws://user:secret@host",
        "x" * 300,
    ],
)
def test_a_bad_address_is_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as refused:
        read_address(text)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert sentence.isprintable()
