"""What a combinator of your own may promise, and what holds of every one; `check_combinator_laws` tries them.

A promise is a law of a function from two scorers to one. `minimum` keeps all of them; `mean` is not associative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.algebra import NoQuorum, PartsFailed
from scorewright.core import (
    Answerer,
    Bench,
    Evaluation,
    Evidence,
    JudgeReply,
    JudgeRequest,
    Run,
    Scorer,
    ScoringFailure,
)
from scorewright.faults import NotScorable, Unreachable
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides
from scorewright.results import err, fold

TextScorer: TypeAlias = Scorer[str, str, object, object]
Combine: TypeAlias = Callable[[TextScorer, TextScorer], TextScorer]
End: TypeAlias = "Evaluation | ScoringFailure[object]"


@final
@attrs.frozen
class Juror(Answerer):
    """A judge that is only a name; what a script says for it follows from the name too."""

    name: str

    @property
    def identity(self) -> str:
        """The name."""
        return self.name

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        """A fault: whoever gets here was not given a script."""
        del request, bench
        return JudgeReply(err(Unreachable("laws are tried with a script")))


@final
@attrs.frozen
class CombinatorCase:
    """Three scorers from 0 to 1 of any temper and one that asks once, weights, a number, a run, and who answers."""

    scorers: tuple[TextScorer, TextScorer, TextScorer]
    asking: TextScorer
    weights: tuple[float, float, float]
    n: int
    run: Run[str, str, None]
    script: Script

    async def answer(self, request: JudgeRequest, /) -> JudgeReply:
        """What the script says, another thing for another judge."""
        judge = request.judge.identity if request.judge else ""
        return await self.script.answer(attrs.evolve(request, prompt=f"{judge}: {request.prompt}"))

    @property
    def deciding(self) -> tuple[TextScorer, ...]:
        """The scorers as such that pass or fail; one that has no score fails."""
        return tuple(part.or_else(part.map_fault(str)).passing(0.5) for part in self.scorers)


def ended(scorer: TextScorer, case: CombinatorCase, /) -> End:
    """What the scorer comes to."""
    return fold(scorer.run_sync(case.run, answer=case.answer), _itself, _itself)


def roots(cause: object, /) -> frozenset[object]:
    """The faults of the leaves below a fault; whatever was not scorable is the same."""
    if _is_of_parts(cause):
        return frozenset(root for _, part in cause.failures for root in roots(part.cause))
    return frozenset({NotScorable if isinstance(cause, NotScorable) else repr(cause)})


def seen(end: End, /) -> object:
    """The score, or the faults for which there is none."""
    return end.score if isinstance(end, Evaluation) else roots(end.cause)


def alike(left: TextScorer, right: TextScorer, case: CombinatorCase, tolerance: float = 0.0) -> Sides[object]:
    """Both scorers, by what can be seen of them."""
    return Sides(seen(ended(left, case)), seen(ended(right, case)), case, tolerance)


def lost(parts: tuple[TextScorer, ...], case: CombinatorCase, /) -> object:
    """The faults of those that have no score; None where all have one."""
    ends = [ended(part, case) for part in parts]
    causes = [end.cause for end in ends if isinstance(end, ScoringFailure)]
    return frozenset(root for cause in causes for root in roots(cause)) if causes else None


def fault(end: End, /) -> object:
    """The faults for which there is no score; None where there is one."""
    return None if isinstance(end, Evaluation) else roots(end.cause)


def commutative(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """The order of the two does not matter."""
    a, b, _ = case.scorers
    return alike(combine(a, b), combine(b, a), case)


def associative(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """It does not matter which two of three are combined first."""
    a, b, c = case.scorers
    return alike(combine(combine(a, b), c), combine(a, combine(b, c)), case)


def idempotent(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """A scorer combined with itself is the scorer."""
    a, *_ = case.scorers
    return alike(combine(a, a), a, case, 1e-12)


def convex(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """The score lies between those of the two."""
    a, b, _ = case.scorers
    whole, one, two = (ended(each, case) for each in (combine(a, b), a, b))
    if isinstance(whole, Evaluation) and isinstance(one, Evaluation) and isinstance(two, Evaluation):
        return Sides(min(one.score, two.score) <= whole.score <= max(one.score, two.score), True, case)
    return Sides(True, True, case)


def accumulating(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """Where one of the two has no score, the whole has none, for the faults of both."""
    a, b, _ = case.scorers
    wanted = lost((a, b), case)
    return Sides(fault(ended(combine(a, b), case)), wanted, case)


def asks_no_more_than_its_parts(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """The whole asks nothing that its parts would not ask."""
    a, b, _ = case.scorers
    whole, one, two = (len(ended(each, case).exchanges) for each in (combine(a, b), a, b))
    return Sides(min(whole, one + two), whole, case)


def parts_are_themselves(combine: Combine, case: CombinatorCase) -> Sides[object]:
    """What the evidence keeps of a part is what the part comes to by itself."""
    a, b, _ = case.scorers
    alone = [_told(ended(each, case)) for each in (a, b)]
    kept = [_told(step.value) for step in ended(combine(a, b), case).steps if isinstance(step.value, Evidence)]
    return Sides([each for each in kept if each not in alone], [], case)


def _told(end: object) -> object:
    return seen(end) if _is_end(end) else None


def _is_of_parts(cause: object) -> TypeIs[PartsFailed[object] | NoQuorum[object]]:
    return isinstance(cause, (PartsFailed, NoQuorum))


def _is_end(end: object) -> TypeIs[End]:
    return isinstance(end, (Evaluation, ScoringFailure))


def _itself(end: End) -> End:
    return end


PROMISES: tuple[Law[Combine, CombinatorCase], ...] = (commutative, associative, idempotent, convex, accumulating)
EVERY_COMBINATOR: tuple[Law[Combine, CombinatorCase], ...] = (asks_no_more_than_its_parts, parts_are_themselves)
