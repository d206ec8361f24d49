"""`trajectory_score`: dimensions weighed, agents inside, expectations of the run."""

from __future__ import annotations

import pytest

from scorewright import DefinitionError, NotScorable, Run
from scorewright.agents import AgentInput, asked
from scorewright.faults import InvalidRun
from scorewright.library.trajectory import Expectation, Path, PathStep, Told, Weights, step, trajectory_score


def run(*steps: PathStep | str) -> Run[AgentInput, Told, None]:
    told: Told = Path(tuple(PathStep(each) if isinstance(each, str) else each for each in steps))
    return Run(asked("task"), told)


def agent(*steps: PathStep | str) -> PathStep:
    return PathStep(
        "helper", kind="agent", steps=tuple(PathStep(each) if isinstance(each, str) else each for each in steps)
    )


def score(expected: Expectation, *steps: PathStep | str, weights: Weights | None = None) -> float:
    return trajectory_score(expected, weights=weights).run_sync(run(*steps)).unwrap().score


def test_only_what_is_expected_is_weighed() -> None:
    """Accuracy 0.4 and efficiency 0.3, by their proportion; without expectations, failures alone."""
    assert score(Expectation(steps=("a", "b"), max_steps=1), "a", "c") == pytest.approx((0.4 * 0.5 + 0.3 * 0.5) / 0.7)
    assert score(Expectation(steps=("a", "b")), "a", "c") == 0.5
    assert score(Expectation(), "a", "c") == 1


def test_the_weights_can_be_said() -> None:
    """Accuracy three times efficiency."""
    expected = Expectation(steps=("a", "b"), max_steps=1)
    assert score(expected, "a", "b", weights=Weights(3, 1)) == pytest.approx((3 * 1 + 0.5) / 4)


def test_what_is_forbidden_takes_all() -> None:
    """However good the rest is, and inside called agents too."""
    expected = Expectation(steps=("a",), forbidden_tools=("drop",))
    assert [score(expected, *steps) for steps in (["a"], ["a", "drop"], ["a", agent("drop")])] == [1, 0, 0]


def test_failures_lower_a_score_and_do_not_raise_that_of_missed_steps() -> None:
    """Four retries cost; one that is allowed gives nothing."""
    failed = PathStep("a", succeeded=False)
    expected = Expectation(steps=("a", "b"))
    assert score(expected, failed, "a") == 0.5 == score(expected, "a")
    assert score(expected, *[failed] * 4, "a", "b") == pytest.approx((0.4 * 1 + 0.2 * 0.6) / 0.6)
    assert score(expected, *[failed] * 4, "a", "b", weights=Weights(failures=0)) == 1


def test_agents_that_are_called_have_expectations_of_their_own() -> None:
    """0.7 of the run and 0.3 of its agents; one that was not called scores 0, with a reason."""
    inner = Expectation(steps=("search", "read"))
    expected = Expectation(steps=(step("helper", inside=inner), "save"))
    assert score(expected, agent("search", "read"), "save") == 1
    assert score(expected, agent("search"), "save") == pytest.approx(0.7 + 0.3 * 0.5)
    told = trajectory_score(expected).run_sync(run("save")).unwrap()
    assert told.score == pytest.approx(0.7 * 0.5)
    assert "helper, of which something is expected, was not called" in (told.reason or "")


def test_two_agents_of_one_name_are_told_apart_by_their_order() -> None:
    """Each expectation takes the first call that is left."""
    expected = Expectation(
        steps=(
            step("helper", inside=Expectation(steps=("search",))),
            step("helper", inside=Expectation(steps=("read",))),
        )
    )
    assert [score(expected, agent("search"), agent("read")), score(expected, agent("read"), agent("search"))] == [
        1,
        0.7,
    ]


