"""The steps of a run of LangChain's while it goes on, and how they are read as an agent's run when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.agents import AgentInput, AgentRun, Gap
from scorewright.live.frameworks.sight import Sight, failed, plain
from scorewright.results import err, ok
from scorewright.traces import agent_run_of
from scorewright.traces.faults import TraceFault, Unreadable
from scorewright.traces.json_view import is_list, is_mapping, list_at, text_at
from scorewright.traces.langsmith import LANGSMITH
from scorewright.traces.told import told_messages

if TYPE_CHECKING:
    from uuid import UUID


_INTERRUPT = "GraphInterrupt"  # LangGraph's, which need not be installed


def _now() -> str:
    return datetime.now(UTC).isoformat()


@final
@attrs.define(eq=False)
class Node:
    """One step, with references to what it was given and gave; nothing is copied or read before the end."""

    kind: str
    id: str
    parent_id: str
    inputs: object = attrs.field(repr=False)
    told: Mapping[str, object] = attrs.field(repr=False)
    outputs: object = attrs.field(default=None, repr=False)
    error: BaseException | None = None
    began: str = attrs.field(factory=_now)
    ended: str = ""

    @property
    def name(self) -> str:
        """The name of the runnable, the model or the tool."""
        return text_at(self.told, "name")


@final
class Tree:
    """An outermost run with all its steps; `open` are the ids of those that go on."""

    def __init__(self, root: UUID, sight: Sight) -> None:
        self.root = root
        self.sight = sight
        self.open: set[UUID] = set()
        self.nodes: dict[str, Node] = {}
        self.suspended: bool = False  # it waits for somebody, and goes on in another run

    def add(self, node: Node) -> None:
        """Keep a step."""
        self.nodes[node.id] = node

    def ended(self, id: str, outputs: object, inputs: object, error: BaseException | None, *, whole: bool) -> None:
        """A step has ended; of a chain between, what it gave is not kept."""
        node = self.nodes.get(id)
        if node is None:
            return
        node.ended = _now()
        if node.kind != "chain" or whole:
            node.outputs = outputs
            node.inputs = node.inputs if inputs is None else inputs
        if type(error).__name__ == _INTERRUPT:
            self.suspended = True
            return
        node.error = error
        if node.kind == "tool" and error is not None:
            node.outputs = {"tool_call_id": node.told.get("call") or "", "content": None}


def run_of(tree: Tree) -> Result[AgentRun, TraceFault]:
    """The tree as one run: its root by its own words, the models and tools below it."""
    root = tree.nodes[str(tree.root)]
    document = [_written(node, str(tree.root)) for node in tree.nodes.values()]
    runs = [*LANGSMITH.read(document)]
    if len(runs) > 1:
        return err(Unreadable("$", "several runs"))
    asked = any(node.kind != "chain" for node in tree.nodes.values())
    run = runs[0] if runs and (asked or runs[0].input.input_messages) else _unasked(root)
    known = attrs.evolve(run, agent_name=run.agent_name or root.name, framework="langchain")
    return ok(attrs.evolve(known, status="suspended") if tree.suspended else _answered(known, root))


def _unasked(root: Node) -> AgentRun:
    """A run in which no model was asked: what its state says, and else what it was given."""
    stated = agent_run_of(root.outputs) if list_at(root.outputs, "messages") else None
    if stated is not None and is_successful(stated):
        return attrs.evolve(stated.unwrap(), id=root.id)
    notes: list[Gap] = []
    given = tuple(told_messages(_mapping(root.inputs, "input"), "user", "inputs", notes))
    return AgentRun(AgentInput(given), id=root.id, gaps=tuple(notes))


def _answered(run: AgentRun, root: Node) -> AgentRun:
    """With the root's own end: an error, or an answer that is a value and no text."""
    if root.error is not None:
        return failed(run, root.error)
    value = root.outputs
    state = value if is_mapping(value) else {}
    if state.get("structured_response") is not None:
        value = state["structured_response"]
    elif root.kind != "chain" or _speaks(value):
        return run
    return run if value is None else attrs.evolve(run, final_output=plain(value), final_kind="structured")


def _speaks(value: object) -> bool:
    """Is it text, a message, or a state with either? An object of the user's is a value, whatever it holds."""
    if isinstance(value, str) or (hasattr(value, "content") and hasattr(value, "type")):
        return True
    notes: list[Gap] = []
    return (is_mapping(value) or is_list(value)) and bool(told_messages(plain(value) or None, "assistant", "", notes))


def _written(node: Node, trace_id: str) -> dict[str, object]:
    """A step as LangSmith writes it."""
    return {
        "id": node.id,
        "trace_id": trace_id,
        "parent_run_id": node.parent_id,
        "name": node.name,
        "run_type": node.kind,
        "inputs": _mapping(node.inputs, "input"),
        "outputs": None if node.outputs is None else _mapping(node.outputs, "output"),
        "error": "" if node.error is None else f"{type(node.error).__name__}: {node.error}",
        "start_time": node.began,
        "end_time": node.ended,
        "extra": {"metadata": {"ls_model_name": node.told.get("model")}},
    }


def _mapping(value: object, key: str) -> object:
    written = plain(value)
    is_state = is_mapping(written) and bool(written) and "type" not in written  # a message has a type
    return written if is_state else {key: written}
