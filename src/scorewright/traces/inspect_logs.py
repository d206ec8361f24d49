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
from scorewright.traces.json_view import is_list, list_at, mapping_at, text_at, value_at
from scorewright.traces.loading import Archive
from scorewright.traces.openai_chat import usage_of
from scorewright.traces.times import moment


def detect(value: object, /) -> bool:
    """A log with `eval`, and `samples` or a `plan`; an archive with a `samples/` folder; or a sample by itself."""
    if isinstance(value, Archive):
        return any(name.startswith("samples/") for name in value.members)
    fields = mapping_at(value)
    is_log = "task" in mapping_at(fields, "eval") and bool({"samples", "plan"} & fields.keys())
    return is_log or _is_sample(fields)


def _is_sample(fields: dict[str, object]) -> bool:
    return {"epoch", "input", "target", "messages"} <= fields.keys()


def read(value: object, /) -> Iterator[AgentRun]:
    """A run a sample, in the order of the log; of an archive, in the order of its members."""
    if isinstance(value, Archive):
        start = value.members.get("header.json") or mapping_at(value.members.get("_journal/start.json"))
        samples: Sequence[object] = [each for name, each in value.members.items() if name.startswith("samples/")]
    elif _is_sample(mapping_at(value)):
        start, samples = None, [value]
    else:
        start, samples = value, list_at(value, "samples")
    for sample in samples:
        yield _run(sample, start)


def _run(sample: object, log: object) -> AgentRun:
    notes: list[Gap] = []
    attachments = {key: text for key, text in mapping_at(sample, "attachments").items() if isinstance(text, str)}
    given = list_at(sample, "messages")
    begun = _begun(sample, given)
    before = messages_of(given, "$.messages", notes, attachments, range(begun))
    after = messages_of(given, "$.messages", notes, attachments, _without_prompts(given, begun, notes))
    messages = [*before, *after]
    if not messages:
        before = messages = _from_parts(sample, notes, attachments)
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
    return told_run(messages, last_turn(before), notes, known=known, answer=text_at(sample, "output", "completion"))


def _from_parts(sample: object, notes: list[Gap], attachments: dict[str, str]) -> list[Message]:
    """Input and output where a sample kept no messages."""
    given = value_at(sample, "input")
    asked = given if is_list(given) else [{"role": "user", "content": given}]
    answers = [value_at(choice, "message") for choice in list_at(sample, "output", "choices")[:1]]
    return messages_of([*asked, *answers], "$.input", notes, attachments)


def _begun(sample: object, given: Sequence[object]) -> int:
    """Where the agent's own work begins: after what is marked as input, else after as many turns as the input has."""
    marked = [at for at, each in enumerate(given) if text_at(each, "source") == "input"]
    if marked:
        return marked[-1] + 1
    brought = sum(text_at(each, "role") == "assistant" for each in list_at(sample, "input"))
    answers = [at for at, each in enumerate(given) if text_at(each, "role") == "assistant"]
    return answers[brought] if len(answers) > brought else len(given)


def _without_prompts(given: Sequence[object], begun: int, notes: list[Gap]) -> list[int]:
    """Which follow the input, without what the agent itself put in the user's mouth, such as to go on.

    The user's words are marked: as input, or as generated where a model speaks for the user.
    """
    marked = any(text_at(each, "source") == "input" for each in given[:begun])
    kept: list[int] = []
    for at, each in enumerate(given[begun:], begun):
        if marked and text_at(each, "role") == "user" and not text_at(each, "source"):
            notes.append(gap("prompt_as_user", f"$.messages[{at}]", "not of the sample's input"))
        else:
            kept.append(at)
    return kept


INSPECT = Dialect("inspect-ai", '{"eval": {"task"}, "samples"}, a .eval archive, or one of their samples', detect, read)
