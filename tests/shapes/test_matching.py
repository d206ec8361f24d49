"""A pattern that takes years for a text made for it ends as a misfit, and sound ones match as `re` says."""

from __future__ import annotations

import json
import re
import threading

import attrs
import pydantic
import pytest
from attrs.validators import and_, deep_iterable, instance_of, matches_re, optional
from fakes.openai_server import FakeOpenAI, said
from hypothesis import given
from hypothesis import strategies as st
from judges.asking import MODES, Mode, came, fault_of, judge_at
from returns.pipeline import is_successful

from scorewright import create_scorer, prompt_json, pure
from scorewright.core.feedback import feedback
from scorewright.faults import DefinitionError, SchemaMismatch
from scorewright.shapes import json_shape, shape_of
from scorewright.shapes.matching import matcher
from scorewright.shapes.misfit import Unfit

HOSTILE = (r"^((a|aa)+)+$", r"^(a+)+$", r"^(?:(?:a|a)+)+$", r"(x+x+)+y", r"^(.*?,){30}P", r"^(\w+\s?)*$")
TEXTS = ("a" * 60 + "!", "x" * 60, "x," * 60, "a" * 5000 + "!")


def ended(work: threading.Thread) -> bool:
    """Whether the thread is over within a time that no sound match comes near, and a hanging one never ends in."""
    work.start()
    work.join(60)
    return not work.is_alive()


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:2])
@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_hostile_pattern_ends(pattern: str, text: str) -> None:
    """As no match, or as a misfit that says that it took too long."""
    came: list[object] = []

    def tried() -> None:
        try:
            came.append(matcher(pattern)(text))
        except Unfit as unfit:
            came.append(unfit.expected)

    assert ended(threading.Thread(target=tried, daemon=True))
    assert came in ([False], [True], [f"no match of {pattern} was found within 0.25 s"])


@pytest.mark.parametrize("mode", MODES)
def test_a_hostile_reply_to_a_raw_schema_is_a_fault(mode: Mode) -> None:
    """The loop goes on, the judge is told, and the answer after it counts."""
    schema = {
        "type": "object",
        "properties": {"code": {"type": "string", "pattern": r"^((a|aa)+)+$"}},
        "required": ["code"],
        "additionalProperties": False,
    }
    step = prompt_json(schema, lambda _: "?")
    wrong, right = (json.dumps({"code": code}) for code in ("a" * 60 + "!", "aaa"))
    with FakeOpenAI([said(wrong), said(right), said(wrong), said(wrong)]) as server:
        scorer = create_scorer("j", input=str, output=str, judge=judge_at(server)).analyze(step)
        whole = scorer.generate_score(pure(lambda _: 1.0))
        assert came(mode, whole).unwrap().score == 1.0
        assert "(at $.code: no match of" in server.prompts[1]
        fault = fault_of(came(mode, whole))
    assert isinstance(fault, SchemaMismatch)
    assert fault.path == "$.code"


@pytest.mark.parametrize(
    "validator",
    [
        matches_re(r"((a|aa)+)+"),
        and_(instance_of(str), matches_re(r"^((a|aa)+)+$", func=re.search)),
        optional(matches_re(r"((a|aa)+)+$", func=re.match)),
    ],
    ids=["fullmatch", "and search", "optional match"],
)
def test_a_hostile_reply_to_an_attrs_validator_is_a_fault(validator: object) -> None:
    """attrs would try it with `re`, which nothing can stop: it is tried before that."""

    @attrs.frozen
    class Coded:
        code: str = attrs.field(validator=validator)  # type: ignore[arg-type]  # one of those above

    shape = shape_of(Coded)
    came: list[object] = []
    work = threading.Thread(target=lambda: came.append(shape.decode(json.dumps({"code": "a" * 60 + "!"}))), daemon=True)
    assert ended(work)
    assert came[0].failure().path == "$.code"  # type: ignore[attr-defined]  # a result
    assert shape.decode('{"code": "aaa"}').unwrap() == Coded("aaa")
    wrong = shape.decode('{"code": "b"}').failure()
    assert isinstance(wrong, SchemaMismatch)
    assert wrong.why.endswith(", got 'b'")
    assert "'b'" not in feedback(wrong, json.dumps(shape.schema))


def test_items_of_a_list_are_tried_one_by_one() -> None:
    """The path leads to the one that does not fit."""

    @attrs.frozen
    class Codes:
        codes: list[str] = attrs.field(validator=deep_iterable(matches_re(r"(a|aa)+")))

    shape = shape_of(Codes)
    assert shape.decode('{"codes": ["a", "aa"]}').unwrap() == Codes(["a", "aa"])
    assert shape.decode('{"codes": ["a", "b"]}').failure().path == "$.codes[1]"


def test_a_model_with_a_hostile_pattern_ends_too() -> None:
    """pydantic's own matching is linear; ours comes before it."""

    class Coded(pydantic.BaseModel):
        code: str = pydantic.Field(pattern=r"^((a|aa)+)+$")

    came: list[bool] = []
    shape = shape_of(Coded)
    work = threading.Thread(
        target=lambda: came.append(is_successful(shape.decode(json.dumps({"code": "a" * 60 + "!"})))), daemon=True
    )
    assert ended(work)
    assert came == [False]


def test_a_pattern_that_is_none_is_refused_where_it_is_written() -> None:
    """With the place in the schema."""
    for pattern in ("(", 3, "a{2,1}", "(?P<n>a)(?P<n>b)"):
        with pytest.raises(DefinitionError, match="is not a regular expression"):
            json_shape({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}})


@given(
    pattern=st.sampled_from(
        [
            r"^[a-c]+$",
            r"a|b",
            r"\d{2,3}",
            r"(?i)AB",
            r"^(?:a-)*b$",
            r"\w\s\w",
            r"[^ab]",
            r"(a)\1",
            r"^\S+@\S+$",
            r"",
            r"é",
        ]
    ),
    text=st.text(alphabet="abcAB12 -@é\n", max_size=8),
    how=st.sampled_from(["search", "match", "fullmatch"]),
)
def test_sound_patterns_match_as_re_says(pattern: str, text: str, how: str) -> None:
    """Nothing else changes."""
    assert matcher(pattern, how)(text) == (getattr(re.compile(pattern), how)(text) is not None)
