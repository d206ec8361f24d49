"""Two scorers side by side that lack a common score."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Literal, Never, final

import attrs
from typing_extensions import TypeVar

from scorewright.core.agreement import shared_about
from scorewright.core.definition import expect_function, expect_scale, id_or, lacking
from scorewright.core.evaluation import Evaluation
from scorewright.core.pairing import Both
from scorewright.core.parts import PartsFailed, labels_of
from scorewright.core.scale import UNIT, Scale
from scorewright.core.scorer import Scorer, assembled, part_steps
from scorewright.core.step import StepInfo

In_contra = TypeVar("In_contra", contravariant=True)
Out_contra = TypeVar("Out_contra", contravariant=True)
Ref_contra = TypeVar("Ref_contra", contravariant=True, default=object)
E_co = TypeVar("E_co", covariant=True, default=object)


@final
@attrs.frozen
class Zipped(Generic[In_contra, Out_contra, Ref_contra, E_co]):
    """Two scorers that lack a common score."""

    first: Scorer[In_contra, Out_contra, Ref_contra, E_co]
    second: Scorer[In_contra, Out_contra, Ref_contra, E_co]

    if not TYPE_CHECKING:  # as of a draft

        def __getattr__(self, name: str) -> Never:
            raise lacking(self, name, Scorer, lambda: f"{self.first.id} and {self.second.id}")

    def generate_score(
        self,
        f: Callable[[Evaluation, Evaluation], float],
        /,
        *,
        id: str = "",
        scale: Scale = UNIT,
        better: Literal["higher", "lower"] = "higher",
    ) -> Scorer[In_contra, Out_contra, Ref_contra, PartsFailed[E_co]]:
        """The scorer whose score is what `f` makes of both evaluations. Both are needed.

        They run at once; where one that asks nothing has no score, the other is not asked.
        """
        expect_function(f, "zip(…).generate_score(…)", "lambda first, second: first.score * second.score")
        expect_scale(scale, "zip(…).generate_score(f, scale=…)")
        pair = (self.first, self.second)
        labels = labels_of((self.first.id, self.second.id))
        abouts = [attrs.evolve(each.about, scale=scale, better=better) for each in pair]
        about = shared_about(id_or(id, f"zip({', '.join(labels)})"), abouts)
        steps = (*part_steps(labels, pair), StepInfo("zip", "pure"))
        program = Both(labels, (self.first.program, self.second.program), f, scale)
        return assembled(about, steps, program.begin, pair)
