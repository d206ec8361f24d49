"""Langfuse: scores of traces and observations through its public API."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import final

from typing_extensions import override

from scorewright.core.definition import expect_flag
from scorewright.faults import DefinitionError
from scorewright.live.exporting.addresses import address, secret
from scorewright.live.exporting.line import Reply
from scorewright.live.exporting.posting import Batch, Form, PostingTarget
from scorewright.live.exporting.scores import Score
from scorewright.live.exporting.target import Refused
from scorewright.shapes.values import is_list, is_object

_CLOUD = "https://cloud.langfuse.com"
_SCORES, _INGESTION = "/api/public/scores", "/api/public/ingestion"


@final
class Langfuse(PostingTarget):
    """Scores of Langfuse. A score goes by its own id and time, so that a second export replaces it.

    Keys and address are those of the environment where they are not given: `LANGFUSE_PUBLIC_KEY`,
    `LANGFUSE_SECRET_KEY`, `LANGFUSE_BASE_URL` (or `LANGFUSE_HOST`). Scores of the scorers that `booleans` names are
    BOOLEAN where they are 0 or 1, all others NUMERIC; a failure and a run that is not scorable are CATEGORICAL,
    "failed" and "not_scorable", and never a number. `ingestion=True` speaks to servers that take no list of scores.
    """

    def __init__(
        self,
        base_url: str | None = None,
        /,
        *,
        public_key: str | None = None,
        secret_key: str | None = None,
        booleans: Collection[str] = (),
        environment: str | None = None,
        ingestion: bool = False,
    ) -> None:
        expect_flag(ingestion, "Langfuse(ingestion=…)")
        self._root = address(base_url, ("LANGFUSE_BASE_URL", "LANGFUSE_HOST"), _CLOUD, "Langfuse(…)")
        self._public = secret(public_key, "LANGFUSE_PUBLIC_KEY", "Langfuse(public_key=…)")
        self._secret = secret(secret_key, "LANGFUSE_SECRET_KEY", "Langfuse(secret_key=…)")
        if not (self._public and self._secret):
            raise DefinitionError("Langfuse needs public_key= and secret_key=, or LANGFUSE_PUBLIC_KEY and _SECRET_KEY")
        if isinstance(booleans, str):
            raise DefinitionError('Langfuse(booleans=…) takes ids of scorers: booleans=["polite"]')
        self._booleans = frozenset(booleans)
        self._environment = environment
        self._ingestion = ingestion

    def __repr__(self) -> str:
        return f"Langfuse({self._root!r})"

    @property
    def name(self) -> str:
        """The target and its address; the public key names the project."""
        project = blake2b(self._public.encode(), digest_size=4).hexdigest()
        return f"langfuse {self._root} {project}"

    def root(self) -> str:
        """The base URL."""
        return self._root

    def headers(self) -> Mapping[str, str]:
        """Basic authentication, by the keys of a project."""
        return {"authorization": f"Basic {self._token}"}

    def secrets(self) -> tuple[str, ...]:
        """The secret key, plain and as it is sent."""
        return self._token, self._secret

    @property
    def _token(self) -> str:
        return b64encode(f"{self._public}:{self._secret}".encode()).decode()

    def lacks(self, score: Score, /) -> str:
        """A score is of a trace."""
        return "" if score.trace_id else "Langfuse keeps scores of traces, and the row has no trace id"

    def path(self, score: Score, /) -> str:
        """One for all."""
        del score
        return _INGESTION if self._ingestion else _SCORES

    def form(self, score: Score, /) -> Form:
        """A score, or an event that creates one."""
        made = self._score(score)
        if not self._ingestion:
            return made
        event = blake2b(f"{score.id}{score.content}".encode(), digest_size=16).hexdigest()  # the same is done once
        return {"id": event, "type": "score-create", "timestamp": score.moment, "body": made}

    def _score(self, score: Score) -> Form:
        value: object = score.state
        kind = "CATEGORICAL"
        if score.value is not None:
            is_boolean = score.scorer.partition("[")[0] in self._booleans and score.value in {0.0, 1.0}
            value, kind = score.value, "BOOLEAN" if is_boolean else "NUMERIC"
        said: dict[str, object] = {
            "id": score.id,
            "traceId": score.trace_id,
            "observationId": score.span_id or None,
            "name": score.scorer,
            "value": value,
            "dataType": kind,
            "comment": score.why,
            "metadata": score.told,
            "timestamp": score.moment,
            "environment": self._environment,
        }
        return {name: each for name, each in said.items() if each is not None}

    def wrapped(self, forms: bytes, /) -> bytes:
        """A list, or a batch of events."""
        return b'{"batch":[' + forms + b"]}" if self._ingestion else b"[" + forms + b"]"

    @override
    def refused(self, reply: Reply, batch: Batch, /) -> Refused | None:
        """Of events each is told by its id. Of a list only how many were taken, so that halves have to find whom."""
        told = reply.json
        errors = told.get("errors")
        if not self._ingestion:
            number = told.get("rejected")
            if not isinstance(number, int) or number == 0:
                return {}
            whole = number == len(batch.scores) == len(_list(errors))
            return _in_order(_list(errors), batch) if whole else None
        by_event = {
            str(_of(form, "id")): score for form, score in zip(map(self.form, batch.scores), batch.scores, strict=True)
        }
        found: dict[str, str] = {}
        for error in _list(errors):
            score = by_event.get(str(_of(error, "id")))
            if score is not None:
                found[score.id] = _why(error)
        return found


def _in_order(errors: Sequence[object], batch: Batch) -> Refused:
    return {score.id: _why(error) for score, error in zip(batch.scores, errors, strict=True)}


def _why(error: object) -> str:
    status, said = _of(error, "status"), [_of(error, "message"), _of(error, "error")]
    told = ": ".join(str(each) for each in said if each) or "no reason"
    return f"the server refuses it{f' ({status})' if status else ''}: {told[:300]}"


def _of(form: object, name: str) -> object:
    return form.get(name) if is_object(form) else None


def _list(given: object) -> list[object]:
    return given if is_list(given) else []
