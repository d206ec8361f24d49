"""Nodes become groups: anchors, called agents, wrappers, and hostile trees."""

from __future__ import annotations

import itertools

import pytest
from traces.counting import calls, is_linear

from scorewright.agents import AgentRun, ToolInvocation, assistant, tool_calls, user
from scorewright.agents.run import TraceSource
from scorewright.traces.nodes import Node, NodeKind
from scorewright.traces.opening import opening_of
from scorewright.traces.telling import runs_of


def node(  # noqa: PLR0917 - a table of spans reads best in columns
    id: str, kind: NodeKind, parent: str = "", start: int = 0, end: int = 0, says: str = ""
) -> Node:
    call = ToolInvocation(id, result="ok", result_present=True, state="result") if kind == "tool" else None
    opening = opening_of([user("Fee?")]) if kind == "model" else None
    output = (assistant(says),) if says else ()
    return Node(id, kind, parent, "t", id, start, end or start + 1, opening, output, call)


def told(*nodes: Node) -> list[AgentRun]:
    return list(runs_of(nodes, TraceSource("test")))


def codes(run: AgentRun) -> list[str]:
    return [gap.code for gap in run.gaps]


def test_an_agent_is_the_anchor() -> None:
    """Its model calls and tools are its run."""
    [run] = told(node("a", "agent", end=9), node("m", "model", "a", 1, says="2 euro"), node("f", "tool", "a", 2))
    assert (run.agent_name, run.final_output, run.gaps) == ("a", None, ())
    [run] = told(node("a", "agent", end=9), node("f", "tool", "a", 1), node("m", "model", "a", 2, says="2 euro"))
    assert run.final_output == "2 euro"
    assert [call.name for call in tool_calls(run.output)] == ["f"]


def test_without_an_agent_the_root_is_the_anchor() -> None:
    """A root that says nothing falls back to the model call below it, and the run says so."""
    [run] = told(node("run", "other", end=9), node("llm", "model", "run", 1, says="2 euro"))
    assert (run.final_output, codes(run)) == ("2 euro", ["no_anchor"])


def test_order_is_by_time_not_by_file() -> None:
    """Spans that were exported backwards read forwards."""
    parts = [
        node("a", "agent", end=9),
        node("m1", "model", "a", 1, says="one"),
        node("m2", "model", "a", 5, says="two"),
    ]
    for nodes in (parts, parts[::-1]):
        [run] = told(*nodes)
        assert [message.text for message in run.output.messages] == ["one", "two"]


def test_an_orphan_is_kept_and_marked() -> None:
    """A tool whose parent was not exported belongs to the agent of its trace."""
    [run] = told(
        node("r", "agent", end=9), node("m", "model", "r", 1, says="x"), node("ping", "tool", "not-exported", 2)
    )
    assert [call.name for call in tool_calls(run.output)] == ["ping"]
    assert [(gap.code, gap.where) for gap in run.gaps] == [("orphan_span", "ping")]


def test_a_circle_is_cut() -> None:
    """Spans that are their own ancestors are read once."""
    runs = told(node("a", "agent", "b", end=9), node("b", "other", "a"), node("m", "model", "a", 1, says="x"))
    assert [run.final_output for run in runs] == ["x"]
    assert "parent_cycle" in codes(runs[0])
    assert [run.final_output for run in told(node("m", "model", "m", says="x"))] == ["x"]


def test_a_span_that_came_twice_is_one() -> None:
    """The first is kept, and the run says so."""
    model = node("m", "model", "a", 1, says="x")
    [run] = told(node("a", "agent", end=9), model, model)
    assert len(run.output.messages) == 1
    assert codes(run) == ["duplicate_span"]


def test_model_calls_around_model_calls_are_one() -> None:
    """Two instrumentations of one call count once, whichever of them holds the content."""
    agent = node("a", "agent", end=9)
    for outer, inner in (("x", "x"), ("", "x"), ("x", "")):
        [run] = told(agent, node("o", "model", "a", 1, 5, outer), node("i", "model", "o", 2, 4, inner))
        assert [message.text for message in run.output.messages] == ["x"]


@pytest.mark.parametrize("says", list(itertools.product(["", "x"], repeat=3)))
def test_three_instrumentations_of_one_call_are_one(says: tuple[str, str, str]) -> None:
    """Whichever of them hold the content, it is told once."""
    chain = zip("oin", ("a", "o", "i"), says, strict=True)
    nodes = [node(id, "model", above, at, 9 - at, text) for at, (id, above, text) in enumerate(chain)]
    [run] = told(node("a", "agent", end=10), *nodes)
    assert [message.text for message in run.output.messages] == ["x"] * ("x" in says)


