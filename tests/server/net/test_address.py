"""Addresses: those of sockets, and those of which a trusted proxy tells."""

from ipaddress import ip_network

import pytest
from websockets.datastructures import Headers

from bj_server.net.address import (
    NOWHERE,
    THIS_MACHINE,
    ContradictionError,
    Proxies,
    address_of,
)

PROXIES = Proxies((ip_network("10.0.0.0/8"), ip_network("2001:db8:ff::/48")))


def test_14_2_an_ipv4_address_in_ipv6_is_what_it_is() -> None:
    found = address_of(("::ffff:192.0.2.7", 1, 0, 0), ("::ffff:192.0.2.1", 2, 0, 0))
    assert (found.shown, found.place) == ("192.0.2.7", "192.0.2.7")
    assert address_of(("::ffff:10.0.0.2", 1, 0, 0), None) in PROXIES
    assert address_of(("::ffff:127.0.0.1", 1, 0, 0), None).place == THIS_MACHINE


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["192.0.2.7"], "192.0.2.7"),
        (["192.0.2.7:4711"], "192.0.2.7"),
        (["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        (["6.6.6.6", "192.0.2.7, 10.0.0.3"], "192.0.2.7"),
        (["192.0.2.7, 2001:db8:ff::1"], "192.0.2.7"),
        (["::ffff:192.0.2.7"], "192.0.2.7"),
        (["2001:db8::7"], "2001:db8::7"),
        (["[2001:db8::7]:80"], "2001:db8::7"),
        (["192.0.2.7, unknown"], None),
        (["nonsense"], None),
        (["10.0.0.3"], None),
        ([], None),
    ],
)
def test_14_1_the_last_address_that_is_no_proxy_is_the_client_s(
    lines: list[str], shown: str | None
) -> None:
    headers = Headers([("X-Forwarded-For", line) for line in lines])
    client = PROXIES.client(headers)
    assert (client and client.shown) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("for=192.0.2.7", "192.0.2.7"),
        ('For="[2001:db8::7]:4711";proto=https;by=10.0.0.1', "2001:db8::7"),
        ('for=6.6.6.6, for="192.0.2.7:80";host=x, for=10.0.0.3', "192.0.2.7"),
        ("proto=https;for=192.0.2.7", "192.0.2.7"),
        ('for=192.0.2.7;host="a,for=6.6.6.6"', "192.0.2.7"),
        ('for=192.0.2.7;host="\\",for=6.6.6.6"', "192.0.2.7"),
        ("for=_hidden", None),
        ("for=unknown, for=unknown", None),
        ("by=10.0.0.1", None),
    ],
)
def test_14_1_the_standard_header_is_read_too(line: str, shown: str | None) -> None:
    client = PROXIES.client(Headers([("Forwarded", line)]))
    assert (client and client.shown) == shown


def test_14_1_what_a_client_makes_up_takes_no_time_to_read() -> None:
    long = Headers([("Forwarded", f"{'a' * 2_000_000}, for=192.0.2.7")])
    client = PROXIES.client(long)
    assert client is not None
    assert client.shown == "192.0.2.7"


@pytest.mark.parametrize(("hops", "shown"), [(63, "192.0.2.7"), (64, None)])
def test_14_1_no_more_than_so_many_proxies_are_looked_through(
    hops: int, shown: str | None
) -> None:
    names = ", ".join(["192.0.2.7", *["10.0.0.3"] * hops])
    client = PROXIES.client(Headers([("X-Forwarded-For", names)]))
    assert (client and client.shown) == shown


def test_14_1_two_headers_have_to_agree() -> None:
    headers = Headers([("X-Forwarded-For", "192.0.2.7"), ("Forwarded", "for=6.6.6.6")])
    with pytest.raises(ContradictionError):
        PROXIES.client(headers)
    same = Headers([("X-Forwarded-For", "6.6.6.6"), ("Forwarded", "for=6.6.6.6")])
    client = PROXIES.client(same)
    assert client is not None
    assert client.shown == "6.6.6.6"


def test_14_1_nobody_is_a_proxy_unless_the_host_says_so() -> None:
    assert address_of(("10.0.0.2", 1), None) not in Proxies()
    assert NOWHERE not in PROXIES
