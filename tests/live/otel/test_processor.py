"""Agents that the real SDK traces are scored when they have ended, off their thread, each once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from live.watching import PATIENCE, Gate

pytest.importorskip("opentelemetry.sdk")

from live.otel.tracing import SPANS, Traced, agent, answered, chat, message, polite, until
from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from scorewright import DefinitionError, Scorer, create_scorer, pure
from scorewright.agents import AgentInput, AgentRun
from scorewright.core import Scorers
from scorewright.live import Callback, EvaluationEvents, Live, Origin, is_sampled, ratio, unscored
from scorewright.live.otel import ScoringSpanProcessor, SpanLimits, is_agent, is_agent_or_root

AGENT = {"gen_ai.operation.name": "invoke_agent"}
CHAT = {"gen_ai.operation.name": "chat"}


@pytest.fixture
def traced() -> Traced:
    return Traced()


def test_an_agent_is_scored_with_its_spans_context(traced: Traced) -> None:
    """What the user said and the final answer, with the agent's trace and span."""
    with traced.tracer.start_as_current_span("GET /") as request:
        agent(traced.tracer, "0.5")
    assert traced.values == [0.5]
    [score] = traced.seen.scores
    assert (score.run.input, score.run.output) == ("how much, please?", "0.5")
    assert score.origin.trace_id == f"{request.get_span_context().trace_id:032x}"
    assert score.run.run_id == f"{score.origin.trace_id}-{score.origin.span_id}"
    traced.end()


def test_the_event_has_the_context_of_the_agents_span() -> None:
    """`gen_ai.evaluation.result` belongs to the span that was scored, not to one of the worker."""
    exporter, provider = InMemoryLogRecordExporter(), LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    live = Live(EvaluationEvents(provider), metrics=False)
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(ScoringSpanProcessor(answered, live=live))
    attributes = AGENT
    with tracers.get_tracer("app").start_as_current_span("invoke_agent", attributes=attributes) as span:
        chat(tracers.get_tracer("app"))
    assert tracers.force_flush()
    live.shutdown()
    tracers.shutdown()
    [record] = [each.log_record for each in exporter.get_finished_logs()]
    context = span.get_span_context()
    assert record.event_name == "gen_ai.evaluation.result"
    assert (record.trace_id, record.span_id) == (context.trace_id, context.span_id)
    provider.shutdown()


def test_a_called_agent_is_a_part_of_its_caller(traced: Traced) -> None:
    """One run, in whichever order they end."""
    agent(traced.tracer, "1", inner=lambda: agent(traced.tracer, "0", name="sub"))
    assert traced.values == [1.0]
    assert traced.seen.counts().triggered == 1
    traced.end()


def test_mastra_15288_one_turn_with_many_steps_gives_a_row_a_scorer() -> None:
    """mastra#15288: the final reply is scored, however many steps led to it."""
    traced = Traced(answered, polite)
    steps = [lambda: chat(traced.tracer, "0.25")] * 3
    agent(traced.tracer, "1", inner=lambda: [step() for step in steps])
    assert sorted(value or 0 for value in traced.values) == [1.0, 1.0]
    assert sorted(score.scorer for score in traced.seen.scores) == ["answered", "polite"]
    traced.end()


def test_nested_scores_the_called_agents_too() -> None:
    """Each as a run of its own, with its own span."""
    traced = Traced(nested=True)
    agent(traced.tracer, "1", inner=lambda: agent(traced.tracer, "0", name="sub"))
    assert sorted(value or 0 for value in traced.values) == [0.0, 1.0]
    assert len({score.origin.span_id for score in traced.seen.scores}) == 2
    traced.end()


def test_two_agents_of_one_trace_are_two_runs(traced: Traced) -> None:
    """The first is scored while the request goes on."""
    with traced.tracer.start_as_current_span("GET /"):
        agent(traced.tracer, "0.25")
        assert traced.values == [0.25]
        agent(traced.tracer, "0.75")
        assert traced.values == [0.25, 0.75]
    assert traced.seen.counts().triggered == 2
    traced.end()


def test_what_is_scored_live_is_what_the_readers_read() -> None:
    """No second reader: the run equals that of the same spans in a file."""
    runs: list[AgentRun] = []
    keeps: Scorer[AgentInput, AgentRun] = create_scorer("keeps", input=AgentInput, output=AgentRun).generate_score(
        pure(lambda s: bool(runs.append(s.run.output)))
    )
    traced = Traced(keeps)
    agent(traced.tracer, "1", inner=lambda: agent(traced.tracer, "0", name="sub"))
    assert traced.values == [0.0]
    [run] = runs
    assert (run.agent_name, [sub.agent_name for sub in run.sub_runs]) == ("main", ["sub"])
    assert (run.final_output, run.sub_runs[0].final_output) == ("1", "0")
    assert (run.gaps, run.source.dialect) == ((), "otlp")
    traced.end()


