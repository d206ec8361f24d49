"""Scorers of agents that begin only with runs whose content was captured: what was not recorded has no score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Never, final

import attrs
from typing_extensions import TypeVar, override

from scorewright.agents.run import AgentInput, content_missing
from scorewright.core.ask import Outcome
from scorewright.core.evaluation import Calculated, Verdict
from scorewright.core.mapping import Program, unbegun
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scorer import Scorer
from scorewright.core.stages import Analyzed, Draft, Preprocessed, Scored
from scorewright.core.step import ScoredStep, Step
from scorewright.results import err

Out = TypeVar("Out")
Ref = TypeVar("Ref")
Pre = TypeVar("Pre")
Ana = TypeVar("Ana")
E = TypeVar("E")
F = TypeVar("F")
T = TypeVar("T")


@final
@attrs.frozen
class Captured(Generic[Out, Ref, E]):
    """A program that begins only with runs whose content was captured; the others are not scorable."""

    program: Program[AgentInput, Out, Ref, E]

    def begin(self, run: Run[AgentInput, Out, Ref], /) -> Judged[E]:
        """The program of one run."""
        given: object = getattr(run, "input", None)  # what is no run is told by the program
        missing = content_missing(given.content) if isinstance(given, AgentInput) else None
        return self.program(run) if missing is None else err(unbegun("prepare_run", run, missing))


def if_captured(scorer: Scorer[AgentInput, Out, Ref, E], /) -> Scorer[AgentInput, Out, Ref, E]:
    """The scorer of runs whose content was captured."""
    return Scorer(scorer.about, scorer.steps, Captured(scorer.program).begin, parts=scorer.parts)


@final
@attrs.frozen(repr=False)
class CapturedScored(Scored[AgentInput, Out, Pre, Ana, Ref, E], Generic[Out, Pre, Ana, Ref, E]):
    """`Scored`, of such runs."""

    @override
    def generate_reason(
        self, f: Callable[[ScoredStep[AgentInput, Out, Pre, Ana, Ref]], Outcome[str, F]], /
    ) -> Scorer[AgentInput, Out, Ref, E | F]:
        """As `create_scorer` has it."""
        return if_captured(super().generate_reason(f))


@attrs.frozen(repr=False)
class CapturedAnalyzed(Analyzed[AgentInput, Out, Pre, Ana, Ref, E], Generic[Out, Pre, Ana, Ref, E]):
    """`Analyzed`, of such runs."""

    @override
    def generate_score(
        self, f: Callable[[Step[AgentInput, Out, Pre, Ana, Ref]], Outcome[float | Calculated, F]], /
    ) -> Scored[AgentInput, Out, Pre, Ana, Ref, E | F]:
        """As `create_scorer` has it."""
        s = super().generate_score(f)
        return CapturedScored(s.about, s.steps, Captured(s.program).begin, s.pipeline)

    @override
    def generate_verdict(
        self, f: Callable[[Step[AgentInput, Out, Pre, Ana, Ref]], Outcome[Verdict, F]], /
    ) -> Scorer[AgentInput, Out, Ref, E | F]:
        """As `create_scorer` has it."""
        return if_captured(super().generate_verdict(f))


@final
@attrs.frozen(repr=False)
class CapturedPreprocessed(
    CapturedAnalyzed[Out, Pre, None, Ref, E], Preprocessed[AgentInput, Out, Pre, Ref, E], Generic[Out, Pre, Ref, E]
):
    """`Preprocessed`, of such runs."""

    @override
    def analyze(
        self, f: Callable[[Step[AgentInput, Out, Pre, None, Ref]], Outcome[T, F]], /
    ) -> Analyzed[AgentInput, Out, Pre, T, Ref, E | F]:
        """As `create_scorer` has it."""
        a = super().analyze(f)
        return CapturedAnalyzed(a.about, a.prepare_run, a.pre, a.ana)


@final
@attrs.frozen(repr=False)
class CapturedDraft(CapturedAnalyzed[Out, None, None, Ref, Never], Draft[AgentInput, Out, Ref], Generic[Out, Ref]):
    """`Draft`, of such runs."""

    @override
    def preprocess(
        self, f: Callable[[Step[AgentInput, Out, None, None, Ref]], Outcome[T, F]], /
    ) -> Preprocessed[AgentInput, Out, T, Ref, F]:
        """As `create_scorer` has it."""
        p = super().preprocess(f)
        return CapturedPreprocessed(p.about, p.prepare_run, p.pre, p.ana)

    @override
    def analyze(
        self, f: Callable[[Step[AgentInput, Out, None, None, Ref]], Outcome[T, F]], /
    ) -> Analyzed[AgentInput, Out, None, T, Ref, F]:
        """As `create_scorer` has it."""
        a = super().analyze(f)
        return CapturedAnalyzed(a.about, a.prepare_run, a.pre, a.ana)
