"""MLflow: feedback on traces through its REST API."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Final, final
from urllib.parse import quote

from typing_extensions import override

from scorewright.live.exporting.addresses import address, secret
from scorewright.live.exporting.line import Line, Patience, Trouble, body_of
from scorewright.live.exporting.scores import Score
from scorewright.live.exporting.target import Delivery, OverLine, Refused, Target
from scorewright.shapes.values import is_list, is_object, object_of

_KEY: Final = "scorewright.score.id"
_OTEL: Final = re.compile("[0-9a-f]{32}")


@final
class Mlflow(Target):
    """Feedback on the traces of an MLflow server.

    MLflow has no key by which a second feedback would replace a first. So those that a trace has are read, once a
    trace, and found again by `scorewright.score.id` in their metadata: what is equal stays, what has changed is
    changed in its place, the rest is new. A failure is a feedback with an error and without a value.

    The trace id of OpenTelemetry, 32 hexadecimal digits, is what MLflow calls `tr-…`. The address and the keys are
    those of the environment where they are not given: `MLFLOW_TRACKING_URI`, `MLFLOW_TRACKING_TOKEN`, or
    `MLFLOW_TRACKING_USERNAME` and `MLFLOW_TRACKING_PASSWORD`. `experiment`, else `MLFLOW_EXPERIMENT_NAME`, else
    "Default", is where `export_metrics` keeps its runs.
    """

    def __init__(
        self,
        base_url: str | None = None,
        /,
        *,
        token: str | None = None,
        username: str | None = None,
        password: str | None = None,
        experiment: str | None = None,
    ) -> None:
        self._root = address(base_url, ("MLFLOW_TRACKING_URI",), "", "Mlflow(…)")
        self._token = secret(token, "MLFLOW_TRACKING_TOKEN", "Mlflow(token=…)")
        self._user = username if username is not None else os.environ.get("MLFLOW_TRACKING_USERNAME", "")
        self._password = secret(password, "MLFLOW_TRACKING_PASSWORD", "Mlflow(password=…)")
        self.experiment: str = experiment or os.environ.get("MLFLOW_EXPERIMENT_NAME", "") or "Default"

    def __repr__(self) -> str:
        return f"Mlflow({self._root!r})"

    at_once = 50
    side_by_side = 8  # each waits for two requests a trace

    @property
    def name(self) -> str:
        """The target and its address."""
        return f"mlflow {self._root}"

    def lacks(self, score: Score, /) -> str:
        """A feedback is on a trace."""
        return "" if score.trace_id else "MLflow keeps feedback on traces, and the row has no trace id"

    def open(self, patience: Patience, /) -> Delivery:
        """A way to the server."""
        return _Feedback(self.line(patience))

    def line(self, patience: Patience, /) -> Line:
        """The line to the server, with its keys."""
        basic = b64encode(f"{self._user}:{self._password}".encode()).decode() if self._user else ""
        headers: dict[str, str] = {}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        elif basic:
            headers["authorization"] = f"Basic {basic}"
        return Line(self._root, headers, (basic, self._token, self._password), patience)


@final
class _Feedback(OverLine):
    @override
    async def send(self, batch: Sequence[Score], /) -> Refused:
        traces: dict[str, list[Score]] = {}
        for score in batch:
            traces.setdefault(trace_of(score), []).append(score)
        refused: dict[str, str] = {}
        for trace, scores in traces.items():
            refused |= await self._feed(trace, scores)
        return refused

    async def _feed(self, trace: str, scores: Sequence[Score]) -> Refused:
        """All scores of a trace. Where it is not known whether one was written, what is there is read again."""
        left = {score.id: score for score in scores}
        refused: dict[str, str] = {}
        tried = 0
        while left:
            there = await self._there(trace)
            if isinstance(there, Trouble):
                return {**refused, **dict.fromkeys(left, there.why)}
            unsure = ""
            for id, score in [*left.items()]:
                why = await self._put(trace, score, there.get(id))
                if isinstance(why, Trouble) and why.unsure:
                    unsure = why.why
                    break
                del left[id]
                if why is not None:
                    refused[id] = why.why
            if unsure:
                if not await self._line.wait(tried):
                    return {**refused, **dict.fromkeys(left, self._line.stopped or unsure)}
                tried += 1
        return refused

    async def _there(self, trace: str) -> Mapping[str, Mapping[str, object]] | Trouble:
        """The feedback of ours that a trace has, by the ids of scores."""
        heard = await self._line.call("GET", f"/api/3.0/mlflow/traces/{quote(trace, safe='')}")
        if isinstance(heard, Trouble):
            return heard
        if not heard.is_fine:
            return Trouble(heard.why)
        info = object_of(object_of(heard.json.get("trace")).get("trace_info"))
        given = info.get("assessments")
        found: dict[str, Mapping[str, object]] = {}
        for each in given if is_list(given) else []:
            assessment = object_of(each)
            id = object_of(assessment.get("metadata")).get(_KEY)
            if isinstance(id, str):  # one that a person overrode is ours all the same
                found.setdefault(id, assessment)
        return found

    async def _put(self, trace: str, score: Score, there: Mapping[str, object] | None) -> Trouble | None:
        path = f"/api/3.0/mlflow/traces/{quote(trace, safe='')}/assessments"
        form = feedback_of(trace, score)
        if there is None:
            heard = await self._line.call("POST", path, body_of({"assessment": form}), once=True)
        elif all(_same(form.get(name), there.get(name)) for name in _MUTABLE):
            return None
        else:
            id = str(there.get("assessment_id"))
            changed: dict[str, object] = {"assessment_id": id, "trace_id": trace}
            changed |= {name: form[name] for name in _MUTABLE}
            body = body_of({"assessment": changed, "update_mask": ",".join(_MUTABLE)})
            heard = await self._line.call("PATCH", f"{path}/{quote(id, safe='')}", body)
        if isinstance(heard, Trouble):
            return heard
        return None if heard.is_fine else Trouble(heard.why)


_MUTABLE: Final = ("feedback", "rationale", "metadata")


def trace_of(score: Score, /) -> str:
    """How MLflow calls a trace."""
    return f"tr-{score.trace_id}" if _OTEL.fullmatch(score.trace_id) else score.trace_id


def feedback_of(trace: str, score: Score, /) -> Mapping[str, object]:
    """An assessment of kind feedback. One without a score has the error, whose message is its rationale too."""
    error: dict[str, object] = {"error_code": score.error}
    if score.why:
        error["error_message"] = score.why
    source = (
        {"source_type": "LLM_JUDGE", "source_id": score.judge}
        if score.judge
        else {"source_type": "CODE", "source_id": score.scorer}
    )
    said: dict[str, object] = {
        "assessment_name": score.scorer,
        "trace_id": trace,
        "source": source,
        "feedback": {"value": score.value} if score.value is not None else {"error": error},
        "rationale": score.why or "",
        "metadata": score.metadata,  # a change adds keys, and removes none
        "create_time": score.moment,
        "last_update_time": score.moment,
    }
    if score.span_id:
        said["span_id"] = score.span_id
    return said


def _same(ours: object, theirs: object) -> bool:
    """Whether the server holds what we would send; it writes a value of null where there is none, and adds keys."""
    if is_object(ours):
        held = object_of(theirs)
        none = {name for name, value in held.items() if value is None or name.startswith("mlflow.")}
        return ours.keys() == held.keys() - none and all(_same(value, held.get(name)) for name, value in ours.items())
    return (ours or None) == (theirs or None) if isinstance(ours, str) else ours == theirs
