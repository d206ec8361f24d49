"""Phoenix: annotations of spans and traces through its REST API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from typing_extensions import override

from scorewright.live.exporting.addresses import address, secret
from scorewright.live.exporting.line import Reply
from scorewright.live.exporting.posting import Batch, Form, PostingTarget
from scorewright.live.exporting.scores import Score
from scorewright.live.exporting.target import Refused


@final
class Phoenix(PostingTarget):
    """Annotations of Phoenix: of a span where the row has one, else of its trace.

    The identifier of an annotation is the score's id, so that a second export replaces it. The address and the key are
    those of the environment where they are not given: `PHOENIX_COLLECTOR_ENDPOINT`, `PHOENIX_API_KEY`. A failure and a
    run that is not scorable have the label "failed" or "not_scorable", and no score. Requests are sent with
    `sync=true`: else Phoenix would say that it took what it drops later, because there is no such span.
    """

    def __init__(self, base_url: str | None = None, /, *, api_key: str | None = None) -> None:
        default = "http://localhost:6006"
        self._root = address(base_url, ("PHOENIX_COLLECTOR_ENDPOINT",), default, "Phoenix(…)")
        self._key = secret(api_key, "PHOENIX_API_KEY", "Phoenix(api_key=…)")

    def __repr__(self) -> str:
        return f"Phoenix({self._root!r})"

    @property
    def name(self) -> str:
        """The target and its address."""
        return f"phoenix {self._root}"

    def root(self) -> str:
        """The base URL."""
        return self._root

    def headers(self) -> Mapping[str, str]:
        """The key, where there is one."""
        return {"authorization": f"Bearer {self._key}"} if self._key else {}

    def secrets(self) -> tuple[str, ...]:
        """The key."""
        return (self._key,)

    def lacks(self, score: Score, /) -> str:
        """An annotation is of a span or a trace."""
        there = score.span_id or score.trace_id
        return "" if there else "Phoenix annotates spans and traces, and the row has neither"

    def path(self, score: Score, /) -> str:
        """Spans and traces have a path each."""
        return f"/v1/{'span' if score.span_id else 'trace'}_annotations?sync=true"

    def form(self, score: Score, /) -> Form:
        """An annotation."""
        of = {"span_id": score.span_id} if score.span_id else {"trace_id": score.trace_id}
        label = score.label if score.value is not None else score.state
        result = {"score": score.value, "label": label, "explanation": score.why}
        return {
            **of,
            "name": score.scorer,
            "annotator_kind": "LLM" if score.judge else "CODE",
            "identifier": score.id,
            "result": {name: each for name, each in result.items() if each is not None},
            "metadata": score.told,
        }

    def wrapped(self, forms: bytes, /) -> bytes:
        """The list under its name."""
        return b'{"data":[' + forms + b"]}"

    @override
    def blamed(self, reply: Reply, batch: Batch, /) -> Refused:
        """A 404 names the spans or traces that are not there."""
        missing = {score.id: score.span_id or score.trace_id for score in batch.scores}
        return {id: reply.why for id, place in missing.items() if place in reply.text}
