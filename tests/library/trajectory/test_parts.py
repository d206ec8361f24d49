"""Budgets, repetitions, failures and forbidden calls, each by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorewright import DefinitionError, NotScorable, Run, Scorer
from scorewright.agents import AgentInput, AgentRun, AgentUsage, answered, asked, assistant, called
from scorewright.library.trajectory import (
    Path,
    PathStep,
    Told,
    efficiency,
    forbidden_tools,
    path,
    redundancy,
    step_budget,
    time_budget,
    token_budget,
    tool_failures,
)


def run(
    *steps: PathStep | str, tokens: int | None = None, milliseconds: float | None = None
) -> Run[AgentInput, Told, None]:
    told: Told = Path(tuple(PathStep(each) if isinstance(each, str) else each for each in steps), tokens, milliseconds)
    return Run(asked("task"), told)


def scored(scorer: Scorer[AgentInput, Told], given: Run[AgentInput, Told, None]) -> tuple[float, str | None]:
    told = scorer.run_sync(given).unwrap()
    return told.score, told.reason


def agent(*steps: PathStep | str, tokens: int | None = None) -> PathStep:
    inner = tuple(PathStep(each) if isinstance(each, str) else each for each in steps)
    return PathStep("helper", kind="agent", steps=inner, tokens=tokens)


@pytest.mark.parametrize(("most", "score"), [(4, 1), (3, 1), (2, 0.5), (1, 0), (0, 0)])
def test_steps_beyond_a_budget_cost_in_proportion(most: int, score: float) -> None:
    """Three steps."""
    assert scored(step_budget(most), run("a", "b", "c")) == (score, f"3 steps of at most {most}")


def test_inner_steps_count_where_that_is_asked() -> None:
    """The steps of called agents."""
    given = run(agent("a", "b"))
    assert [scored(step_budget(1, nested=nested), given)[0] for nested in (False, True)] == [1, 0]


def test_tokens_are_those_of_all_agents() -> None:
    """The run's own, the agents' and the models'."""
    assert scored(token_budget(100), run(agent(tokens=60), tokens=90)) == (0.5, "150 tokens of at most 100")
    model = PathStep("gen", kind="model", tokens=40)
    assert scored(token_budget(100), run(model, agent(model))) == (1, "80 tokens of at most 100")


@pytest.mark.parametrize(
    "given",
    [run("a"), run(agent("a"), tokens=5), run(PathStep("gen", kind="model"), tokens=5), run()],
    ids=["none", "an agent's", "a model's", "no steps"],
)
def test_tokens_that_were_not_recorded_make_no_score(given: Run[AgentInput, Told, None]) -> None:
    """Those of one agent are missing, or all."""
    assert isinstance(token_budget(100).run_sync(given).failure().cause, NotScorable)


def test_the_time_is_the_runs_own_or_that_of_its_steps() -> None:
    """Where one of them is missing there is none."""
    slow, fast = PathStep("a", milliseconds=300), PathStep("b", milliseconds=500)
    assert scored(time_budget(1000), run(slow, fast))[0] == 1
    assert scored(time_budget(1000), run(slow, milliseconds=1500)) == (0.5, "1500 ms of at most 1000 ms")
    for given in (run(slow, "b"), run()):
        assert isinstance(time_budget(1000).run_sync(given).failure().cause, NotScorable)


def test_efficiency_is_the_mean_of_what_is_looked_at() -> None:
    """0.5 of the steps, 0.8 of the repetitions; and a budget that cannot be held makes no score."""
    given = run("a", "a", PathStep("b", {"x": 1}))
    assert scored(efficiency(max_steps=2), given)[0] == pytest.approx(0.65)
    assert scored(efficiency(max_steps=2, repeats=False), given)[0] == 0.5
    assert scored(efficiency(), given)[0] == 0.8
    assert isinstance(efficiency(max_tokens=5).run_sync(given).failure().cause, NotScorable)


def test_a_repetition_has_the_same_arguments() -> None:
    """In whatever order its keys stand, 1 being 1.0; another call between the two is a matter of `anywhere`."""
    one, again = PathStep("a", {"x": 1, "y": 2}), PathStep("a", {"y": 2.0, "x": 1.0})
    other = PathStep("a", {"x": True, "y": 2})
    assert scored(redundancy(), run(one, again))[1] == 'step 2 repeats step 1: a({"y": 2.0, "x": 1.0})'
    assert scored(redundancy(), run(one, other)) == (1, "no call was repeated")
    assert [scored(redundancy(anywhere=far), run(one, "b", again))[0] for far in (False, True)] == [1, 0.8]
    assert [scored(redundancy(nested=deep), run(agent(one, again)))[0] for deep in (False, True)] == [1, 0.8]
    assert scored(redundancy(), run(*["a"] * 9))[0] == 0
    assert scored(redundancy(), run(*[PathStep("gen", kind="model")] * 2))[0] == 1


def failing(name: str) -> PathStep:
    return PathStep(name, succeeded=False)


@pytest.mark.parametrize(
    ("steps", "score", "words"),
    [
        (["a", "b"], 1, "no tool failed"),
        ([failing("a"), "a"], 1, "a failed, 1 retry: in the end it succeeded"),
        ([failing("a"), failing("a"), failing("a"), failing("a"), "a"], 0.6, "a failed, 4 retries"),
        ([failing("a"), "b"], 1, "a failed, 0 retries: it did not succeed, b was called instead"),
        ([failing("a"), failing("b"), "c"], 1, "a failed"),
        (["c", failing("a")], 0.8, "a failed, 0 retries: it did not succeed, and nothing did after it"),
        ([failing("a"), failing("b"), failing("c")], 0.4, "a failed"),
        ([PathStep("a", succeeded=None)], 1, "no tool failed"),
        ([failing("a"), PathStep("gen", kind="model"), "a"], 1, "1 retry"),
    ],
)
def test_failures_are_told_and_counted(steps: list[PathStep | str], score: float, words: str) -> None:
    """Retries beyond two, and failures that nothing made good."""
    found, reason = scored(tool_failures(), run(*steps))
    assert found == pytest.approx(score)
    assert words in (reason or "")


