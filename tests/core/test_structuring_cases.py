"""Values that other tools invent out of a judge's answer: here each is itself, or a fault that names its place."""

from __future__ import annotations

from json import dumps
from typing import Literal

import attrs
import pytest
from core.canned import CANNED, Told

from scorewright import Run, Scorer, create_scorer, prompt, pure
from scorewright.faults import SchemaMismatch

RUN = Run("q", "a")


@attrs.frozen
class Filed:
    name: str
    tags: list[str]
    score: float
    count: int


@attrs.frozen
class UserMsg:
    kind: Literal["user"] = "user"
    text: str = ""


@attrs.frozen
class ToolMsg:
    kind: Literal["tool"] = "tool"
    text: str = ""


def reading(form: object) -> Scorer[str, str]:
    draft = create_scorer("reading", input=str, output=str, judge=CANNED)
    return draft.analyze(prompt(form, lambda _: "?")).generate_score(pure(lambda _: 1.0))


def read(form: object, said: object) -> object:
    end = reading(form).run_sync(RUN, answer=Told(dumps(said)))
    return end.map(lambda done: done.record("analyze").value).value_or(None) or end.failure().cause


GOOD = {"name": "x", "tags": ["a"], "score": 1, "count": 1}


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"name": None}, "$.name"),
        ({"tags": "urgent"}, "$.tags"),
        ({"score": True}, "$.score"),
        ({"count": "10"}, "$.count"),
        ({"count": 2.5}, "$.count"),
        ({"name": ["x"]}, "$.name"),
    ],
)
def test_a_wrong_type_is_not_made_to_fit(wrong: dict[str, object], path: str) -> None:
    """cattrs#26: no list of letters, no word None, no number out of a text or a truth value."""
    lost = read(Filed, GOOD | wrong)
    assert isinstance(lost, SchemaMismatch)
    assert lost.path == path
    assert lost.text == dumps(GOOD | wrong)


def test_a_whole_number_is_a_number() -> None:
    """cattrs#26: where a float is due an int is one, and what is written with a fraction is no int."""
    assert read(Filed, GOOD) == Filed("x", ["a"], 1.0, 1)
    assert read(Filed, GOOD | {"count": 2.0}).path == "$.count"


@pytest.mark.parametrize(
    ("said", "meant"),
    [({"kind": "user", "text": ""}, UserMsg()), ({"kind": "tool", "text": "t"}, ToolMsg(text="t"))],
)
def test_a_member_of_a_union_is_chosen_by_its_tag(said: object, meant: object) -> None:
    """cattrs#70: also where every field has a default."""
    assert read(UserMsg | ToolMsg | None, {"value": said}) == meant


@pytest.mark.parametrize("said", [{"kind": "robot"}, {"text": "no tag"}, {}, {"kind": None}])
def test_an_unknown_tag_is_no_member(said: object) -> None:
    """cattrs#70: the first that fits is not taken; what may stand there is told."""
    lost = read(UserMsg | ToolMsg | None, {"value": said})
    assert isinstance(lost, SchemaMismatch)
    assert lost.path == "$.value.kind"
    assert "'user' or 'tool'" in lost.why
