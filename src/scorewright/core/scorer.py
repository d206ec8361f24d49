"""A scorer: a value that turns a run into an evaluation, or into a failure that keeps what was finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Literal

import attrs
from returns.result import Failure, Result, Success
from typing_extensions import TypeVar

from scorewright.core.about import About
from scorewright.core.ask import Answer
from scorewright.core.bench import answer_here
from scorewright.core.evaluation import Evaluation, ScoringFailure
from scorewright.core.interpret import interpret
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.core.step import StepInfo

In_contra = TypeVar("In_contra", contravariant=True)
Out_contra = TypeVar("Out_contra", contravariant=True)
Ref_contra = TypeVar("Ref_contra", contravariant=True, default=object)
E_co = TypeVar("E_co", covariant=True, default=object)


@attrs.frozen
class Scorer(Generic[In_contra, Out_contra, Ref_contra, E_co]):
    """What `create_scorer(…)` builds. `program` begins the program of one run; the two `run` methods drive it."""

    about: About
    steps: tuple[StepInfo, ...]
    program: Callable[[Run[In_contra, Out_contra, Ref_contra]], Judged[E_co]] = attrs.field(repr=False)

    @property
    def id(self) -> str:
        """The name that results, files and the command line know it by."""
        return self.about.id

    @property
    def name(self) -> str:
        """The name that people read; the id unless given."""
        return self.about.name

    @property
    def scale(self) -> Scale:
        """The range of its scores."""
        return self.about.scale

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which end of the scale is good."""
        return self.about.better

    async def run(
        self, run: Run[In_contra, Out_contra, Ref_contra], /, *, answer: Answer = answer_here
    ) -> Result[Evaluation, ScoringFailure[E_co]]:
        """Score one run. `answer` says who answers: the judges through this loop's bench, unless given."""
        return await interpret(self.program(run), answer)

    def run_sync(
        self, run: Run[In_contra, Out_contra, Ref_contra], /, *, answer: Answer = answer_here
    ) -> Result[Evaluation, ScoringFailure[E_co]]:
        """Score one run and wait for it: at once when nothing is asked or awaited, else on a background loop."""
        outcome = self.program(run)
        if isinstance(outcome, (Success, Failure)):
            return outcome
        from scorewright.core.portal import finished

        return finished(lambda: interpret(outcome, answer))
