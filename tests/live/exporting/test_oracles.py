"""What is sent, beside what the official clients send of the same: to the same servers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

import attrs
import pytest
from fakes.exporting import FakeLangfuse, FakePhoenix, Form
from live.exporting.samples import AT, failed, score

from scorewright.live.exporting import Langfuse, Phoenix, export_scores_sync


def test_langfuse_gets_what_its_own_client_sends() -> None:
    """A number, a boolean and a word."""
    pytest.importorskip("langfuse")
    import httpx
    from langfuse.api import LangfuseAPI
    from langfuse.api.scores.types.create_score_request import CreateScoreRequest

    ours = [score(), score(1, 1.0, scorer="passes"), failed(2)]
    with FakeLangfuse() as server:
        target = Langfuse(
            server.url, public_key=server.public, secret_key=server.secret, booleans=["passes"], environment="ci"
        )
        export_scores_sync(ours, target)
        http = httpx.Client()
        client = LangfuseAPI(base_url=server.url, username=server.public, password=server.secret, httpx_client=http)
        kinds: list[tuple[str, object]] = [("NUMERIC", 0.5), ("BOOLEAN", 1.0), ("CATEGORICAL", "failed")]
        client.scores.create(
            request=[
                CreateScoreRequest.model_validate(
                    {
                        "id": each.id,
                        "trace_id": each.trace_id,
                        "observation_id": each.span_id,
                        "name": each.scorer,
                        "value": value,
                        "data_type": kind,
                        "comment": each.why,
                        "metadata": each.told,
                        "timestamp": AT,
                        "environment": "ci",
                    }
                )
                for each, (kind, value) in zip(ours, kinds, strict=True)
            ]
        )
        http.close()
        mine, theirs = server.requests
    assert (mine.method, mine.target) == (theirs.method, theirs.target)
    assert mine.headers["authorization"] == theirs.headers["authorization"]
    assert _as_langfuse_reads(mine.raw) == _as_langfuse_reads(theirs.raw)


def _as_langfuse_reads(raw: bytes) -> list[Form]:
    """A time may be written with and without its milliseconds."""
    return [
        {**each, "timestamp": str(each["timestamp"]).replace(".000", "").replace("+00:00", "Z")}
        for each in cast("list[Form]", json.loads(raw))
    ]


def test_phoenix_gets_what_its_own_client_sends() -> None:
    """Of a span and of a trace."""
    pytest.importorskip("phoenix.client")
    import httpx
    from phoenix.client import Client

    of_span = attrs.evolve(score(), label="good", judge="gpt-5")
    with FakePhoenix() as server:
        export_scores_sync([of_span], Phoenix(server.url, api_key=server.key))
        http = httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {server.key}"})
        client = Client(http_client=http)
        client.spans.add_span_annotation(
            span_id=of_span.span_id,
            annotation_name="polite",
            annotator_kind="LLM",
            label="good",
            score=0.5,
            explanation="it is so",
            metadata=cast("Mapping[str, object]", of_span.told),  # type: ignore[arg-type]  # theirs is a dict of Any
            identifier=of_span.id,
            sync=True,
        )
        http.close()
        posts = [each for each in server.requests if each.method == "POST"]
    mine, theirs = posts
    assert mine.target.lower() == theirs.target.lower()
    assert mine.headers["authorization"] == theirs.headers["authorization"]
    assert mine.json == theirs.json
