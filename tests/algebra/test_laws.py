"""The combinators keep their laws, and each law catches a combinator that does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from algebra import laws
from algebra.laws import CASES, LAWS, Case, Operations
from algebra.leaves import Any
from hypothesis import Phase, given, settings

from scorewright import Run
from scorewright.algebra import Policy, cascade, jury, maximum, mean, minimum, repeat, weighted
from scorewright.algebra.asking import Asking, Sampled
from scorewright.core.scorer import assembled
from scorewright.laws import LawBroken, Sides, hold

REAL = Operations()
Law = Callable[[Operations, Case], Sides[object]]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@given(case=CASES)
def test_the_law_holds(law: Law, case: Case) -> None:
    """Two sides that nobody can tell apart."""
    hold(law, REAL, case)


def reversed_order(*parts: Any, **options: object) -> Any:
    return mean(*reversed(parts), **options)


def first_counts_double(*parts: tuple[float, Any], **options: object) -> Any:
    (weight, part), *rest = parts
    return weighted((2 * weight, part), *rest, **options)


def without_failed(*parts: Any, **_: object) -> Any:
    return mean(*parts, policy=Policy("silent", without_failed=True, without_not_scorable=True))


def resampled(scorer: Any, n: int, **_: object) -> Any:
    program = Asking(scorer.program, Sampled(1, 2))
    return assembled(scorer.about, scorer.steps, program.begin)


def seated(scorer: Any, judges: list[object], **options: object) -> Any:
    return jury(scorer, judges[:1] * len(judges), **options)


def forgets_its_runs(a: Any, b: Any) -> Any:
    """A fallback that is tried on another run."""
    return a.or_else(b.contramap_output(str, lambda _: "other"))


def stays_with_the_first(a: Any, b: Any) -> Any:
    return a if a.id > b.id else a.or_else(b)


def sampled_mean(*parts: Any, **options: object) -> Any:
    spread = [
        assembled(part.about, part.steps, Asking(part.program, Sampled(at, 3)).begin) for at, part in enumerate(parts)
    ]
    return mean(*spread, **options)


class Forgetful:
    """A mean whose second replay is not the first: it counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, *parts: Any, **options: object) -> Any:
        def counted(score: float) -> float:
            self.count += 1
            return score / self.count

        return mean(*parts, **options).map_score(counted)


BROKEN: list[tuple[Law, Operations]] = [
    (laws.map_identity, Operations(map_score=lambda a, f: a.map_score(lambda x: f(x) / 2))),
    (laws.map_composition, Operations(map_score=lambda a, f: a.map_score(lambda x: (f(x) + 1) / 2))),
    (laws.contramap_identity, Operations(contramap_input=lambda a, f: a.contramap_input(str, lambda s: f(s) + "."))),
    (laws.contramap_identity, Operations(contramap_output=lambda a, _: minimum(a))),
    (
        laws.contramap_composition,
        Operations(contramap_output=lambda a, f: a.contramap_output(str, lambda s: f(s) + "!")),
    ),
    (laws.invert_twice, Operations(invert=lambda a: a.map_score(lambda x: (1 - x) / 2))),
    (laws.rescale_there_and_back, Operations(rescale=lambda a, to: a.map_score(lambda x: to.low + x, scale=to))),
    (laws.or_else_associative, Operations(or_else=stays_with_the_first)),
    (laws.weighted_convex, Operations(weighted=lambda *p, **o: weighted(*p, **o).map_score(lambda x: x * 0.9))),
    (laws.weighted_commutes, Operations(weighted=first_counts_double)),
    (laws.weights_are_proportions, Operations(weighted=lambda *p, **o: weighted(*((w + 1, s) for w, s in p), **o))),
    (laws.mean_is_even, Operations(mean=lambda *p, **o: first_counts_double(*((1, s) for s in p), **o))),
    (laws.minimum_associative, Operations(minimum=mean)),
    (laws.maximum_mirrors_minimum, Operations(maximum=mean)),
    (laws.all_of_associative, Operations(all_of=lambda *p, **o: maximum(*p, **o) if len(p) > 2 else minimum(*p, **o))),
    (laws.de_morgan, Operations(any_of=minimum)),
    (laws.faults_accumulate, Operations(mean=without_failed)),
    (laws.faults_accumulate, Operations(mean=lambda first, *_, **o: mean(first, **o))),
    (laws.parts_stay_visible, Operations(mean=reversed_order)),
    (laws.interpreters_agree, Operations(mean=Forgetful())),
    (laws.repeat_once, Operations(repeat=resampled)),
    (laws.repeat_once, Operations(repeat=lambda a, n, **o: repeat(a, n + 1, **o))),
    (laws.self_consistent_is_majority, Operations(self_consistent=lambda a, _: repeat(a, 1))),
    (laws.self_consistent_is_majority, Operations(self_consistent=lambda a, n: repeat(a, n + 1, reduce="majority"))),
    (laws.jury_order, Operations(jury=seated)),
    (laws.cascade_asks_no_more, Operations(cascade=lambda a, b, **_: cascade(a, b, doubt=(0, 1)))),
    (laws.cascade_asks_no_more, Operations(cascade=lambda a, b, **_: a.or_else(b))),
    (laws.alike_is_sent_once, Operations(mean=sampled_mean)),
]


@pytest.mark.parametrize(("law", "broken"), BROKEN, ids=lambda given: getattr(given, "__name__", ""))
def test_the_law_catches_what_breaks_it(law: Law, broken: Operations) -> None:
    """A law that nothing could break would say nothing."""

    @settings(max_examples=300, phases=[Phase.generate], database=None, derandomize=True)
    @given(case=CASES)
    def holds(case: Case) -> None:
        hold(law, broken, case)

    with pytest.raises((LawBroken, ExceptionGroup)):
        holds()


def test_every_law_has_a_broken_combinator() -> None:
    """None of the laws is taken on trust."""
    assert {law for law, _ in BROKEN} == set(LAWS)


def test_the_mean_is_not_associative() -> None:
    """What does not hold is said: the mean of a mean and one weighs the one double."""
    from algebra.leaves import fixed

    a, b, c = (fixed(id, score) for id, score in (("a", 0.0), ("b", 0.0), ("c", 1.0)))
    run = Run("", "")
    grouped, flat = mean(mean(a, b), c).run_sync(run).unwrap(), mean(a, b, c).run_sync(run).unwrap()
    assert (grouped.score, flat.score) == (0.5, 1 / 3)
