"""Listening: which sockets there are for the hosts that were asked for."""

import errno
import socket

import pytest

from bj_server.net.listening import ListenError, listen

needs_ipv6 = pytest.mark.skipif(
    not socket.has_ipv6 or not socket.has_dualstack_ipv6(), reason="no IPv6 here"
)


def names(sockets: list[socket.socket]) -> list[str]:
    """Return the addresses, which all have one port, and close them."""
    found = [one.getsockname()[:2] for one in sockets]
    assert len({port for _, port in found}) == 1
    assert found[0][1] > 0
    for one in sockets:
        one.close()
    return [host for host, _ in found]


@needs_ipv6
@pytest.mark.parametrize(
    ("hosts", "found"),
    [
        (["::"], ["::", "0.0.0.0"]),
        ([""], ["::", "0.0.0.0"]),
        (["127.0.0.1", "::1"], ["127.0.0.1", "::1"]),
        (["127.0.0.1", "127.0.0.1"], ["127.0.0.1"]),
        (["127.0.0.1", "::"], ["::", "0.0.0.0"]),
        (["0.0.0.0", "127.0.0.1", "::1"], ["0.0.0.0", "::1"]),
        (["127.0.0.1", "127.0.0.2"], ["127.0.0.1", "127.0.0.2"]),
    ],
)
def test_14_2_several_hosts_have_one_port(hosts: list[str], found: list[str]) -> None:
    assert names(listen(hosts, 0)) == found


@needs_ipv6
@pytest.mark.parametrize("target", ["127.0.0.1", "::1"])
def test_14_2_every_address_of_both_families_is_served(target: str) -> None:
    sockets = listen(["::"], 0)
    port = sockets[0].getsockname()[1]
    with socket.create_connection((target, port), timeout=60):
        pass
    names(sockets)


def test_14_2_without_ipv6_there_is_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    really = socket.create_server

    def lacking(*arguments: object, **options: object) -> socket.socket:
        if options["family"] is socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported")
        return really(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "create_server", lacking)
    assert names(listen(["::"], 0)) == ["0.0.0.0"]
    with pytest.raises(ListenError, match=r"listen on \[::1\]:0: .*not supported"):
        listen(["::1"], 0)


def test_14_2_a_port_that_is_taken_on_one_host_is_named() -> None:
    (taken,) = listen(["127.0.0.2"], 0)
    port = taken.getsockname()[1]
    with pytest.raises(ListenError, match=f"127.0.0.2:{port}: Address already in use"):
        listen(["127.0.0.1", "127.0.0.2"], port)
    (free,) = listen(["127.0.0.1"], port)  # which was given back
    free.close()
    taken.close()


def test_a_host_that_is_no_address_of_this_machine_is_named() -> None:
    with pytest.raises(ListenError, match="192.0.2.7:0: Cannot assign"):
        listen(["192.0.2.7"], 0)
    with pytest.raises(ListenError, match="no.such.host.invalid"):
        listen(["no.such.host.invalid"], 0)