def test_openinference_is_read_too(traced: Traced) -> None:
    """Its kinds and its numbered messages, by the real tracer."""
    with traced.tracer.start_as_current_span("run", attributes={"openinference.span.kind": "AGENT"}):
        said = {
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "how much?",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "0.5",
        }
        with traced.tracer.start_as_current_span("llm", attributes=said):
            pass
    assert traced.values == [0.5]
    traced.end()


def test_structured_attributes_are_read(traced: Traced) -> None:
    """The SDK keeps lists and mappings as values of its own."""
    parts = [{"role": "assistant", "parts": [{"type": "text", "content": "0.5"}]}]
    with (
        traced.tracer.start_as_current_span("invoke_agent", attributes=AGENT),
        traced.tracer.start_as_current_span("chat", attributes=CHAT) as span,
    ):
        span.set_attribute("gen_ai.input.messages", message("user", "how much?"))
        span.set_attribute("gen_ai.output.messages", parts)  # type: ignore[arg-type]  # newer SDKs take it
    assert traced.values == [0.5]
    traced.end()


def test_without_content_there_is_nothing_to_score(traced: Traced) -> None:
    """It is not scorable, not 0."""
    with (
        traced.tracer.start_as_current_span("invoke_agent", attributes=AGENT),
        traced.tracer.start_as_current_span("chat", attributes=CHAT),
    ):
        pass
    assert traced.values == [None]
    assert traced.seen.counts().not_scorable == 1
    traced.end()


def test_a_program_without_agents_is_scored_by_its_roots() -> None:
    """`anchor=is_agent_or_root`: the root above the model calls is the run."""
    traced = Traced(anchor=is_agent_or_root)
    with traced.tracer.start_as_current_span("POST /ask"):
        chat(traced.tracer, "0.5")
    assert traced.values == [0.5]
    traced.end()


def test_spans_of_no_agent_are_let_go(traced: Traced) -> None:
    """They are no runs, and nothing of them is held when their trace is over."""
    with traced.tracer.start_as_current_span("GET /"):
        chat(traced.tracer)
    traced.looked(2)
    traced.clock.now += 5
    until(lambda: traced.processor.counts().unused == 2)
    assert (traced.processor.counts().held, traced.seen.counts().triggered) == (0, 0)
    traced.end()


def test_a_trace_is_sampled_by_its_id_before_anything_is_kept() -> None:
    """The same share as everywhere, and of the others nothing is taken in."""
    traced = Traced(sample=ratio(0.5))
    for _ in range(40):
        agent(traced.tracer)
    assert traced.provider.force_flush()
    counts = traced.seen.counts()
    assert (counts.triggered, counts.sampled_out) == (40, 40 - counts.scored)
    assert 0 < counts.scored < 40
    assert all(is_sampled(score.origin.trace_id, 0.5) for score in traced.seen.scores)
    assert traced.processor.counts().spans == SPANS * counts.scored
    traced.end()


def test_a_called_agent_of_another_share_is_no_run_either() -> None:
    """Sampled out is counted as what is scored: by the outermost agent."""
    traced = Traced(sample=ratio(0))
    agent(traced.tracer, inner=lambda: agent(traced.tracer, name="sub"))
    assert traced.values == []
    assert (traced.seen.counts().sampled_out, traced.processor.counts().spans) == (1, 0)
    traced.end()


def test_each_scorer_has_its_share_and_may_always_see_errors() -> None:
    """`always_when` sees the run, how long it took and what it ended with."""
    errors: list[str] = []
    sample = ratio(0).always_when(lambda ended: bool(errors.append(str(ended.error))) or ended.error is not None)
    traced = Traced(answered, polite, sample={"answered": sample, "polite": ratio(1)})
    agent(traced.tracer)
    with suppress(ValueError), traced.tracer.start_as_current_span("invoke_agent", attributes=AGENT):
        chat(traced.tracer)
        raise ValueError("no luck")
    assert traced.provider.force_flush()
    assert traced.seen.live.flush()
    fine, wrong = sorted(errors)
    assert fine == "None"
    assert "no luck" in wrong
    assert traced.seen.live.counts("answered").triggered == traced.seen.live.counts("polite").triggered == 2
    assert traced.seen.live.counts("answered").sampled_out == 1
    assert traced.seen.live.counts("polite").sampled_out == 0
    traced.end()


def test_where_admits_runs_and_fails_closed() -> None:
    """By the run; one for which it raises is filtered."""
    traced = Traced(where=lambda run: {"main": True, "other": False}[run.agent_name])
    for name in ("main", "other", "unknown"):
        agent(traced.tracer, name=name)
    assert traced.values == [1.0]
    reasons = dict(traced.seen.counts().reasons)
    assert reasons == {"filtered: where= said no": 1, "filtered: where= raised KeyError": 1}
    traced.end()


