"""What the combinators promise, as laws: each gives two sides that must look alike.

A law takes the operations, so that a broken one can be put in their place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import permutations

import attrs
from algebra.leaves import Answers, Any, Leaf, Panel, leaves
from hypothesis import strategies as st

from scorewright import Evaluation, NotScorable, Run, Scale, ScoringFailure, fold, replay, transcript_of
from scorewright.algebra import (
    NoQuorum,
    PartsFailed,
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
from scorewright.laws import Sides

Text = Callable[[str], str]
Number = Callable[[float], float]
TEXTS: dict[str, Text] = {"upper": str.upper, "twice": lambda s: s * 2, "short": lambda s: s[:3], "same": lambda s: s}
NUMBERS: dict[str, Number] = {"half": lambda x: x / 2, "square": lambda x: x * x, "rest": lambda x: 1 - x}


@attrs.frozen
class Operations:
    """The combinators that are held to the laws."""

    map_score: Callable[[Any, Number], Any] = lambda a, f: a.map_score(f)
    contramap_input: Callable[[Any, Text], Any] = lambda a, f: a.contramap_input(str, f)
    contramap_output: Callable[[Any, Text], Any] = lambda a, f: a.contramap_output(str, f)
    invert: Callable[[Any], Any] = lambda a: a.invert()
    rescale: Callable[[Any, Scale], Any] = lambda a, to: a.rescale(to)
    or_else: Callable[[Any, Any], Any] = lambda a, b: a.or_else(b)
    weighted: Callable[..., Any] = weighted
    mean: Callable[..., Any] = mean
    minimum: Callable[..., Any] = minimum
    maximum: Callable[..., Any] = maximum
    all_of: Callable[..., Any] = all_of
    any_of: Callable[..., Any] = any_of
    cascade: Callable[..., Any] = cascade
    repeat: Callable[..., Any] = repeat
    self_consistent: Callable[..., Any] = self_consistent
    jury: Callable[..., Any] = jury


@attrs.frozen
class Case:
    """Three leaves and everything that a law may need beside them."""

    leaves: tuple[Leaf, Leaf, Leaf]
    seed: int
    trouble: float
    weights: tuple[float, float, float]
    texts: tuple[str, str]
    numbers: tuple[str, str]
    n: int
    input: str
    output: str

    @property
    def scorers(self) -> tuple[Any, Any, Any]:
        a, b, c = (leaf.scorer() for leaf in self.leaves)
        return a, b, c

    @property
    def run(self) -> Run[str, str, None]:
        return Run(self.input, self.output)


CASES = st.builds(
    Case,
    st.tuples(leaves(), leaves(), leaves()),
    st.integers(0, 5),
    st.sampled_from((0.0, 0.0, 0.4)),
    st.tuples(*[st.floats(1e-3, 1e3)] * 3),
    st.tuples(*[st.sampled_from(sorted(TEXTS))] * 2),
    st.tuples(*[st.sampled_from(sorted(NUMBERS))] * 2),
    st.integers(1, 6),
    st.text(max_size=4),
    st.text(max_size=4),
)


def came_to(scorer: Any, case: Case) -> Evaluation | ScoringFailure[object]:
    return fold(scorer.run_sync(case.run, answer=Answers(case.seed, case.trouble)), _same, _same)


def _same(end: Evaluation | ScoringFailure[object]) -> Evaluation | ScoringFailure[object]:
    return end


def roots(cause: object) -> frozenset[object]:
    """The faults of the leaves below a fault."""
    if isinstance(cause, (PartsFailed, NoQuorum)):
        return frozenset(root for _, part in cause.failures for root in roots(part.cause))
    return frozenset({NotScorable if isinstance(cause, NotScorable) else repr(cause)})


def seen(end: Evaluation | ScoringFailure[object]) -> object:
    """What can be observed: a score, or why there is none."""
    if isinstance(end, Evaluation):
        return end.score
    return NotScorable if isinstance(end.cause, NotScorable) else roots(end.cause)


def sides(left: Any, right: Any, case: Case, tolerance: float = 0.0, *, reasons: bool = True) -> Sides[object]:
    ends = came_to(left, case), came_to(right, case)
    one, two = ((seen(end), end.reason if reasons and isinstance(end, Evaluation) else None) for end in ends)
    return Sides(one, two, case, tolerance)


def map_identity(ops: Operations, case: Case) -> Sides[object]:
    """Mapping with the identity changes nothing."""
    a, *_ = case.scorers
    return sides(ops.map_score(a, lambda x: x), a, case)


def map_composition(ops: Operations, case: Case) -> Sides[object]:
    """Mapping with f, then g, is mapping with g after f."""
    a, *_ = case.scorers
    f, g = (NUMBERS[name] for name in case.numbers)
    return sides(ops.map_score(ops.map_score(a, f), g), ops.map_score(a, lambda x: g(f(x))), case)


def contramap_identity(ops: Operations, case: Case) -> Sides[object]:
    """Adapting with the identity changes nothing, nor what is asked where."""
    a, *_ = case.scorers
    adapted = ops.contramap_output(ops.contramap_input(a, lambda s: s), lambda s: s)
    left, right = came_to(adapted, case), came_to(a, case)
    return Sides((seen(left), left.exchanges), (seen(right), right.exchanges), case)


def contramap_composition(ops: Operations, case: Case) -> Sides[object]:
    """Adapting to f, then to g, is adapting to f after g."""
    a, *_ = case.scorers
    f, g = (TEXTS[name] for name in case.texts)
    left = ops.contramap_input(ops.contramap_output(ops.contramap_output(a, f), g), f)
    right = ops.contramap_output(ops.contramap_input(a, f), lambda s: f(g(s)))
    return sides(left, right, case)


def invert_twice(ops: Operations, case: Case) -> Sides[object]:
    """Turned twice is not turned."""
    a, *_ = case.scorers
    return sides(ops.invert(ops.invert(a)), a, case, 1e-12)


def rescale_there_and_back(ops: Operations, case: Case) -> Sides[object]:
    """Another scale and back is the same scale, and the ends meet."""
    a, *_ = case.scorers
    there = ops.rescale(a, Scale(1, 5))
    return sides(ops.map_score(ops.rescale(there, Scale()), lambda x: x), a, case, 1e-9)


def or_else_associative(ops: Operations, case: Case) -> Sides[object]:
    """It does not matter how a row of fallbacks is grouped."""
    a, b, c = case.scorers
    return sides(ops.or_else(ops.or_else(a, b), c), ops.or_else(a, ops.or_else(b, c)), case)


def weighted_convex(ops: Operations, case: Case) -> Sides[object]:
    """A weighted score lies between its parts' lowest and highest."""
    end = came_to(ops.weighted(*zip(case.weights, case.scorers, strict=True)), case)
    if not isinstance(end, Evaluation):
        return Sides(True, True, case)
    scores = [part.value.score for part in end.steps if isinstance(part.value, Evaluation)]
    return Sides(min(scores) <= end.score <= max(scores), True, case)


