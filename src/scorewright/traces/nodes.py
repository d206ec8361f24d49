"""Nodes: what agents, model calls and tools did, as read from spans, observations or runs of any dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, final

from msgspec import Struct

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentUsage, Gap
from scorewright.agents.tools import AgentError, ToolDefinition, ToolInvocation
from scorewright.traces.opening import Opening

Offered: TypeAlias = Callable[[], tuple[ToolDefinition, ...]]
NodeKind: TypeAlias = Literal["agent", "model", "tool", "other", "aside"]


@final
class Node(Struct, frozen=True, gc=False):
    """One span that means something, in the terms of all dialects.

    An agent has an opening and an output where the record has them, and a model call always its own. "other" is a span
    that only holds others, such as a chain or a request; "aside" is one whose subtree is not the agent's work, such as
    an evaluation. `call` is a tool's invocation. `structured` is a final output that is not text. `offered` reads the
    tools that were offered: most calls of a run repeat them, so they are read no sooner than asked for.
    """

    id: str
    kind: NodeKind
    parent: str = ""
    trace_id: str = ""
    name: str = ""
    start: int | None = None
    end: int | None = None
    opening: Opening | None = None
    output: tuple[Message, ...] = ()
    call: ToolInvocation | None = None
    structured: object = None
    error: AgentError | None = None
    model: str = ""
    framework: str = ""
    conversation_id: str = ""
    usage: AgentUsage | None = None
    offered: Offered | None = None
    gaps: tuple[Gap, ...] = ()

    @property
    def speaks(self) -> bool:
        """Does it hold anything that was said?"""
        return bool(self.output) or self.opening is not None
