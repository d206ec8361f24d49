"""What an agent was given, what it did, and what is known about the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Literal, TypeAlias, cast, final

import attrs
from returns.result import Result

from scorewright.agents.messages import Message, assistant, user
from scorewright.agents.messages import system as system_message
from scorewright.agents.shown import brief
from scorewright.agents.tools import AgentError, ToolDefinition, nothing
from scorewright.core import Run
from scorewright.core.run import writers
from scorewright.faults import NotScorable
from scorewright.results import err, ok

Status: TypeAlias = Literal["ok", "error", "aborted", "suspended", "partial"]
Content: TypeAlias = Literal["captured", "partial", "not_captured", "redacted"]
FinalKind: TypeAlias = Literal["text", "structured", "none"]


_UNTAGGED: Mapping[str, tuple[Message, ...]] = {}
_UNKNOWN: Mapping[str, object] = {}
"""Stand for a mapping that each value has of its own."""


def untagged() -> dict[str, tuple[Message, ...]]:
    """No messages of any tag: a default that attrs makes in a third of the time of a subscripted `dict`."""
    return {}


@final
@attrs.frozen(init=False)  # its own `__init__` takes half the time, here and below
class AgentInput:
    """What the agent was given: this turn's messages, the turns before, and the system's messages.

    `tagged_system_messages` sorts system messages by where they come from, such as "memory"; they are not repeated in
    `system_messages`. `content` says whether the record holds what was said at all: where it does not, empty messages
    mean nothing.
    """

    input_messages: tuple[Message, ...] = ()
    remembered_messages: tuple[Message, ...] = ()
    system_messages: tuple[Message, ...] = ()
    tagged_system_messages: Mapping[str, tuple[Message, ...]] = attrs.field(factory=untagged)
    content: Content = "captured"

    __repr__ = brief

    def __init__(
        self,
        input_messages: tuple[Message, ...] = (),
        remembered_messages: tuple[Message, ...] = (),
        system_messages: tuple[Message, ...] = (),
        tagged_system_messages: Mapping[str, tuple[Message, ...]] = _UNTAGGED,
        content: Content = "captured",
    ) -> None:
        _input_messages(self, input_messages)
        _remembered_messages(self, remembered_messages)
        _system_messages(self, system_messages)
        _tagged_system_messages(self, {} if tagged_system_messages is _UNTAGGED else tagged_system_messages)
        _content(self, content)


_input_messages, _remembered_messages, _system_messages, _tagged_system_messages, _content = writers(
    AgentInput, *(field.name for field in attrs.fields(AgentInput))
)


@final
@attrs.frozen(init=False)
class AgentOutput:
    """What the agent answered: its own messages in order, each tool call with its result inside.

    A message of role "tool" holds calls that were seen to run although no message asked for them.
    """

    messages: tuple[Message, ...] = ()

    __repr__ = brief

    def __init__(self, messages: tuple[Message, ...] = ()) -> None:
        _messages(self, messages)


(_messages,) = writers(AgentOutput, "messages")


@final
@attrs.frozen
class Gap:
    """Something that the record does not hold, or that could not be read: a stable code, the place, the details."""

    code: str
    where: str
    detail: str = ""

    __repr__ = brief


@final
@attrs.frozen
class AgentUsage:
    """Tokens of all model calls of the run itself; cost in the currency of the record."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    __repr__ = brief


@final
@attrs.frozen
class TraceSource:
    """Where a run was read from: the dialect, its version where it says one, and a reference such as a path."""

    dialect: str = ""
    version: str = ""
    ref: str = ""

    __repr__ = brief


_NO_INPUT, _NO_OUTPUT, _NO_SOURCE = AgentInput(), AgentOutput(), TraceSource()


