"""What surrounds a call: its trace, its context, who watches it already; all in one context variable."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar, Token
from typing import Final, final

import attrs

from scorewright.core.definition import expect_text, is_mapping, shown
from scorewright.faults import DefinitionError

_ids = random.Random()  # noqa: S311 - no secret: an id only has to differ from the others
os.register_at_fork(after_in_child=_ids.seed)
_EMPTY: Final[Mapping[str, object]] = {}


@final
@attrs.frozen
class Around:
    """`off` says why nothing is scored here, if nothing is.

    `watched` are the calls that go on and may be scored, by live and scorer, and `left_out` those that no sample has.
    `within` is the worker whose own code this is: of a scorer, with its tasks and threads of `to_thread`, or of a sink.
    """

    off: str = ""
    watched: frozenset[tuple[int, str]] = frozenset()
    trace_id: str = ""
    context: Mapping[str, object] = _EMPTY
    left_out: frozenset[tuple[int, str]] = frozenset()
    within: object = None


AROUND: Final[ContextVar[Around]] = ContextVar("AROUND", default=Around())  # noqa: B039 - the value is frozen


def drawn_id() -> str:
    """A fresh run id: 128 random bits, written as trace ids are."""
    return f"{_ids.getrandbits(128):032x}"


@contextmanager
def live_context(*, trace_id: str = "", context: Mapping[str, object] | None = None) -> Generator[None]:
    """Calls inside belong to this trace, and run in this context besides what holds already.

    Without a trace id they keep the one around them: an outer `live_context`'s, else that of OpenTelemetry's span.
    """
    expect_text(trace_id, "live_context(trace_id=…)")
    if context is not None and not is_mapping(context):
        raise DefinitionError(f'live_context(context=…) takes a mapping, as {{"tenant": "acme"}}, not {shown(context)}')
    around = AROUND.get()
    merged = {**around.context, **(context or {})}
    token = AROUND.set(attrs.evolve(around, trace_id=trace_id or around.trace_id, context=merged))
    try:
        yield
    finally:
        AROUND.reset(token)


@contextmanager
def unscored(why: str = "scoring is switched off here", /) -> Generator[None]:
    """Calls inside are not scored; each is counted as filtered, with this reason. A suite's own calls are such."""
    expect_text(why, "unscored(…)")
    token = AROUND.set(attrs.evolve(AROUND.get(), off=why or "switched off"))
    try:
        yield
    finally:
        AROUND.reset(token)


def restore(token: Token[Around], /) -> None:
    """What was around before; a coroutine may be closed in another context than it ran in, with nothing to restore."""
    with suppress(ValueError):
        AROUND.reset(token)


def traced(around: Around, /) -> tuple[str, str]:
    """Trace and span, as lower-case hexadecimal; empty where there are none, or OpenTelemetry was never imported."""
    trace_id = span_id = ""
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry.trace import get_current_span

        found = get_current_span().get_span_context()
        if found.is_valid:
            trace_id, span_id = f"{found.trace_id:032x}", f"{found.span_id:016x}"
    if around.trace_id and around.trace_id != trace_id:
        return around.trace_id, ""
    return trace_id, span_id
