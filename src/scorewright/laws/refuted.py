"""What looks like a law and is none, each with a case on which its two sides differ."""

from __future__ import annotations

from collections.abc import Callable

from scorewright.algebra import mean, weighted
from scorewright.core import Evaluation, Run, Scorer, create_scorer, pure
from scorewright.faults import NotScorable
from scorewright.laws.statement import Sides
from scorewright.results import err

RUN = Run("", "")


def fixed(id: str, score: float, /) -> Scorer[str, str, object, object]:
    """A scorer that always gives this score."""
    return create_scorer(id, input=str, output=str).generate_score(pure(lambda _: score))


def sides(left: Scorer[str, str, object, object], right: Scorer[str, str, object, object], given: str) -> Sides[object]:
    """What the two come to."""
    return Sides(_score(left), _score(right), given)


def _score(scorer: Scorer[str, str, object, object]) -> float | None:
    return scorer.run_sync(RUN).map(_rounded).value_or(None)


def _rounded(evaluation: Evaluation) -> float:
    return round(evaluation.score, 4)


def the_mean_is_associative() -> Sides[object]:
    """`mean(mean(a, b), c)` is `mean(a, b, c)`: no, the one outside weighs as much as the two together."""
    a, b, c = fixed("a", 0.0), fixed("b", 0.0), fixed("c", 1.0)
    return sides(mean(mean(a, b), c), mean(a, b, c), "a = 0, b = 0, c = 1")


def weighted_is_associative() -> Sides[object]:
    """Weights may be given in groups as they stand: no, the weights of a group only count inside it."""
    a, b, c = fixed("a", 0.0), fixed("b", 0.0), fixed("c", 1.0)
    grouped = weighted((1, weighted((2, a), (2, b))), (1, c))
    return sides(grouped, weighted((2, a), (2, b), (1, c)), "a = 0, b = 0, c = 1")


def passing_then_mean_is_mean_then_passing() -> Sides[object]:
    """Whether the mean passes is the mean of what passes: no, a threshold is not a straight line."""
    a, b = fixed("a", 0.4), fixed("b", 1.0)
    return sides(mean(a.passing(0.5), b.passing(0.5)), mean(a, b).passing(0.5), "a = 0.4, b = 1, threshold 0.5")


def or_else_is_commutative() -> Sides[object]:
    """It does not matter which scorer is the fallback: no, the first that scores has the word."""
    a, b = fixed("a", 0.0), fixed("b", 1.0)
    return sides(a.or_else(b), b.or_else(a), "a = 0, b = 1")


def mapping_then_mean_is_mean_then_mapping() -> Sides[object]:
    """A function of scores may be applied before the mean or after it: no, unless its graph is a straight line."""
    a, b = fixed("a", 0.0), fixed("b", 1.0)
    square: Callable[[float], float] = lambda score: score**2  # noqa: E731  # used twice below
    return sides(mean(a.map_score(square), b.map_score(square)), mean(a, b).map_score(square), "a = 0, b = 1, squared")


def a_part_that_is_not_scorable_counts_for_nothing() -> Sides[object]:
    """A part without a score is left out of a mean: no, `strict` needs every part; `renormalise` leaves it out."""
    a = fixed("a", 1.0)
    b = create_scorer("b", input=str, output=str).generate_score(lambda _: err(NotScorable("nothing to judge")))
    return sides(mean(a, b), mean(a), "a = 1, b not scorable")


REFUTED: tuple[Callable[[], Sides[object]], ...] = (
    the_mean_is_associative,
    weighted_is_associative,
    passing_then_mean_is_mean_then_passing,
    mapping_then_mean_is_mean_then_mapping,
    or_else_is_commutative,
    a_part_that_is_not_scorable_counts_for_nothing,
)
