"""`trajectory_match`: senses, matchers, references, reasons, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from typing_extensions import TypeForm

from scorewright import DefinitionError, NotScorable, Run
from scorewright.agents import (
    AgentInput,
    AgentRun,
    AgentScorer,
    Trajectory,
    TrajectoryScorer,
    TrajectoryStep,
    answered,
    asked,
    assistant,
    called,
)
from scorewright.faults import InvalidRun
from scorewright.library.tools import tool_call_f1
from scorewright.library.trajectory import (
    Expectation,
    Path,
    PathStep,
    Told,
    anything,
    for_runs,
    ignoring_case,
    near,
    partial,
    pattern,
    step,
    together,
    trajectory_match,
    trajectory_score,
    where,
)
from scorewright.library.trajectory.expected import Expected
from scorewright.shapes.converter import structurer
from scorewright.traces import score_trace_sync


def run(*steps: PathStep | str) -> Run[AgentInput, Told, None]:
    told: Told = Path(tuple(PathStep(each) if isinstance(each, str) else each for each in steps))
    return Run(asked("task"), told)


@pytest.mark.parametrize(
    ("mode", "score"),
    [("strict", 0.0), ("in_order", 0.5), ("any_order", 1.0), ("superset", 1.0), ("subset", 2 / 3)],
)
def test_the_senses_differ(mode: str, score: float) -> None:
    """Expected b, a; called a, b, x."""
    scorer = trajectory_match(["b", "a"], mode=mode)  # type: ignore[call-overload]  # each of the modes
    assert scorer.run_sync(run("a", "b", "x")).unwrap().score == pytest.approx(score)


def test_a_step_too_many_costs_half_a_step_where_positions_count() -> None:
    """Two of two in position, and one more."""
    scorer = trajectory_match(["a", "b"], mode="strict")
    assert [scorer.run_sync(run(*"abx"[:size])).unwrap().score for size in (1, 2, 3)] == [0.5, 1.0, 0.75]


@pytest.mark.parametrize(
    ("expected", "good", "bad"),
    [
        (pattern("B.+"), ["Bern", "Basel"], ["bern", "B", 7, None, "Bern\n"]),
        (near(5, 0.5), [5, 5.5, 4.5], [5.6, "5", True, float("nan")]),
        (near(1, 1), [0, 2], [True, False]),
        (where(str.isdigit, name="digits"), ["12"], ["a"]),
        (ignoring_case("Pen"), ["pen", "PEN"], ["pencil", 1]),
        (anything, [None, 0, "x", {}], []),
        (partial({"a": 1}), [{"a": 1}, {"a": 1.0, "b": 2}], [{}, {"a": 2}, "a", [1]]),
        ({"a": [1, {"b": near(2, 1)}]}, [{"a": [1, {"b": 3}]}], [{"a": [1, {"b": 4}]}, {"a": [1]}, {"a": 1}]),
        (float("nan"), [float("nan")], [0.0, None]),
        (True, [True], [1, "True", 1.0]),
        (1, [1, 1.0], [True, "1", 2]),
        ([1, 2], [[1, 2], (1, 2)], [[2, 1], [1, 2, 3]]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_matcher_decides_for_its_argument(expected: object, good: list[object], bad: list[object]) -> None:
    """At any depth of the arguments."""
    scorer = trajectory_match([step("t", {"deep": {"x": expected}})])
    for value in [*good, *bad]:
        told = scorer.run_sync(run(PathStep("t", {"deep": {"x": value}}))).unwrap()
        assert told.score == (1 if any(value is each for each in good) else 0), value


def test_a_step_may_state_more_than_its_arguments() -> None:
    """Kind, result, end and details, each by itself; what is not stated is not looked at."""
    found = PathStep("t", {"a": 1}, {"n": 2}, "mcp", True, details={"server": "s1", "more": 1})
    good = [
        step("t", kind="mcp"),
        step("t", result={"n": 2.0}),
        step("t", result=partial({})),
        step("t", succeeded=True),
        step("t", details={"server": "s1"}),
        "t",
    ]
    bad = [
        step("t", kind="tool"),
        step("t", result=None),
        step("t", succeeded=False),
        step("t", details={"server": "s2"}),
        step("T"),
    ]
    for one in [*good, *bad]:
        assert trajectory_match([one]).run_sync(run(found)).unwrap().score == (one in good)


def test_each_mismatch_is_explained() -> None:
    """What was expected, what was found, and at which step."""
    path = run(
        PathStep("search", {"q": "Bern", "n": 5}), PathStep("open", {"page": 2}), PathStep("open", {"page": 2}), "drop"
    )

    def reason(*steps: Expected, **options: object) -> str:
        make: Callable[..., AgentScorer] = trajectory_match
        return make(list(steps), **options).run_sync(path).unwrap().reason or ""

    assert reason("search", step("open", {"page": 3}), "save") == (
        "1 of 3 expected steps found (in_order, 4 in the run); "
        'expected step 2, open({"page": 3}): in step 2 $.page: expected 3, found 2; '
        "expected step 3, save, was not called"
    )
    assert "expected step 2, search, was called out of order, as step 1" in reason("open", "search")
    assert "expected step 3, open, was called only 2 of 3 times" in reason("open", "open", "open")
    assert "not expected: open (step 3), drop (step 4)" in reason("search", "open", mode="strict")
    assert "expected step 2, save, was not called: step 2 is open" in reason("search", "save", mode="strict")
    assert reason("search", allow_repeats=False).endswith("repeated: open")
    assert "no steps were expected: search (step 1)" in reason()
    assert 'in part: in step 1 $.q: expected "x", found "Bern"' in reason(
        step("search", {"q": "x", "n": 5}), credit="arguments"
    )
    many = reason(*[f"t{at}" for at in range(9)])
    assert many.count("was not called") == 5
    assert many.endswith("; 4 more")


def test_the_reference_of_the_run_may_say_what_is_expected() -> None:
    """A trajectory, arguments and all; or an expectation with steps. Anything else is an invalid run."""
    scorer = trajectory_match()
    wanted = Trajectory((TrajectoryStep("search", {"q": "Bern"}),))
    found = run(PathStep("search", {"q": "Bern"}))
    assert scorer.run_sync(found.with_expected(wanted)).unwrap().score == 1
    assert scorer.run_sync(run("search").with_expected(wanted)).unwrap().score == 0
    told = tool_call_f1().run_sync(found.with_expected(wanted)).unwrap()
    assert told.score == 1
    for other in (Expectation(max_steps=1), "search"):
        cause = scorer.run_sync(found.with_expected(other)).failure().cause  # type: ignore[arg-type]  # one is no reference
        assert cause == InvalidRun("$.expected", "expected a Trajectory, or an Expectation with steps")


def test_references_can_be_read_out_of_rows() -> None:
    """As the command line reads them: an expectation, its steps as objects."""
    read = structurer(cast("TypeForm[object]", trajectory_match().about.expected))
    told = read({"steps": [{"name": "search", "args": {"q": "Bern"}}]}).unwrap()
    assert told == Expectation(steps=[step("search", {"q": "Bern"})])
    whole = structurer(cast("TypeForm[object]", trajectory_score().about.expected))
    inside = {"steps": [{"name": "helper", "inside": {"max_steps": 3}}], "forbidden_tools": ["drop"]}
    assert whole(inside).unwrap() == Expectation(
        steps=[step("helper", inside=Expectation(max_steps=3))], forbidden_tools=("drop",)
    )


def test_whole_runs_are_scored_from_traces() -> None:
    """`for_runs` takes what `score_trace` gives."""
    whole = AgentRun(asked("?"), answered(assistant(called("search", result=1)), "Found."))
    assert score_trace_sync(for_runs(trajectory_match(["search"])), whole).unwrap().score == 1


def test_one_scorer_for_runs_outputs_and_trajectories() -> None:
    """It is an agent scorer and a trajectory scorer, and takes whole runs."""
    as_agents: AgentScorer = trajectory_match(["search"])
    as_paths: TrajectoryScorer = trajectory_match(["search"])
    output = answered(assistant(called("search", result=1)), "Found.")
    whole = AgentRun(asked("?"), output)
    trajectory = Trajectory((TrajectoryStep("search"),))
    scores = [
        as_agents.run_sync(Run(asked("?"), output)).unwrap().score,
        as_paths.run_sync(Run(asked("?"), trajectory, trajectory)).unwrap().score,
        trajectory_match(["search"]).run_sync(whole.run.with_output(whole)).unwrap().score,
    ]
    assert scores == [1, 1, 1]


def test_what_was_not_captured_is_not_scorable() -> None:
    """It is not a run without calls."""
    silent = AgentRun(content="not_captured")
    cause = trajectory_match([]).run_sync(silent.run.with_output(silent)).failure().cause
    assert isinstance(cause, NotScorable)


def test_groups_take_part_in_an_order() -> None:
    """What is together has no order; before and after it there is one."""
    scorer = trajectory_match(["plan", together("rate", "weather"), "answer"])
    good, late, split = (
        ["plan", "weather", "x", "rate", "answer"],
        ["weather", "plan", "rate", "answer"],
        ["answer", "plan", "weather", "rate"],
    )
    assert [scorer.run_sync(run(*steps)).unwrap().score for steps in (good, late, split)] == [1.0, 0.75, 0.75]


def test_what_is_too_large_is_refused() -> None:
    """With the limit."""
    path = run(*["a"] * 1001)
    cause = trajectory_match(["a"] * 1000).run_sync(path).failure().cause
    assert cause == InvalidRun("$.output", "1001000 pairs of steps are more than the 250000 that are compared")
    assert isinstance(trajectory_match([together("a", "b")]).run_sync(path).failure().cause, InvalidRun)
    assert isinstance(tool_call_f1(["a"] * 1000).run_sync(path).failure().cause, InvalidRun)


def test_f1_weighs_both_sides() -> None:
    """2 · 1 / (2 + 3); a step that is no call does not count."""
    told = tool_call_f1(["a", "b"]).run_sync(run("a", "x", "y", PathStep("gen", kind="model"))).unwrap()
    assert told.score == 0.4
    assert (told.reason or "").endswith("1 of 3 calls were expected")
    assert tool_call_f1([]).run_sync(run()).unwrap().score == 1


def test_ids_carry_what_is_expected() -> None:
    """Two that expect something else never share one; matchers are known by their names."""
    made = [
        trajectory_match(["a"]),
        trajectory_match(["a", "b"]),
        trajectory_match(["a"], mode="strict"),
        trajectory_match(["a"], allow_repeats=False),
        trajectory_match([step("a", {"q": 1})]),
        trajectory_match([step("a", {"q": near(1, 1)})]),
        trajectory_match([step("a", {"q": where(str.isdigit)})]),
        trajectory_match([step("a", partial({"q": 1}))]),
        trajectory_match([step("a" * 200)]),
        trajectory_match([step("a" * 201)]),
        trajectory_match([together("a")]),
        trajectory_match(),
    ]
    assert len({each.id for each in made}) == len(made)
    assert trajectory_match([step("a", {"x": 1, "y": 2})]).id == trajectory_match([step("a", {"y": 2, "x": 1})]).id


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: trajectory_match("search"), "not one name"),
        (lambda: trajectory_match([7]), 'a step is a name, step("search", …) or together(…)'),
        (lambda: trajectory_match(["a"], mode="relaxed"), "'in_order'"),
        (lambda: trajectory_match(["a"], credit="some"), "'arguments'"),
        (lambda: trajectory_match(["a"], allow_repeats=1), "True or False"),
        (lambda: trajectory_match(["a"], places=-1), "places="),
        (lambda: tool_call_f1(["a"], credit="some"), "'whole'"),
        (lambda: step(""), "not blank"),
        (together, "at least one"),
        (lambda: where(lambda _: True), "needs a name"),
        (lambda: where(7), "takes a function"),
        (lambda: pattern("("), "regular expression"),
        (lambda: near(float("nan"), 1), "finite"),
        (lambda: near(1, -1), "at least 0"),
        (lambda: ignoring_case(7), "takes a text"),
        (lambda: partial([1]), "takes an object"),
        (lambda: Expectation(max_steps=-1), "from 0"),
        (lambda: Expectation(max_tokens=float("inf")), "finite"),
        (lambda: Expectation(mode="relaxed"), "mode="),
        (lambda: Expectation(forbidden_tools="drop"), "list of texts"),
        (lambda: Expectation(forbidden_sequences=7), "takes a list"),
        (lambda: Expectation(redundancy="no"), "True or False"),
        (lambda: trajectory_match({}), "takes a list"),
        (lambda: step("a", kind=7), "takes a text"),
        (lambda: step("a", succeeded="yes"), "True or False"),
        (lambda: step("a", details=[1]), "takes an object"),
        (lambda: step("a", inside=["b"]), "takes an Expectation"),
        (lambda: together(7), "takes names"),
    ],
)
def test_a_wrong_definition_raises(make: Callable[[], object], words: str) -> None:
    """Where it is written, with how to mend it."""
    with pytest.raises(DefinitionError) as mistake:
        make()
    assert words in str(mistake.value)
