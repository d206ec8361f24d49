"""What a server has refused, remembered on the bench so that it is not asked for twice."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import final

import attrs

from scorewright.faults import BadRequest, JudgeFault, Unauthorized
from scorewright.judges.call import Call, Signals

REFUSING = re.compile(
    r"unsupported|not support|unrecogni|unknown|unexpected|not allowed|not permitted|deprecated|only the default"
)
NATIVE_WORDS = (
    "response_format",
    "response format",
    "json_schema",
    "text.format",
    "schema",
    "structured output",
    "tool",
)
ONE_SCHEMA = ("invalid schema", "invalid_json_schema")  # the complaint is about this schema, not about schemas
SETTINGS = ("temperature", "top_p", "seed", "max_tokens", "stop")


@final
@attrs.define
class Learnt:
    """Of one model at one address: whether it takes schemas natively, which it does not, and settings that it lacks.

    Log-probabilities that it does not tell stand among the settings, as "logprobs".
    """

    native: bool = False
    schemas: set[str | None] = attrs.field(factory=set[str | None])
    settings: set[str] = attrs.field(factory=set[str])

    def refuses(self, schema: str | None, /) -> bool:
        """Whether the schema cannot go natively."""
        return self.native or schema in self.schemas

    def learn(self, fault: JudgeFault, signals: Signals, call: Call, schema: str | None, *, forced: bool) -> bool:
        """Whether a refusal teaches how to ask this model. A schema that was `forced` to go natively stays so."""
        said = f"{signals.param} {signals.code} {signals.message}".lower()
        if call.alternatives and "logprob" in said and isinstance(fault, (BadRequest, Unauthorized)):
            self.settings.add("logprobs")  # "not allowed" (403) is said of a model as well as "not supported" (400)
            return True
        if not isinstance(fault, BadRequest):
            return False
        if fault.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
            return False
        if call.schema is not None and any(word in said for word in NATIVE_WORDS):
            return not forced and self._without_schema(said, schema)
        for name in SETTINGS if REFUSING.search(said) else ():
            asked = getattr(call.settings, name) is not None and name not in call.without
            if asked and re.search(rf"\b{name}\b", said):
                self.settings.add(name)
                return True
        return False

    def _without_schema(self, said: str, schema: str | None) -> bool:
        if any(words in said for words in ONE_SCHEMA):
            self.schemas.add(schema)
        else:
            self.native = True
        return True
