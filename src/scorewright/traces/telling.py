"""A group of nodes becomes a run: the model calls in order, the tool spans joined to the calls that asked for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from operator import itemgetter

import attrs

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentInput, AgentOutput, AgentRun, AgentUsage, Content, Gap, Status, TraceSource
from scorewright.agents.tools import ToolDefinition, ToolInvocation
from scorewright.traces.conversing import content_of, last_turn, once, told_run
from scorewright.traces.gaps import gap
from scorewright.traces.joining import timed
from scorewright.traces.nodes import Node
from scorewright.traces.tree import Group, grouped


def runs_of(nodes: Sequence[Node], source: TraceSource, /) -> Iterator[AgentRun]:
    """The runs of the nodes, trace by trace."""
    by_trace: dict[str, list[Node]] = {}
    for node in nodes:
        by_trace.setdefault(node.trace_id, []).append(node)
    for trace in by_trace.values():
        for group in grouped(trace):
            yield told_by(group, source)


def told_by(group: Group, source: TraceSource, /) -> AgentRun:
    """The run of one agent, with the runs of the agents that it called."""
    notes = [*group.gaps, *group.anchor.gaps]
    for node in (*group.models, *group.tools):
        notes += node.gaps
    anchor = group.anchor
    if anchor.kind == "other":
        notes.append(gap("no_anchor", anchor.id or anchor.trace_id))
    opening, turn, answer = _conversation(group, notes)
    content = _content(group, (*opening, *answer, *anchor.output))
    if content == "partial":
        notes[:] = [each for each in notes if each.code != "content_not_captured"]  # one for all its parts
        notes.append(gap("content_not_captured", anchor.id, "only what its tools were given and gave"))
    run = told_run(
        [*opening, *answer],
        turn,
        notes,
        known=_known(group, source, content),
        structured=anchor.structured,
        answer=next((message.text for message in reversed(anchor.output) if message.role == "assistant"), ""),
    )
    subs = tuple(_called(told_by(sub, source), tool, run) for sub, tool in group.subs)
    return attrs.evolve(run, sub_runs=subs) if subs else run


def _content(group: Group, told: Iterable[Message]) -> Content:
    """Whether what was said was recorded: the names and ids of tools, which always are, do not count."""
    said = content_of(told)
    if said != "not_captured":
        return said
    called = [tool.call for tool in group.tools if tool.call is not None]
    if any(each.code == "content_redacted" for node in (group.anchor, *group.models) for each in node.gaps):
        return "redacted"
    seen = any(call.result_present or call.args or call.args_raw for call in called)
    return "partial" if seen else "not_captured"


def _known(group: Group, source: TraceSource, content: Content) -> AgentRun:
    anchor, models = group.anchor, group.models
    first = models[0] if models else anchor
    failed = anchor.error or (models[-1].error if models and not models[-1].output else None)
    status: Status = "error" if failed else "ok"
    id = anchor.id or first.id
    return AgentRun(  # written out, as names cost as much again
        _NO_INPUT,
        _NO_OUTPUT,
        None,
        "none",
        status,
        failed,
        content,
        (),
        (),
        "",
        _offered((*models, anchor)),
        id,
        anchor.trace_id,
        id,
        anchor.conversation_id or first.conversation_id,
        anchor.name if anchor.kind == "agent" else "",
        anchor.model or first.model,
        anchor.framework or first.framework,
        anchor.start if anchor.start is not None else first.start,
        anchor.end if anchor.end is not None else (models[-1].end if models else None),
        _usage(models) or (None if group.subs else _usage([anchor])),  # an agent's total repeats its calls'
        source=source,
    )


_NO_INPUT, _NO_OUTPUT = AgentInput(), AgentOutput()


def _offered(nodes: Iterable[Node]) -> tuple[ToolDefinition, ...]:
    """The tools that the first node tells of which tells of any."""
    told = (node.offered() for node in nodes if node.offered is not None)
    return next((each for each in told if each), ())


def _usage(nodes: Sequence[Node]) -> AgentUsage | None:
    asked = answered = 0
    cost: float | None = None
    told = False
    for node in nodes:
        used = node.usage
        if used is not None:
            told = True
            asked += used.input_tokens
            answered += used.output_tokens
            if used.cost is not None:
                cost = used.cost if cost is None else cost + used.cost
    return AgentUsage(asked, answered, cost) if told else None


def _conversation(group: Group, notes: list[Gap]) -> tuple[list[Message], int, list[Message]]:
    """What went before the answer, where this turn begins in it, and the answer with the tools' results in between."""
    anchor, models = group.anchor, group.models
    opening = list(_opening(models[0], notes)) if models else []
    answer, later = _answer(group, notes)
    if not _asks(opening):
        opening = [*(message for message in opening if not _is_dialogue(message)), *_opening(anchor, notes)] or opening
    turn = last_turn(opening)
    told = _assistants(opening[turn:]) + _assistants(answer)
    if _assistants(anchor.output) > told or not models:
        own = [message for message in opening if not _is_dialogue(message)]
        opening = [*own, *_opening(anchor, notes)] if anchor.opening is not None else opening
        turn = last_turn(opening)
        answer = _between(anchor.output, group.tools)
    given = _opening(anchor, notes) if models else ()
    system = [*once(message for message in (*given, *opening, *later) if not _is_dialogue(message))]
    spoken = _asked(given, [message for message in opening if _is_dialogue(message)], notes)
    turn = last_turn(spoken) if _asks(spoken) else len(spoken)
    return [*system, *spoken], len(system) + turn, answer


