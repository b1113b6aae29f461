"""HTTP server: socket set-up, uvicorn configuration and start-up messages."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardlang.web import limits
from cardlang.web.app import LOCAL, Names, application
from cardlang.web.doing import told
from cardlang.web.hub import Hub
from cardlang.web.limits import BYTES
from cardlang.web.shelf import Shelf
from cardlang.web.store import Store
from cardlang.web.thinker import Thinker, in_process

SWITCH = 0.001
"""Thread switch interval in seconds, so that a thinking bot soon yields to the threads that serve pages."""


class Impatient(H11Protocol):
    """HTTP protocol that closes connections without a request after a while. Idle connections would lock out others."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(limits.HELLO, self.give_up)

    def give_up(self) -> None:
        if self.scope is None and not self.transport.is_closing():
            self.transport.close()


def make_room() -> None:
    """Raise the limit of open files to fit the maximum number of connections, as far as the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * limits.CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, 2 * limits.CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def serve(
    shelf: Shelf, store: Store, host: str, port: int, url: str | None, tell: Callable[[str], None],
    named: Callable[[str], None],
) -> None:  # fmt: skip
    """Run the server until it is stopped.

    `named`: called with the public URL as soon as it is known. Raise `OSError` if it can't listen."""
    make_room()
    listening = listen(host, port)
    listening.listen(128)  # early visitors wait in the backlog
    bound = listening.getsockname()[1]
    address = (url or f"http://{shown(host)}:{bound}").rstrip("/")
    named(address)
    name = urlsplit(address).netloc
    names = Names(frozenset({*LOCAL, shown(host), name}), numbers=host not in ("127.0.0.1", "::1", "localhost"))
    thinker = Thinker(in_process)
    app = application(Hub(store, shelf, address, told, thinker=thinker), names)
    local = address if url else f"http://{shown('127.0.0.1' if host == '0.0.0.0' else host)}:{bound}"
    tell("Open this link to start games. Keep it to yourself.")
    tell(f"{local}/#house/{store.meta('house')}")
    tell("Press Ctrl-C to stop. All tables are saved; they resume when you start the server again.")
    config = uvicorn.Config(
        app, http=Impatient,
        ws="websockets-sansio", ws_max_size=BYTES, ws_per_message_deflate=False, log_level="warning",
        access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=10,
        h11_max_incomplete_event_size=BYTES, timeout_graceful_shutdown=2,
    )  # fmt: skip
    sys.setswitchinterval(SWITCH)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        thinker.close()


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except BaseException:
        listening.close()
        raise
    return listening


def shown(host: str) -> str:
    """Return a host as written in a URL. For a wildcard address, return this machine's address in its network."""
    if host in ("0.0.0.0", "::"):
        return own_number()
    return f"[{host}]" if ":" in host else host


def own_number() -> str:
    """Return this machine's address in its network, or 127.0.0.1 if it is unknown. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
