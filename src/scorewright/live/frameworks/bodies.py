"""What passes between a server and an application, kept up to a limit while it passes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast, final

from scorewright.live.frameworks.exchange import ErrorResponse, HttpRequest, HttpResponse

_TRACEPARENT: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
_MOST_OF_AN_ID: Final = 128  # characters
_ERRORS: Final = 400
_UNSEEN: Final = ("http.response.pathsend", "http.response.zerocopysend")


def head_of(scope: Mapping[str, object], /) -> HttpRequest:
    """The head of a request. What a server leaves out is empty; nothing here raises."""
    query = scope.get("query_string")
    return HttpRequest(
        str(scope.get("method", "")),
        str(scope.get("path", "")),
        query.decode("latin-1") if isinstance(query, bytes) else "",
        _headers(scope.get("headers")),
    )


def trace_in(head: HttpRequest, /) -> str:
    """The id that the sample is by: the trace of `traceparent`, else the id of the request; empty without either."""
    traced = _TRACEPARENT.fullmatch(head.headers.get("traceparent", "").strip())
    if traced is not None:
        return traced[1]
    named = head.headers.get("x-request-id", "").strip()
    return named if len(named) <= _MOST_OF_AN_ID and named.isprintable() else ""


def _headers(given: object) -> dict[str, str]:
    if not isinstance(given, (list, tuple)):
        return {}
    pairs = cast("list[tuple[bytes, bytes]]", given)  # as ASGI has it
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}


@final
class Heard:
    """One request and its response. `spoiled` says why there is nothing to score although it ended well."""

    def __init__(self, head: HttpRequest, limit: int) -> None:
        self.settled = False
        self.spoiled: str = ""
        self._head = head
        self._limit = limit
        self._status = 0
        self._headers: dict[str, str] = {}
        self._asked: list[bytes] = []
        self._answered: list[bytes] = []
        self._sizes = [0, 0]
        self._see_encoding(head.headers, "request")

    def received(self, message: Mapping[str, object]) -> None:
        """A message of the server's."""
        if message.get("type") == "http.request":
            self._keep(self._asked, 0, message.get("body"), "request")

    def sent(self, message: Mapping[str, object]) -> bool:
        """A message of the application's; whether it ended the response."""
        kind = message.get("type")
        if self.settled:
            return False
        if kind == "http.response.start":
            status = message.get("status")
            self._status = status if isinstance(status, int) else 0
            self._headers = _headers(message.get("headers"))
            self._see_encoding(self._headers, "response")
        elif kind == "http.response.body":
            self._keep(self._answered, 1, message.get("body"), "response")
            return not message.get("more_body", False)
        elif kind in _UNSEEN:
            self.spoiled = "the response is a file that was not seen"
            return not message.get("more_body", False)
        return False

    def request(self) -> HttpRequest:
        """The request, with as much of its body as the application read."""
        head = self._head
        return HttpRequest(head.method, head.path, head.query, head.headers, b"".join(self._asked))

    def response(self) -> HttpResponse:
        """The response, whole."""
        return HttpResponse(self._status, self._headers, b"".join(self._answered))

    def failure(self) -> ErrorResponse | None:
        """What stands for an exception where the status tells of an error."""
        return ErrorResponse(self.response()) if self._status >= _ERRORS else None

    def _keep(self, parts: list[bytes], at: int, body: object, which: str) -> None:
        if not isinstance(body, (bytes, bytearray)) or self.spoiled:
            return
        self._sizes[at] += len(body)
        if self._sizes[at] > self._limit:
            self._spoil(f"the {which} has more than {self._limit} bytes")
        else:
            parts.append(bytes(body))

    def _see_encoding(self, headers: Mapping[str, str], which: str) -> None:
        encoding = headers.get("content-encoding", "identity").strip().lower()
        if encoding not in {"", "identity"}:
            self._spoil(f"the {which} is encoded: {encoding[:20]}")

    def _spoil(self, why: str) -> None:
        self.spoiled = why
        self._asked.clear()
        self._answered.clear()
