"""Pass or fail, out of parts that pass or fail: all_of, any_of, at_least.

Parts score 1 or 0 on the unit scale, as `.passing(threshold)` makes any scorer do; another score is a fault of that
run. The parts run side by side. Where those that ask nothing have decided already, and none of them failed, the others
are not begun to be asked: they are then missing from the evidence, and the tally counts them.

Laws: the order of the parts does not matter; `all_of(a) = any_of(a) = a`; `all_of` and `any_of` are associative; of
parts that are all scored, `all_of` is 1 exactly where `any_of` of the inverted is 0 (De Morgan).
"""

from __future__ import annotations

from typing import Generic, final

import attrs
from typing_extensions import TypeVar

from scorewright.algebra.policies import Coverage, Policy, coverage_of, expect_policy, made_with, strict
from scorewright.core.agreement import shared_about
from scorewright.core.definition import expect_apart, id_or, shown
from scorewright.core.evaluation import Evaluation, Trail
from scorewright.core.parts import (
    Conclusion,
    Ended,
    PartsFailed,
    Program,
    concluded,
    labels_of,
    reasons_of,
    side_by_side,
)
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import UNIT
from scorewright.core.scorer import Scorer, assembled, expect_scorer, part_steps
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError, InvalidScore, NotScorable

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


@final
@attrs.frozen
class Tally:
    """How the parts of a decision came out; `n_not_asked` are those whose answer could not have changed it."""

    n_passed: int
    n_needed: int
    n_not_asked: int
    coverage: Coverage


def all_of(
    *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """Passes when every part does."""
    return _decision("all_of", len(parts), parts, policy, id)


def any_of(
    *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """Passes when some part does."""
    return _decision("any_of", 1, parts, policy, id)


def at_least(
    k: int, /, *parts: Scorer[In, Out, Ref, E], policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    """Passes when `k` parts or more do. A policy that leaves parts out asks for `k` of the rest, or for all of them."""
    return _decision("at_least", k, parts, policy, id)


@final
@attrs.frozen
class Decision(Generic[In, Out, Ref, E]):
    """The program of a decision."""

    step: str
    needed: int
    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]
    policy: Policy

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[PartsFailed[E]]:
        """The program of one run."""

        def go(names: tuple[str, ...], ends: tuple[Ended[E], ...], trail: Trail) -> Judged[PartsFailed[E]]:
            return concluded(self.step, names, trail, run, scale=UNIT, conclude=lambda: self._concluded(names, ends))

        return side_by_side(self.labels, self.programs, run, go, self._is_decided)

    def _is_decided(self, ends: tuple[Ended[E], ...]) -> bool:
        passed, failed = _passed_and_failed(ends)
        if passed + failed < len(ends):
            return False
        return passed >= self.needed or failed > len(self.programs) - self.needed

    def _concluded(
        self, names: tuple[str, ...], ends: tuple[Ended[E], ...]
    ) -> Conclusion | PartsFailed[E] | NotScorable | InvalidScore:
        passed, failed = _passed_and_failed(ends)
        if passed + failed < len(ends):
            lost = _neither(names, ends) or self.policy.lost(names, ends)
            if lost is not None:
                return lost
        not_asked = len(self.labels) - len(names)
        needed = min(self.needed, passed + failed + not_asked)
        tally = Tally(passed, needed, not_asked, coverage_of(ends))
        return Conclusion(float(passed >= needed), reasons_of(names, ends), tally)


def _passed_and_failed(ends: tuple[Ended[E], ...]) -> tuple[int, int]:
    scores = [end.score for end in ends if isinstance(end, Evaluation)]
    return scores.count(1.0), scores.count(0.0)


def _neither(names: tuple[str, ...], ends: tuple[Ended[E], ...]) -> InvalidScore | None:
    for label, end in zip(names, ends, strict=True):
        if isinstance(end, Evaluation) and end.score not in {0.0, 1.0}:
            return InvalidScore(repr(end.score), f"{label} neither passed nor failed: give it .passing(threshold)")
    return None


def _decision(
    step: str, needed: int, parts: tuple[Scorer[In, Out, Ref, E], ...], policy: Policy, id: str
) -> Scorer[In, Out, Ref, PartsFailed[E]]:
    if not parts:
        raise DefinitionError(f"{step}(…) decides on at least one scorer")
    expect_apart(parts, f"{step}({'k, ' * (step == 'at_least')}…)")
    if type(needed) is not int or not 1 <= needed <= len(parts):
        raise DefinitionError(f"at_least({shown(needed)}, …) of {len(parts)} scorers: k runs from 1 to their number")
    labels = labels_of(tuple(expect_scorer(part, step).id for part in parts))
    expect_policy(policy, step)
    told = (str(needed), *labels) if step == "at_least" else labels
    about = shared_about(id_or(id, f"{step}({', '.join(told)})"), [part.about for part in parts])
    if about.scale != UNIT or about.better != "higher":
        raise DefinitionError(
            f"{step}(…) takes scorers that pass (1) or fail (0): give {labels[0]!r} .passing(threshold)"
        )
    program = Decision(step, needed, labels, tuple(part.program for part in parts), policy)
    said = made_with(policy, f"{needed} of {len(parts)}" if step == "at_least" else "")
    return assembled(about, (*part_steps(labels, parts), StepInfo(step, "pure", said)), program.begin, parts)
