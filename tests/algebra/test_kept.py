"""What adapting a scorer keeps: evidence, ids and causes, whatever a user's function does."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest
from algebra.leaves import RUN, Answers, Any, Empty, Panel, asking, failing, fixed, unscorable
from returns.pipeline import is_successful

from scorewright import (
    UNBOUNDED,
    DefinitionError,
    NotScorable,
    Run,
    Scale,
    Scorer,
    ScoringFailure,
    create_scorer,
    err,
    ok,
    pure,
)
from scorewright.core import Evidence, StepInfo
from scorewright.core.parts import PartsFailed
from scorewright.faults import InvalidScore, StepRaised

GIVEN = Run("Where is my parcel?", "On its way.", run_id="given")


def boom(_: object) -> str:
    raise ValueError("boom")


def five(_: object) -> object:
    return 5


def reasonless(score: float, *, scale: Scale = UNBOUNDED, id: str = "a") -> Any:
    """A scorer whose reason fails, so that its failure keeps the score."""
    draft = create_scorer(id, input=str, output=str, scale=scale).preprocess(lambda s: ok(len(s.run.input)))
    return draft.generate_score(pure(lambda _: score)).generate_reason(lambda _: err(Empty("no words")))


def evidence(end: Evidence) -> object:
    """All of it but the moments: what evaluations compare, and the id of the run."""
    return [(record.step, record.value, record.exchanges) for record in end.steps], end.run_id


ADAPTED: dict[str, tuple[Callable[[Any], Any], list[str], float | None]] = {
    "contramap_input": (lambda s: s.contramap_input(str, boom), [], None),
    "contramap_output": (lambda s: s.contramap_output(str, boom), [], None),
    "contramap_run": (lambda s: s.contramap_run(str, str, boom), [], None),
    "when": (lambda s: s.when(boom), [], None),
    "map_score": (lambda s: s.map_score(boom), ["generate_score", "generate_reason", "map_score"], None),
    "map_reason": (lambda s: s.map_reason(boom), ["generate_score", "generate_reason", "map_reason"], 0.5),
}


@pytest.mark.parametrize("step", ADAPTED)
def test_what_a_function_of_an_adapter_raised_is_told(step: str) -> None:
    """Under the adapter's name, with its words, its trace, the steps before it and the run's id."""
    adapt, steps, score = ADAPTED[step]
    lost = adapt(fixed("a", 0.5, "so")).run_sync(GIVEN).failure()
    assert (lost.step, lost.run_id, lost.score) == (step, "given", score)
    assert isinstance(lost.cause, StepRaised)
    assert (lost.cause.raised.kind, lost.cause.raised.message) == ("ValueError", "boom")
    assert "boom" in lost.cause.raised.trace
    assert [record.step for record in lost.steps] == steps


MISFITS: dict[str, tuple[Callable[[Any], Any], str, float | None]] = {
    "contramap_run": (lambda s: s.contramap_run(str, str, five), "a Run is due, not int: Run(input, output)", None),
    "when": (lambda s: s.when(five), "the predicate of when(…) gave int, not a bool", None),
    "map_reason": (lambda s: s.map_reason(five), "a reason is text, not int", 0.5),
}


@pytest.mark.parametrize("step", MISFITS)
def test_what_is_of_another_type_is_told(step: str) -> None:
    """Under the adapter's name, and what is due in its place."""
    adapt, told, score = MISFITS[step]
    lost = adapt(fixed("a", 0.5, "so")).run_sync(GIVEN).failure()
    assert (lost.step, lost.run_id, lost.score) == (step, "given", score)
    assert (lost.cause.raised.kind, lost.cause.raised.message) == ("TypeError", told)


def test_a_mapping_of_faults_that_raises_is_the_fault() -> None:
    """With what it raised; the step stays the one that failed."""
    lost = failing("a").map_fault(boom).run_sync(GIVEN).failure()
    assert (lost.step, lost.cause.raised.kind, lost.cause.raised.message) == ("generate_score", "ValueError", "boom")