def weighted_commutes(ops: Operations, case: Case) -> Sides[object]:
    """The order of weighted parts does not matter, not in the last digit."""
    parts = tuple(zip(case.weights, case.scorers, strict=True))
    ends = [seen(came_to(ops.weighted(*order), case)) for order in permutations(parts)]
    return Sides(ends, ends[:1] * len(ends), case)


def weights_are_proportions(ops: Operations, case: Case) -> Sides[object]:
    """Only the proportion of weights counts, and a part of weight 0 is as none."""
    a, b, c = case.scorers
    x, y, _ = case.weights
    left = ops.weighted((x, a), (y, b), (0, c))
    right = ops.weighted((8 * x, a), (8 * y, b))
    return sides(left, right, case, 1e-12)


def mean_is_even(ops: Operations, case: Case) -> Sides[object]:
    """The mean weighs all parts the same."""
    return sides(ops.mean(*case.scorers), weighted(*((1, part) for part in case.scorers)), case, 1e-12)


def minimum_associative(ops: Operations, case: Case) -> Sides[object]:
    """The lowest of three is the lowest of two and one, in any order."""
    a, b, c = case.scorers
    return sides(ops.minimum(ops.minimum(a, b), c), ops.minimum(ops.minimum(c, b), a), case, reasons=False)


def maximum_mirrors_minimum(ops: Operations, case: Case) -> Sides[object]:
    """The highest is the inverse of the lowest of the inverted."""
    inverted = (part.invert() for part in case.scorers)
    return sides(ops.maximum(*case.scorers), minimum(*inverted).invert(), case, 1e-12, reasons=False)


def all_of_associative(ops: Operations, case: Case) -> Sides[object]:
    """All of three is all of two and one, where all are scored."""
    a, b, c = (part.or_else(Leaf("fixed", 1.0).scorer()).passing(0.5) for part in case.scorers)
    return sides(ops.all_of(ops.all_of(a, b), c), ops.all_of(a, b, c), case, reasons=False)


def de_morgan(ops: Operations, case: Case) -> Sides[object]:
    """All pass where it is not so that any fails."""
    parts = [part.or_else(Leaf("fixed", 0.0).scorer()).passing(0.5) for part in case.scorers]
    failing = [part.map_score(lambda x: 1 - x) for part in parts]
    return sides(ops.all_of(*parts), ops.any_of(*failing).map_score(lambda x: 1 - x), case, reasons=False)