def _asked(given: Sequence[Message], spoken: list[Message], notes: list[Gap]) -> list[Message]:
    """What was said, without what the agent put into the user's mouth: its own input says how much the user said."""
    if not given:
        return spoken
    asked = [message for message in given[last_turn(given) :] if message.role == "user"]
    at = end = last_turn(spoken)
    while end < len(spoken) and spoken[end].role == "user":
        end += 1
    extra = end - at - len(asked)
    if not asked or extra <= 0 or [each.text for each in spoken[at + extra : end]] != [each.text for each in asked]:
        return spoken
    notes.append(gap("prompt_as_user", "$", f"{extra} before the user's own"))
    return [*spoken[:at], *spoken[at + extra :]]


def _opening(node: Node, notes: list[Gap], before: Node | None = None) -> tuple[Message, ...]:
    if node.opening is None:
        return ()
    return node.opening.told(notes, before.opening if before is not None else None)


def _asks(messages: Sequence[Message]) -> bool:
    return any(message.role == "user" for message in messages)


def _is_dialogue(message: Message) -> bool:
    return message.role not in {"system", "developer"}


def _assistants(messages: Sequence[Message]) -> int:
    return len([message for message in messages if message.role == "assistant"])


def _answer(group: Group, notes: list[Gap]) -> tuple[list[Message], list[Message]]:
    """The outputs in time order, with what tools gave back before each; and what the system said in between."""
    told: list[tuple[int, int, Message]] = []
    system: list[Message] = []
    before: Node | None = None
    seen = {tool.call.id for tool in group.tools if tool.call is not None and tool.call.result_present}
    ran = {tool.call.name for tool in group.tools if tool.call is not None and tool.call.result_present}
    for node in group.models:
        when = node.start or 0
        given = () if before is None or _is_seen(before, node, seen) else _opening(node, notes, before)
        if given:
            told += [(when, 0, result) for result in _results(given) if not group.tools or _is_named(result, ran)]
            system += [message for message in given if not _is_dialogue(message)]
        told += [(when, 1, message) for message in _parallel(node.output)]
        before = node
    for tool in group.tools:
        told += [(tool.start or 0, 2, message) for message in _ran(tool)]
    told.sort(key=_WHEN)
    return [message for _, _, message in told], system


def _is_seen(before: Node, node: Node, seen: Set[str]) -> bool:
    """Does a model call only tell what tools were seen to give back to the calls of the one before?"""
    if before.opening is None or node.opening is None:
        return False
    asked = {part.id for message in before.output for part in message.parts if isinstance(part, ToolInvocation)}
    return bool(asked) and "" not in asked and asked <= seen and node.opening.adds_only(len(asked), before.opening)


def _parallel(output: Sequence[Message]) -> Sequence[Message]:
    """One message where a model's several ones all hold calls: they were made at once."""
    if len(output) < 2 or not all(message.role == "assistant" and message.tool_calls for message in output):  # noqa: PLR2004 - two or more
        return output
    return (attrs.evolve(output[0], parts=tuple(part for message in output for part in message.parts)),)


_WHEN = itemgetter(0, 1)  # the moment; and what comes first of what is told at one


def _is_named(result: Message, ran: Set[str]) -> bool:
    """Does it say whose result it is? By its name alone not, where the tool's own span told the result."""
    parts = (part for part in result.parts if isinstance(part, ToolInvocation))
    return any(part.id or (part.name and part.name not in ran) for part in parts)


def _results(messages: Sequence[Message]) -> Sequence[Message]:
    """The results at the end of a model call's input."""
    at = len(messages)
    while at > 0 and messages[at - 1].role != "assistant":
        at -= 1
    return [message for message in messages[at:] if message.role == "tool"]


def _ran(tool: Node) -> Sequence[Message]:
    if tool.call is None:
        return ()
    return (Message("tool", (timed(tool.call, tool.start, tool.end),), "", "", tool.start),)


def _between(output: Sequence[Message], tools: Sequence[Node]) -> list[Message]:
    """An agent's own account, with the tools before its last words."""
    ran = [message for tool in tools for message in _ran(tool)]
    if output and not output[-1].tool_calls:
        return [*output[:-1], *ran, output[-1]]
    return [*output, *ran]


def _called(sub: AgentRun, tool: Node | None, run: AgentRun) -> AgentRun:
    """A called agent's run with the id of the call."""
    if tool is None or tool.call is None:
        return sub
    calls = (call for message in run.output.messages for call in message.tool_calls)
    same = (call.id for call in calls if call.name == tool.name and call.started_at == tool.start)
    return attrs.evolve(sub, called_by=tool.call.id or next(same, ""))