ENDS: list[Any] = [fixed("a", 0.5, "so"), fixed("a", 0.5), failing("a"), unscorable("a"), reasonless(0.5)]


@pytest.mark.parametrize(
    "adapt",
    [
        lambda s: s.map_reason(str),
        lambda s: s.map_fault(lambda fault: fault),
        lambda s: s.when(lambda _: True),
        lambda s: s.named("other"),
        lambda s: s.contramap_input(str, str),
        lambda s: s.contramap_output(str, str),
        lambda s: s.contramap_run(str, str, lambda run: Run(run.input, run.output)),
    ],
    ids=["map_reason", "map_fault", "when", "named", "contramap_input", "contramap_output", "contramap_run"],
)
@pytest.mark.parametrize("scorer", ENDS)
def test_an_adapter_that_changes_nothing_keeps_everything(scorer: Any, adapt: Callable[[Any], Any]) -> None:
    """Score, reason, failed step, cause, evidence and the run's id, however the run ends."""
    plain, adapted = scorer.run_sync(GIVEN), adapt(scorer).run_sync(GIVEN)
    assert adapted == plain
    ends = [end.unwrap() if is_successful(end) else end.failure() for end in (plain, adapted)]
    assert evidence(ends[0]) == evidence(ends[1])
    assert ends[1].run_id == "given"


def test_an_adapted_evaluation_has_its_run_and_its_steps() -> None:
    """Also where its score is another, and the last record holds that score."""
    end = fixed("a", 0.25, "so").map_score(lambda x: x * 2).run_sync(GIVEN).unwrap()
    assert (end.score, end.reason, end.run_id) == (0.5, "so", "given")
    assert [(record.step, record.value) for record in end.steps] == [
        ("generate_score", 0.25),
        ("generate_reason", "so"),
        ("map_score", 0.5),
    ]


KEPT: dict[str, tuple[Callable[[Any], Any], float | None]] = {
    "map_score": (lambda s: s.map_score(lambda x: x / 2), 0.125),
    "map_score off the scale": (lambda s: s.map_score(lambda _: float("nan")), None),
    "map_score that raises": (lambda s: s.map_score(boom), None),
    "rescale": (lambda s: s.rescale(Scale(0, 8)), 2.0),
    "invert": (lambda s: s.invert(), 0.75),
    "passing": (lambda s: s.passing(0.25), 1.0),
    "map_reason": (lambda s: s.map_reason(str.upper), 0.25),
    "map_fault": (lambda s: s.map_fault(lambda fault: fault), 0.25),
}


@pytest.mark.parametrize("how", KEPT)
def test_a_failed_reason_keeps_the_score_that_is_asked_for(how: str) -> None:
    """The score in the failure is the adapted one, and none where there is none; all else stays as it was."""
    adapt, score = KEPT[how]
    scorer = reasonless(0.25, scale=Scale())
    plain, lost = scorer.run_sync(GIVEN).failure(), adapt(scorer).run_sync(GIVEN).failure()
    assert (lost.score, lost.step, lost.cause) == (score, "generate_reason", Empty("no words"))
    assert evidence(lost) == evidence(plain)
    assert isinstance(lost, ScoringFailure)


@pytest.mark.parametrize("adapt", [lambda s: s.map_score(lambda _: 1.0), lambda s: s.invert(), lambda s: s.passing(0)])
@pytest.mark.parametrize("scorer", [failing("a"), unscorable("a")])
def test_a_failed_step_gets_no_score_from_an_adapter(scorer: Any, adapt: Callable[[Any], Any]) -> None:
    """A failure never becomes a number."""
    assert adapt(scorer).run_sync(RUN).failure().score is None
    assert adapt(scorer).run_sync(RUN) == scorer.run_sync(RUN)