def test_tools_inside_a_tool_of_the_same_name_are_one() -> None:
    """An MCP client and its server both report the call; another tool inside is a call of its own."""
    inner = Node("f2", "tool", "f", "t", "f", 3, 4, call=ToolInvocation("f", state="result"))
    [run] = told(node("a", "agent", end=9), node("f", "tool", "a", 2, 6), inner, node("g", "tool", "f", 4))
    assert [call.name for call in tool_calls(run.output)] == ["f", "g"]


def test_a_called_agent_is_a_run_of_its_own() -> None:
    """Its words and calls are not the caller's; the call that started it is named."""
    ask = Node("s", "tool", "a", "t", "ask", 2, 8, call=ToolInvocation("ask", result="6", result_present=True, id="c1"))
    [run] = told(
        node("a", "agent", end=10),
        ask,
        node("sub", "agent", "s", 3, 7),
        node("m2", "model", "sub", 4, says="inner"),
        node("f", "tool", "sub", 5),
        node("m1", "model", "a", 9, says="outer"),
    )
    assert (run.final_output, [call.name for call in tool_calls(run.output)]) == ("outer", ["ask"])
    assert [(sub.agent_name, sub.called_by, sub.status) for sub in run.sub_runs] == [("sub", "c1", "ok")]


def test_an_agent_beside_the_tool_that_ran_it_is_called_too() -> None:
    """Some exporters hang the called agent next to the caller: time says who called."""
    [run] = told(
        node("w", "other", end=20),
        node("a", "agent", "w", 1, 19),
        node("m1", "model", "a", 2, says="outer"),
        node("ask", "tool", "a", 4, 10),
        node("sub", "agent", "w", 5, 9),
        node("m2", "model", "sub", 6, says="inner"),
        node("m3", "model", "a", 12, says="done"),
    )
    assert run.final_output == "done"
    assert [sub.final_output for sub in run.sub_runs] == ["inner"]


def test_a_model_that_a_tool_asked_is_not_the_agent_speaking() -> None:
    """A tool that asks a model without being an agent is a called one all the same."""
    [run] = told(node("a", "agent", end=9), node("f", "tool", "a", 1, 5), node("m", "model", "f", 2, says="inner"))
    assert run.output.messages[0].role == "tool"
    assert run.final_output is None
    assert [sub.final_output for sub in run.sub_runs] == ["inner"]


def test_an_agent_that_only_wraps_another_is_that_one() -> None:
    """A server's span around an agent's is no run of its own."""
    [run] = told(
        node("outer", "agent", end=9), node("inner", "agent", "outer", 1, 8), node("m", "model", "inner", 2, says="x")
    )
    assert run.agent_name == "inner"


def test_agents_side_by_side_are_runs_side_by_side() -> None:
    """One function that runs three agents is three runs, in order."""
    nodes = [node("f", "other", end=30)]
    for at, name in enumerate("abc"):
        nodes += [
            node(name, "agent", "f", 10 * at, 10 * at + 9),
            node(f"m{name}", "model", name, 10 * at + 1, says=name),
        ]
    assert [run.final_output for run in told(*nodes)] == ["a", "b", "c"]


def test_an_evaluation_is_not_the_agents_work() -> None:
    """What a judge said about the run is no part of it."""
    [run] = told(
        node("a", "agent", end=9),
        node("m", "model", "a", 1, says="x"),
        node("e", "aside", "a", 5),
        node("j", "model", "e", 6, says="8/10"),
    )
    assert run.final_output == "x"


def test_a_run_without_content_says_so() -> None:
    """The calls were seen and the words were not: no score may come of it."""
    silent = Node("m", "model", "a", "t", "m", 1, 2)
    [run] = told(node("a", "agent", end=9), silent)
    assert (run.content, codes(run)) == ("not_captured", ["content_not_captured"])


def test_a_deep_tree_is_read() -> None:
    """Ten thousand spans below each other do not exhaust the stack."""
    chain = [node(f"n{at}", "other", f"n{at - 1}" if at else "", at, 20_000 - at) for at in range(10_000)]
    [run] = told(*chain, node("m", "model", "n9999", 10_001, says="deep"))
    assert run.final_output == "deep"


def test_growth_is_linear() -> None:
    """Ten times the spans take ten times the work: of one agent, and of many."""

    def wide(size: int) -> list[Node]:
        models = [node(f"m{at}", "model", "a", at, says="x") for at in range(size // 2)]
        return [node("a", "agent", end=size), *models, *(node(f"f{at}", "tool", "a", at) for at in range(size // 2))]

    def many(size: int) -> list[Node]:
        agents = [node(f"a{at}", "agent", "", at, at + 5) for at in range(size // 2)]
        return [*agents, *(node(f"m{at}", "model", f"a{at}", at, says="x") for at in range(size // 2))]

    for shape in (wide, many):
        small, large = shape(200), shape(2_000)
        assert is_linear(calls(lambda nodes=small: told(*nodes)), calls(lambda nodes=large: told(*nodes)), 10)