def test_two_agents_of_one_name_are_told_apart_by_their_arguments() -> None:
    """Where these are stated; an agent that was called otherwise takes nobody's place."""

    def told(task: int, *steps: str) -> PathStep:
        return PathStep("helper", {"task": task}, kind="agent", steps=tuple(map(PathStep, steps)))

    first = step("helper", {"task": 1}, inside=Expectation(steps=("search",)))
    second = step("helper", {"task": 2}, inside=Expectation(steps=("read",)))
    assert score(Expectation(steps=(first, second), mode="any_order"), told(2, "read"), told(1, "search")) == 1
    assert score(Expectation(steps=(first,)), told(9), told(1, "search")) == 1
    assert score(Expectation(steps=(first,)), told(9, "search")) == pytest.approx(0.3)


def test_what_is_forbidden_to_one_agent_is_forbidden_to_it_alone() -> None:
    """And takes all where that agent calls it."""
    inner = Expectation(forbidden_tools=("drop",))
    expected = Expectation(steps=(step("helper", inside=inner), "drop"))
    assert score(expected, agent("read"), "drop") == 1
    assert score(expected, agent("drop"), "drop") == 0


def test_the_run_may_bring_its_own_expectation() -> None:
    """It comes first in all that it states; the rest stays."""
    scorer = trajectory_score(Expectation(steps=("a",), forbidden_tools=("drop",)))
    told = run("b", "drop")
    own = Expectation(steps=("b",))
    assert scorer.run_sync(run("b").with_expected(own)).unwrap().score == 1
    assert scorer.run_sync(told.with_expected(own)).unwrap().score == 0
    assert scorer.run_sync(told.with_expected(Expectation(steps=("b",), forbidden_tools=()))).unwrap().score == 1
    assert own.over(Expectation(steps=("a",), max_steps=3)) == Expectation(steps=("b",), max_steps=3)


def test_an_expectation_that_cannot_be_is_an_invalid_run() -> None:
    """Of another type, or with nothing left to weigh."""
    scorer = trajectory_score(Expectation(max_steps=1), weights=Weights(accuracy=0, efficiency=1))
    wrong = run("a").with_expected("a")
    assert isinstance(scorer.run_sync(wrong).failure().cause, InvalidRun)  # type: ignore[arg-type]  # the mistake
    only = trajectory_score(weights=Weights(accuracy=0)).run_sync(run("a").with_expected(Expectation(steps=("a",))))
    assert isinstance(only.failure().cause, InvalidRun)


def test_a_budget_that_cannot_be_held_makes_no_score() -> None:
    """It is not left out in silence, at whatever level."""
    expected = Expectation(steps=("a",), max_tokens=5)
    assert isinstance(trajectory_score(expected).run_sync(run("a")).failure().cause, NotScorable)
    inner = Expectation(steps=(step("helper", inside=Expectation(max_milliseconds=5)),))
    assert isinstance(trajectory_score(inner).run_sync(run(agent("a"))).failure().cause, NotScorable)


def test_the_parts_are_in_evidence() -> None:
    """Every dimension is a scorer with a record of its own."""
    scorer = trajectory_score(Expectation(steps=("a",), max_steps=3, forbidden_tools=("drop",)))
    told = scorer.run_sync(run("a")).unwrap()
    assert told.record("level").value.score == 1  # type: ignore[attr-defined]  # a part's evaluation
    for part in ("trajectory_match([a])", "efficiency(max_steps=3)", "forbidden_tools(['drop'])"):
        assert part in (told.reason or "")


def test_wrong_definitions_are_refused() -> None:
    """With the way to mend them."""
    with pytest.raises(DefinitionError, match="takes an Expectation"):
        trajectory_score(["a"])  # type: ignore[arg-type]  # the mistake
    with pytest.raises(DefinitionError, match=r"takes Weights"):
        trajectory_score(weights={})  # type: ignore[arg-type]  # the mistake
    with pytest.raises(DefinitionError, match="at least one weight above 0"):
        trajectory_score(Expectation(steps=("a",)), weights=Weights(accuracy=0))
    with pytest.raises(DefinitionError, match="finite and at least 0"):
        Weights(efficiency=float("nan"))