def test_a_scale_too_wide_to_measure_is_not_rescaled() -> None:
    """Its width is no float: every score in it would be NaN. The message says what to write instead."""
    wide = create_scorer("w", input=str, output=str, scale=Scale(-1e308, 1e308)).generate_score(pure(lambda _: 1))
    for define in (wide.rescale, lambda: fixed("a", 1).rescale(Scale(-1e308, 1e308))):
        with pytest.raises(DefinitionError, match=r"needs two scales with ends.*: write the way with map_score\(f, s"):
            define()


@pytest.mark.parametrize(
    ("better", "threshold", "passes"),
    [("higher", 3, 1), ("higher", 4, 0), ("higher", 2, 1), ("lower", 3, 1), ("lower", 4, 1), ("lower", 2, 0)],
)
def test_a_threshold_passes_itself_and_what_is_better(better: str, threshold: float, passes: float) -> None:
    """Above it where higher is better, below it where lower is."""
    three = create_scorer("t", input=str, output=str, scale=Scale(0, 10), better=better).generate_score(
        pure(lambda _: 3)
    )
    assert three.passing(threshold).run_sync(RUN).unwrap().score == passes


ABOUT = {"name": "Name", "description": "what it is", "judge": Panel("j"), "scale": Scale(0, 1), "better": "higher"}


def whole() -> Any:
    """A scorer with everything that it can say of itself, and with parts."""
    pair = fixed("a", 0.5, "so").or_else(asking("b"))
    return Scorer(attrs.evolve(pair.about, **ABOUT), pair.steps, pair.program, parts=pair.parts)


SHOWN: dict[str, tuple[Callable[[Any], Any], dict[str, object], list[str]]] = {
    "contramap_input": (lambda s: s.contramap_input(int, str), {"input": int}, []),
    "contramap_output": (lambda s: s.contramap_output(int, str), {"output": int}, []),
    "contramap_run": (
        lambda s: s.contramap_run(int, float, lambda _: GIVEN),
        {"input": int, "output": float},
        [],
    ),
    "contramap_run, expected": (
        lambda s: s.contramap_run(int, float, lambda _: GIVEN, expected=bytes),
        {"input": int, "output": float, "expected": bytes},
        [],
    ),
    "when": (lambda s: s.when(lambda _: True), {}, []),
    "map_score": (lambda s: s.map_score(abs), {}, ["map_score: pure"]),
    "map_score, scale": (lambda s: s.map_score(abs, scale=Scale(0, 9)), {"scale": Scale(0, 9)}, ["map_score: pure"]),
    "rescale": (lambda s: s.rescale(Scale(1, 5)), {"scale": Scale(1, 5)}, ["rescale: pure: from 0..1"]),
    "invert": (lambda s: s.invert(), {"better": "lower"}, ["invert: pure"]),
    "passing": (lambda s: s.passing(0.5), {}, ["passing: pure: at least 0.5"]),
    "map_reason": (lambda s: s.map_reason(str), {}, []),
    "map_fault": (lambda s: s.map_fault(str), {}, []),
    "named": (lambda s: s.named("n"), {"id": "n", "name": "n"}, []),
    "named, all": (
        lambda s: s.named("n", name="N", description="other"),
        {"id": "n", "name": "N", "description": "other"},
        [],
    ),
}


@pytest.mark.parametrize("how", SHOWN)
def test_an_adapted_scorer_says_all_that_it_said_before(how: str) -> None:
    """Steps, parts, judge, types, scale: only what the adapter is for is another, and its own step is added."""
    adapt, changed, added = SHOWN[how]
    before = whole()
    after = adapt(before)
    assert after.about == attrs.evolve(before.about, **changed)
    assert after.steps == (*before.steps, *(StepInfo(*step.split(": ")) for step in added))
    assert after.parts == before.parts
    assert [step.name for step in after.steps][:2] == ["a", "b"]