def faults_accumulate(ops: Operations, case: Case) -> Sides[object]:
    """A strict whole fails with the faults of all parts that have no score."""
    ends = [came_to(part, case) for part in case.scorers]
    lost = [end for end in ends if isinstance(end, ScoringFailure)]
    failed = any(not isinstance(end.cause, NotScorable) for end in lost)
    whole = came_to(ops.mean(*case.scorers), case)
    wanted = frozenset().union(*(roots(end.cause) for end in lost)) if failed else NotScorable
    found = None if isinstance(whole, Evaluation) else seen(whole)
    return Sides(found, wanted if lost else None, case)


def parts_stay_visible(ops: Operations, case: Case) -> Sides[object]:
    """Each part's record holds just what the part comes to by itself."""
    whole = came_to(ops.mean(*case.scorers, policy=renormalise), case)
    return Sides([step.value for step in whole.steps[:3]], [came_to(part, case) for part in case.scorers], case)


def composed(ops: Operations, case: Case) -> Any:
    """Everything at once."""
    a, b, c = case.scorers
    voted = ops.repeat(ops.or_else(a, b), 2, reduce="mean")
    return ops.weighted((2, ops.mean(voted, c, policy=renormalise)), (1, ops.cascade(c, a, doubt=(0.2, 0.8))))


def interpreters_agree(ops: Operations, case: Case) -> Sides[object]:
    """Awaited, waited for and replayed, a composed scorer gives the same, evidence and all."""
    scorer = composed(ops, case)
    waited = came_to(scorer, case)
    awaited = asyncio.run(scorer.run(case.run, answer=Answers(case.seed, case.trouble)))
    replayed = fold(replay(scorer, case.run, transcript_of(waited)), _same, _same)
    return Sides([fold(awaited, _same, _same) == waited, replayed == waited], [True, True], case)


def repeat_once(ops: Operations, case: Case) -> Sides[object]:
    """Repeating once is not repeating: same score, same reason, same requests."""
    a, *_ = case.scorers
    left, right = came_to(ops.repeat(a, 1), case), came_to(a, case)
    looks = [
        (seen(end), getattr(end, "reason", None), [said.request.content for said in end.exchanges])
        for end in (left, right)
    ]
    return Sides(looks[0], looks[1], case)


def self_consistent_is_majority(ops: Operations, case: Case) -> Sides[object]:
    """Stopping early changes no answer and asks no more."""
    a = Leaf("asks", case.leaves[0].value).scorer()
    calm = attrs.evolve(case, trouble=0.0)
    early, full = came_to(ops.self_consistent(a, case.n), calm), came_to(repeat(a, case.n, reduce="majority"), calm)
    return Sides((seen(early), len(early.exchanges) <= case.n), (seen(full), True), case)


def jury_order(ops: Operations, case: Case) -> Sides[object]:
    """The order of the jurors does not matter."""
    scorer = Leaf("asks", case.leaves[0].value).scorer()
    names = ("x", "y", "x")
    ends = [
        seen(came_to(ops.jury(scorer, [Panel(name) for name in order], quorum=1), case))
        for order in permutations(names)
    ]
    return Sides(ends, ends[:1] * len(ends), case)


def cascade_asks_no_more(ops: Operations, case: Case) -> Sides[object]:
    """A cascade asks what its cheap part asks, and nothing of the judge unless in doubt."""
    a, b, _ = case.scorers
    whole = came_to(ops.cascade(a, b, doubt=(0.4, 0.6)), case)
    cheap, judge = came_to(a, case), came_to(b, case)
    sure = isinstance(cheap, Evaluation) and not 0.4 <= cheap.score <= 0.6
    asked = len(cheap.exchanges) + (0 if sure else len(judge.exchanges))
    return Sides((seen(whole), len(whole.exchanges)), (seen(cheap if sure else judge), asked), case)


def alike_is_sent_once(ops: Operations, case: Case) -> Sides[object]:
    """What parts ask alike is sent as often as one of them alone would send it."""
    a = case.scorers[0]
    alone, together = Answers(case.seed), Answers(case.seed)
    a.run_sync(case.run, answer=alone)
    ops.mean(a, a.named("other"), ops.minimum(a)).run_sync(case.run, answer=together)
    return Sides(len(together.requests), len(alone.requests), case)


LAWS = (
    map_identity,
    map_composition,
    contramap_identity,
    contramap_composition,
    invert_twice,
    rescale_there_and_back,
    or_else_associative,
    weighted_convex,
    weighted_commutes,
    weights_are_proportions,
    mean_is_even,
    minimum_associative,
    maximum_mirrors_minimum,
    all_of_associative,
    de_morgan,
    faults_accumulate,
    parts_stay_visible,
    interpreters_agree,
    repeat_once,
    self_consistent_is_majority,
    jury_order,
    cascade_asks_no_more,
    alike_is_sent_once,
)
