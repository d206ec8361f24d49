"""Adapting one scorer: its runs, its score, its reason, its faults."""

from __future__ import annotations

import pytest
from algebra.leaves import RUN, Answers, Empty, asking, failing, fixed

from scorewright import UNBOUNDED, DefinitionError, NotScorable, Run, Scale, create_scorer, err, pure
from scorewright.faults import InvalidScore, StepRaised

LONG = create_scorer("long", input=str, output=str).generate_score(pure(lambda s: min(1.0, len(s.run.output) / 100)))


def test_types_follow_the_adapted_side() -> None:
    """Rows are structured into what the adapted scorer takes."""
    about = LONG.contramap_input(int, str).contramap_output(list[str], "".join).about
    assert (about.input, about.output) == (int, list[str])
    whole = LONG.contramap_run(int, list[str], lambda run: Run("", run.output[0]), expected=float).about
    assert (whole.input, whole.output, whole.expected) == (int, list[str], float)


def test_a_run_that_is_made_keeps_the_id() -> None:
    """The evaluation belongs to the run that was given."""
    adapted = LONG.contramap_run(str, str, lambda run: Run(run.input, "x" * 50))
    run = Run("a", "b", run_id="r1")
    end = adapted.run_sync(run).unwrap()
    assert (end.run_id, end.score, run.output) == ("r1", 0.5, "b")


def test_an_adapter_that_raises_fails_that_run() -> None:
    """Nothing is raised, and the step is named."""
    lost = LONG.contramap_input(str, lambda s: s[99]).run_sync(RUN).failure()
    assert (lost.step, lost.run_id) == ("contramap_input", RUN.run_id)
    assert isinstance(lost.cause, StepRaised)
    lost = LONG.contramap_run(str, str, lambda _: "no run").run_sync(RUN).failure()
    assert isinstance(lost.cause, StepRaised)


def test_a_mapping_off_the_scale_is_a_fault_of_that_run() -> None:
    """The scale is held after the mapping, and what led there is kept."""
    lost = fixed("a", 0.75).map_score(lambda x: x * 2).run_sync(RUN).failure()
    assert lost.cause == InvalidScore("1.5", "outside 0..1")
    assert [step.step for step in lost.steps] == ["generate_score", "map_score"]
    assert fixed("a", 0.75).map_score(lambda x: x * 2, scale=Scale(0, 2)).run_sync(RUN).unwrap().score == 1.5
    nan = fixed("a", 0.75).map_score(lambda _: float("nan"), scale=UNBOUNDED).run_sync(RUN).failure()
    assert nan.cause == InvalidScore("nan", "not finite")


def test_rescale_and_invert_say_where_they_lead() -> None:
    """Scale and direction follow."""
    stars = fixed("a", 0.5).rescale(Scale(1, 5))
    assert (stars.run_sync(RUN).unwrap().score, stars.scale) == (3.0, Scale(1, 5))
    turned = fixed("toxicity", 0.25).invert()
    assert (turned.run_sync(RUN).unwrap().score, turned.better) == (0.75, "lower")
    free = create_scorer("n", input=str, output=str, scale=Scale(0, float("inf"))).generate_score(pure(lambda _: 3.0))
    assert (free.invert().run_sync(RUN).unwrap().score, free.invert().scale.high) == (-3.0, 0.0)
    none = free.map_score(lambda _: 0.0).invert()
    assert (str(none.run_sync(RUN).unwrap().score), str(none.scale.high)) == ("0.0", "0.0")
    with pytest.raises(DefinitionError, match="two scales with ends"):
        free.rescale()


def test_passing_follows_the_better_end() -> None:
    """The threshold itself passes, whichever end is good."""
    errors = create_scorer("e", input=str, output=str, scale=Scale(0, 10), better="lower")
    few = errors.generate_score(pure(lambda _: 3)).passing(3)
    assert (few.run_sync(RUN).unwrap().score, few.better, few.scale) == (1.0, "higher", Scale())
    assert fixed("a", 0.4).passing(0.5).run_sync(RUN).unwrap().score == 0.0
    for threshold in (1.5, float("nan")):
        with pytest.raises(DefinitionError, match="lies on the scale"):
            fixed("a", 0.5).passing(threshold)


