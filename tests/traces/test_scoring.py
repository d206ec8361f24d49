"""Scorers on traces: one span, many traces, and what is told of each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful
from returns.result import Result
from traces.agent_runs import runs

from scorewright import DefinitionError, Judge, NotScorable, create_scorer, err, ok, pure, pure_async, score_prompt
from scorewright.agents import (
    AgentInput,
    AgentOutput,
    AgentRun,
    AgentScorer,
    Content,
    Trajectory,
    TrajectoryScorer,
    TrajectoryStep,
    answered,
    asked,
    assistant,
    called,
    create_agent_scorer,
    create_trajectory_scorer,
    tool_calls,
)
from scorewright.core import JudgeReply, JudgeRequest, Scorers
from scorewright.faults import InvalidRun, StepRaised
from scorewright.library.trajectory import trajectory_match
from scorewright.traces import (
    TraceFault,
    TraceScores,
    Unreadable,
    read_runs,
    score_trace,
    score_trace_sync,
    score_traces,
    score_traces_sync,
)
from scorewright.traces.targets import agents_in

MATHS = AgentRun(
    asked("2 times 3?"),
    answered(assistant(called("multiply", {"a": 2, "b": 3}, result=6, id="m1")), "6"),
    final_output="6",
    final_kind="text",
    span_id="inner",
    agent_name="maths",
    called_by="c1",
)
TRACE = AgentRun(
    asked("What are 2 times 3, and where is Graz?"),
    answered(
        assistant(called("ask_maths", {"question": "2 times 3?"}, result="6", id="c1")),
        assistant(called("locate", {"city": "Graz"}, error="no map", id="c2"), called("wait", id="c3")),
        "6. Where Graz is I cannot say.",
    ),
    final_output="6. Where Graz is I cannot say.",
    final_kind="text",
    span_id="outer",
    trace_id="t",
    agent_name="clerk",
    sub_runs=(MATHS,),
)

counting: AgentScorer = create_agent_scorer("calls").generate_score(
    pure(lambda step: len(tool_calls(step.run.output)) / 10)
)
path: TrajectoryScorer = create_trajectory_scorer("path").generate_score(
    pure(lambda step: step.run.output.names == step.run.expected.names)
)
length = create_scorer("length", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) / 100))
broken = create_agent_scorer("broken").generate_score(pure(lambda step: 1 / len(step.run.input.system_messages)))


@attrs.frozen
class Factors:
    a: int
    b: int


product = create_scorer("product", input=Factors, output=int).generate_score(
    pure(lambda step: step.run.output == step.run.input.a * step.run.input.b)
)


# One span


def test_a_trace_is_scored_at_its_root() -> None:
    """Without a span the run itself is what an agent scorer gets, ids and all."""
    whole = create_agent_scorer("whole").generate_score(
        pure(lambda step: (step.run.output, step.run.metadata["trace_id"]) == (TRACE.output, "t"))
    )
    assert score_trace_sync(whole, TRACE).unwrap().score == 1
    assert score_trace_sync(counting, TRACE).unwrap().score == 0.3


def test_a_nested_agent_is_scored_by_its_span() -> None:
    """However deep it was called."""
    deep = TRACE
    for level in range(500):
        deep = AgentRun(TRACE.input, answered("done"), span_id=f"level {level}", sub_runs=(deep,))
    assert score_trace_sync(counting, deep, "inner").unwrap().score == 0.1
    assert score_trace_sync(counting, deep, "outer").unwrap().score == 0.3


def test_a_trajectory_scorer_gets_the_trajectory() -> None:
    """Its reference is given beside the trace; without one there is nothing to score."""
    wanted = Trajectory((TrajectoryStep("ask_maths"), TrajectoryStep("locate"), TrajectoryStep("wait")))
    assert score_trace_sync(path, TRACE, expected=wanted).unwrap().score == 1
    assert score_trace_sync(path, TRACE, "inner", expected=wanted).unwrap().score == 0
    [unscored] = score_traces_sync([path], [TRACE]).not_scorable
    assert unscored.result.failure().cause == NotScorable("the run has no reference answer")


def test_a_scorer_of_any_of_several_gets_what_tells_most() -> None:
    """Of a union, as the scorers of paths take it, the whole run is given, or else what of it is there."""
    seen: list[object] = []

    def look(value: object) -> float:
        seen.append(value)
        return 1.0

    for form in (Trajectory | AgentOutput | AgentRun, AgentOutput | Trajectory, str | Trajectory):
        scorer = create_scorer("any", input=AgentInput, output=form).generate_score(pure(lambda s: look(s.run.output)))
        assert score_trace_sync(scorer, TRACE).unwrap().score == 1
    assert [type(value) for value in seen] == [AgentRun, AgentOutput, Trajectory]
    assert score_trace_sync(trajectory_match([]), TRACE).unwrap().score is not None


def test_a_plain_scorer_gets_the_words_of_an_agent() -> None:
    """What the user said, and the final answer."""
    both = create_scorer("both", input=str, output=str).generate_score(
        pure(lambda step: (step.run.input, step.run.output) == ("2 times 3?", "6"))
    )
    assert score_trace_sync(both, TRACE, "inner").unwrap().score == 1
    assert score_trace_sync(length, TRACE).unwrap().score == len("6. Where Graz is I cannot say.") / 100


def test_a_plain_scorer_gets_what_a_tool_took_and_gave() -> None:
    """Read as the scorer's own types, a tool call of a called agent too."""
    assert score_trace_sync(product, TRACE, "m1").unwrap().score == 1
    failure = score_trace_sync(product, TRACE, "c1").failure()
    assert isinstance(failure.cause, InvalidRun)
    assert failure.step == "trace"
    assert failure.cause.path.startswith("$.input")


