"""One scorer, several judges.

Each juror is a part "juror 1", "juror 2", … of the whole: the scorer with another judge in place of its own and its
steps' own, which only fill in what the juror leaves open. Equal jurors ask in different samples, so that their
positions count; what distinct jurors ask is the same wherever they sit.

Laws: the order of the jurors does not matter to the score; a juror's outage loses nobody else's vote; the cost is the
sum of the jurors'; `jury(a, [j])` has the score of `a` asked with `j`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Never, final

import attrs
from typing_extensions import TypeVar

from scorewright.algebra.asking import Asking, Sampled, as_sent, ends_in
from scorewright.algebra.reducing import Reducer, Tied, checked_reducer, reduced, reducer_name, spread_of
from scorewright.algebra.repeating import reason_at
from scorewright.core.ask import Answerer
from scorewright.core.definition import expect_count, id_or, is_series, number_of, shown
from scorewright.core.evaluation import Evaluation, ScoringFailure, Trail
from scorewright.core.parts import Conclusion, Ended, Program, concluded, missing, side_by_side
from scorewright.core.pipeline import Judged
from scorewright.core.run import Run
from scorewright.core.scale import Scale
from scorewright.core.scorer import Scorer, assembled, expect_scorer, part_steps
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError, Fault, NotScorable
from scorewright.wording import listed

In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True, default=Fault)

JUROR = "juror {}"


@final
@attrs.frozen
class NoQuorum(Fault, Generic[E_co]):
    """Too few jurors gave a score: the scores there are, and the failures of the others by juror."""

    needed: int
    scores: tuple[float, ...]
    failures: tuple[tuple[str, ScoringFailure[E_co]], ...]

    def described(self) -> str:
        """How many jurors were wanting, and why, in one sentence."""
        said = f"Too few jurors gave a score, {len(self.scores)} of the {self.needed} that were needed"
        causes = [(juror, failure.cause) for juror, failure in self.failures]
        return f"{said}: {listed(causes)}" if causes else said


@final
@attrs.frozen
class Disagreed(Fault):
    """The jurors' scores lie further apart than was allowed."""

    scores: tuple[float, ...]
    most_apart: float

    def described(self) -> str:
        """How far apart the jurors are, in one sentence."""
        said = ", ".join(f"{score:g}" for score in self.scores)
        return f"The jurors' scores lie more than {self.most_apart:g} apart: {said}"


def jury(
    scorer: Scorer[In, Out, Ref, E],
    judges: Sequence[Answerer],
    /,
    *,
    quorum: int | None = None,
    reduce: Reducer = "median",
    most_apart: float | None = None,
    id: str = "",
) -> Scorer[In, Out, Ref, NoQuorum[E] | Tied | Disagreed]:
    """The scorer before several judges at once; the record "jury" holds the `Spread` of their scores.

    At least `quorum` of them must give a score, more than half unless said otherwise: else `NoQuorum`, or not scorable
    where no juror failed and none could score. A majority may be `Tied`; scores more than `most_apart` from each other
    are `Disagreed`. The reason is that of the first juror whose score is the whole's, if there is one.
    """
    _expect_judges(judges)
    n = len(judges)
    needed = n // 2 + 1 if quorum is None else quorum
    expect_count(needed, f"jury(…, quorum=…) of {n}", 1, n)
    if most_apart is not None and not number_of(most_apart) >= 0:
        raise DefinitionError(
            f"most_apart= is a distance on the scale, a number of at least 0, not {shown(most_apart)}"
        )
    if all(step.kind == "pure" for step in expect_scorer(scorer, "jury").steps):
        times = "once" if n == 1 else f"{n} times"
        raise DefinitionError(f"{scorer.id!r} asks nobody: a jury of it would hear one opinion, its own, {times}")
    if _asks_a_jury(scorer):
        raise DefinitionError(
            f"{scorer.id!r} asks a jury already, and a jury replaces all judges of its scorer: name them in one"
        )
    programs = tuple(Asking(scorer.program, seat).begin for seat in _seats(tuple(judges), scorer.about.judge))
    called = id_or(id, f"jury({scorer.id})")
    about = attrs.evolve(scorer.about, id=called, name=called, judge=None)
    labels = tuple(JUROR.format(at) for at in range(1, n + 1))
    said = [reducer_name(reduce), f"quorum {needed} of {n}"]
    said += [] if most_apart is None else [f"at most {most_apart:g} apart"]
    infos = zip(part_steps(labels, (scorer,) * n), judges, strict=True)
    steps = (*(attrs.evolve(info, judge=judge) for info, judge in infos), StepInfo("jury", "pure", "; ".join(said)))
    program = Jury(labels, programs, needed, checked_reducer(reduce), most_apart, about.scale)
    return assembled(about, steps, program.begin, (scorer,))


@final
@attrs.frozen
class Jury(Generic[In, Out, Ref, E]):
    """The program of a jury."""

    labels: tuple[str, ...]
    programs: tuple[Program[In, Out, Ref, E], ...]
    quorum: int
    reduce: Reducer
    most_apart: float | None
    scale: Scale

    def begin(self, run: Run[In, Out, Ref], /) -> Judged[NoQuorum[E] | Tied | Disagreed]:
        """The program of one run."""

        def go(
            labels: tuple[str, ...], ends: tuple[Ended[E], ...], trail: Trail
        ) -> Judged[NoQuorum[E] | Tied | Disagreed]:
            sent = as_sent(trail)
            seen = ends_in(sent, ends)
            return concluded("jury", labels, sent, run, scale=self.scale, conclude=lambda: self._concluded(seen))

        return side_by_side(self.labels, self.programs, run, go)

    def _concluded(self, ends: tuple[Ended[E], ...]) -> Conclusion | NoQuorum[E] | NotScorable | Tied | Disagreed:
        done = [end for end in ends if isinstance(end, Evaluation)]
        scores = [end.score for end in done]
        if len(scores) < self.quorum:
            lost = missing(self.labels, ends)
            if isinstance(lost, NotScorable) and not scores:
                return lost
            voices = zip(self.labels, ends, strict=True)
            return NoQuorum(
                self.quorum,
                tuple(scores),
                tuple((label, end) for label, end in voices if isinstance(end, ScoringFailure)),
            )
        if self.most_apart is not None and max(scores) - min(scores) > self.most_apart:
            return Disagreed(tuple(scores), self.most_apart)
        score = reduced(self.reduce, scores)
        return score if isinstance(score, Tied) else Conclusion(score, reason_at(score, done), spread_of(ends))


def _expect_judges(given: Sequence[Answerer]) -> None:
    if not (is_series(given) and given and all(map(_is_judge, given))):
        raise DefinitionError(
            f'jury(scorer, judges) takes judges, such as [Judge("a/b"), Judge("c/d")], not {shown(given)}'
        )


def _asks_a_jury(scorer: Scorer[Never, Never, Never, object]) -> bool:
    return any(step.name == JUROR.format(1) for step in scorer.steps) or any(map(_asks_a_jury, scorer.parts))


def _is_judge(given: object) -> bool:
    return isinstance(given, Answerer)


def _seats(judges: tuple[Answerer, ...], outer: Answerer | None) -> tuple[Sampled, ...]:
    """Every juror with its number among its equals, once what they leave open is filled in."""
    filled = judges if outer is None else tuple(judge.filled(outer) for judge in judges)
    return tuple(
        Sampled(filled[:at].count(filled[at]), filled.count(filled[at]), judges[at]) for at in range(len(judges))
    )
