"""Agent runs to try scorers on."""

from __future__ import annotations

import json

import pytest
from hypothesis import Phase, given, settings

from scorewright import pure
from scorewright.agents import AgentRun, create_agent_scorer, final_answer, tool_calls
from scorewright.laws import LawBroken, check_scorer
from scorewright.laws.agents import agent_exchanges, agent_runs
from scorewright.shapes import structure, unstructure

FEW = settings(max_examples=10, phases=(Phase.generate,))
MANY = settings(max_examples=100, phases=(Phase.generate,), derandomize=True, deadline=None)


def test_an_agent_scorer_is_held_to_the_laws_of_scorers() -> None:
    """As any other scorer is; one that counts its runs is found out."""
    calls = create_agent_scorer("calls").generate_score(pure(lambda s: 1 / (1 + len(tool_calls(s.run.output)))))
    check_scorer(calls, runs=agent_exchanges(), under=FEW)
    seen: list[object] = []
    counts = create_agent_scorer("counts").generate_score(pure(lambda s: 1 / len([*seen, s, seen.append(s)])))
    with pytest.raises(LawBroken):
        check_scorer(counts, runs=agent_exchanges(), under=FEW)


@given(agent_runs())
def test_what_is_generated_can_be_written_and_read(run: AgentRun) -> None:
    """So that it can stand in a file."""
    assert structure(json.loads(json.dumps(unstructure(run))), AgentRun).unwrap() == run


def test_no_kind_of_run_is_left_out() -> None:
    """Calls that ended well, badly and not at all; last words and none; sub-runs, failed runs and known usage."""
    met: set[object] = set()

    @MANY
    @given(agent_runs())
    def meet(run: AgentRun) -> None:
        met.update(call.state for call in tool_calls(run.output))
        met.update({bool(final_answer(run.output)), run.status, *(["usage"] if run.usage else [])})
        met.update(["sub-runs"] if run.sub_runs else [])

    meet()
    assert met >= {"result", "error", "call", True, False, "ok", "suspended", "usage", "sub-runs"}