def test_the_limit_of_retries_and_the_depth_can_be_said() -> None:
    """None allowed; and those of called agents."""
    given = run(agent(failing("a"), "a"))
    assert scored(tool_failures(max_retries=0, nested=True), given)[0] == 0.8
    assert scored(tool_failures(max_retries=0), given)[0] == 1


def test_what_is_forbidden_is_found_at_any_depth() -> None:
    """With its place; an agent can be forbidden too, and a sequence is one only where nothing comes between."""
    given = run("search", agent("read", agent("delete")))
    assert scored(forbidden_tools(["delete"]), given) == (0, "step 2.2.1 calls delete, which is forbidden")
    assert scored(forbidden_tools(["delete"], nested=False), given) == (1, "nothing forbidden was called")
    assert scored(forbidden_tools(["helper"], nested=False), given)[0] == 0
    chain = forbidden_tools(sequences=[["escalate", "admin"]])
    assert scored(chain, run("escalate", "x", "admin"))[0] == 1
    assert scored(chain, run("x", "escalate", "admin"))[1] == "from step 2 on escalate → admin, which is forbidden"
    assert scored(chain, run(agent("escalate", "admin")))[1] == "from step 1.1 on escalate → admin, which is forbidden"
    assert scored(forbidden_tools(sequences=[[]]), given)[0] == 1


def test_a_path_knows_what_a_whole_run_knows() -> None:
    """Tokens, times, and the agents that were called, in their calls or beside them."""
    sub = AgentRun(output=answered(assistant(called("look", result=1))), called_by="c1", usage=AgentUsage(5, 6))
    loose = AgentRun(agent_name="second", status="error", started_at=0, ended_at=2_000_000)
    whole = AgentRun(
        output=answered(assistant(called("helper", result="done", id="c1"), called("t", kind="mcp", error="no"))),
        sub_runs=(sub, loose),
        usage=AgentUsage(1, 2),
        started_at=1_000_000,
        ended_at=4_000_000,
    )
    told = path(whole)
    assert (told.tokens, told.milliseconds, told.names) == (3, 3.0, ("helper", "t", "second"))
    assert [(each.kind, each.succeeded, each.tokens) for each in told.steps] == [
        ("agent", True, 11),
        ("mcp", False, None),
        ("agent", False, None),
    ]
    assert told.steps[0].steps == (PathStep("look", {}, 1),)
    assert told.steps[2].milliseconds == 2.0


def test_what_the_user_did_is_no_step_of_the_agent() -> None:
    """Nor is a call that is still being written."""
    from scorewright.agents import ToolInvocation, user

    output = answered(user(called("mine", result=1)), assistant(ToolInvocation("half", state="partial_call")))
    assert path(output).steps == ()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: step_budget(-1), "from 0"),
        (lambda: step_budget(True), "from 0"),
        (lambda: token_budget(float("nan")), "finite"),
        (lambda: time_budget("1 s"), "finite number"),
        (lambda: step_budget(1, nested=1), "True or False"),
        (lambda: efficiency(repeats=False), "something to look at"),
        (lambda: efficiency(max_steps=-1), "efficiency(max_steps=…)"),
        (lambda: redundancy(anywhere=1), "True or False"),
        (lambda: tool_failures(max_retries=-1), "from 0"),
        (forbidden_tools, "forbids something"),
        (lambda: forbidden_tools("delete"), "list of texts"),
        (lambda: forbidden_tools(["a"], sequences=["ab"]), "list of texts"),
        (lambda: forbidden_tools(["a"], sequences=None), "takes a list"),
    ],
)
def test_a_wrong_definition_raises(make: Callable[[], object], words: str) -> None:
    """Where it is written, with how to mend it."""
    with pytest.raises(DefinitionError) as mistake:
        make()
    assert words in str(mistake.value)


def test_ids_carry_their_parameters() -> None:
    """So that two of them never collide."""
    made = [
        step_budget(1),
        step_budget(2),
        step_budget(1, nested=True),
        redundancy(),
        redundancy(anywhere=True),
        tool_failures(),
        tool_failures(max_retries=1),
        forbidden_tools(["a"]),
        forbidden_tools(["b"]),
        forbidden_tools(["a"], sequences=[["a", "b"]]),
        efficiency(max_steps=1),
        efficiency(max_tokens=1),
    ]
    assert len({each.id for each in made}) == len(made)


@pytest.mark.parametrize("taken", [-1.0, float("nan"), float("inf")])
def test_a_time_that_nothing_can_take_was_not_recorded(taken: float) -> None:
    """Of the run or of a step: there is no score, neither a good one nor a bad one."""
    for told in (Path((PathStep("a"),), milliseconds=taken), Path((PathStep("a", milliseconds=taken),))):
        run = Run(asked("?"), told)
        assert isinstance(time_budget(10).run_sync(run).failure().cause, NotScorable)


def test_a_count_below_zero_was_not_recorded() -> None:
    """Of the run or of a step, whatever the others sum up to."""
    for told in (Path((PathStep("a"),), tokens=-1), Path((PathStep("a", tokens=-1), PathStep("b", tokens=5)))):
        assert isinstance(token_budget(10).run_sync(Run(asked("?"), told)).failure().cause, NotScorable)