def test_a_remote_parent_makes_a_root_of_this_process(traced: Traced) -> None:
    """What the caller's process does is not waited for."""
    caller = SpanContext(0xA0, 0xB0, True, TraceFlags(TraceFlags.SAMPLED))
    token = otel_context.attach(trace.set_span_in_context(NonRecordingSpan(caller)))
    agent(traced.tracer)
    otel_context.detach(token)
    assert traced.values == [1.0]
    assert traced.seen.scores[0].origin.trace_id == f"{0xA0:032x}"
    traced.end()


def test_what_scorers_do_is_not_scored() -> None:
    """An agent that a scorer runs, a judge that it asks: spans that begin inside a scorer are not seen."""
    tracer: list[trace.Tracer] = []
    runs = create_scorer("runs", input=str, output=str).generate_score(pure(lambda _: agent(tracer[0]) or 1.0))
    traced = Traced(runs)
    tracer.append(traced.tracer)
    agent(traced.tracer)
    assert traced.values == [1.0]
    assert (traced.seen.counts().triggered, traced.processor.counts().spans) == (1, SPANS)
    traced.end()


def test_what_is_switched_off_is_not_seen(traced: Traced) -> None:
    """Nor are the spans that this package itself makes."""
    with unscored():
        agent(traced.tracer)
    agent(traced.provider.get_tracer("scorewright"))
    assert traced.values == []
    assert traced.processor.counts().spans == 0
    traced.end()


def test_an_anchor_that_raises_breaks_no_span(caplog: pytest.LogCaptureFixture) -> None:
    """The program goes on, and it is said."""
    traced = Traced(anchor=lambda *_: bool(1 / 0))
    with traced.tracer.start_as_current_span("work") as span:
        span.set_attribute("done", True)
    assert traced.values == []
    assert "ZeroDivisionError" in caplog.text
    traced.end()


def test_an_anchor_that_raises_loses_no_other_span(caplog: pytest.LogCaptureFixture) -> None:
    """The span is no agent and comes along in its agent's run; one that never ends holds up neither flush nor end."""

    def is_main(name: str, attributes: Mapping[str, object], is_root: bool) -> bool:
        if name == "odd":
            raise KeyError(name)
        return is_agent(name, attributes, is_root)

    traced = Traced(anchor=is_main)

    def odd() -> None:
        traced.tracer.start_span("odd")
        with traced.tracer.start_as_current_span("odd"):
            pass

    agent(traced.tracer, "0.5", inner=odd)
    assert traced.values == [0.5]
    assert traced.processor.counts().used == SPANS + 1
    traced.clock.now += 10_000
    assert traced.values == [0.5]
    traced.end()
    assert caplog.text.count("KeyError") == 1


def test_a_filter_that_exits_loses_no_count() -> None:
    """The run is dropped, and what comes after is scored."""

    def admits(run: AgentRun) -> bool:
        if run.final_output == "0.25":
            raise SystemExit
        return True

    traced = Traced(where=admits)
    for answer in ("0.25", "0.5"):
        agent(traced.tracer, answer)
        assert traced.values == ([] if answer == "0.25" else [0.5])
    assert dict(traced.seen.live.counts().reasons) == {"dropped: taking it raised SystemExit": 1}
    assert traced.seen.live.counts().triggered == 2
    traced.end()


def test_threads_lose_no_run() -> None:
    """To the unit, with a queue that is full now and then."""
    traced = Traced(live={"queue": 20, "when_full": "drop_oldest"}, sample=ratio(0.5))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: agent(traced.tracer), range(400)))
    assert traced.provider.force_flush()
    counts = traced.seen.counts()
    assert counts.triggered == 400
    assert counts.sampled_out + counts.dropped + counts.scored == 400
    assert counts.stored == counts.scored == len(traced.seen.scores)
    traced.end()


def test_a_slow_scorer_and_a_full_queue_drop_to_the_unit() -> None:
    """Spans end as ever; what finds no room is dropped, and said so."""
    gate = Gate()
    traced = Traced(gate.scorer, live={"queue": 3})
    for _ in range(10):
        agent(traced.tracer)
    until(lambda: traced.processor.counts().spans == 10 * SPANS)
    traced.clock.now += 3
    until(lambda: traced.processor.counts().runs == 10)
    assert gate.begun.wait(PATIENCE)
    counts = traced.seen.live.counts()
    assert (counts.triggered, counts.pending, counts.dropped) == (10, 3, 7)
    assert dict(counts.reasons) == {"dropped: the queue is full": 7}
    assert not traced.processor.force_flush(10)
    gate.open.set()
    assert traced.seen.counts().scored == 3
    traced.end()


