"""Mistakes of other tools with score ranges: each input comes out as it should, or as a fault that says why."""

from __future__ import annotations

import asyncio
from math import sqrt

import pytest
from algebra.leaves import RUN, Answers, Panel

from scorewright import DefinitionError, NotScorable, Run, Scale, Scorer, create_scorer, err, fold, ok, pure, score_from
from scorewright.algebra import mean, renormalise, route, weighted
from scorewright.core import JudgeReply, JudgeRequest
from scorewright.faults import InvalidScore, JudgeFault, SchemaMismatch, TimedOut

NAN = float("nan")


@pytest.mark.parametrize("ends", [(5, 5), (3, 1), (NAN, 1), (1, NAN)])
def test_a_scale_without_span_is_refused_at_the_definition(ends: tuple[float, float]) -> None:
    """Not on the first scored item, after paid calls (deepeval#2541)."""
    with pytest.raises(DefinitionError, match="scale"):
        Scale(*ends)


def cosine(pair: tuple[tuple[float, float], tuple[float, float]]) -> float:
    (a, b), (c, d) = pair
    return (a * c + b * d) / (sqrt(a * a + b * b) * sqrt(c * c + d * d))


PAIRS = [((1.0, 0.0), (-0.6, 0.8)), ((1.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (1.0, 0.0))]
SIMILARITY = create_scorer(
    "similarity", input=str, output=tuple[tuple[float, float], tuple[float, float]], scale=Scale(-1, 1)
)


@pytest.mark.parametrize(("way", "scores"), [("clamp", [0.0, 1.0, None]), ("rescale", [0.2, 1.0, None])])
def test_a_negative_similarity_is_brought_onto_the_scale_by_a_named_step(way: str, scores: list[float | None]) -> None:
    """And the step is in the evidence; a zero vector is a failure (ragas#2088)."""
    raw = SIMILARITY.generate_score(pure(lambda s: round(cosine(s.run.output), 12)))
    scorer = raw.map_score(lambda x: max(0.0, x), scale=Scale()) if way == "clamp" else raw.rescale()
    for pair, score in zip(PAIRS, scores, strict=True):
        end = scorer.run_sync(Run("", pair)).value_or(None)
        assert (end and round(end.score, 12)) == score
        assert end is None or end.steps[-1].step in {"map_score", "rescale"}


def claims(step: object) -> object:
    return ok(1) if "fee" in step.run.output else err(NotScorable("no claims"))


FAITHFUL: Scorer[str, str, object, NotScorable | JudgeFault] = (
    create_scorer("faithful", input=str, output=str, judge=Panel())
    .preprocess(claims)
    .generate_score(score_from(float, lambda s: f"supported? {s.run.output}", lambda _, share: share))
)


def outcome(output: str, said: object) -> object:
    async def answer(_: JudgeRequest) -> JudgeReply:
        await asyncio.sleep(0)
        return JudgeReply(err(said) if isinstance(said, JudgeFault) else ok(str(said)))

    end = mean(FAITHFUL, policy=renormalise).run_sync(Run("q", output), answer=answer)
    return fold(end, lambda done: done.score, lambda lost: type(getattr(lost.cause, "causes", (lost.cause,))[0]))


def test_three_ways_to_have_no_score_are_three() -> None:
    """No claims, an answer that cannot be read, a call that failed, and a true zero (ragas#733)."""
    assert outcome("I cannot help.", "1") == NotScorable
    assert outcome("The fee is 4 euro.", '{"value": "sorry?"}') == SchemaMismatch
    assert outcome("The fee is 4 euro.", TimedOut("10 s")) == TimedOut
    assert outcome("The fee is 4 euro.", '{"value": 0}') == 0.0


@pytest.mark.parametrize("said", ['"nan"', '"Infinity"', '"-inf"', "NaN", "true"])
def test_words_are_no_numbers(said: str) -> None:
    """Nor are booleans, where a number is due (inspect_ai#3906a)."""
    assert issubclass(outcome("The fee is 4 euro.", f'{{"value": {said}}}'), JudgeFault)


def test_a_missing_reference_is_no_zero() -> None:
    """Also inside a mean, and nothing is asked (mastra#21743)."""
    needy = create_scorer("n", input=str, output=str, expected=str, judge=Panel()).generate_score(
        pure(lambda s: s.run.output == s.run.expected)
    )
    whole = mean(needy, needy.invert().invert())
    assert whole.run_sync(Run("q", "a", "a")).unwrap().score == 1.0
    assert isinstance(whole.run_sync(RUN).failure().cause, NotScorable)


def closeness(a: float, b: float) -> float:
    most = max(abs(a), abs(b))
    return max(0.0, 1 - abs(a / most - b / most)) if most else 1.0


@pytest.mark.parametrize(
    ("a", "b", "score"), [(-4, -8, 0.5), (50, -25, 0.0), (0, 0, 1.0), (3, 3, 1.0), (1e308, -1e308, 0.0)]
)
def test_closeness_stays_on_the_scale(a: float, b: float, score: float) -> None:
    """Symmetric, 1 for equal numbers, never NaN (future-agi#2420)."""
    near = create_scorer("near", input=float, output=float).generate_score(
        pure(lambda s: closeness(s.run.input, s.run.output))
    )
    assert near.run_sync(Run(a, b)).unwrap().score == near.run_sync(Run(b, a)).unwrap().score == score
    naive = create_scorer("naive", input=float, output=float).generate_score(
        pure(lambda _: 1 - abs(a - b) / (max(a, b) or 1))
    )
    lost = naive.run_sync(Run(1e308, -1e308)).value_or(None)
    assert lost is None or 0 <= lost.score <= 1


def test_a_mean_over_a_bad_score_fails_with_it() -> None:
    """NaN does not spread silently."""
    bad = create_scorer("b", input=str, output=str).generate_score(pure(lambda _: NAN))
    lost = mean(bad).run_sync(RUN).failure()
    assert lost.cause.causes == (InvalidScore("nan", "not finite"),)


def context_recall(contexts: list[str] | None, claims: int) -> Scorer[str, str, object, NotScorable | JudgeFault]:
    """Nothing retrieved and no claims are known without a judge."""
    judged = create_scorer("recall", input=str, output=str, judge=Panel()).generate_score(
        score_from(
            float, lambda s: f"which of {claims} are supported? {contexts} {s.run.output}", lambda _, share: share
        )
    )
    nothing = create_scorer("nothing retrieved", input=str, output=str).generate_score(pure(lambda _: 0.0))
    routed = route(lambda _: "judged" if any(contexts or ()) else "nothing", {"judged": judged, "nothing": nothing})
    return routed.when(lambda _: claims > 0, why="no claims")


@pytest.mark.parametrize(
    ("contexts", "claims", "score", "asked"),
    [
        ([], 3, 0.0, 0),
        ([""], 3, 0.0, 0),
        (None, 3, 0.0, 0),
        (["opening hours 9-17"], 0, None, 0),
        (["open"], 3, 1.0, 1),
    ],
)
def test_recall_of_nothing_is_nothing(contexts: list[str] | None, claims: int, score: float | None, asked: int) -> None:
    """0 without a judge call where nothing was retrieved; not scorable where nothing was to be found (ragas#813)."""
    answers = Answers(say=lambda _: '{"value": 1}')
    end = context_recall(contexts, claims).run_sync(RUN, answer=answers)
    assert fold(end, lambda done: done.score, lambda lost: lost.cause) == (
        NotScorable("no claims") if score is None else score
    )
    assert len(answers.requests) == asked


def average_precision(relevant: list[int]) -> float:
    hits = [at for at, found in enumerate(relevant, 1) if found]
    return sum(n / at for n, at in enumerate(hits, 1)) / len(hits) if hits else 0.0


@pytest.mark.parametrize(
    ("relevant", "score"),
    [([1, 1, 1], 1.0), ([1, 0, 1], 0.8333333333333333), ([0, 1], 0.5), ([0, 0, 0], 0.0), ([], None)],
)
def test_a_perfect_ranking_is_exactly_one(relevant: list[int], score: float | None) -> None:
    """Also as a mean, a weighted mean and on another scale and back; an empty list is not scorable (ragas#2930)."""
    ranked = create_scorer("precision", input=str, output=list[int]).generate_score(
        pure(lambda s: average_precision(s.run.output))
    )
    scorer = ranked.when(lambda run: bool(run.output), why="nothing was ranked")
    for made in (
        scorer,
        mean(scorer, scorer, scorer),
        weighted((0.1, scorer), (0.7, scorer)),
        scorer.invert().invert(),
    ):
        end = made.run_sync(Run("q", relevant))
        assert fold(end, lambda done: done.score, lambda _: None) == pytest.approx(score, abs=1e-15)
        assert score not in {0.0, 1.0} or end.unwrap().score == score
