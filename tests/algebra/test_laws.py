"""The combinators keep their laws, and each law catches a combinator that does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import Phase, settings

from scorewright import Scorer
from scorewright.algebra import Policy, cascade, jury, maximum, mean, minimum, renormalise, repeat, weighted
from scorewright.algebra.asking import Asking, Sampled
from scorewright.core.scorer import assembled
from scorewright.laws import (
    COMBINATOR_LAWS,
    EVERY_COMBINATOR,
    PROMISES,
    CombinatorCase,
    Combinators,
    Interpreters,
    Law,
    LawBroken,
    check_combinator_laws,
    check_law,
    check_laws,
    promises,
    scorer_laws,
    strategies,
)
from scorewright.laws import combinators as laws
from scorewright.laws.strategies import combinator_cases

Any: TypeAlias = Scorer[str, str, object, object]
THOROUGH = settings(max_examples=300, phases=[Phase.generate], database=None, derandomize=True)


@pytest.mark.parametrize("law", COMBINATOR_LAWS, ids=lambda law: law.__name__)
def test_the_law_holds(law: Law[Combinators, CombinatorCase]) -> None:
    """Two sides that nobody can tell apart."""
    check_law(law, Combinators(), combinator_cases())


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


def sampled_mean(*parts: Any, **options: object) -> Any:
    spread = [
        assembled(part.about, part.steps, Asking(part.program, Sampled(at, 3)).begin) for at, part in enumerate(parts)
    ]
    return mean(*spread, **options)


BROKEN: list[tuple[Law[Combinators, CombinatorCase], Combinators]] = [
    (laws.weighted_is_convex, Combinators(weighted=lambda *p, **o: weighted(*p, **o).map_score(lambda x: x * 0.9))),
    (laws.weighted_is_commutative, Combinators(weighted=first_counts_double)),
    (laws.weights_are_proportions, Combinators(weighted=lambda *p, **o: weighted(*((w + 1, s) for w, s in p), **o))),
    (laws.mean_is_evenly_weighted, Combinators(mean=lambda *p, **o: first_counts_double(*((1, s) for s in p), **o))),
    (laws.minimum_is_associative, Combinators(minimum=mean)),
    (laws.maximum_mirrors_minimum, Combinators(maximum=mean)),
    (laws.all_of_is_associative, Combinators(all_of=lambda *p, **_: maximum(*p) if len(p) > 2 else minimum(*p))),
    (laws.all_of_and_any_of_are_dual, Combinators(any_of=minimum)),
    (laws.faults_accumulate, Combinators(mean=without_failed)),
    (laws.faults_accumulate, Combinators(mean=lambda first, *_, **o: mean(first, **o))),
    (laws.parts_stay_visible, Combinators(mean=reversed_order)),
    (laws.repeating_once_changes_nothing, Combinators(repeat=resampled)),
    (laws.repeating_once_changes_nothing, Combinators(repeat=lambda a, n, **o: repeat(a, n + 1, **o))),
    (laws.self_consistent_is_the_majority, Combinators(self_consistent=lambda a, _: repeat(a, 1))),
    (
        laws.self_consistent_is_the_majority,
        Combinators(self_consistent=lambda a, n: repeat(a, n + 1, reduce="majority")),
    ),
    (laws.order_of_jurors_does_not_matter, Combinators(jury=seated)),
    (laws.cascade_asks_only_in_doubt, Combinators(cascade=lambda a, b, **_: cascade(a, b, doubt=(0, 1)))),
    (laws.cascade_asks_only_in_doubt, Combinators(cascade=lambda a, b, **_: a.or_else(b))),
    (laws.what_is_alike_is_sent_once, Combinators(mean=sampled_mean)),
]


@pytest.mark.parametrize(("law", "broken"), BROKEN, ids=lambda given: getattr(given, "__name__", ""))
def test_the_law_catches_what_breaks_it(law: Law[Combinators, CombinatorCase], broken: Combinators) -> None:
    """A law that nothing could break would say nothing."""
    with pytest.raises((LawBroken, ExceptionGroup)):
        check_law(law, broken, combinator_cases(), under=THOROUGH)


def test_every_law_has_a_broken_combinator() -> None:
    """None of the laws is taken on trust."""
    assert {law for law, _ in BROKEN} == set(COMBINATOR_LAWS)
    assert {law for law, _ in BROKEN_OF_TWO} == {*PROMISES, *EVERY_COMBINATOR}


Two = Callable[[Any, Any], Any]


def composed(a: Any, b: Any) -> Any:
    """Everything at once."""
    voted = repeat(a.or_else(b), 2, reduce="mean")
    return weighted((2, mean(voted, b, policy=renormalise)), (1, cascade(b, a, doubt=(0.2, 0.8))))


@pytest.mark.parametrize(
    ("combine", "promised"),
    [
        (minimum, PROMISES),
        (maximum, PROMISES),
        (mean, [law for law in PROMISES if law is not promises.associative]),
        (lambda a, b: a.or_else(b), [promises.associative, promises.idempotent]),
    ],
    ids=["minimum", "maximum", "mean", "or_else"],
)
def test_what_is_promised_is_kept(combine: Two, promised: list[Law[Two, CombinatorCase]]) -> None:
    """With what holds of every combinator, and of the scorers that it makes."""
    check_combinator_laws(combine, *promised, under=settings(max_examples=20))


def test_everything_at_once_keeps_the_laws_of_scorers() -> None:
    """Awaited, waited for and replayed, a composed scorer gives the same, evidence and all."""
    made = combinator_cases().map(lambda case: composed(case.scorers[0], case.scorers[1]))
    cases = strategies.trials(made, strategies.text_runs(), strategies.scripts())
    check_laws(scorer_laws(), Interpreters(), cases, under=settings(max_examples=30))


def asks_twice(a: Any, b: Any) -> Any:
    return mean(a, b, repeat(b, 3))


def louder(a: Any, b: Any) -> Any:
    return minimum(a, b.contramap_output(str, lambda said: said + "!"))


class Forgetful:
    """A mean that is not the same twice: it counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, a: Any, b: Any) -> Any:
        def counted(score: float) -> float:
            self.count += 1
            return score / self.count

        return mean(a, b).map_score(counted)


BROKEN_OF_TWO: list[tuple[Law[Two, CombinatorCase], Two]] = [
    (promises.commutative, lambda a, b: a.or_else(b)),
    (promises.associative, mean),
    (promises.idempotent, lambda a, b: mean(a, b).map_score(lambda score: score / 2)),
    (promises.convex, lambda a, b: mean(a, b).invert()),
    (promises.accumulating, without_failed),
    (promises.asks_no_more_than_its_parts, asks_twice),
    (promises.parts_are_themselves, louder),
]


@pytest.mark.parametrize(("law", "broken"), BROKEN_OF_TWO, ids=lambda given: getattr(given, "__name__", ""))
def test_a_promise_that_is_not_kept_is_found_out(law: Law[Two, CombinatorCase], broken: Two) -> None:
    """Of each there is a combinator that does not keep it."""
    with pytest.raises(LawBroken, match=law.__name__):
        check_law(law, broken, combinator_cases(), under=THOROUGH)


def test_what_a_combinator_makes_is_held_to_the_laws_of_scorers() -> None:
    """One that remembers is found out, though it promises nothing."""
    with pytest.raises(LawBroken):
        check_combinator_laws(Forgetful(), under=THOROUGH)