def test_reasons_and_faults_are_mapped_where_they_are() -> None:
    """A missing reason stays missing, and what can befall any run stays what it is."""
    assert fixed("a", 1, "fine").map_reason(str.upper).run_sync(RUN).unwrap().reason == "FINE"
    assert fixed("a", 1).map_reason(str.upper).run_sync(RUN).unwrap().reason is None
    kept = fixed("a", 1, "fine").map_reason(lambda s: s[99]).run_sync(RUN).failure()
    assert (kept.score, kept.step) == (1.0, "map_reason")
    assert failing("a").map_fault(lambda fault: ("mine", fault)).run_sync(RUN).failure().cause == (
        "mine",
        Empty("empty"),
    )
    other = fixed("a", 1).when(lambda _: False).map_fault(lambda fault: ("mine", fault))
    assert isinstance(other.run_sync(RUN).failure().cause, NotScorable)


def test_when_asks_nothing_of_runs_it_leaves_out() -> None:
    """They are not scorable, for the reason given."""
    answers = Answers()
    lost = asking("a").when(lambda run: len(run.output) > 99, why="too short").run_sync(RUN, answer=answers).failure()
    assert (lost.cause, answers.requests) == (NotScorable("too short"), [])


@pytest.mark.parametrize("held", [None, 1, "yes", []])
def test_a_predicate_that_gives_no_bool_is_a_mistake(held: object) -> None:
    """A forgotten return must not pass for a condition that does not hold."""
    assert isinstance(fixed("a", 1).when(lambda _: held).run_sync(RUN).failure().cause, StepRaised)


def test_a_name_is_only_a_name() -> None:
    """Nothing else changes."""
    named = fixed("a", 1).named("b", description="what")
    assert (named.id, named.name, named.about.description) == ("b", "b", "what")
    assert named.run_sync(RUN) == fixed("a", 1).run_sync(RUN)


def test_zip_needs_both_and_scores_the_pair() -> None:
    """Scales need not agree; a part that fails fails the pair."""
    wide = create_scorer("w", input=str, output=str, scale=Scale(0, 100)).generate_score(pure(lambda _: 50))
    pair = fixed("a", 0.5, "so").zip(wide).generate_score(lambda x, y: x.score * y.score / 100)
    end = pair.run_sync(RUN).unwrap()
    assert (end.score, end.reason, [step.step for step in end.steps]) == (0.25, "a 0.5: so", ["a", "w", "zip"])
    lost = fixed("a", 0.5).zip(failing("b")).generate_score(lambda x, _: x.score).run_sync(RUN).failure()
    assert [label for label, _ in lost.cause.failures] == ["b"]


def test_or_else_says_the_failure_before_what_is_not_scorable() -> None:
    """An outage must not be counted as a run that could not be scored."""
    dropped = create_scorer("n", input=str, output=str).generate_score(lambda _: err(NotScorable("no claims")))
    for both in (failing("a").or_else(dropped), dropped.or_else(failing("a"))):
        assert both.run_sync(RUN).failure().cause == Empty("empty")
    assert dropped.or_else(dropped).run_sync(RUN).failure().cause == NotScorable("no claims")
    end = failing("a").or_else(fixed("b", 0.5)).run_sync(RUN).unwrap()
    assert end.record("a").value.cause == Empty("empty")
    assert end.record("b").value.score == 0.5


def test_the_fallback_is_not_begun_before_it_is_needed() -> None:
    """No call too many."""
    answers = Answers()
    fixed("a", 0.5).or_else(asking("b")).run_sync(RUN, answer=answers)
    assert answers.requests == []


def test_ok_is_not_touched() -> None:
    """A scorer that is adapted is left as it was."""
    before = LONG.run_sync(RUN)
    LONG.invert().map_reason(str).rescale(Scale(0, 9))
    assert LONG.run_sync(RUN) == before
