"""Which of several scorers has the word: cascade and route. (`.or_else` and `.when` are methods of a scorer.)

Laws: `cascade` never asks more than its two parts together, and where the first is sure, nothing but it; `route` asks
exactly what the chosen scorer asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
from time import perf_counter_ns
from typing import Generic, Never, final

import attrs
from typing_extensions import TypeIs, TypeVar

from scorewright.core.agreement import shared_about
from scorewright.core.definition import expect_function, id_or, is_mapping, number_of, shown
from scorewright.core.evaluation import Evaluation, ScoringFailure, Trail
from scorewright.core.guard import raised
from scorewright.core.mapping import unbegun
from scorewright.core.parts import Ended, Program, in_turn, labels_of
from scorewright.core.pipeline import Judged, not_a_run
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.core.scorer import Scorer, assembled, expect_scorer, part_steps
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError, NotScorable, RunFault, StepRaised
from scorewright.results import err, ok

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")
F = TypeVar("F")


def cascade(
    cheap: Scorer[In, Out, Ref, E], judge: Scorer[In, Out, Ref, F], /, *, doubt: tuple[float, float], id: str = ""
) -> Scorer[In, Out, Ref, F]:
    """The cheap scorer's score, unless it lies in the band of doubt, ends included: then the judge's.

    No score is doubt too: when the cheap one failed or could not score the run, the judge has the word, and the
    cheap one's failure stays in the evidence. What the judge then comes to is what the whole comes to.
    """
    low, high = _band(doubt, expect_scorer(cheap, "cascade").scale)
    labels = labels_of((cheap.id, expect_scorer(judge, "cascade").id))
    about = shared_about(id_or(id, f"cascade({', '.join(labels)})"), (cheap.about, judge.about))
    program = Cascade(labels, cheap.program, judge.program, low, high)
    first, last = part_steps(labels, (cheap, judge))
    said = attrs.evolve(last, description=f"where {labels[0]} scores {low:g}..{high:g}, or gives no score")
    return assembled(about, (first, said), program.begin, (cheap, judge))


def _band(doubt: object, scale: Scale) -> tuple[float, float]:
    low, high = map(number_of, doubt) if _is_tuple(doubt) and len(doubt) == 2 else (nan, nan)  # noqa: PLR2004 - a pair
    if not scale.low <= low <= high <= scale.high:
        raise DefinitionError(
            f"doubt={shown(doubt)} is no band of the scale: (low, high), {scale.low:g} <= low <= high <= {scale.high:g}"
        )
    return low, high


@final
@attrs.frozen
class Cascade(Generic[In, Out, Ref, E, F]):
    """The program of a cascade."""

    labels: tuple[str, ...]
    cheap: Program[In, Out, Ref, E]
    judge: Program[In, Out, Ref, F]
    low: float
    high: float

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[F]:
        """The program of one run."""
        cheap, judge = self.labels

        def sure(end: Ended[E], trail: Trail) -> Judged[F]:
            if isinstance(end, Evaluation) and not self.low <= end.score <= self.high:
                return ok(Evaluation((cheap,), trail, run.drawn_id, end.score, end.reason))
            return in_turn(judge, self.judge, run, trail, lambda last, whole: _last(self.labels, whole, run, last))

        return in_turn(cheap, self.cheap, run, (), sure)


def route(
    by: Callable[[Run[In, Out, Ref]], str], scorers: Mapping[str, Scorer[In, Out, Ref, E]], /, *, id: str = ""
) -> Scorer[In, Out, Ref, E]:
    """The scorer that `by` names for the run. A run for which it names none of them is not scorable."""
    expect_function(by, "route(by, scorers)", "lambda run: run.input.kind")
    if not (is_mapping(scorers) and scorers and all(map(_is_text, scorers))):
        raise DefinitionError(
            f'route(by, scorers) takes a mapping of at least one key to its scorer, {{"faq": a}}, not {shown(scorers)}'
        )
    keys, parts = tuple(scorers), tuple(scorers.values())
    labels = labels_of(tuple(expect_scorer(part, "route").id for part in parts))
    about = shared_about(id_or(id, f"route({', '.join(labels)})"), [part.about for part in parts])
    programs = {key: (label, part.program) for key, label, part in zip(keys, labels, parts, strict=True)}
    said = ", ".join(f"{key} → {label}" for key, label in zip(keys, labels, strict=True))
    steps = (StepInfo("route", "pure", said), *part_steps(labels, parts))
    return assembled(about, steps, Route(by, programs).begin, parts)


@final
@attrs.frozen
class Route(Generic[In, Out, Ref, E]):
    """The program of a choice; its first record holds the key."""

    by: Callable[[Run[In, Out, Ref]], str]
    programs: Mapping[str, tuple[str, Program[In, Out, Ref, E]]]

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        now = perf_counter_ns()
        try:
            key = self.by(run)
            chosen = self.programs.get(key)
        except Exception as exception:  # noqa: BLE001 - a user's function may raise anything, or give what no key can be
            return _astray(run, StepRaised(raised(exception)))
        if chosen is None:
            return _astray(run, self._no_scorer(key))
        label, program = chosen
        trail = (now, key, (), perf_counter_ns())
        return in_turn(label, program, run, trail, lambda end, whole: _last(("route", label), whole, run, end))

    def _no_scorer(self, key: object) -> NotScorable | StepRaised:
        if _is_text(key):
            return NotScorable(f"no scorer for {key!r}; there are {', '.join(self.programs)}")
        return StepRaised(raised(TypeError(f"the function of route(…) gave {type(key).__name__}, not a key")))


def _astray(run: Run[object, object], cause: RunFault) -> Judged[Never]:
    if mistake := not_a_run(run):
        raise mistake
    return err(unbegun("route", run, cause))


def _is_tuple(given: object) -> TypeIs[tuple[object, ...]]:
    return isinstance(given, tuple)


def _is_text(given: object) -> bool:
    return isinstance(given, str)


def _last(names: tuple[str, ...], trail: Trail, run: Run[object, object], end: Ended[E]) -> Judged[E]:
    if isinstance(end, Evaluation):
        return ok(Evaluation(names, trail, run.drawn_id, end.score, end.reason))
    return err(ScoringFailure[E](names, trail, run.drawn_id, step=names[-1], cause=end.cause, score=None))
