"""A run that forks: it is the parent's, and the child counts what it begins itself."""

from __future__ import annotations

import os

import pytest
from live.frameworks.seeing import Runs
from live.watching import PATIENCE, Seen, polite

from scorewright.live.counting import Counts


def ended(counts: Counts) -> bool:
    """What the child has: its own run, and nothing of its parent's."""
    return counts.adds_up and counts.triggered == 1


def test_a_runnable_of_langchain_that_forks(seen: Seen) -> None:
    """The child's handler knows nothing of what its parent has begun."""
    pytest.importorskip("langchain_core", reason="pip install -e '.[frameworks]'")
    from langchain_core.runnables import RunnableLambda

    from scorewright.live.frameworks import ScoringCallback

    handler = ScoringCallback(polite, live=seen.live)

    def forks(asked: str) -> int:
        del asked
        return os.fork()

    def answers(asked: str) -> str:
        return f"{asked}, please"

    child = RunnableLambda(forks).invoke("where?", {"callbacks": [handler]})
    if not child:
        RunnableLambda(answers).invoke("where?", {"callbacks": [handler]})
        os._exit(0 if seen.live.flush(PATIENCE) and ended(seen.live.counts()) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert seen.counts().triggered == 1


def test_a_trace_of_openai_agents_that_forks(agents: Runs) -> None:
    """The child's processor hands nothing over of the trace that its parent has begun."""
    pytest.importorskip("agents.run", reason="pip install -e '.[frameworks]'")
    from agents import agent_span, set_trace_processors, trace

    from scorewright.live.frameworks import ScoringTraceProcessor

    set_trace_processors([ScoringTraceProcessor(agents.scorer, live=agents.live)])
    with trace("parents"), agent_span("clerk"):
        child = os.fork()
    if not child:
        with trace("childs"), agent_span("clerk"):
            pass
        os._exit(0 if agents.live.flush(PATIENCE) and ended(agents.live.counts()) else 1)
    set_trace_processors([])
    assert os.waitpid(child, 0)[1] == 0
    assert agents.live.flush(PATIENCE)
    assert agents.live.counts().triggered == 1
