"""What is evaluated: functions, agents, workflows, conversations."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Never, cast

import attrs
import pytest
from returns.result import Result
from suites.scoring import echo, number, words

from scorewright import DefinitionError, Scorer, create_scorer, ok, pure
from scorewright.agents import AgentInput, AgentOutput, AgentRun, Trajectory
from scorewright.suites import (
    Answered,
    ItemRecord,
    Row,
    StepRun,
    Steps,
    Suite,
    Summary,
    TargetRaised,
    TargetTimedOut,
    evaluate,
    evaluate_sync,
)

length = create_scorer("length", input=str, output=str).generate_score(pure(lambda s: 1 / (1 + len(s.run.output))))
messages = create_scorer("messages", input=AgentInput, output=AgentOutput).generate_score(
    pure(lambda s: len(s.run.output.messages) / 10)
)
steps_taken = create_scorer("trajectory", input=AgentInput, output=Trajectory).generate_score(
    pure(lambda s: min(len(s.run.output.steps), 10) / 10)
)


def evaluated(suite: Suite, rows: list[dict[str, object]], target: object) -> tuple[list[ItemRecord], Summary]:
    """The items in the order of the rows, and the summary."""
    items: list[ItemRecord] = []
    summary = evaluate_sync(suite, rows, target=target, on_item=items.append)
    return sorted(items, key=lambda item: item.index), summary


@attrs.frozen
class Page:
    """An output that is no JSON."""

    text: str


class Speaker:
    """A target that is an object."""

    async def __call__(self, given: str) -> str:
        return given.upper()


async def shout(given: str) -> str:
    return given.upper()


def later(given: str) -> object:
    return shout(given)


@pytest.mark.parametrize("target", [str.upper, shout, Speaker(), later])
def test_a_target_is_any_function(target: Callable[[str], object]) -> None:
    """Plain or async, an object that can be called, or one that hands back what is to be awaited."""
    (item,), _ = evaluated(Suite(words), [{"input": "hello there"}], target)
    assert item.output == "HELLO THERE"
    assert item.evaluations["words"].score == 1.0
    assert item.nanoseconds > 0


def test_plain_functions_wait_side_by_side() -> None:
    """In threads, as many as the concurrency allows; the loop goes on meanwhile."""
    together = threading.Barrier(4)

    def target(given: str) -> str:
        together.wait(timeout=30)
        return given

    summary = evaluate_sync(Suite(words), [{"input": str(n)} for n in range(8)], target=target, concurrency=4)
    assert summary["words"].mean.coverage.n_scored == 8


def test_a_target_can_take_the_whole_row() -> None:
    """Where its parameter says so."""

    def target(row: Row) -> str:
        return f"{row.input} {row.metadata['tone']}"

    (item,), _ = evaluated(Suite(words), [{"input": "Say", "tone": "hi"}], target)
    assert item.output == "Say hi"


def test_a_target_that_fails_is_a_failed_row_and_no_scorer_sees_it() -> None:
    """Its trace is kept, it counts with every scorer, and the others go on."""
    (good, bad, last), summary = evaluated(Suite(words, number), [{"input": each} for each in ("1", "boom", "0")], echo)
    assert good.fault is None
    assert last.evaluations["number"].score == 0.0
    assert isinstance(bad.fault, TargetRaised)
    assert bad.scores == ()
    assert "the target broke" in bad.fault.raised.trace
    assert bad.fault.described().startswith("The target raised RuntimeError at scoring.py:")
    assert [summary[id].mean.coverage.n_failed for id in summary.scorers] == [1, 1]
    assert (summary.n_target_failed, summary.failures[0].step) == (1, "target")


def test_a_target_that_ends_the_process_fails_its_row() -> None:
    """`sys.exit` in the code under test ends no evaluation."""
    (item, other), _ = evaluated(
        Suite(words), [{"input": "exit"}, {"input": "a"}], lambda given: sys.exit(3) if given == "exit" else given
    )
    assert isinstance(item.fault, TargetRaised)
    assert item.fault.raised.kind == "SystemExit"
    assert other.fault is None


async def _own_task(given: str) -> str:
    """Cancels what it began, and lets that through, as clients with scopes of their own do."""
    inner = asyncio.ensure_future(asyncio.sleep(60))
    inner.cancel()
    await inner
    return given


def _cancelled(given: str) -> str:
    raise asyncio.CancelledError


@pytest.mark.parametrize("cancelled", [_own_task, _cancelled])
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_cancellation_of_its_own_fails_the_row(cancelled: Callable[[str], object], timeout: float | None) -> None:
    """What nobody asked for ends no item in silence: the row has failed, and the others go on."""
    items, summary = evaluated(Suite(words, timeout=timeout), [{"input": "a"}, {"input": "b"}], cancelled)
    assert [item.fault.raised.kind for item in items if isinstance(item.fault, TargetRaised)] == ["CancelledError"] * 2
    assert (summary.n_items, summary.n_failed, summary.verdict) == (2, 2, "inconclusive")


def test_a_scorer_that_lets_a_cancellation_through_fails_alone() -> None:
    """The item stays, with the scores of the others."""

    async def through(step: object) -> Result[float, Never]:
        await _own_task("")
        return ok(1.0)

    lost = create_scorer("lost", input=str, output=str).generate_score(through)
    items, summary = evaluated(Suite(lost, words), [{"input": "a"}, {"input": "b"}], str.upper)
    assert [sorted(item.failures) for item in items] == [["lost"]] * 2
    assert summary["words"].mean.coverage.n_scored == 2
    assert summary["lost"].mean.coverage.n_failed == 2


def test_what_is_no_exception_ends_it_as_it_is() -> None:
    """Such as what test runners skip and fail with."""

    class Skipped(BaseException):
        """No `Exception`."""

    def target(given: str) -> str:
        raise Skipped

    with pytest.raises(Skipped):
        evaluate_sync(Suite(words), [{"input": "a"}], target=target)


def test_a_target_that_never_comes_back_keeps_no_process() -> None:
    """Its row has timed out; its thread is left behind, and the process ends."""
    program = """
