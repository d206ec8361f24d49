"""A request and its response as the extractors of `ScoringMiddleware` see them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol, TypeVar, final

import attrs
from returns.pipeline import is_successful
from typing_extensions import TypeForm

from scorewright.shapes.converter import structurer

T = TypeVar("T")


class _Misfit(ValueError):
    """A body that is not what the extractor reads."""


class _Held(Protocol):
    @property
    def body(self) -> bytes: ...


class HttpBody:
    """How a body is read, of a request as of a response."""

    __slots__ = ()

    @property
    def text(self: _Held) -> str:
        """The body as UTF-8."""
        return self.body.decode()

    def json(self: _Held, form: TypeForm[T], /) -> T:
        """The body as JSON of this type; one that is not raises."""
        read = structurer(form)(json.loads(self.body))
        if is_successful(read):
            return read.unwrap()
        misfit = read.failure()
        raise _Misfit(f"{misfit.path}: {misfit.why}")


@final
@attrs.frozen
class HttpRequest(HttpBody):
    """What was asked. The names of `headers` are in lower case; of a header that came several times it has the last.

    `where=` is asked about the head alone: the `body` is empty there.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str] = attrs.field(repr=False)
    body: bytes = attrs.field(default=b"", repr=False)


@final
@attrs.frozen
class HttpResponse(HttpBody):
    """What was answered, with all parts of a stream joined."""

    status: int
    headers: Mapping[str, str] = attrs.field(repr=False)
    body: bytes = attrs.field(default=b"", repr=False)

    @property
    def events(self) -> tuple[str, ...]:
        """The data of each event of a `text/event-stream`, the lines of one event joined as its standard says."""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
        found: list[str] = []
        data: list[str] = []
        for line in lines:
            if not line:
                found += ["\n".join(data)] if data else []
                data = []
            elif line == "data" or line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
        return tuple(found)


@final
class ErrorResponse(Exception):
    """What `on_error=` and `always_when` get for a response of status 400 or above."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(f"the response had status {response.status}")
        self.response = response
