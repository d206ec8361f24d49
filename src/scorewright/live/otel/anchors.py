"""Which spans are agents: when one that no other agent called has ended, its run is scored.

Each is a function of a span's name, its attributes, and whether it has no parent in its process. It runs on the thread
that ends the span, so it looks at attributes and reads no content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from scorewright.live.settings import LOG

Anchor: TypeAlias = Callable[[str, Mapping[str, object], bool], bool]

_OPERATION: Final = "gen_ai.operation.name"
_KIND: Final = "openinference.span.kind"
_TRACELOOP: Final = "traceloop.span.kind"
_AI_SDK: Final = "ai.operationId"
_LOGFIRE: Final = "logfire.msg_template"
_LOGFIRE_AGENT: Final = "Agent run: {name!r}"
_PYDANTIC_AI: Final = ("pydantic_ai.all_messages", "all_messages_events")
_MARKS: Final = frozenset({_OPERATION, _KIND, _TRACELOOP, _AI_SDK, _LOGFIRE, *_PYDANTIC_AI})
_OUTER: Final = frozenset({"ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"})


def is_agent(name: str, attributes: Mapping[str, object], is_root: bool, /) -> bool:
    """Whether the readers of traces take it for an agent, by any of the conventions.

    >>> is_agent("invoke_agent support", {"gen_ai.operation.name": "invoke_agent"}, False)
    True
    """
    del name, is_root
    marks = _MARKS.intersection(attributes)  # asking the SDK's attributes for what they lack costs far more
    if not marks:
        return False
    if _KIND in marks:
        langgraph = "metadata" in attributes and "langgraph_step" in str(attributes["metadata"])
        return str(attributes[_KIND]).upper() == "AGENT" and not langgraph
    if _AI_SDK in marks:
        return attributes[_AI_SDK] in _OUTER
    if _LOGFIRE in marks and attributes[_LOGFIRE] == _LOGFIRE_AGENT:
        return True
    for key, agent in ((_OPERATION, "invoke_agent"), (_TRACELOOP, "agent")):
        if key in marks and attributes[key]:
            return attributes[key] == agent
    return not marks.isdisjoint(_PYDANTIC_AI) and "gen_ai.tool.name" not in attributes


def is_agent_or_root(name: str, attributes: Mapping[str, object], is_root: bool, /) -> bool:
    """The same, and every span without a parent: for programs that ask models without saying that they are agents."""
    return is_root or is_agent(name, attributes, is_root)


def unraising(anchor: Anchor, /) -> Anchor:
    """The same, where only True is an agent: what a user's function raises is none, and the first time it is told."""
    if anchor in {is_agent, is_agent_or_root}:
        return anchor
    told = False

    def asked(name: str, attributes: Mapping[str, object], is_root: bool, /) -> bool:
        nonlocal told
        try:
            return anchor(name, attributes, is_root) is True
        except Exception as failed:  # noqa: BLE001 - a user's function; tracing must not break by it
            if not told:
                told = True
                LOG.warning("anchor= raised %s, and the span counts as no agent: %s", type(failed).__name__, failed)
            return False

    return asked