import threading
from scorewright.suites import Suite, evaluate_sync
print(evaluate_sync(Suite(timeout=0.05), [{"input": "a"}], target=lambda _: threading.Event().wait()).failures[0].kind)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "TargetTimedOut\n"


def test_a_thread_that_is_free_takes_the_next_call() -> None:
    """So what a target keeps for each thread, such as a connection, is used again; and the caller's context is seen."""
    seen: set[int] = set()
    caller = ContextVar[str]("caller", default="nobody")
    caller.set("me")

    def target(given: str) -> str:
        seen.add(threading.get_ident())
        return caller.get()

    async def both() -> list[ItemRecord]:
        items: list[ItemRecord] = []
        await evaluate(
            Suite(words), [{"input": str(n)} for n in range(50)], target=target, concurrency=1, on_item=items.append
        )
        return items

    assert {item.output for item in asyncio.run(both())} == {"me"}
    assert len(seen) == 1


def test_an_interrupt_in_a_target_is_an_interrupt() -> None:
    """It is raised where the evaluation is waited for, and the loop outlives it."""

    async def target(given: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate_sync(Suite(words), [{"input": "a"}], target=target)
    assert evaluate_sync(Suite(words), [{"input": "a"}], target=echo).verdict == "passed"


def test_a_target_that_takes_too_long_is_a_failed_row() -> None:
    """Also one that cancels itself with its own timeout is told apart."""

    async def hang(given: str) -> str:
        if given == "own":
            raise TimeoutError("of its own")
        await asyncio.Event().wait()
        return given

    (late, own), _ = evaluated(Suite(words, timeout=0.05), [{"input": "a"}, {"input": "own"}], hang)
    assert late.fault == TargetTimedOut(0.05)
    assert isinstance(own.fault, TargetRaised)


def test_an_output_of_the_scorers_own_type_is_taken_as_it_is() -> None:
    """And one that has a JSON form is read by it."""
    page = create_scorer("page", input=str, output=Page).generate_score(pure(lambda s: len(s.run.output.text) / 10))
    (item,), _ = evaluated(Suite(page), [{"input": "abc"}], Page)
    assert item.evaluations["page"].score == 0.3
    (item,), _ = evaluated(Suite(page), [{"input": "abcd"}], lambda given: {"text": given})
    assert item.evaluations["page"].score == 0.4


def test_steps_of_a_workflow_are_scored_by_name() -> None:
    """Each with what the step was given where that is told; a step that did not run is not scorable."""

    def flow(given: str) -> Steps:
        steps: dict[str, object] = {"draft": StepRun("a prompt", "one two three four")}
        if given != "short":
            steps["review"] = "fine"
        return Steps("done", steps)

    asked = create_scorer("asked", input=str, output=str).generate_score(pure(lambda s: s.run.input == "a prompt"))
    suite = Suite(words, steps={"draft": [words, asked], "review": [words]})
    (whole, short), summary = evaluated(suite, [{"input": "long"}, {"input": "short"}], flow)
    assert {key: done.score for key, done in whole.evaluations.items()} == {
        "words": 1.0,
        "draft/words": 0.5,
        "draft/asked": 1.0,
        "review/words": 1.0,
    }
    assert whole.output == "done"
    assert short.not_scorable == {"review/words": "the step 'review' did not run; those that did: draft"}
    assert str(summary["review/words"].mean) == "1 (1/2 scored · 1 not scorable)"


def test_an_agent_of_pydantic_ai_is_asked_and_scored_by_its_messages() -> None:
    """Run, trajectory and plain output scorers all get what they take."""
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    agent = Agent(TestModel(custom_output_text="Your parcel is here"))

    @agent.tool_plain
    def locate(parcel: str) -> str:
        return "depot"

    (item,), _ = evaluated(Suite(words, messages, steps_taken), [{"input": "Where is my parcel?"}], agent)
    assert item.output == "Your parcel is here"
    assert item.failures == {}
    assert item.evaluations["words"].reason == "4 words"
    assert item.evaluations["trajectory"].score > 0
    assert item.answered is not None
    assert isinstance(item.answered.run, AgentRun)


def test_a_graph_is_asked_with_messages() -> None:
    """LangGraph's way in and out: a state that holds messages."""
    pytest.importorskip("langgraph")
    from langchain_core.messages import AIMessage, BaseMessage
    from langgraph.graph import END, START, MessagesState, StateGraph

    def reply(state: MessagesState) -> dict[str, list[BaseMessage]]:
        return {"messages": [AIMessage(f"You said {state['messages'][-1].content}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("reply", reply)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    (item,), _ = evaluated(Suite(words, messages), [{"input": "hello"}], graph.compile())
    assert item.output == "You said hello"
    assert {*item.evaluations} == {"words", "messages"}


def test_what_is_no_target_is_a_mistake() -> None:
    """Told before anything runs."""
    with pytest.raises(DefinitionError, match="target= is a function from a row's input"):
        evaluate_sync(Suite(words), [{"input": "a"}], target=3)


def test_a_row_without_output_and_target_is_not_scorable() -> None:
    """There is nothing to score, and so no number."""
    (item,), summary = evaluated(Suite(words), [{"input": "a"}], None)
    assert item.not_scorable == {"words": "the row has no output"}
    assert summary.verdict == "inconclusive"


TURNS: list[dict[str, object]] = [
    {
        "id": "talk",
        "input": "about parcels",
        "turns": [
            {"input": "Hi", "expected": "Hi!"},
            {"input": "Where is it?", "expected": "1 messages before", "scorers": ["same"]},
        ],
    }
]


def same_scorer() -> Scorer[str, str, str, object]:
    return create_scorer("same", input=str, output=str, expected=str).generate_score(
        pure(lambda s: s.run.output == s.run.expected)
    )


def test_a_conversation_grows_turn_by_turn() -> None:
    """The target is given all that was said; each turn is scored on its own, by its own scorers."""
    heard: list[object] = []

    def target(said: object) -> str:
        heard.append(said)
        return f"answer {len(cast('list[object]', said))}"

    (item,), summary = evaluated(Suite(messages, turns=[same_scorer(), length]), TURNS, target)
    assert heard == [
        [{"role": "user", "content": "Hi"}],
        [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "answer 1"},
            {"role": "user", "content": "Where is it?"},
        ],
    ]
    assert {*item.results} == {"messages", "same[1]", "same[2]", "length[1]"}
    assert item.output == "answer 3"
    assert item.evaluations["messages"].score == pytest.approx(0.1)
    assert summary["same"].mean.coverage.n_scored == 2


def test_a_turn_that_fails_fails_the_item() -> None:
    """What came before is no answer to the whole."""

    def target(said: list[object]) -> str:
        if len(said) > 1:
            raise ValueError("no more")
        return "hello"

    (item,), _ = evaluated(Suite(turns=[length]), TURNS, target)
    assert isinstance(item.fault, TargetRaised)
    assert item.scores == ()


def test_an_agent_goes_on_with_its_own_messages() -> None:
    """The history of pydantic-ai is that of the turn before."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def reply(said: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(f"{len(said)} messages")])

    agent = Agent(FunctionModel(reply))
    (item,), _ = evaluated(Suite(messages, turns=[length]), TURNS, agent)
    assert item.failures == {}
    assert item.output == "3 messages"
    assert item.answered is not None
    assert item.answered.turns == ("1 messages", "3 messages")


def test_a_conversation_that_was_held_is_scored_without_a_target() -> None:
    """Each turn holds its own output."""
    turns = [{"input": "Hi", "output": "abc"}, {"input": "Bye", "output": "abcd"}]
    (item,), _ = evaluated(Suite(turns=[length]), [{"input": "x", "turns": turns}], None)
    assert [each.score for each in item.evaluations.values()] == [1 / 4, 1 / 5]


def test_a_scorer_of_what_the_target_does_not_give_is_not_scorable() -> None:
    """A trajectory out of a plain function that answers no messages."""
    (item,), _ = evaluated(Suite(steps_taken), [{"input": {"n": 1}}], lambda _: {"n": 2})
    assert item.evaluations == {}


def test_evaluate_may_be_awaited_with_a_target() -> None:
    """On the caller's own loop."""

    async def main() -> object:
        summary = await evaluate(Suite(words), [{"input": "a"}], target=shout)
        return summary.verdict

    assert asyncio.run(main()) == "passed"


def test_an_answer_may_be_handed_over_whole() -> None:
    """For targets that know more than an output."""
    (item,), _ = evaluated(Suite(words), [{"input": "a"}], lambda given: Answered(f"{given}!"))
    assert item.output == "a!"


def test_what_a_target_changes_is_its_own(tmp_path: Path) -> None:
    """Scorers see the row as it was written, and a store knows it again: nothing is asked twice."""
    asked: list[object] = []

    def changing(given: dict[str, list[str]]) -> str:
        asked.append(1)
        given["seen"] = given["words"]
        given["words"].append("changed")
        return "good"

    def changing_the_row(row: Row) -> str:
        cast("dict[str, object]", row.metadata)["seen"] = True
        return changing(cast("dict[str, list[str]]", row.input))

    as_it_was = create_scorer("as_it_was", input=dict[str, list[str]], output=str).generate_score(
        pure(lambda s: s.run.input == {"words": ["as", "written"]} and not s.run.metadata)
    )

    targets: dict[str, Callable[..., str]] = {"of its input": changing, "of the row": changing_the_row}
    for name, target in targets.items():
        asked.clear()
        for n_before in (0, 1):
            rows = [{"id": "a", "input": {"words": ["as", "written"]}}]
            summary = evaluate_sync(Suite(as_it_was), rows, target=target, store=tmp_path / f"{name}.db")
            assert (summary.n_before, summary["as_it_was"].mean.value) == (n_before, 1)
        assert asked == [1]


@pytest.mark.parametrize("deep", [False, True])
def test_an_answer_without_an_end_fails_its_item_alone(tmp_path: Path, deep: bool) -> None:
    """A list that holds itself, or is nested deeper than anything can follow, is no answer that a scorer can read."""

    def target(given: str) -> object:
        if given == "fine":
            return "good"
        whole: list[object] = []
        whole.append(whole)
        for _ in range(100_000 if deep else 0):
            whole = [whole]
        return whole

    rows = [{"id": "a", "input": "endless"}, {"id": "b", "input": "fine"}]
    for store in (None, tmp_path / "runs.db"):
        summary = evaluate_sync(Suite(length), rows, target=target, store=store)
        assert [(each.id, each.kind) for each in summary.failures] == [("a", "InvalidRun")]
        assert summary["length"].mean.coverage.n_scored == 1


def test_an_exception_without_words_is_named() -> None:
    """And no colon points at nothing."""

    def target(given: str) -> str:
        raise MemoryError

    (failed,) = evaluate_sync(Suite(length), [{"input": "q"}], target=target).failures
    assert re.fullmatch(r"The target raised MemoryError at test_targets\.py:\d+\.", failed.message)
