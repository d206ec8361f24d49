"""How long traces are waited for, and how much of them is held."""

from __future__ import annotations

from math import isfinite
from typing import Final, final

import attrs

from scorewright.core.definition import is_number, number_of, shown
from scorewright.faults import DefinitionError

MEBIBYTE: Final = 1 << 20


@final
@attrs.frozen(kw_only=True)
class SpanLimits:
    """Seconds that are waited, and bounds of what is held. A run beyond a bound is dropped, and counted so.

    `grace` is how long after an agent's end its late children are waited for. `ttl` is how long an agent may take, or a
    trace be silent. `parent` is for a receiver: how long an agent is waited with whose parent has not come, since
    that may be an agent too. `bytes` and `trace_bytes` are what the attributes hold, roughly.
    """

    grace: float = 2.0
    ttl: float = 600.0
    parent: float = 30.0
    traces: int = 1_000
    trace_spans: int = 5_000
    trace_bytes: int = 16 * MEBIBYTE
    bytes: int = 256 * MEBIBYTE
    waiting: int = 50_000  # spans that have ended and were not looked at yet

    def __attrs_post_init__(self) -> None:
        for name in ("grace", "ttl", "parent"):
            value: object = getattr(self, name)
            if not (is_number(value) and isfinite(number_of(value)) and number_of(value) >= 0):
                raise DefinitionError(f"SpanLimits({name}=…) takes seconds, 0 or more, not {shown(value)}")
        for name in ("traces", "trace_spans", "trace_bytes", "bytes", "waiting"):
            bound: object = getattr(self, name)
            if isinstance(bound, bool) or not isinstance(bound, int) or bound < 1:
                raise DefinitionError(f"SpanLimits({name}=…) takes a whole number above 0, not {shown(bound)}")
