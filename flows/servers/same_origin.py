"""A guard in front of a local server: only its own pages and local programs are let through.

A browser sends requests of any web page to servers on loopback. It names the page in `Origin` (and
says in `Sec-Fetch-Site` whether it is the server's own), and the name that the page used for the
server in `Host`, which is not a local one where an attacker's domain was made to point here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_OWN = ("same-origin", "none")
_POLICY_VIOLATION = 1008
_REFUSED = b"refused: requests from other web pages, or for another host, are not answered here\n"


class SameOrigin:
    """An ASGI application that answers requests for a local name from its own origin.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    port : int
        Its port on loopback.
    """

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self._hosts = frozenset(f"{name}:{port}" for name in LOCAL_NAMES)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan" or self._is_ours(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            kind = [(b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": 403, "headers": kind})
            await send({"type": "http.response.body", "body": _REFUSED})

    def _is_ours(self, scope: Message) -> bool:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host") not in self._hosts:
            return False
        origin = headers.get(b"origin")
        if origin is not None and origin not in self._origins:
            return False
        return headers.get(b"sec-fetch-site", "none") in _OWN or _is_link(scope, headers)


def _is_link(scope: Message, headers: dict[bytes, str]) -> bool:
    """Return whether someone follows a link to a page, or types its address."""
    is_page = headers.get(b"sec-fetch-mode") == "navigate"
    return scope.get("method") == "GET" and is_page and headers.get(b"sec-fetch-dest") == "document"