@final
@attrs.frozen(init=False)
class AgentRun:
    """One run of one agent, whatever it was recorded by.

    `sub_runs` are the agents that it called, each with the id of the tool call that did (`called_by`). Times are
    nanoseconds since 1970. `gaps` says what was lost on the way here.
    """

    input: AgentInput = attrs.field(factory=AgentInput)
    output: AgentOutput = attrs.field(factory=AgentOutput)
    final_output: object = None
    final_kind: FinalKind = "none"
    status: Status = "ok"
    error: AgentError | None = None
    content: Content = "captured"
    gaps: tuple[Gap, ...] = ()
    sub_runs: tuple[AgentRun, ...] = ()
    called_by: str = ""
    tool_definitions: tuple[ToolDefinition, ...] = ()
    id: str = ""
    trace_id: str = ""
    span_id: str = ""
    conversation_id: str = ""
    agent_name: str = ""
    model: str = ""
    framework: str = ""
    started_at: int | None = None
    ended_at: int | None = None
    usage: AgentUsage | None = None
    metadata: Mapping[str, object] = attrs.field(factory=nothing)
    source: TraceSource = attrs.field(factory=TraceSource, repr=False)

    __repr__ = brief

    def __init__(  # noqa: PLR0917 - readers write the fields in their order, which is what makes them fast
        self,
        input: AgentInput = _NO_INPUT,
        output: AgentOutput = _NO_OUTPUT,
        final_output: object = None,
        final_kind: FinalKind = "none",
        status: Status = "ok",
        error: AgentError | None = None,
        content: Content = "captured",
        gaps: tuple[Gap, ...] = (),
        sub_runs: tuple[AgentRun, ...] = (),
        called_by: str = "",
        tool_definitions: tuple[ToolDefinition, ...] = (),
        id: str = "",
        trace_id: str = "",
        span_id: str = "",
        conversation_id: str = "",
        agent_name: str = "",
        model: str = "",
        framework: str = "",
        started_at: int | None = None,
        ended_at: int | None = None,
        usage: AgentUsage | None = None,
        metadata: Mapping[str, object] = _UNKNOWN,
        source: TraceSource = _NO_SOURCE,
    ) -> None:
        write = _WRITE
        write[0](self, AgentInput() if input is _NO_INPUT else input)
        write[1](self, output)
        write[2](self, final_output)
        write[3](self, final_kind)
        write[4](self, status)
        write[5](self, error)
        write[6](self, content)
        write[7](self, gaps)
        write[8](self, sub_runs)
        write[9](self, called_by)
        write[10](self, tool_definitions)
        write[11](self, id)
        write[12](self, trace_id)
        write[13](self, span_id)
        write[14](self, conversation_id)
        write[15](self, agent_name)
        write[16](self, model)
        write[17](self, framework)
        write[18](self, started_at)
        write[19](self, ended_at)
        write[20](self, usage)
        write[21](self, {} if metadata is _UNKNOWN else metadata)
        write[22](self, source)

    @property
    def run(self) -> Run[AgentInput, AgentOutput, None]:
        """The run as scorers take it, its trace and span named in the metadata; `with_expected` adds a reference."""
        ids = {"trace_id": self.trace_id, "span_id": self.span_id, "conversation_id": self.conversation_id}
        said = {name: value for name, value in ids.items() if value}
        given = self.input
        if self.content != given.content:
            given = attrs.evolve(given, content=self.content)
        return Run(given, self.output, run_id=self.id, metadata={**self.metadata, **said})

    def scorable(self) -> Result[Run[AgentInput, AgentOutput, None], NotScorable]:
        """`run`, unless the record does not hold what was said: then there is nothing to score, and no score is 0."""
        missing = content_missing(self.content)
        return ok(self.run) if missing is None else err(missing)

    def read_from(self, source: TraceSource, gaps: tuple[Gap, ...] = (), /) -> AgentRun:
        """The run with where it was read from, and what was lost before it was read."""
        held = [*_FIELDS(self)]
        if gaps:
            held[_GAPS] = (*gaps, *self.gaps)
        held[-1] = source
        return cast("Callable[..., AgentRun]", AgentRun)(*held)  # `evolve` takes thrice the time

    @property
    def transcript(self) -> tuple[Message, ...]:
        """The whole conversation without system messages, in the order in which it was held."""
        told = (*self.input.remembered_messages, *self.input.input_messages, *self.output.messages)
        if any(message.position is None for message in told):
            return told
        return tuple(sorted(told, key=lambda message: message.position or 0))


def content_missing(content: Content, /) -> NotScorable | None:
    """Why there is nothing to score, where the record does not hold what was said."""
    if content == "not_captured":
        return NotScorable("the content of the messages was not captured")
    return NotScorable("the content of the messages was redacted") if content == "redacted" else None


_NAMES = tuple(field.name for field in attrs.fields(AgentRun))
_WRITE = writers(AgentRun, *_NAMES)
_GAPS = _NAMES.index("gaps")
_FIELDS = cast("Callable[[AgentRun], tuple[object, ...]]", attrgetter(*_NAMES))


def asked(*messages: str | Message, system: str | None = None, remembered: tuple[Message, ...] = ()) -> AgentInput:
    """What an agent was asked, for tests and examples.

    >>> asked("Where is my parcel?", system="Be brief.").input_messages
    (Message('user', (Text('Where is my parcel?'),)),)
    """
    given = tuple(user(message) if isinstance(message, str) else message for message in messages)
    return AgentInput(given, remembered, () if system is None else (system_message(system),))


def answered(*messages: str | Message) -> AgentOutput:
    """What an agent answered, for tests and examples."""
    return AgentOutput(tuple(assistant(message) if isinstance(message, str) else message for message in messages))
