"""HTTP server: routes, host checks and listening sockets.

HTTP responses contain no secrets. Secrets travel only in WebSocket messages, never in requested URLs.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import re
import socket
import sys
from collections.abc import Callable
from importlib.resources import files
from urllib.parse import urlsplit

import uvicorn
from attrs import frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardlang.model import Game
from cardlang.ui.web import client_message
from cardlang.ui.web.client_message import MAX_MESSAGE_BYTES
from cardlang.ui.web.connection_hub import ConnectionHub
from cardlang.ui.web.database import Store
from cardlang.ui.web.game_catalog import (
    GameCatalog,
    build_card_data,
    build_rulebook_json,
    render_card_face_svg,
    render_fullest_tables,
    render_home_back_svg,
    render_other_face_svg,
)
from cardlang.ui.web.hint_process import HintWorker, create_process_executor
from cardlang.ui.web.message_handlers import dispatch_message

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
ART_CACHE_HEADERS = {"cache-control": "public, max-age=86400"}
"""Cache headers for card art. The art of an edition is fixed, except that a new cardlang version may draw it
differently."""
NO_CACHE_HEADERS = {"cache-control": "no-cache"}
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


@frozen
class AllowedHosts:
    """Host names that this server accepts.

    `names`: names with or without a port. `allows_ip_addresses`: accept any IP address, for servers open to a network.
    Other names are rejected, to prevent DNS rebinding."""

    names: frozenset[str]
    allows_ip_addresses: bool

    def is_allowed(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        bare = f"[{name}]" if ":" in name else name
        return host in self.names or bare in self.names or (self.allows_ip_addresses and is_ip_address(name))


def is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def get_origin_host(origin: str) -> str | None:
    """Return the host and port of an origin, or None if it is malformed."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


@frozen
class HostGuard:
    """ASGI middleware that rejects foreign hosts and cross-origin WebSockets, and adds security headers to
    responses."""

    app: ASGIApp
    allowed_hosts: AllowedHosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = [(key, value.decode("latin-1")) for key, value in scope["headers"]]
        hosts = [value for key, value in given if key == b"host"]
        origins = [value for key, value in given if key == b"origin"]
        ours = len(hosts) == 1 and self.allowed_hosts.is_allowed(hosts[0])
        if scope["type"] == "websocket":
            same = ours and len(origins) == 1 and get_origin_host(origins[0]) == hosts[0]
            await (self.app(scope, receive, send) if same else refuse_socket(receive, send))
            return
        if not ours:
            await PlainTextResponse("This server does not answer to that host name.", 421)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(key.encode(), value.encode()) for key, value in SECURITY_HEADERS.items()]
            await send(message)

        await self.app(scope, receive, send_with_headers)


async def refuse_socket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 4403})


def load_page_files() -> dict[str, tuple[str, bytes]]:
    """Return the client's files by name: media type and content."""
    page_files = {}
    for file in files("cardlang.ui.web").joinpath("page").iterdir():
        ending = file.name[file.name.rfind(".") :]
        if ending in MEDIA_TYPES:
            page_files[file.name] = (MEDIA_TYPES[ending], file.read_bytes())
    return page_files


