"""Logs of inspect_ai: JSON, and the `.eval` archives; one run a sample. What graders said is no part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents.messages import Message
from scorewright.agents.run import AgentRun, Gap, Status, TraceSource
from scorewright.agents.tools import AgentError
from scorewright.traces.conversing import last_turn, told_run
from scorewright.traces.dialect import Dialect
from scorewright.traces.gaps import gap
from scorewright.traces.inspect_messages import messages_of
from scorewright.traces.json_view import is_list, is_mapping, list_at, mapping_at, text_at, value_at
from scorewright.traces.loading import Archive
from scorewright.traces.openai_chat import usage_of
from scorewright.traces.times import moment


def detect(value: object, /) -> bool:
    """A log with `eval` and `samples`, or an archive with a `samples/` folder."""
    if isinstance(value, Archive):
        return any(name.startswith("samples/") for name in value.members)
    is_log = "samples" in value if is_mapping(value) else False
    return is_log and is_mapping(value_at(value, "eval")) and "task" in mapping_at(value, "eval")


def read(value: object, /) -> Iterator[AgentRun]:
    """A run a sample, in the order of the log; of an archive, in the order of its members."""
    if isinstance(value, Archive):
        start = value.members.get("header.json") or mapping_at(value.members.get("_journal/start.json"))
        samples: Sequence[object] = [each for name, each in value.members.items() if name.startswith("samples/")]
    else:
        start, samples = value, list_at(value, "samples")
    for sample in samples:
        yield _run(sample, start)


def _run(sample: object, log: object) -> AgentRun:
    notes: list[Gap] = []
    attachments = {key: text for key, text in mapping_at(sample, "attachments").items() if isinstance(text, str)}
    messages = messages_of(list_at(sample, "messages"), "$.messages", notes, attachments)
    if not messages:
        messages = _from_parts(sample, notes, attachments)
    error, limit = mapping_at(sample, "error"), mapping_at(sample, "limit")
    status: Status = "error" if error else "partial" if limit else "ok"
    if limit:
        notes.append(gap("unfinished", "$.limit", text_at(limit, "type")))
    known = AgentRun(
        id=text_at(sample, "uuid"),
        model=text_at(sample, "output", "model") or text_at(log, "eval", "model"),
        framework="inspect_ai",
        status=status,
        error=AgentError(text_at(error, "message")) if error else None,
        started_at=moment(value_at(sample, "started_at")),
        ended_at=moment(value_at(sample, "completed_at")),
        usage=usage_of(mapping_at(sample, "output", "usage")),
        metadata={"sample_id": value_at(sample, "id"), "epoch": value_at(sample, "epoch")},
        source=TraceSource(INSPECT.name, str(value_at(log, "version") or "")),
    )
    return told_run(messages, _turn(messages), notes, known=known, answer=text_at(sample, "output", "completion"))


def _from_parts(sample: object, notes: list[Gap], attachments: dict[str, str]) -> list[Message]:
    """Input and output where a sample kept no messages."""
    given = value_at(sample, "input")
    asked = given if is_list(given) else [{"role": "user", "content": given}]
    answers = [value_at(choice, "message") for choice in list_at(sample, "output", "choices")[:1]]
    return messages_of([*asked, *answers], "$.input", notes, attachments)


def _turn(messages: Sequence[Message]) -> int:
    """Where the last input that is marked so begins: a data set may bring earlier turns along."""
    first = next((at for at, message in enumerate(messages) if message.role == "assistant"), len(messages))
    return last_turn(messages[:first]) if first else 0


INSPECT = Dialect("inspect-ai", '{"eval": {"task"}, "samples"}, or a .eval archive', detect, read)
