"""Agent runs that laws and scorers of agents are tried on (extra `[laws]`)."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from scorewright.agents import (
    AgentError,
    AgentInput,
    AgentOutput,
    AgentRun,
    AgentUsage,
    Data,
    File,
    Message,
    Part,
    Reasoning,
    Role,
    Text,
    ToolInvocation,
    called,
)
from scorewright.core import Run

_WORDS = st.sampled_from(("", "yes", "two words", "two\nlines", "Ω", '"{}"', "parcel 17"))
_TOOLS = st.sampled_from(("search", "search_web", "open", "pay"))
_PLAIN = st.none() | st.booleans() | st.integers(-9, 999) | _WORDS
_ARGUMENTS = st.dictionaries(_WORDS, _PLAIN | st.lists(_PLAIN, max_size=2), max_size=2)
_ROLES: SearchStrategy[Role] = st.sampled_from(("system", "user", "assistant", "tool"))


def tool_invocations() -> SearchStrategy[ToolInvocation]:
    """Calls that ended well, badly or not at all."""
    return st.one_of(
        st.builds(called, _TOOLS, _ARGUMENTS),
        st.builds(called, _TOOLS, _ARGUMENTS, result=_PLAIN),
        st.builds(called, _TOOLS, _ARGUMENTS, error=_WORDS),
    )


def messages() -> SearchStrategy[Message]:
    """Messages of every role with parts of every kind, also empty ones."""
    parts: SearchStrategy[Part] = st.one_of(
        st.builds(Text, _WORDS),
        st.builds(Reasoning, _WORDS),
        tool_invocations(),
        st.builds(File, _WORDS, _WORDS),
        st.builds(Data, st.just("data-weather"), _PLAIN),
    )
    return st.builds(Message, _ROLES, st.lists(parts, max_size=3).map(tuple))


def agent_exchanges() -> SearchStrategy[Run[AgentInput, AgentOutput, None]]:
    """What agent scorers score: what went into an agent and what came out, without a reference answer."""
    return st.tuples(_inputs(), _outputs()).map(lambda given: Run(given[0], given[1]))


def agent_runs() -> SearchStrategy[AgentRun]:
    """Whole runs of agents, some with sub-runs, some that failed or lack their usage."""
    single = st.builds(
        AgentRun,
        _inputs(),
        _outputs(),
        final_output=_PLAIN,
        status=st.sampled_from(("ok", "error", "suspended")),
        error=st.none() | st.builds(AgentError, _WORDS),
        usage=st.none() | st.builds(AgentUsage, st.integers(0, 99), st.integers(0, 99)),
    )
    return single | st.builds(AgentRun, _inputs(), _outputs(), sub_runs=st.lists(single, max_size=2).map(tuple))


def _many() -> SearchStrategy[tuple[Message, ...]]:
    return st.lists(messages(), max_size=3).map(tuple)


def _inputs() -> SearchStrategy[AgentInput]:
    return st.builds(AgentInput, _many(), _many(), _many())


def _outputs() -> SearchStrategy[AgentOutput]:
    return st.builds(AgentOutput, _many())
