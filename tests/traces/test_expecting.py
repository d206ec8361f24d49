"""References for the runs of traces, in batch and on the command line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import cast

import attrs
import pytest

from scorewright import NotScorable, create_scorer, pure
from scorewright.agents import (
    AgentRun,
    Trajectory,
    TrajectoryScorer,
    TrajectoryStep,
    answered,
    asked,
    assistant,
    called,
    create_agent_scorer,
    create_trajectory_scorer,
)
from scorewright.cli.loading import AnyScorer, UsageError
from scorewright.cli.sources import reader_for
from scorewright.cli.traces import readable, references_in, trace_rows
from scorewright.faults import InvalidRun, StepRaised
from scorewright.results import ok
from scorewright.suites.rows import Row
from scorewright.traces import score_traces, score_traces_sync

INNER = AgentRun(
    asked("2 times 3?"),
    answered("6"),
    final_output="6",
    final_kind="text",
    span_id="inner",
    trace_id="t",
    called_by="c",
)
RUN = AgentRun(
    asked("Where is my parcel?"),
    answered(assistant(called("track", result="depot", id="c")), "At the depot."),
    final_output="At the depot.",
    final_kind="text",
    id="r",
    span_id="s",
    trace_id="t",
    sub_runs=(INNER,),
)
path: TrajectoryScorer = create_trajectory_scorer("path").generate_score(
    pure(lambda step: step.run.output.names == step.run.expected.names)
)
equal = create_scorer("equal", input=str, output=str, expected=str).generate_score(
    pure(lambda step: step.run.output == step.run.expected)
)
free = create_agent_scorer("free").generate_score(pure(lambda step: step.run.expected is not None))
WANTED = Trajectory((TrajectoryStep("track"),))


@pytest.mark.parametrize("id", ["s", "r", "t"])
@pytest.mark.parametrize("wanted", [WANTED, {"steps": [{"name": "track"}]}])
def test_a_trajectory_scorer_works_in_batch(id: str, wanted: object) -> None:
    """The reference is found by the id of the span, the run or the trace; JSON is read as a trajectory."""
    [score] = score_traces_sync([path], [RUN], expected={id: wanted}).scores
    assert score.score == 1


def test_a_function_finds_the_reference() -> None:
    """It sees each run, nested ones too."""
    told = asyncio.run(score_traces([equal, free], [RUN], nested=True, expected=lambda run: run.final_output))
    assert [each.score for each in told.scores] == [1, 1, 1, 1]


def test_without_a_reference_there_is_nothing_to_score() -> None:
    """For a scorer that needs one; the others go on."""
    told = score_traces_sync([path, free], [RUN], expected={"another": WANTED})
    assert told.of("path").scores[0].result.failure().cause == NotScorable("the run has no reference answer")
    assert told.of("free").scores[0].score == 0


def test_a_reference_that_does_not_fit_names_its_place() -> None:
    """It is the run's fault, not an exception."""
    [score] = score_traces_sync([path], [RUN], expected={"s": {"steps": [{"name": 7}]}}).failed
    cause = score.result.failure().cause
    assert isinstance(cause, InvalidRun)
    assert cause.path.startswith("$.expected.steps[0]")


def test_a_function_that_raises_fails_its_run_only() -> None:
    """What it raised is kept."""
    told = score_traces_sync(
        [equal], [RUN, attrs.evolve(RUN, id="x")], expected=lambda run: {"r": "At the depot."}[run.id]
    )
    assert told.scores[0].score == 1
    assert isinstance(told.scores[1].result.failure().cause, StepRaised)


def test_a_trace_row_has_the_reference_of_its_run(tmp_path: Path) -> None:
    """The command line reads references from a file of one object."""
    file = tmp_path / "wanted.json"
    file.write_text(json.dumps({"s": {"steps": [{"name": "track"}]}}))
    rows = [row for row in trace_rows(iter([ok(RUN), ok(INNER)]), references_in(file)) if isinstance(row, Row)]
    runs = [reader_for(readable(cast("AnyScorer", path))).run(row) for row in rows]
    assert runs[0].unwrap().expected == WANTED
    assert runs[1].unwrap().expected is None


@pytest.mark.parametrize("text", ["[]", "{", "1"])
def test_a_file_of_references_is_one_object(tmp_path: Path, text: str) -> None:
    """Anything else is a mistake of usage."""
    file = tmp_path / "wanted.json"
    file.write_text(text)
    with pytest.raises(UsageError):
        references_in(file)
    with pytest.raises(UsageError):
        references_in(tmp_path / "absent.json")
