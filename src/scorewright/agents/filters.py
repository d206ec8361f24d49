"""`filter_run`: less of a run, for a scorer that must not, or need not, see it all."""

from __future__ import annotations

from typing import Literal, Protocol, final, overload

import attrs
from typing_extensions import TypeVar

from scorewright.agents.messages import Message, Part
from scorewright.agents.run import AgentInput, AgentOutput
from scorewright.agents.tools import ToolInvocation
from scorewright.core import Run
from scorewright.faults import DefinitionError

R = TypeVar("R")


class KeepsExpected(Protocol):
    """A filter that leaves the reference answer as it is."""

    def __call__(self, run: Run[AgentInput, AgentOutput, R], /) -> Run[AgentInput, AgentOutput, R]:
        """The run, filtered."""
        ...


class DropsExpected(Protocol):
    """A filter after which there is no reference answer."""

    def __call__(self, run: Run[AgentInput, AgentOutput], /) -> Run[AgentInput, AgentOutput, None]:
        """The run, filtered."""
        ...


@final
@attrs.frozen
class Filtering:
    """What `filter_run` was told."""

    part_types: tuple[str, ...] | None
    tool_names: tuple[str, ...] | None
    max_remembered_messages: int | None
    max_output_messages: int | None
    drop_request_context: bool
    trim_parts: bool

    def messages(self, messages: tuple[Message, ...], most: int | None, /) -> tuple[Message, ...]:
        """The messages that stay: first by their parts, then the last `most`."""
        kept = tuple(fewer for fewer in map(self.message, messages) if fewer is not None)
        return kept if most is None else kept[len(kept) - min(most, len(kept)) :]

    def message(self, message: Message, /) -> Message | None:
        """The message, whole or trimmed; None where nothing of it may stay. A message without parts stays."""
        if not message.parts:
            return message
        if self.trim_parts:
            parts = tuple(part for part in message.parts if self.wants_type(part) and self.wants_tool(part))
            if parts == message.parts:
                return message
            return attrs.evolve(message, parts=parts) if parts else None
        calls = message.tool_calls
        named = not calls or any(map(self.wants_tool, calls))
        return message if named and any(map(self.wants_type, message.parts)) else None

    def wants_type(self, part: Part, /) -> bool:
        """Is this kind of part wanted? Plain text is, unless a list of kinds leaves it out."""
        return self.part_types is None or kind_of(part).startswith(self.part_types)

    def wants_tool(self, part: Part, /) -> bool:
        """Is this a call of a wanted tool, or no call at all?"""
        return self.tool_names is None or not isinstance(part, ToolInvocation) or part.name.startswith(self.tool_names)


@overload
def filter_run(
    *,
    part_types: tuple[str, ...] | list[str] | None = None,
    tool_names: tuple[str, ...] | list[str] | None = None,
    max_remembered_messages: int | None = None,
    max_output_messages: int | None = None,
    drop_request_context: bool = False,
    drop_expected: Literal[False] = False,
    trim_parts: bool = False,
) -> KeepsExpected: ...
@overload
def filter_run(
    *,
    part_types: tuple[str, ...] | list[str] | None = None,
    tool_names: tuple[str, ...] | list[str] | None = None,
    max_remembered_messages: int | None = None,
    max_output_messages: int | None = None,
    drop_request_context: bool = False,
    drop_expected: Literal[True],
    trim_parts: bool = False,
) -> DropsExpected: ...
def filter_run(
    *,
    part_types: tuple[str, ...] | list[str] | None = None,
    tool_names: tuple[str, ...] | list[str] | None = None,
    max_remembered_messages: int | None = None,
    max_output_messages: int | None = None,
    drop_request_context: bool = False,
    drop_expected: bool = False,
    trim_parts: bool = False,
) -> KeepsExpected | DropsExpected:
    """A function from run to run, for `prepare_run=`, that leaves out what is not wanted. Its input is not changed.

    It works on the remembered messages and on the output, in this order: by kind of part and by tool name, then the
    last so many of what stays. `part_types` and `tool_names` match by prefix ("data-" is every kind of data). A message
    with a wanted part stays whole; with `trim_parts` only its wanted parts stay. A limit of 0 keeps none. Filtering
    twice is filtering once.
    """
    limits = {"max_remembered_messages": max_remembered_messages, "max_output_messages": max_output_messages}
    for name, limit in limits.items():
        if limit is not None and (type(limit) is not int or limit < 0):
            raise DefinitionError(f"{name}= takes a whole number from 0, or None for no limit, not {limit!r}")
    chosen = Filtering(
        _prefixes("part_types", part_types),
        _prefixes("tool_names", tool_names),
        max_remembered_messages,
        max_output_messages,
        drop_request_context,
        trim_parts,
    )

    def kept(run: Run[AgentInput, AgentOutput, R], /) -> Run[AgentInput, AgentOutput, R]:
        return _filtered(chosen, run)

    def dropped(run: Run[AgentInput, AgentOutput], /) -> Run[AgentInput, AgentOutput, None]:
        return _filtered(chosen, run).with_expected(None)

    return dropped if drop_expected else kept


def kind_of(part: Part, /) -> str:
    """What `part_types` knows a part by: "text", "reasoning", "tool_invocation", "file", or the kind of data."""
    return part.type if part.type != "data" else part.kind if part.kind.startswith("data") else f"data-{part.kind}"


def _filtered(chosen: Filtering, run: Run[AgentInput, AgentOutput, R]) -> Run[AgentInput, AgentOutput, R]:
    remembered = chosen.messages(run.input.remembered_messages, chosen.max_remembered_messages)
    output = AgentOutput(chosen.messages(run.output.messages, chosen.max_output_messages))
    kept = run.with_input(attrs.evolve(run.input, remembered_messages=remembered)).with_output(output)
    if not chosen.drop_request_context:
        return kept
    return Run(kept.input, kept.output, kept.expected, run_id=kept.run_id, metadata=kept.metadata)


def _prefixes(name: str, given: tuple[str, ...] | list[str] | None) -> tuple[str, ...] | None:
    if isinstance(given, str):
        raise DefinitionError(f"{name}= takes a list of names, such as [{given!r}], not one name")
    return None if given is None else tuple(given)
