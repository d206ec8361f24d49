"""OpenAI responses. Nothing is stored there; there is neither a seed nor a stop text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from returns.result import Result

from scorewright.core.ask import Usage
from scorewright.faults import ContentFiltered, EmptyReply, JudgeFault, Refused, ServerError, Truncated
from scorewright.judges.call import Call
from scorewright.judges.dialects.keywords import LENGTHS, without
from scorewright.judges.dialects.openai_chat import bearer
from scorewright.judges.fields import items, mapping, number, text
from scorewright.judges.http import Dialect, Said
from scorewright.judges.logprobs import tokens_in
from scorewright.judges.settings import thawed
from scorewright.results import err, ok


def _body(call: Call) -> Mapping[str, object]:
    settings = call.settings
    body: dict[str, object] = {"model": call.model, "input": call.user, "store": False}
    if call.system:
        body["instructions"] = call.system
    wished = (("temperature", settings.temperature), ("top_p", settings.top_p))
    body |= {name: value for name, value in wished if value is not None and name not in call.without}
    if settings.max_tokens is not None:
        body["max_output_tokens"] = settings.max_tokens
    if call.schema is not None:
        schema = without(call.schema, LENGTHS)
        shape = {"type": "json_schema", "name": call.schema_name, "schema": schema, "strict": True}
        body["text"] = {"format": shape}
    if call.alternatives:
        body |= {"include": ["message.output_text.logprobs"], "top_logprobs": call.alternatives}
    return {**body, **thawed(settings.extra)}


def _read(reply: Mapping[str, object]) -> Said:
    usage = mapping(reply, "usage")
    counted = Usage(
        number(usage, "input_tokens"),
        number(usage, "output_tokens"),
        number(mapping(usage, "input_tokens_details"), "cached_tokens"),
        number(mapping(usage, "output_tokens_details"), "reasoning_tokens"),
    )
    finish = text(mapping(reply, "incomplete_details"), "reason") or text(reply, "status")
    contents = [part for item in items(reply, "output") for part in items(item, "content")]
    texts = [part for part in contents if text(part, "type") == "output_text"]
    answer = _answer(contents, "".join(text(part, "text") for part in texts), finish)
    told = tuple(token for part in texts if part.get("logprobs") for token in tokens_in(part, "logprobs"))
    return Said(answer, counted if usage else None, text(reply, "model"), text(reply, "id"), finish, told)


def _answer(contents: Sequence[Mapping[str, object]], said: str, finish: str) -> Result[str, JudgeFault]:
    refused = "".join(text(part, "refusal") for part in contents)
    if refused:
        return err(Refused(refused))
    if finish == "content_filter":
        return err(ContentFiltered("the provider's filter stopped the reply"))
    if finish == "max_output_tokens":
        return err(Truncated(said))
    if finish in {"failed", "cancelled", "queued", "in_progress"}:
        return err(ServerError(200, f"the response is not complete: {finish}"))
    return ok(said) if said.strip() else err(EmptyReply())


RESPONSES = Dialect(
    "openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY", lambda _: "/responses", bearer, _body, _read
)
