"""HTTP application: page files, card art, rulebook, and the WebSocket connection for everything else.

HTTP responses contain no secrets. Secrets travel only in WebSocket messages, never in requested URLs."""

from __future__ import annotations

import ipaddress
import re
import sys
from importlib.resources import files
from urllib.parse import urlsplit

from attrs import frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from cardlang.game import Game
from cardlang.web.art import face_svg, home_svg, other_svg
from cardlang.web.hub import Hub
from cardlang.web.sheets import pieces, printed

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
KEPT = {"cache-control": "public, max-age=86400"}
"""Cache headers for card art. The art of an edition is fixed, except that a new cardlang version may draw it
differently."""
FRESH = {"cache-control": "no-cache"}
LOCAL = ("localhost", "127.0.0.1", "[::1]")


@frozen
class Names:
    """Host names that this server accepts.

    `known`: names with or without a port. `numbers`: accept any IP address, for servers open to a network. Other names
    are rejected, to prevent DNS rebinding."""

    known: frozenset[str]
    numbers: bool

    def knows(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        bare = f"[{name}]" if ":" in name else name
        return host in self.known or bare in self.known or (self.numbers and is_number(name))


def is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def place_of(origin: str) -> str | None:
    """Return the host and port of an origin, or None if it is malformed."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


@frozen
class Guard:
    """ASGI middleware that rejects foreign hosts and cross-origin WebSockets, and adds security headers to
    responses."""

    app: ASGIApp
    names: Names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = [(key, value.decode("latin-1")) for key, value in scope["headers"]]
        hosts = [value for key, value in given if key == b"host"]
        origins = [value for key, value in given if key == b"origin"]
        ours = len(hosts) == 1 and self.names.knows(hosts[0])
        if scope["type"] == "websocket":
            same = ours and len(origins) == 1 and place_of(origins[0]) == hosts[0]
            await (self.app(scope, receive, send) if same else refused_socket(receive, send))
            return
        if not ours:
            await PlainTextResponse("This server does not answer to that host name.", 421)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(key.encode(), value.encode()) for key, value in HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers)


async def refused_socket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 4403})


def page_files() -> dict[str, tuple[str, bytes]]:
    """Return the client's files by name: media type and content."""
    found = {}
    for file in files("cardlang.web").joinpath("page").iterdir():
        ending = file.name[file.name.rfind(".") :]
        if ending in TYPES:
            found[file.name] = (TYPES[ending], file.read_bytes())
    return found


@frozen
class Pages:
    """Handlers of the routes."""

    hub: Hub
    page: dict[str, tuple[str, bytes]]

    async def file(self, request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in self.page:
            return PlainTextResponse("Page not found.", 404)
        kind, data = self.page[name]
        return Response(data, media_type=f"{kind}; charset=utf-8", headers=FRESH)

    async def face(self, request: Request) -> Response:
        game, number = self.game(request), number_in(request.path_params["face"])
        if game is None or number >= len(game.faces):
            return PlainTextResponse("Unknown card.", 404)
        return Response(face_svg(game, number), media_type="image/svg+xml", headers=KEPT)

    async def other(self, request: Request) -> Response:
        game = self.game(request)
        try:
            drawn = other_svg(game, number_in(request.path_params["face"])) if game is not None else ""
        except IndexError:
            drawn = ""
        if not drawn:
            return PlainTextResponse("Unknown card face.", 404)
        return Response(drawn, media_type="image/svg+xml", headers=KEPT)

    async def back(self, request: Request) -> Response:
        game, home = self.game(request), request.path_params["home"]
        if game is None or all(cards.home != home for cards in game.sets.values()):
            return PlainTextResponse("Unknown card back.", 404)
        return Response(home_svg(game, home), media_type="image/svg+xml", headers=KEPT)

    async def sheet(self, request: Request) -> Response:
        game = self.game(request)
        if game is None:
            return PlainTextResponse("Unknown rule sheet.", 404)
        return JSONResponse(await run_in_threadpool(pieces, game), headers=FRESH)

    async def cards(self, request: Request) -> Response:
        game = self.game(request)
        if game is None:
            return PlainTextResponse("Unknown cards.", 404)
        return JSONResponse(await run_in_threadpool(printed, game), headers=FRESH)

    async def socket(self, websocket: WebSocket) -> None:
        await self.hub.serve(websocket)

    def game(self, request: Request) -> Game | None:
        return self.hub.shelf.editions.get(request.path_params["edition"])


def number_in(text: str) -> int:
    """Return the face number in a URL, or `sys.maxsize`, which is no face, if it is malformed or too long."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else sys.maxsize


def application(hub: Hub, names: Names) -> ASGIApp:
    pages = Pages(hub, page_files())
    routes = [
        Route("/", pages.file),
        Route("/page/{name}", pages.file),
        Route("/art/{edition}/back/{home}.svg", pages.back),
        Route("/art/{edition}/{face}.svg", pages.face),
        Route("/art/{edition}/other/{face}.svg", pages.other),
        Route("/sheet/{edition}", pages.sheet),
        Route("/cards/{edition}", pages.cards),
        WebSocketRoute("/ws", pages.socket),
    ]
    return Guard(Starlette(routes=routes), names)