@frozen
class PageRoutes:
    """Handlers of the routes."""

    hub: ConnectionHub
    page_files: dict[str, tuple[str, bytes]]

    async def serve_file(self, request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in self.page_files:
            return PlainTextResponse("Page not found.", 404)
        kind, data = self.page_files[name]
        return Response(data, media_type=f"{kind}; charset=utf-8", headers=NO_CACHE_HEADERS)

    async def serve_card_face(self, request: Request) -> Response:
        game, number = self.find_game(request), parse_url_number(request.path_params["face"])
        if game is None or number >= len(game.faces):
            return PlainTextResponse("Unknown card.", 404)
        return Response(render_card_face_svg(game, number), media_type="image/svg+xml", headers=ART_CACHE_HEADERS)

    async def serve_other_face(self, request: Request) -> Response:
        game = self.find_game(request)
        try:
            drawn = (
                render_other_face_svg(game, parse_url_number(request.path_params["face"])) if game is not None else ""
            )
        except IndexError:
            drawn = ""
        if not drawn:
            return PlainTextResponse("Unknown card face.", 404)
        return Response(drawn, media_type="image/svg+xml", headers=ART_CACHE_HEADERS)

    async def serve_card_back(self, request: Request) -> Response:
        game, home = self.find_game(request), request.path_params["home"]
        if game is None or all(cards.home != home for cards in game.sets.values()):
            return PlainTextResponse("Unknown card back.", 404)
        return Response(render_home_back_svg(game, home), media_type="image/svg+xml", headers=ART_CACHE_HEADERS)

    async def serve_rulebook(self, request: Request) -> Response:
        game = self.find_game(request)
        if game is None:
            return PlainTextResponse("Unknown rule sheet.", 404)
        return JSONResponse(await run_in_threadpool(build_rulebook_json, game), headers=NO_CACHE_HEADERS)

    async def serve_card_data(self, request: Request) -> Response:
        game = self.find_game(request)
        if game is None:
            return PlainTextResponse("Unknown cards.", 404)
        return JSONResponse(await run_in_threadpool(build_card_data, game), headers=NO_CACHE_HEADERS)

    async def serve_fullest_tables(self, request: Request) -> Response:
        game, players = self.find_game(request), parse_url_number(request.path_params["players"])
        if game is None or players not in game.seats:
            return PlainTextResponse("Unknown game.", 404)
        data = await run_in_threadpool(render_fullest_tables, game, players)
        return Response(data, media_type="application/json", headers=NO_CACHE_HEADERS)

    async def serve_socket(self, websocket: WebSocket) -> None:
        await self.hub.serve_connection(websocket)

    def find_game(self, request: Request) -> Game | None:
        return self.hub.catalog.cached_games.get(request.path_params["edition"])


def parse_url_number(text: str) -> int:
    """Return the number in a URL, or `sys.maxsize`, which is no face, if it is malformed or too long."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else sys.maxsize


def build_application(hub: ConnectionHub, allowed_hosts: AllowedHosts) -> ASGIApp:
    pages = PageRoutes(hub, load_page_files())
    routes = [
        Route("/", pages.serve_file),
        Route("/page/{name}", pages.serve_file),
        Route("/art/{edition}/back/{home}.svg", pages.serve_card_back),
        Route("/art/{edition}/{face}.svg", pages.serve_card_face),
        Route("/art/{edition}/other/{face}.svg", pages.serve_other_face),
        Route("/sheet/{edition}", pages.serve_rulebook),
        Route("/cards/{edition}", pages.serve_card_data),
        Route("/fullest/{edition}/{players}", pages.serve_fullest_tables),
        WebSocketRoute("/ws", pages.serve_socket),
    ]
    return HostGuard(Starlette(routes=routes), allowed_hosts)


# ---------------------------------------------------------------- listening sockets
THREAD_SWITCH_SECONDS = 0.001
"""Thread switch interval in seconds, so that a thinking bot soon yields to the threads that serve pages."""


GC_THRESHOLDS = 10_000, 5, 4
"""Thresholds of garbage collection: each one examines about 10,000 new objects, which takes a few milliseconds."""
COLLECTIONS_PER_THAW = 50
"""Number of full collections after which one examines all objects. Between two, about ten million objects are new."""


def freeze_after_collection(phase: str, info: dict[str, int]) -> None:
    """Exempt the objects that survive a garbage collection from the next ones.

    Otherwise full collections examine all tables in memory and stop the server for up to a second."""
    if phase == "stop":
        gc.freeze()
    elif (
        info["generation"] == 2 and gc.get_stats()[2]["collections"] % COLLECTIONS_PER_THAW == COLLECTIONS_PER_THAW - 1
    ):
        gc.unfreeze()


class IdleTimeoutProtocol(H11Protocol):
    """HTTP protocol that closes connections without a request after a while. Idle connections would lock out others."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(client_message.HELLO_TIMEOUT, self.close_if_idle)

    def close_if_idle(self) -> None:
        if self.scope is None and not self.transport.is_closing():
            self.transport.close()


def raise_open_file_limit() -> None:
    """Raise the limit of open files to fit the maximum number of connections, as far as the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = (
        2 * client_message.MAX_CONNECTIONS
        if hard == resource.RLIM_INFINITY
        else min(hard, 2 * client_message.MAX_CONNECTIONS)
    )
    if soft != resource.RLIM_INFINITY and soft < needed_files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed_files, hard))


def run_server(
    catalog: GameCatalog, store: Store, host: str, port: int, url: str | None, print_line: Callable[[str], None],
    on_address: Callable[[str], None], seed: int | None = None,
) -> None:  # fmt: skip
    """Run the server until it is stopped.

    `on_address`: called with the public URL as soon as it is known. `seed`: see `GameRoom.seed`. Raise `OSError` if it
    can't listen."""
    raise_open_file_limit()
    listening = bind_socket(host, port)
    listening.listen(128)  # early visitors wait in the backlog
    bound = listening.getsockname()[1]
    address = (url or f"http://{format_host(host)}:{bound}").rstrip("/")
    on_address(address)
    name = urlsplit(address).netloc
    names = AllowedHosts(
        frozenset({*LOCAL_HOSTS, format_host(host), name}),
        allows_ip_addresses=host not in ("127.0.0.1", "::1", "localhost"),
    )
    thinker = HintWorker(create_process_executor)
    app = build_application(
        ConnectionHub(store, catalog, address, dispatch_message, seed=seed, hint_worker=thinker), names
    )
    local = address if url else f"http://{format_host('127.0.0.1' if host == '0.0.0.0' else host)}:{bound}"
    print_line("Open this link to start games. Keep it to yourself.")
    print_line(f"{local}/#house/{store.read_meta('house')}")
    print_line("Press Ctrl-C to stop. All tables are saved; they resume when you start the server again.")
    config = uvicorn.Config(
        app, http=IdleTimeoutProtocol,
        ws="websockets-sansio", ws_max_size=MAX_MESSAGE_BYTES, ws_per_message_deflate=False, log_level="warning",
        access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=10,
        h11_max_incomplete_event_size=MAX_MESSAGE_BYTES, timeout_graceful_shutdown=2,
    )  # fmt: skip
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    gc.set_threshold(*GC_THRESHOLDS)
    gc.callbacks.append(freeze_after_collection)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        thinker.close()


def bind_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except BaseException:
        listening.close()
        raise
    return listening


def format_host(host: str) -> str:
    """Return a host as written in a URL. For a wildcard address, return this machine's address in its network."""
    if host in ("0.0.0.0", "::"):
        return find_own_address()
    return f"[{host}]" if ":" in host else host


def find_own_address() -> str:
    """Return this machine's address in its network, or 127.0.0.1 if it is unknown. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
