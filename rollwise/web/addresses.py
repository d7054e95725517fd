"""Under which addresses a server can be opened: those of this machine, asked without contacting anybody."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address

__all__ = ["is_every", "own_addresses", "reachable", "shown"]

FAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of nobody, kept for documents: asking for the way there shows from which address one would send. Nothing is sent."""


def is_every(host: str) -> bool:
    """Say whether a host means every address of this machine."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def own_addresses(families: tuple[socket.AddressFamily, ...]) -> list[str]:
    """List the addresses of this machine that others in its network can open, the likeliest first."""
    found = dict.fromkeys(address for family in families for address in (*_way_out(family), *_named(family)))
    return [address for address in found if _can_be_opened(address)]


def _way_out(family: socket.AddressFamily) -> Iterator[str]:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((FAR[family], 9))
        yield probe.getsockname()[0]


def _named(family: socket.AddressFamily) -> Iterator[str]:
    with suppress(OSError):
        for _, _, _, _, place in socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM):
            yield str(place[0])


def _can_be_opened(address: str) -> bool:
    """Say whether another machine can open an address: not this machine's own, nor one that needs the name of an interface."""
    try:
        place = ip_address(address)
    except ValueError:
        return False
    return not (place.is_loopback or place.is_unspecified or place.is_link_local)


def reachable(host: str, listener: socket.socket) -> list[str]:
    """List the addresses to print for a server that listens: its own, or where that is every one, those that there are."""
    port = listener.getsockname()[1]
    if not is_every(host):
        return [shown(host, port)]
    both = listener.family == socket.AF_INET6 and not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    families = (socket.AF_INET, socket.AF_INET6) if both else (listener.family,)
    here = "127.0.0.1" if socket.AF_INET in families else "::1"
    return [shown(address, port) for address in (*own_addresses(families), here)]


def shown(host: str, port: int) -> str:
    """Write an address.

    >>> shown("::1", 8045)
    'http://[::1]:8045/'
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
