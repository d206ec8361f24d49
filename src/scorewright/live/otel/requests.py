"""What a receiver takes of requests, and what became of them."""

from __future__ import annotations

from typing import final

import attrs

from scorewright.core.definition import expect_count, is_number, shown
from scorewright.faults import DefinitionError
from scorewright.live.otel.bodies import INVALID
from scorewright.live.otel.limits import MEBIBYTE


@final
@attrs.frozen(kw_only=True)
class HttpLimits:
    """What a receiver takes.

    Bytes of a body, also when inflated, and its parts; requests a second, and at a time; seconds that a body may take.
    What is beyond is answered with 413, 429, 503 and 408. Exporters send again after the middle two. Parts are fields
    of protobuf, or objects and lists of JSON: small ones take up to a hundred times the memory of their bytes.
    """

    body: int = 16 * MEBIBYTE
    inflated: int = 32 * MEBIBYTE
    parts: int = 1_000_000
    rate: float = 200.0
    at_once: int = 16
    seconds: float = 30.0

    def __attrs_post_init__(self) -> None:
        for name in ("body", "inflated", "parts", "at_once"):
            expect_count(getattr(self, name), f"HttpLimits({name}=…)", 1)
        for name in ("rate", "seconds"):
            value: object = getattr(self, name)
            if not is_number(value) or not getattr(self, name) > 0:
                raise DefinitionError(f"HttpLimits({name}=…) takes a number above 0, not {shown(value)}")


@final
@attrs.frozen
class RequestCounts:
    """What became of the requests, and of spans in those that were taken in part; `elsewhere` is no path of ours."""

    accepted: int = 0
    bad: int = 0
    too_large: int = 0
    too_many: int = 0
    busy: int = 0
    elsewhere: int = 0
    rejected_spans: int = 0


class Refusal(Exception):
    """A request that is not taken: what it counts as, and how it is answered."""

    def __init__(self, count: str, status: int, why: str, code: int = INVALID, retry: int = 0) -> None:
        super().__init__(why)
        self.count: str = count
        self.status: int = status
        self.why: str = why
        self.code: int = code
        self.retry: int = retry