@pytest.mark.parametrize(
    "scorer", [create_scorer("e", input=str, output=str, better="lower").generate_score(pure(len))]
)
def test_turning_twice_is_not_turning(scorer: Any) -> None:
    """The good end is the first one again."""
    assert (scorer.better, scorer.invert().better, scorer.invert().invert().better) == ("lower", "higher", "lower")


def test_an_adapter_gives_its_scorer_what_its_function_makes() -> None:
    """Input, output, or the whole run; the others stay as they were."""
    seen: list[object] = []
    spy = create_scorer("s", input=str, output=str, expected=object).generate_score(
        pure(lambda s: float(seen.append((s.run.input, s.run.output, s.run.expected, s.run.run_id)) is None))
    )
    run = Run(1, 2, 3, run_id="r")
    for adapted in (
        spy.contramap_input(int, lambda n: f"in {n}"),
        spy.contramap_output(int, lambda n: f"out {n}"),
        spy.contramap_run(int, int, lambda run: Run(f"{run.input}", f"{run.output}", run.expected)),
    ):
        adapted.run_sync(run)
    assert seen == [("in 1", 2, 3, "r"), (1, "out 2", 3, "r"), ("1", "2", 3, "r")]


EITHER: list[tuple[Any, Any, list[str], str, object]] = [
    (fixed("a", 0.5, "so"), fixed("b", 1, "no"), ["a"], "", (0.5, "so")),
    (fixed("a", 0.5), failing("b"), ["a"], "", (0.5, None)),
    (failing("a"), fixed("b", 0.25, "no"), ["a", "b"], "", (0.25, "no")),
    (unscorable("a"), fixed("b", 0.25), ["a", "b"], "", (0.25, None)),
    (failing("a", "first"), failing("b", "second"), ["a", "b"], "b", Empty("second")),
    (failing("a", "first"), unscorable("b"), ["a", "b"], "a", Empty("first")),
    (unscorable("a"), failing("b", "second"), ["a", "b"], "b", Empty("second")),
    (unscorable("a", "first"), unscorable("b", "second"), ["a", "b"], "b", NotScorable("second")),
]


@pytest.mark.parametrize(("first", "second", "steps", "step", "came"), EITHER)
def test_a_fallback_has_everything_in_evidence(
    first: Any, second: Any, steps: list[str], step: str, came: object
) -> None:
    """Both ends as they were, in order, under the run's id; the reason is that of whoever scored."""
    result = first.or_else(second).run_sync(GIVEN)
    end = result.unwrap() if is_successful(result) else result.failure()
    assert (end.run_id, [record.step for record in end.steps]) == ("given", steps)
    assert [record.value for record in end.steps] == [
        part.unwrap() if is_successful(part) else part.failure()
        for part in (first.run_sync(GIVEN), second.run_sync(GIVEN))[: len(steps)]
    ]
    if step:
        assert (end.step, end.cause, end.score) == (step, came, None)
    else:
        assert (end.score, end.reason) == came


@pytest.mark.parametrize("late", [asking("a"), fixed("a", 0.5)], ids=["asks", "at once"])
def test_parts_ask_under_their_labels(late: Any) -> None:
    """First and second, so that a transcript of the whole tells them apart; each with its own exchanges."""
    answers = Answers(trouble=1.0)
    lost = late.map_score(lambda _: 2.0).or_else(asking("b", "again")).run_sync(GIVEN, answer=answers).failure()
    places = [said.request.place.partition("[")[0] for said in lost.exchanges]
    assert places == (["a", "b"] if answers.requests[1:] else ["b"])
    assert [len(record.exchanges) for record in lost.steps] == [len(places) - 1, 1]
    assert (lost.step, lost.run_id) == ("b", "given")


