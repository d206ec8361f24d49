"""The same scorer several times: repeat, and self_consistent, which stops when the answer cannot change.

Each repetition is a part "sample 1", "sample 2", … of the whole. The sample's index is part of the identity of its
requests, so that no cache makes one of many; the first has the identity of an unrepeated request.

Laws: `repeat(a, 1)` has the score, the reason and the requests of `a`, and fails where it fails, with `PartsFailed` of
just that; a scorer that asks nothing keeps its score under every reducer; `self_consistent(a, n)` has the score of
`repeat(a, n, reduce="majority")` and never asks more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Generic, final

import attrs
from typing_extensions import TypeVar

from scorewright.algebra.asking import Asking, Sampled, as_sent, ends_in
from scorewright.algebra.policies import Policy, expect_policy, made_with, strict
from scorewright.algebra.reducing import Reducer, Tied, checked_reducer, reduced, reducer_name, spread_of
from scorewright.core.definition import expect_count, id_or
from scorewright.core.evaluation import Evaluation, Trail
from scorewright.core.parts import Conclusion, Ended, PartsFailed, Program, concluded, side_by_side
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.core.scorer import Scorer, assembled, expect_scorer, part_steps
from scorewright.core.step import StepInfo
from scorewright.faults import NotScorable

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


def repeat(
    scorer: Scorer[In, Out, Ref, E], n: int, /, *, reduce: Reducer = "median", policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E] | Tied]:
    """The scorer `n` times side by side, and one score of all; the record "repeat" holds their `Spread`.

    The reason is that of the first sample whose score is the whole's, if there is one. A majority may be `Tied`.
    """
    return _repeated("repeat", scorer, n, first=n, until=0, reduce=checked_reducer(reduce), policy=policy, id=id)


def self_consistent(
    scorer: Scorer[In, Out, Ref, E], n: int, /, *, until: int = 0, policy: Policy = strict, id: str = ""
) -> Scorer[In, Out, Ref, PartsFailed[E] | Tied]:
    """The most frequent score of at most `n` samples: no more are taken once the rest could not change it.

    `until` stops earlier, at so many equal scores. Samples are taken in waves, each as large as can be without one that
    might turn out needless. A sample that the policy cannot go without ends it.
    """
    expect_count(n, "self_consistent(scorer, n)", 1)
    expect_count(until, "self_consistent(…, until=…)", 0, n)
    return _repeated("self_consistent", scorer, n, first=0, until=until, reduce="majority", policy=policy, id=id)


@final
@attrs.frozen
class Repeated(Generic[In, Out, Ref, E]):
    """The program of a repetition, wave by wave."""

    step: str
    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]
    first: int
    until: int
    reduce: Reducer
    policy: Policy
    scale: Scale

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[PartsFailed[E] | Tied]:
        """The program of one run."""
        return self._wave(run, (), ())

    def _wave(
        self, run: Run[In, Out, Ref], before: tuple[Ended[E], ...], trail: Trail
    ) -> Judged[PartsFailed[E] | Tied]:
        taken = len(before)
        more = self.first if not taken and self.first else self._wanted(before)
        labels = self.labels[: taken + more]
        if not more:
            return concluded(
                self.step, labels, trail, run, scale=self.scale, conclude=lambda: self._concluded(labels, before)
            )

        def go(_: tuple[str, ...], ends: tuple[Ended[E], ...], wave: Trail) -> Judged[PartsFailed[E] | Tied]:
            sent = as_sent(wave)
            return self._wave(run, (*before, *ends_in(sent, ends)), (*trail, *sent[1:]) if trail else sent)

        return side_by_side(labels[taken:], self.programs[taken : taken + more], run, go)

    def _wanted(self, ends: tuple[Ended[E], ...]) -> int:
        """So many samples more at once: no fewer can settle it, so none of them is needless."""
        left = len(self.programs) - len(ends)
        if self.first or not all(map(self.policy.allows, ends)):
            return 0
        top, second = _leading([end.score for end in ends if isinstance(end, Evaluation)])
        lead = top - second
        enough = (left - lead) // 2 + 1
        if self.until:
            enough = min(enough, self.until - top)
        return min(left, max(0, enough))

    def _concluded(
        self, labels: tuple[str, ...], ends: tuple[Ended[E], ...]
    ) -> Conclusion | PartsFailed[E] | NotScorable | Tied:
        done = [end for end in ends if isinstance(end, Evaluation)]
        if len(done) < len(ends):
            lost = self.policy.lost(labels, ends)
            if lost is not None:
                return lost
        score = reduced(self.reduce, [end.score for end in done])
        return score if isinstance(score, Tied) else Conclusion(score, reason_at(score, done), spread_of(ends))


def sample_labels(n: int, /) -> tuple[str, ...]:
    """The labels of samples."""
    return tuple(f"sample {at}" for at in range(1, n + 1))


def reason_at(score: object, done: Sequence[Evaluation], /) -> str | None:
    """The first reason given for just this score."""
    for end in done:
        if end.reason is not None and end.score == score:
            return end.reason
    return None


def _leading(scores: Sequence[float]) -> tuple[int, int]:
    counts = [count for _, count in Counter(scores).most_common(2)]
    return (*counts, 0, 0)[0], (*counts, 0, 0)[1]


def _repeated(
    step: str,
    scorer: Scorer[In, Out, Ref, E],
    n: int,
    *,
    first: int,
    until: int,
    reduce: Reducer,
    policy: Policy,
    id: str,
) -> Scorer[In, Out, Ref, PartsFailed[E] | Tied]:
    expect_count(n, f"{step}(scorer, n)", 1)
    expect_policy(policy, step)
    called = id_or(id, f"{step}({expect_scorer(scorer, step).id}, {n})")
    about = attrs.evolve(scorer.about, id=called, name=called, judge=None)
    asks = any(step.kind != "pure" for step in scorer.steps)  # what asks nothing has no samples to tell apart
    programs = tuple(Asking(scorer.program, Sampled(at, n)).begin if asks else scorer.program for at in range(n))
    labels = sample_labels(n)
    program = Repeated(step, labels, programs, first, until, reduce, policy, about.scale)
    said = made_with(policy, f"{reducer_name(reduce)} of {n}", f"until {until} are equal" if until else "")
    steps = (*part_steps(labels, (scorer,) * n), StepInfo(step, "pure", said))
    return assembled(about, steps, program.begin, (scorer,))