def test_text_is_made_of_what_is_no_text() -> None:
    """A scorer of text reads arguments, structured outputs and results as JSON."""
    texts = create_scorer("texts", input=str, output=str).generate_score(
        pure(lambda step: (step.run.input, step.run.output) == ('{"a": 2, "b": 3}', "6"))
    )
    assert score_trace_sync(texts, TRACE, "m1").unwrap().score == 1
    structured = attrs.evolve(TRACE, final_output={"n": 6}, final_kind="structured")
    assert score_trace_sync(length, structured).unwrap().score == len('{"n": 6}') / 100


@pytest.mark.parametrize(("span", "why"), [("c2", "failed"), ("c3", "recorded")])
def test_a_call_without_a_result_is_not_scorable(span: str, why: str) -> None:
    """Whether it failed or was never seen to end; and an agent scorer has no use for a tool call at all."""
    cause = score_trace_sync(length, TRACE, span).failure().cause
    assert isinstance(cause, NotScorable)
    assert why in cause.reason
    assert isinstance(score_trace_sync(counting, TRACE, span).failure().cause, NotScorable)


def test_a_run_without_an_answer_is_not_scorable_by_its_words() -> None:
    """The agent scorer, which looks at the calls, scores it all the same."""
    mute = attrs.evolve(TRACE, final_output=None, final_kind="none")
    assert score_trace_sync(length, mute).failure().cause == NotScorable("the run has no final answer")
    assert score_trace_sync(counting, mute).unwrap().score == 0.3


@pytest.mark.parametrize("span", ["nowhere", ""])
def test_a_span_that_is_not_there_fails(span: str) -> None:
    """An id that was mistyped is no run without a score; an empty one is no id."""
    cause = score_trace_sync(counting, attrs.evolve(TRACE, id=""), span).failure().cause
    assert isinstance(cause, InvalidRun)
    assert "'outer', 'inner'" in cause.why


@pytest.mark.parametrize("content", ["not_captured", "redacted"])
def test_content_that_was_not_captured_is_never_a_zero(content: Content) -> None:
    """By no kind of scorer, and in no span of the run."""
    lost = attrs.evolve(TRACE, content=content)
    for scorer in (counting, length, broken):
        assert isinstance(score_trace_sync(scorer, lost).failure().cause, NotScorable)
    assert isinstance(score_trace_sync(length, lost, "c1").failure().cause, NotScorable)
    assert is_successful(score_trace_sync(counting, lost, "inner"))
    assert len(score_traces_sync([counting, length], [lost]).not_scorable) == 2


def test_real_spans_without_content_are_not_scorable() -> None:
    """Spans of an instrumentation that leaves the content out, as most do unless they are told."""
    span = {
        "traceId": "a" * 32,
        "spanId": "b" * 16,
        "name": "chat",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}],
    }
    told = score_traces_sync([counting], read_runs({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}))
    assert [each.outcome for each in told.scores] == ["not_scorable"]


# Many traces


def test_every_target_has_an_outcome() -> None:
    """Scored, not scorable and failed, in the order of the traces; nothing is only logged."""
    lost = attrs.evolve(TRACE, content="not_captured", span_id="lost")
    told = score_traces_sync(Scorers(counting, broken), [TRACE, lost])
    assert [(each.span_id, each.scorer, each.outcome) for each in told.scores] == [
        ("outer", "calls", "scored"),
        ("outer", "broken", "failed"),
        ("lost", "calls", "not_scorable"),
        ("lost", "broken", "not_scorable"),
    ]
    [failed] = told.failed
    assert isinstance(failed.result.failure().cause, StepRaised)
    assert (failed.trace_id, failed.name, failed.score) == ("t", "clerk", None)
    assert [each.score for each in told.of("calls").scored] == [0.3]


