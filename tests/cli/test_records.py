"""What stands in the results file."""

from __future__ import annotations

import json
import re
from typing import cast

import attrs
import pytest

from scorewright import Judge, Run, Verdict, create_scorer, err, ok, prompt, pure, score_prompt
from scorewright.cli.records import record, record_lines
from scorewright.core import Attempt, JudgeReply, JudgeRequest, Scorer, Usage
from scorewright.faults import RateLimited
from scorewright.suites import ItemRecord, Place, Row
from scorewright.suites.records import Judged, item_score
from scorewright.suites.written import plain

ROW = Row("a", "q", "x", place=Place(line=3))


@attrs.frozen
class Point:
    x: float
    tags: tuple[str, ...] = ()


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError


def cyclic() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (None, None),
        (Point(1.5, ("a",)), {"x": 1.5, "tags": ["a"]}),
        ({"a": (1, 2)}, {"a": [1, 2]}),
        (Verdict(0.5, "so"), {"score": 0.5, "reason": "so"}),
        ({1}, "{1}"),
        (float("nan"), "nan"),
        (Point(float("inf")), "Point(x=inf, tags=())"),
        ({1: 2}, "{1: 2}"),
        (object, "<class 'object'>"),
        (Shy(), "<Shy whose repr raised RuntimeError>"),
        pytest.param(10**5000, "<int whose repr raised ValueError>", id="of very many digits"),
    ],
)
def test_a_value_has_its_json_form_or_its_repr(value: object, form: object) -> None:
    """No value of a step keeps a row out of the file."""
    assert plain(value) == form


def test_a_value_that_holds_itself_is_written_too() -> None:
    """As its repr."""
    assert plain(cyclic()) == "[[...]]"


def line(scorer: Scorer[str, str, object, object]) -> dict[str, object]:
    """What is written of one run."""
    scored = item_score("it", cast("Judged", scorer.run_sync(Run("q", "x", run_id="a"))), None)
    (written,) = record_lines(ItemRecord(0, ROW, (scored,)))
    assert written.endswith(b"}\n")
    assert written.count(b"\n") == 1
    read = cast("dict[str, object]", json.loads(written))
    assert read == json.loads(json.dumps(record(ROW, scored)))
    return read


def test_a_failed_reason_keeps_its_score() -> None:
    """Beside the fault."""

    def reason(step: object) -> object:
        raise ValueError("no\nreason")

    scored = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 0.5))
    written = line(scored.generate_reason(reason))  # type: ignore[arg-type]  # it only raises
    assert (written["score"], written["reason"]) == (0.5, None)
    fault = cast("dict[str, object]", written["fault"])
    assert (fault["kind"], fault["step"]) == ("StepRaised", "generate_reason")
    assert re.fullmatch(r"The step raised ValueError: no\nreason, at test_records\.py:\d+\.", str(fault["message"]))
    assert str(fault["trace"]).endswith("ValueError: no\nreason\n")


def test_what_was_asked_is_written_with_what_it_took() -> None:
    """Place, prompt, answer or fault, attempts and usage of every exchange; the sum for the run."""

    async def answer(request: JudgeRequest) -> JudgeReply:
        refused = Attempt(RateLimited("slow down"), 429, model="openai/gpt-4o-mini")
        done = Attempt(None, 200, Usage(100, 10), "openai/gpt-4o-mini")
        if "one" in request.prompt:
            return JudgeReply(ok('{"score": 0.5}'), (refused, done))
        return JudgeReply(err(RateLimited("slow down")), (refused,))

    judge = Judge("openai/gpt-4o-mini")
    asks = create_scorer("it", input=str, output=str, judge=judge).generate_score(score_prompt(lambda _: "one"))
    scorer = asks.generate_reason(prompt(str, lambda _: "two"))
    result = cast("Judged", scorer.run_sync(Run("q", "x", run_id="a"), answer=answer))
    written = record(ROW, item_score("it", result, None))
    usage = {"input_tokens": 100, "output_tokens": 10, "cached_input_tokens": 0, "reasoning_tokens": 0}
    usage = {**usage, "cache_write_tokens": 0}
    limited = {"kind": "RateLimited", "message": "The judge was asked too often: slow down."}
    first, second = (
        step["exchanges"][0] for step in cast("list[dict[str, list[dict[str, object]]]]", written["steps"])
    )
    assert {**first, "attempts": 0} == {
        "place": "generate_score[0]", "model": "openai/gpt-4o-mini", "prompt": "one", "answer": '{"score": 0.5}',
        "fault": None, "attempts": 0,
    }  # fmt: skip
    assert first["attempts"] == [
        {"status": 429, "usage": None, "fault": limited, "ms": 0.0},
        {"status": 200, "usage": usage, "fault": None, "ms": 0.0},
    ]
    assert (second["answer"], second["fault"]) == (None, limited)
    spent = cast("dict[str, object]", written["spent"])
    assert (spent["attempts"], spent["usage"], spent["uncounted"]) == (3, usage, 0)
    assert spent["dollars"] == pytest.approx(100 * 0.15e-6 + 10 * 0.6e-6)


def test_texts_are_written_as_utf_8() -> None:
    """Legible; a lone surrogate, which UTF-8 cannot say, is escaped."""
    scored = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 1))
    written = line(scored.generate_reason(lambda _: ok("é \ud800 \u2028")))
    assert written["reason"] == "é \ud800 \u2028"