def test_shutting_down_scores_what_has_ended() -> None:
    """An agent that still runs is dropped, and counted so; what comes later is not seen."""
    traced = Traced()
    agent(traced.tracer)
    told = AGENT
    with traced.tracer.start_as_current_span("invoke_agent", attributes=told):
        traced.processor.shutdown()
        traced.processor.shutdown()
    agent(traced.tracer)
    counts = traced.seen.counts()
    assert (counts.triggered, counts.scored, counts.dropped) == (2, 1, 1)
    assert dict(counts.reasons) == {"dropped: shut down before it ended": 1}
    traced.end()


def test_flushing_from_its_own_threads_gives_up_at_once() -> None:
    """A sink or a predicate that flushes must not wait for itself."""
    answers: list[bool] = []
    traced = Traced(where=lambda _: bool(answers.append(traced.processor.force_flush(5000))) or True)
    agent(traced.tracer)
    assert traced.values == [1.0]
    assert answers == [False]
    traced.end()


ROOT = Path(__file__).parents[3]
ENDING = """
from live.otel.tracing import agent, answered
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from scorewright.live import Callback, Live
from scorewright.live.otel import ScoringSpanProcessor, SpanLimits

live = Live(Callback(lambda score: print(score.score, flush=True)))
processor = ScoringSpanProcessor(answered, live=live, limits=SpanLimits(grace=60))
provider = TracerProvider()
provider.add_span_processor(processor)
agent(provider.get_tracer("app"), "0.5")
"""


@pytest.mark.parametrize("first", ["live", "provider"])
def test_what_is_left_when_python_exits_is_scored(first: str) -> None:
    """Without a word from the program, whichever was made first."""
    code = ENDING
    if first == "provider":
        made = "provider = TracerProvider()\n"
        code = code.replace(made, "").replace("live = Live", f"{made}live = Live")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("0.5\n", 0), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_begins_anew(traced: Traced) -> None:
    """The child scores what it ends itself; what was open belongs to the parent."""
    agent(traced.tracer, "0.5")
    assert traced.values == [0.5]
    receive, send = os.pipe()
    with traced.tracer.start_as_current_span("invoke_agent", attributes=AGENT):
        child = os.fork()
        if child == 0:  # pragma: no cover - another process
            agent(traced.tracer, "0.25")
            traced.seen.scores.clear()
            done = traced.processor.force_flush(5000)
            told = [done, [score.score for score in traced.seen.scores], traced.seen.live.counts().triggered]
            os.write(send, json.dumps(told).encode())
            os._exit(0)
        os.waitpid(child, 0)
        chat(traced.tracer, "0.75")
    assert json.loads(os.read(receive, 1000)) == [True, [0.25], 1]
    assert traced.values == [0.5, 0.75]
    traced.end()


def test_a_thread_that_ends_spans_of_another_is_fine(traced: Traced) -> None:
    """A span may end on another thread than it began on."""
    span = traced.tracer.start_span("invoke_agent", attributes=AGENT)
    with trace.use_span(span):
        chat(traced.tracer)
    thread = Thread(target=span.end)
    thread.start()
    thread.join()
    assert traced.values == [1.0]
    traced.end()


def test_mistakes_are_told_where_it_is_made() -> None:
    """Each with how to mend it."""
    live = Live(Callback(print), metrics=False)
    with pytest.raises(DefinitionError, match="at least one scorer"):
        ScoringSpanProcessor(live=live)
    with pytest.raises(DefinitionError, match="takes SpanLimits"):
        ScoringSpanProcessor(answered, live=live, limits=3)  # type: ignore[arg-type]  # it is refused
    with pytest.raises(DefinitionError, match="anchor="):
        ScoringSpanProcessor(answered, live=live, anchor="agent")  # type: ignore[arg-type]  # it is refused
    with pytest.raises(DefinitionError, match="no scorer 'nobody'"):
        ScoringSpanProcessor("nobody", among=Scorers(answered), live=live)
    with pytest.raises(DefinitionError, match=r"grace=…\) takes seconds"):
        SpanLimits(grace=-1)
    with pytest.raises(DefinitionError, match=r"traces=…\) takes a whole number"):
        SpanLimits(traces=0)
    live.shutdown()


def test_scorers_come_by_id_too() -> None:
    """Out of a collection."""
    traced = Traced("answered", among=Scorers(answered, polite))
    agent(traced.tracer)
    assert traced.values == [1.0]
    assert "ScoringSpanProcessor(3 spans" in repr(traced.processor)
    traced.end()


def test_origin_tells_when_it_ended(traced: Traced) -> None:
    """By the span's own time."""
    agent(traced.tracer)
    assert traced.values == [1.0]
    origin: Origin = traced.seen.scores[0].origin
    assert origin.ended > 1_700_000_000
    assert len(origin.span_id) == 16
    traced.end()
