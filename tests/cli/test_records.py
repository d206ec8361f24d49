"""What stands in the results file."""

from __future__ import annotations

import json
from typing import cast

import attrs
import pytest

from scorewright import Run, Verdict, create_scorer, ok, pure
from scorewright.cli.loading import AnyScorer
from scorewright.cli.records import plain, record, record_line
from scorewright.cli.rows import Row
from scorewright.cli.scoring import Scored
from scorewright.core import Scorer

ROW = Row(3, "a", "q", "x", None, {}, {}, "a", 0)


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
    scored = Scored(ROW, cast("AnyScorer", scorer), scorer.run_sync(Run("q", "x", run_id="a")))
    written = record_line(scored)
    assert written.endswith(b"}\n")
    assert written.count(b"\n") == 1
    read = cast("dict[str, object]", json.loads(written))
    assert read == json.loads(json.dumps(record(scored)))
    return read


def test_a_failed_reason_keeps_its_score() -> None:
    """Beside the fault."""

    def reason(step: object) -> object:
        raise ValueError("no\nreason")

    scored = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 0.5))
    written = line(scored.generate_reason(reason))  # type: ignore[arg-type]  # it only raises
    assert (written["score"], written["reason"]) == (0.5, None)
    said = "The step raised ValueError: no\nreason."
    assert written["fault"] == {"kind": "StepRaised", "message": said, "step": "generate_reason"}


def test_texts_are_written_as_utf_8() -> None:
    """Legible; a lone surrogate, which UTF-8 cannot say, is escaped."""
    scored = create_scorer("it", input=str, output=str).generate_score(pure(lambda _: 1))
    written = line(scored.generate_reason(lambda _: ok("é \ud800 \u2028")))
    assert written["reason"] == "é \ud800 \u2028"
