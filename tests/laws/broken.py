"""Implementations that are wrong on purpose, one or more for each law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Never, TypeAlias

import attrs
from returns.result import Result, Success

from scorewright import Evaluation, Judge, Run, Scale, Scorer, ScoringFailure, err, ok, pure, then
from scorewright.core import (
    Again,
    Answer,
    Answerer,
    JudgeReply,
    JudgeRequest,
    Outcome,
    Transcript,
    both,
    gather,
    settle,
)
from scorewright.core.pipeline import Judged
from scorewright.faults import InvalidScore, NotScorable
from scorewright.laws import Recipe, built
from scorewright.laws.mappings import Number, Text
from scorewright.laws.pipelines import Came, run_async, run_sync
from scorewright.laws.programs import Next, Pair, Thunk, Turn
from scorewright.laws.recipes import PLACES, Seen
from scorewright.laws.trees import Program
from scorewright.results import fold

Gathered: TypeAlias = "Outcome[tuple[Result[int, object], ...], Never]"
TextScorer: TypeAlias = Scorer[str, str, None, object]
TextRun: TypeAlias = Run[str, str, None]
AnyScorer: TypeAlias = Scorer[str, str, object, object]
AnyRun: TypeAlias = Run[str, str, object]


# Programs


def then_that_runs_twice(program: Program, f: Next) -> Program:
    return then(then(program, f), f)


def then_that_adds_one(program: Program, f: Next) -> Program:
    return then(then(program, f), lambda n: ok(n + 1))


def then_that_goes_on(program: Program, f: Next) -> Program:
    return settle(program, f, lambda _: f(0))


def settle_that_drops_faults(program: Program, good: Next, bad: Callable[[object], Program]) -> Program:
    return settle(program, good, lambda _: good(0))


def settle_that_maps_twice(program: Program, good: Next, bad: Callable[[object], Program]) -> Program:
    return settle(settle(program, good, bad), good, err)


def gather_as_they_end(*parts: Thunk) -> Gathered:
    ended: list[Result[int, object]] = []

    def noting(part: Thunk) -> Thunk:
        def noted(result: Result[int, object]) -> Program:
            ended.append(result)
            return result

        return lambda: settle(part(), lambda n: noted(ok(n)), lambda fault: noted(err(fault)))

    return then(gather(*map(noting, parts)), lambda _: ok(tuple(ended)))


def both_where_the_second_counts(first: Thunk, second: Thunk) -> Pair:
    return then(both(second, first), lambda pair: ok((pair[1], pair[0])))


def iterate_once(state: int, body: Callable[[int], Outcome[Turn, object]]) -> Program:
    return then(body(state), lambda turn: ok(turn.state if isinstance(turn, Again) else turn.value))


# Values


def pure_that_adds_one(f: Callable[[int], int]) -> Next:
    return pure(lambda n: f(n) + 1)


def pure_that_maps_twice(f: Callable[[int], int]) -> Next:
    return pure(lambda n: f(f(n)))


def check_that_halves(scale: Scale, score: object) -> float | InvalidScore:
    got = scale.check(score)
    return got if isinstance(got, InvalidScore) else got / 2


def check_that_takes_all(scale: Scale, score: object) -> float | InvalidScore:
    return float(score) if isinstance(score, (int, float)) else 0.0


def filling_that_averages(inner: Answerer, outer: Answerer) -> Answerer:
    assert isinstance(inner, Judge)
    assert isinstance(outer, Judge)
    return Judge(inner.model or outer.model, timeout=((inner.timeout or 1) + (outer.timeout or 1)) / 2)


def filling_from_outside(inner: Answerer, outer: Answerer) -> Answerer:
    return outer


# Pipelines


def changed(
    recipe: Recipe,
    seen: Seen,
    good: Callable[[Evaluation], Judged[object]] = ok,
    bad: Callable[[ScoringFailure[object], Run[str, str, object]], Judged[object]] = lambda failure, _: err(failure),
) -> Scorer[str, str, object, object]:
    real = built(recipe, seen)

    def program(run: Run[str, str, object]) -> Judged[object]:
        return settle(real.program(run), good, lambda failure: bad(failure, run))

    return attrs.evolve(real, program=program)


def pipeline_that_goes_on(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    def bad(failure: ScoringFailure[object], run: Run[str, str, object]) -> Judged[object]:
        place = next(place for place in PLACES if place == failure.step)
        rest = built(recipe.put(place, "pure"), seen)
        return settle(rest.program(run), lambda _: err(failure), lambda _: err(failure))

    return changed(recipe, seen, bad=bad)


def pipeline_that_forgets(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    return changed(recipe, seen, bad=lambda failure, _: err(attrs.evolve(failure, names=(), trail=())))


def pipeline_whose_reason_flatters(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    def good(evaluation: Evaluation) -> Judged[object]:
        return ok(evaluation if evaluation.reason is None else attrs.evolve(evaluation, score=1.0))

    return changed(recipe, seen, good)


def zero(failure: ScoringFailure[object]) -> Evaluation:
    return Evaluation(failure.names, failure.trail, failure.drawn_id, 0.0, None)


def pipeline_where_not_scorable_is_zero(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    def bad(failure: ScoringFailure[object], run: Run[str, str, object]) -> Judged[object]:
        return ok(zero(failure)) if isinstance(failure.cause, NotScorable) else err(failure)

    return changed(recipe, seen, bad=bad)


def pipeline_that_needs_a_reason(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    def good(evaluation: Evaluation) -> Judged[object]:
        if evaluation.reason is not None or recipe.generate_reason == "absent":
            return ok(evaluation)
        cause = NotScorable("no reason")
        e = evaluation
        return err(
            ScoringFailure[object](e.names, e.trail, e.drawn_id, step="generate_reason", cause=cause, score=e.score)
        )

    return changed(recipe, seen, good)


def pipeline_that_starts_in_the_middle(recipe: Recipe, seen: Seen) -> Scorer[str, str, object, object]:
    real = built(recipe, seen)
    middle = built(recipe.put("preprocess", "absent"), seen)

    def program(run: Run[str, str, object]) -> Judged[object]:
        return settle(middle.program(run), lambda _: real.program(run), lambda _: real.program(run))

    return attrs.evolve(real, program=program)


# Mappings


def map_score_that_halves(scorer: AnyScorer, f: Number) -> AnyScorer:
    return scorer.map_score(lambda score: f(score) / 2)


def map_reason_that_adds(scorer: AnyScorer, f: Text) -> AnyScorer:
    return scorer.map_reason(lambda text: f(text) + ".")


def map_fault_that_forgets(scorer: AnyScorer, f: Callable[[object], object]) -> AnyScorer:
    return scorer.map_fault(lambda _: f("something"))


def contramap_input_that_adds(scorer: AnyScorer, f: Text) -> AnyScorer:
    return scorer.contramap_input(str, lambda text: f(text) + ".")


def contramap_output_as_a_part(scorer: AnyScorer, f: Text) -> AnyScorer:
    return scorer.or_else(scorer.contramap_output(str, f))


def contramap_run_of_the_input(scorer: AnyScorer, f: Callable[[AnyRun], AnyRun]) -> AnyScorer:
    return scorer.contramap_run(str, str, lambda run: run.with_input(f(run).input))


def invert_that_halves(scorer: AnyScorer) -> AnyScorer:
    return scorer.invert().map_score(lambda score: score / 2)


def invert_that_does_nothing(scorer: AnyScorer) -> AnyScorer:
    return scorer


def rescale_that_shifts(scorer: AnyScorer, to: Scale) -> AnyScorer:
    return scorer.map_score(lambda score: min(to.high, max(to.low, to.low + score)), scale=to)


def or_else_by_length(scorer: AnyScorer, other: AnyScorer) -> AnyScorer:
    return other if len(scorer.parts) > len(other.parts) else scorer.or_else(other)


def or_else_backwards(scorer: AnyScorer, other: AnyScorer) -> AnyScorer:
    return other.or_else(scorer)


def or_else_never(scorer: AnyScorer, other: AnyScorer) -> AnyScorer:
    return scorer


# Interpreters


def told_backwards(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    return run_sync(scorer, run, answer).map(lambda e: attrs.evolve(e, names=e.names[::-1]))


def failing_is_zero(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    return fold(run_sync(scorer, run, answer), ok, lambda failure: ok(zero(failure)))


async def failing_is_zero_later(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    return fold(await run_async(scorer, run, answer), ok, lambda failure: ok(zero(failure)))


def replay_in_order_of_arrival(scorer: TextScorer, run: TextRun, transcript: Transcript) -> Came:
    replies = list(transcript.replies.values())

    async def answer(request: JudgeRequest) -> JudgeReply:
        return replies.pop()  # the last to be recorded may have been the first to arrive

    return run_sync(scorer, run, answer)


def drifting() -> Callable[[TextScorer, TextRun, Answer], Came]:
    calls: list[TextRun] = []

    def sync(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
        calls.append(run)
        return run_sync(scorer, run, answer).map(lambda e: attrs.evolve(e, score=e.score + len(calls) / 100))

    return sync


def first_reply_for_all(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    kept: dict[str, JudgeReply] = {}

    async def same(request: JudgeRequest) -> JudgeReply:
        reply = await answer(request)
        return kept.setdefault(request.place.partition("[")[0], reply)

    return run_sync(scorer, run, same)


def asking_twice(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    async def twice(request: JudgeRequest) -> JudgeReply:
        await answer(request)
        return await answer(request)

    return run_sync(scorer, run, twice)


def told_twice(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    def doubled(trail: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(said * 2 if n % 3 == 2 and isinstance(said, tuple) else said for n, said in enumerate(trail))

    return run_sync(scorer, run, answer).map(lambda e: attrs.evolve(e, trail=doubled(e.trail)))


def beyond_the_scale(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    return run_sync(scorer, run, answer).map(lambda e: attrs.evolve(e, score=e.score + 1))


def failing_keeps_zero(scorer: TextScorer, run: TextRun, answer: Answer) -> Came:
    came = run_sync(scorer, run, answer)
    return came if isinstance(came, Success) else err(attrs.evolve(came.failure(), score=0.0))
