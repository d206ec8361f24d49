"""From a call to the runs that its scorers are to see: filters, then samples, then extractors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter, time
from typing import TypeAlias, final

import attrs

from scorewright.core import Run
from scorewright.live.around import AROUND, Around, drawn_id, traced
from scorewright.live.extracting import Call, Parameters
from scorewright.live.jobs import Attached, Job, LiveRun, Origin
from scorewright.live.live import Live
from scorewright.live.sampling import SPACE, Ended, position
from scorewright.live.settings import LOG

Where: TypeAlias = Callable[[Mapping[str, object]], bool]


@final
@attrs.frozen
class Extractors:
    """What makes a run of a call. `on_error` makes an output of an exception; without it such a call is filtered."""

    input: Callable[[Call], object]
    output: Callable[..., object] | None
    on_error: Callable[[Exception], object] | None
    context: Callable[[Call], Mapping[str, object]] | None


@final
@attrs.frozen
class Watched:
    """Scorers as they are attached to one function."""

    live: Live
    attached: tuple[Attached, ...]
    extractors: Extractors
    parameters: Parameters
    where: Where | None
    step: str
    keys: frozenset[tuple[int, str]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "keys", frozenset((id(self.live), each.id) for each in self.attached))

    def begin(self, args: Sequence[object], kwargs: Mapping[str, object], /, run_id: str = "") -> Watch | None:
        """Decide what can be decided before the call; None where nothing is to be done when it is over.

        A call that no sample has is watched too, since what runs inside it is not to be drawn again.
        """
        around = AROUND.get()
        count = self.live.pending.count
        if around.off:
            self._filter(self.attached, around.off)
            return None
        left = self.attached
        if (around.watched or around.left_out) and not self.step:
            left = self._undecided(around)
            if not left:
                return None
        context = around.context
        if self.extractors.context is not None or self.where is not None:
            call = Call(self.parameters, args, kwargs)
            found, why = _context_of(self.extractors, call, context)
            why = why or _refused(self.where, found)
            if why:
                self._filter(left, why)
                return None
            context = found
        trace_id, span_id = traced(around)
        known = run_id or drawn_id()
        at = position(trace_id or known)
        kept: list[tuple[Attached, bool]] = []
        for each in left:
            inside = at < each.sample.rate * SPACE
            if inside or each.sample.always:
                kept.append((each, inside))
            else:
                count(each.id, "sampled_out")
        return Watch(self, around, (args, kwargs), context, (trace_id, span_id), known, bool(run_id), tuple(kept))

    def _undecided(self, around: Around) -> tuple[Attached, ...]:
        """The scorers for which no call around this one has decided; for the others that decision holds."""
        live, left = id(self.live), list[Attached]()
        for each in self.attached:
            if (live, each.id) in around.watched:
                self.live.pending.count(each.id, "filtered", "inside a call that is scored")
            elif (live, each.id) in around.left_out:
                self.live.pending.count(each.id, "sampled_out")
            else:
                left.append(each)
        return tuple(left)

    def _filter(self, attached: Sequence[Attached], why: str) -> None:
        for each in attached:
            self.live.pending.count(each.id, "filtered", why)


@final
class Watch:
    """One call, which the scorers of `kept` may see."""

    __slots__ = ("_arguments", "_began", "_context", "_kept", "_named", "_run_id", "_trace", "_watched", "inside")

    def __init__(  # noqa: PLR0917 - made in one place, at every call
        self,
        watched: Watched,
        around: Around,
        arguments: tuple[Sequence[object], Mapping[str, object]],
        context: Mapping[str, object],
        trace: tuple[str, str],
        run_id: str,
        named: bool,
        kept: tuple[tuple[Attached, bool], ...],
    ) -> None:
        self._watched = watched
        self._arguments = arguments
        self._context = context
        self._trace = trace
        self._run_id = run_id
        self._named = named
        self._kept = kept
        keys, every = watched.keys, len(kept) == len(watched.attached)
        seen = keys if every else frozenset((id(watched.live), each.id) for each, _ in kept)
        barred = around.watched | seen if around.watched else seen
        left_out = around.left_out if every else around.left_out | (keys - seen)
        self.inside: Around = Around("", barred, around.trace_id, around.context, left_out)
        self._began = perf_counter()

    @property
    def is_seen(self) -> bool:
        """Whether any scorer may see it."""
        return bool(self._kept)

    def keep(self, parts: list[object], part: object, /) -> None:
        """Add to what was yielded, where any scorer may see it."""
        if self._kept:
            parts.append(part)

    def resumed(self, inside: Around, /) -> Around:
        """What is around a function that goes on: as it left it. Where nobody sees it, as in any other function."""
        if self._kept:
            return inside
        around = AROUND.get()
        return attrs.evolve(around, left_out=around.left_out | self._watched.keys)

    def returned(self, output: object, /) -> list[Job]:
        """The runs of a call that gave something back."""
        if not self._kept:
            return []
        return self._jobs(self._watched.extractors.output, output, None)

    def raised(self, error: BaseException, /) -> list[Job]:
        """The runs of a call that raised: what the function raises is an output only where `on_error` says so."""
        on_error = self._watched.extractors.on_error
        if not self._kept:
            return []
        if on_error is None or not isinstance(error, Exception):
            return self.unfinished(why_none(error))
        return self._jobs(on_error, error, error)

    def unfinished(self, why: str, /) -> list[Job]:
        """No runs: the call has no output, and every scorer's count says why."""
        for each, _ in self._kept:
            self._watched.live.pending.count(each.id, "filtered", why)
        return []

    def _jobs(self, output: Callable[..., object] | None, got: object, error: Exception | None) -> list[Job]:
        seconds = perf_counter() - self._began
        run, spoiled = self._run(output, got)
        ended = Ended(run, error, seconds)
        origin = Origin(*self._trace, self._watched.step, time())
        return [
            Job(each, run, origin, spoiled, self._named)
            for each, inside in self._kept
            if inside or self._always(each, ended)
        ]

    def _run(self, output: Callable[..., object] | None, got: object) -> tuple[LiveRun, Exception | None]:
        try:
            given = self._watched.extractors.input(Call(self._watched.parameters, *self._arguments))
            made = got if output is None else output(got)
        except Exception as failed:  # noqa: BLE001 - extractors are a user's, and the caller must not hear of them
            return Run(None, None, run_id=self._run_id, request_context=self._context), failed
        return Run(given, made, run_id=self._run_id, request_context=self._context), None

    def _always(self, attached: Attached, ended: Ended) -> bool:
        pending = self._watched.live.pending
        for predicate in attached.sample.always:
            try:
                if predicate(ended) is True:
                    return True
            except Exception as failed:  # noqa: BLE001 - a user's predicate
                pending.note(attached.id, f"always_when raised {type(failed).__name__}")
                LOG.warning("a predicate of always_when raised %s: %s", type(failed).__name__, failed)
        pending.count(attached.id, "sampled_out")
        return False


def why_none(error: BaseException, /) -> str:
    """Why a call that ended with this has no output."""
    if isinstance(error, GeneratorExit):
        return "the call was closed before its end"
    return "the call raised" if isinstance(error, Exception) else "the call was cancelled"


def _context_of(extractors: Extractors, call: Call, context: Mapping[str, object]) -> tuple[Mapping[str, object], str]:
    if extractors.context is None:
        return context, ""
    try:
        return {**context, **extractors.context(call)}, ""
    except Exception as failed:  # noqa: BLE001 - a user's extractor
        return context, f"context= raised {type(failed).__name__}"


def _refused(where: Where | None, context: Mapping[str, object]) -> str:
    """Why the filter keeps a run out; only True lets it in."""
    if where is None:
        return ""
    try:
        return "" if where(context) is True else "where= said no"
    except Exception as failed:  # noqa: BLE001 - a user's predicate; a key that is missing keeps the run out too
        return f"where= raised {type(failed).__name__}"
