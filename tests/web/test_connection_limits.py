"""Many idle connections don't keep others out."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
import weakref
from pathlib import Path

import pytest
import uvicorn
from uvicorn.server import ServerState

from cardlang.ui.web import client_message, server
from cardlang.ui.web.server import IdleTimeoutProtocol, freeze_after_collection
from tests.web.serving import Server
from tests.web.test_server_kill import connect_client

OPEN = 128
"""So many files may be open where nobody has asked for more."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits differ")
def test_connections_exceed_the_initial_file_limit(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN, hard))
    try:
        server = Server(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(OPEN + 20)]
    try:
        with connect_client(server, server.url.rpartition("/")[2]) as page:
            assert json.loads(page.recv(timeout=180))["is"] == "house"
    finally:
        for each in idle:
            each.close()
        server.kill()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(client_message, "HELLO_TIMEOUT", 0.1)

    async def waited() -> bytes:
        config = uvicorn.Config(lambda: None, http=IdleTimeoutProtocol)
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: IdleTimeoutProtocol(config, ServerState(), {}), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(said)
        got = await asyncio.wait_for(reader.read(), 180)
        writer.close()
        server.close()
        return got

    assert asyncio.run(waited()) == b""


class Cycle:
    """Object that only a collection can free."""

    itself: object = None


def test_collections_skip_old_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but every n-th full collection, which frees cycles that grew old."""
    monkeypatch.setattr(server, "COLLECTIONS_PER_THAW", 1_000_000)
    gc.callbacks.append(freeze_after_collection)
    try:
        gc.collect(0)
        old = gc.get_freeze_count()
        assert old
        owner = Cycle()
        owner.itself, gone = owner, weakref.ref(owner)
        gc.collect(0)
        del owner
        gc.collect()
        assert gone() is not None
        monkeypatch.setattr(server, "COLLECTIONS_PER_THAW", 1)
        gc.collect()
        assert gone() is None and gc.get_freeze_count() > old / 2
    finally:
        gc.callbacks.remove(freeze_after_collection)
        gc.unfreeze()