def test_a_pair_that_lacks_a_score_says_all_that_failed() -> None:
    """Label by label, with causes, and in one sentence."""
    lost = failing("a", "x").zip(failing("b", "y")).generate_score(lambda x, _: x.score).run_sync(GIVEN).failure()
    assert isinstance(lost.cause, PartsFailed)
    assert lost.cause.causes == (Empty("x"), Empty("y"))
    assert lost.cause.described() == "Parts gave no score: a: Empty(why='x'); b: Empty(why='y')"
    assert (lost.step, lost.run_id, lost.score) == ("zip", "given", None)


ZIPPED: list[tuple[Any, Callable[..., object], tuple[str, object]]] = [
    (fixed("b", 0.5), lambda x, y: x.score + y.score + 1, ("zip", InvalidScore("2.0", "outside 0..1"))),
    (fixed("b", 0.5), lambda *_: float("nan"), ("zip", InvalidScore("nan", "not finite"))),
    (unscorable("b", "empty"), lambda *_: 1, ("zip", NotScorable("b: empty"))),
]


@pytest.mark.parametrize(("second", "f", "told"), ZIPPED)
def test_a_pair_whose_score_is_none_says_why(second: Any, f: Callable[..., object], told: object) -> None:
    """Off the scale, no number, not scorable: with both parts in evidence, and the run's id."""
    lost = fixed("a", 0.5).zip(second).generate_score(f).run_sync(GIVEN).failure()
    assert ((lost.step, lost.cause), lost.run_id, lost.score) == (told, "given", None)
    assert [record.step for record in lost.steps] == ["a", "b"]


def test_a_pair_whose_function_raises_says_so() -> None:
    """With both parts in evidence."""
    lost = fixed("a", 0.5).zip(fixed("b", 1)).generate_score(lambda *_: boom("")).run_sync(GIVEN).failure()
    assert (lost.step, lost.cause.raised.kind, lost.cause.raised.message) == ("zip", "ValueError", "boom")
    assert ([record.step for record in lost.steps], lost.run_id) == (["a", "b"], "given")


def test_a_pair_says_what_it_is() -> None:
    """Its id, scale and good end as given, else as of any scorer; its parts and their types."""
    first = create_scorer("a", input=str, output=object).generate_score(pure(lambda _: 1))
    pair = first.zip(fixed("b", 0.5))
    made = pair.generate_score(lambda x, y: x.score * y.score * 9, id="p", scale=Scale(0, 9), better="lower")
    assert (made.id, made.scale, made.better, made.about.output) == ("p", Scale(0, 9), "lower", str)
    assert made.run_sync(GIVEN).unwrap().score == 4.5
    plain = pair.generate_score(lambda x, y: x.score * y.score)
    assert (plain.id, plain.scale, plain.better) == ("zip(a, b)", Scale(), "higher")
    assert [(step.name, step.kind) for step in plain.steps] == [("a", "pure"), ("b", "pure"), ("zip", "pure")]
    assert plain.parts == (first, pair.second)
    assert [record.value for record in plain.run_sync(GIVEN).unwrap().steps][2] is None


@pytest.mark.parametrize(
    ("options", "why"), [({"why": "too short"}, "too short"), ({}, "the condition of a does not hold")]
)
def test_a_run_that_is_left_out_says_why(options: dict[str, str], why: str) -> None:
    """In the step `when`, for the reason that was given, under its id; nothing was begun."""
    lost = fixed("a", 0.5).when(lambda _: False, **options).run_sync(GIVEN).failure()
    assert (lost.step, lost.cause, lost.run_id) == ("when", NotScorable(why), "given")
    assert (lost.steps, lost.score) == ((), None)


@pytest.mark.parametrize("how", SHOWN)
def test_an_adapted_scorer_takes_runs_and_nothing_else(how: str) -> None:
    """As any scorer: what is no run is a mistake of the caller, told before anything is begun."""
    adapt, *_ = SHOWN[how]
    with pytest.raises(TypeError, match=r"^a Run is due, not int: Run\(input, output\)$"):
        adapt(whole()).run_sync(5)