def test_called_agents_are_targets_when_asked_for() -> None:
    """A caller before those it called."""
    told = score_traces_sync([counting], [TRACE], nested=True)
    assert [(each.span_id, each.score) for each in told.scores] == [("outer", 0.3), ("inner", 0.1)]


def test_a_trace_that_cannot_be_read_is_told() -> None:
    """`score_traces` takes what `read_runs` gives, and the other traces are scored."""
    traces: list[Result[AgentRun, TraceFault]] = [err(Unreadable("a.json:1", "not JSON")), ok(TRACE)]
    told = score_traces_sync([counting], traces)
    assert told.unread == (Unreadable("a.json:1", "not JSON"),)
    assert len(told.scored) == 1


def test_a_wrong_call_raises() -> None:
    """Two scorers of one id, no scorer at all, a type that no JSON can be, no concurrency."""
    with pytest.raises(DefinitionError, match="two scorers have the id 'calls'"):
        score_traces_sync([counting, length.named("calls")], [TRACE])
    with pytest.raises(DefinitionError, match="concurrency"):
        score_traces_sync([counting], [TRACE], concurrency=0)
    odd = create_scorer("odd", input=complex, output=str).generate_score(pure(lambda _: 1))
    with pytest.raises(DefinitionError):
        score_trace_sync(odd, TRACE)


@attrs.define
class Counted:
    """Answers 0.5, and counts how many wait at once."""

    now: int = 0
    most: int = 0
    asked: int = 0

    async def answer(self, _: JudgeRequest, /) -> JudgeReply:
        self.now += 1
        self.asked += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.now -= 1
        return JudgeReply(ok('{"score": 0.5}'))


def judged(id: str) -> AgentScorer:
    return create_agent_scorer(id, judge=Judge("openai/gpt-4o-mini")).generate_score(
        score_prompt(lambda step: f"{id}: {step.run.output}")
    )


def test_judges_wait_side_by_side_up_to_a_limit() -> None:
    """Runs that ask share one answerer; plain scorers among them keep their place."""
    answerer = Counted()
    scorers = [judged("clear"), counting, judged("kind")]
    told = score_traces_sync(scorers, [TRACE] * 10, concurrency=4, answer=answerer.answer)
    assert [each.score for each in told.scores] == [0.5, 0.3, 0.5] * 10
    assert (answerer.asked, answerer.most) == (20, 4)


def test_sync_and_async_agree() -> None:
    """On one span and on many traces, also where a step awaits."""
    slow = create_agent_scorer("slow").generate_score(pure_async(later))
    scorers = Scorers(counting, slow, broken)

    async def both() -> tuple[TraceScores, float]:
        return await score_traces(scorers, [TRACE, MATHS]), (await score_trace(slow, TRACE, "inner")).unwrap().score

    told, score = asyncio.run(both())
    assert told == score_traces_sync(scorers, iter([TRACE, MATHS]))
    assert score == score_trace_sync(slow, TRACE, "inner").unwrap().score == 1
    assert [each.scorer for each in told.scores] == ["calls", "slow", "broken"] * 2


async def later(_: object) -> float:
    await asyncio.sleep(0)
    return 1.0


def test_traces_are_read_as_they_are_scored() -> None:
    """A file of many runs need not be in memory."""
    read = 0
    alive: list[int] = []

    def traces() -> Iterator[AgentRun]:
        nonlocal read
        for _ in range(50):
            read += 1
            yield TRACE

    def look(_: object) -> float:
        alive.append(read)
        return 1.0

    watch = create_agent_scorer("watch").generate_score(pure(look))
    score_traces_sync([watch], traces())
    assert alive == list(range(1, 51))


@given(st.lists(runs, max_size=3))
def test_nothing_is_lost(given_runs: list[AgentRun]) -> None:
    """Law: every target has one outcome, of three, and nested targets are all agents there are."""
    told = score_traces_sync([counting, length], given_runs, nested=True)
    targets = [target for run in given_runs for target in agents_in(run)]
    assert len(told.scores) == 2 * len(targets) == len(told.scored) + len(told.not_scorable) + len(told.failed)
    assert [each.span_id for each in told.of("calls").scores] == [target.id for target in targets]
