"""The laws of what makes one scorer out of several: of the functions of `scorewright.algebra`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import final

import attrs

from scorewright.algebra import (
    all_of,
    any_of,
    cascade,
    jury,
    maximum,
    mean,
    minimum,
    renormalise,
    repeat,
    self_consistent,
    weighted,
)
from scorewright.core import Evaluation, JudgeReply, JudgeRequest
from scorewright.laws.promises import CombinatorCase, Juror, TextScorer, alike, ended, fault, lost, seen
from scorewright.laws.statement import Law, Sides


@final
@attrs.frozen
class Combinators:
    """What the laws of combinators hold to account; those of `scorewright.algebra` unless given."""

    weighted: Callable[..., TextScorer] = weighted
    mean: Callable[..., TextScorer] = mean
    minimum: Callable[..., TextScorer] = minimum
    maximum: Callable[..., TextScorer] = maximum
    all_of: Callable[..., TextScorer] = all_of
    any_of: Callable[..., TextScorer] = any_of
    cascade: Callable[..., TextScorer] = cascade
    repeat: Callable[..., TextScorer] = repeat
    self_consistent: Callable[..., TextScorer] = self_consistent
    jury: Callable[..., TextScorer] = jury


def weighted_is_convex(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """A weighted score lies between its parts' lowest and highest."""
    end = ended(ops.weighted(*zip(case.weights, case.scorers, strict=True)), case)
    if not isinstance(end, Evaluation):
        return Sides(True, True, case)
    scores = [part.value.score for part in end.steps if isinstance(part.value, Evaluation)]
    return Sides(min(scores) <= end.score <= max(scores), True, case)


def weighted_is_commutative(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """The order of weighted parts does not matter, not in the last digit."""
    parts = tuple(zip(case.weights, case.scorers, strict=True))
    ends = [seen(ended(ops.weighted(*order), case)) for order in permutations(parts)]
    return Sides(ends, ends[:1] * len(ends), case)


def weights_are_proportions(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """Only the proportion of weights counts, and a part of weight 0 is as none."""
    a, b, c = case.scorers
    x, y, _ = case.weights
    return alike(ops.weighted((x, a), (y, b), (0, c)), ops.weighted((8 * x, a), (8 * y, b)), case, 1e-12)


def mean_is_evenly_weighted(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """The mean weighs all parts the same."""
    return alike(ops.mean(*case.scorers), weighted(*((1, part) for part in case.scorers)), case, 1e-12)


def minimum_is_associative(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """The lowest of three is the lowest of two and one, in any order."""
    a, b, c = case.scorers
    return alike(ops.minimum(ops.minimum(a, b), c), ops.minimum(ops.minimum(c, b), a), case)


def maximum_mirrors_minimum(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """The highest is the inverse of the lowest of the inverted."""
    inverted = (part.invert() for part in case.scorers)
    return alike(ops.maximum(*case.scorers), minimum(*inverted).invert(), case, 1e-12)


def all_of_is_associative(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """All of three is all of two and one, where all are scored."""
    a, b, c = case.deciding
    if lost((a, b, c), case) is not None:
        return Sides(None, None, case)
    return alike(ops.all_of(ops.all_of(a, b), c), ops.all_of(a, b, c), case)


def all_of_and_any_of_are_dual(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """All pass where it is not so that any fails, where all are scored."""
    if lost(case.deciding, case) is not None:
        return Sides(None, None, case)
    failing = (part.map_score(lambda score: 1 - score) for part in case.deciding)
    return alike(ops.all_of(*case.deciding), ops.any_of(*failing).map_score(lambda score: 1 - score), case)


def faults_accumulate(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """A strict whole fails with the faults of all parts that have no score."""
    return Sides(fault(ended(ops.mean(*case.scorers), case)), lost(case.scorers, case), case)


def parts_stay_visible(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """Each part's record holds just what the part comes to by itself."""
    whole = ended(ops.mean(*case.scorers, policy=renormalise), case)
    return Sides([step.value for step in whole.steps[:3]], [ended(part, case) for part in case.scorers], case)


def repeating_once_changes_nothing(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """Repeated once, a scorer gives the same score for the same reason from the same requests."""
    a, *_ = case.scorers
    left, right = (ended(each, case) for each in (ops.repeat(a, 1), a))
    looks = [
        (
            seen(end),
            end.reason if isinstance(end, Evaluation) else None,
            [said.request.content for said in end.exchanges],
        )
        for end in (left, right)
    ]
    return Sides(looks[0], looks[1], case)


def self_consistent_is_the_majority(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """Stopping early changes no answer and asks no more."""
    calm = attrs.evolve(case, script=attrs.evolve(case.script, trouble=0.0))
    early = ended(ops.self_consistent(case.asking, case.n), calm)
    full = ended(repeat(case.asking, case.n, reduce="majority"), calm)
    return Sides((seen(early), len(early.exchanges) <= case.n), (seen(full), True), case)


def order_of_jurors_does_not_matter(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """The order of the jurors does not matter."""
    ends = [
        seen(ended(ops.jury(case.asking, [Juror(name) for name in order], quorum=1), case))
        for order in permutations(("x", "y", "x"))
    ]
    return Sides(ends, ends[:1] * len(ends), case)


def cascade_asks_only_in_doubt(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """A cascade asks what its cheap part asks, and nothing of the judge unless in doubt."""
    a, b, _ = case.scorers
    whole, cheap, judge = (ended(each, case) for each in (ops.cascade(a, b, doubt=(0.4, 0.6)), a, b))
    sure = isinstance(cheap, Evaluation) and not 0.4 <= cheap.score <= 0.6  # noqa: PLR2004  # the band above
    asked = len(cheap.exchanges) + (0 if sure else len(judge.exchanges))
    return Sides((seen(whole), len(whole.exchanges)), (seen(cheap if sure else judge), asked), case)


def what_is_alike_is_sent_once(ops: Combinators, case: CombinatorCase) -> Sides[object]:
    """What parts ask alike is sent as often as one of them alone would send it."""
    a, *_ = case.scorers
    calm = attrs.evolve(case, script=attrs.evolve(case.script, trouble=0.0))
    return Sides(_sent(ops.mean(a, a.named("other"), ops.minimum(a)), calm), _sent(a, calm), case)


def _sent(scorer: TextScorer, case: CombinatorCase) -> int:
    sent: list[JudgeRequest] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        sent.append(request)
        return await case.answer(request)

    scorer.run_sync(case.run, answer=answer)
    return len(sent)


COMBINATOR_LAWS: tuple[Law[Combinators, CombinatorCase], ...] = (
    weighted_is_convex,
    weighted_is_commutative,
    weights_are_proportions,
    mean_is_evenly_weighted,
    minimum_is_associative,
    maximum_mirrors_minimum,
    all_of_is_associative,
    all_of_and_any_of_are_dual,
    faults_accumulate,
    parts_stay_visible,
    repeating_once_changes_nothing,
    self_consistent_is_the_majority,
    order_of_jurors_does_not_matter,
    cascade_asks_only_in_doubt,
    what_is_alike_is_sent_once,
)
