"""`structure` and `unstructure`: nothing is invented, everything comes back."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Generic, Literal, NewType, NotRequired, Optional, TypedDict, TypeVar

import attrs
import pydantic
import pytest
from attrs import validators as v
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator
from returns.pipeline import is_successful
from returns.result import Failure

from scorewright.faults import DefinitionError
from scorewright.shapes import Misfit, json_shape, shape_of, structure, unstructure

T = TypeVar("T")
UserId = NewType("UserId", str)


class Color(Enum):
    RED = "red"
    ONE = 1


class Tone(str, Enum):  # noqa: UP042 - as users write it
    WARM = "warm"


@attrs.frozen
class Claim:
    text: str
    score: float = attrs.field(default=0.0, validator=[v.ge(0), v.le(1)])
    tags: tuple[str, ...] = ()
    color: Color = Color.RED
    day: date | None = None


@attrs.frozen
class Tree:
    name: str
    kids: list[Tree] = attrs.Factory(list)


@attrs.frozen
class Box(Generic[T]):
    held: T
    more: list[T] = attrs.Factory(list)


@attrs.frozen
class IntBox(Box[int]):
    pass


@attrs.frozen
class Cat:
    kind: Literal["cat"]
    lives: int


@attrs.frozen
class Dog:
    kind: Literal["dog"]
    lives: int


@attrs.frozen
class Left:
    left: int
    note: str = ""


@attrs.frozen
class Right:
    right: int
    note: str = ""


@attrs.frozen
class Even:
    n: int = attrs.field()
    m: int = 0

    @n.validator
    def _even(self, _: object, n: int) -> None:
        if n % 2:
            raise ValueError(f"{n} is odd")

    def __attrs_post_init__(self) -> None:
        if self.m > self.n:
            raise ValueError("m is above n")


@attrs.frozen
class Shouting:
    word: str = attrs.field(converter=lambda word: word.upper() if word else 1 / 0)


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


class Row(TypedDict):
    question: str
    answer: NotRequired[str]


class Inner(BaseModel):
    n: int
    one: Literal[1] = 1


class Outer(BaseModel):
    inners: list[Inner]
    color: Color = Color.RED
    word: str = Field(default="a", alias="theWord")

    @field_validator("inners")
    @classmethod
    def _some(cls, inners: list[Inner]) -> list[Inner]:
        if len(inners) > 2:
            raise ValueError("too many")
        return inners


GOOD: list[tuple[object, Any, object]] = [
    (1, int, 1),
    (1, float, 1.0),
    (1.0, float, 1.0),
    (None, type(None), None),
    ("a", UserId, "a"),
    ([1, 2], list[int], [1, 2]),
    ([1, 2], tuple[int, ...], (1, 2)),
    ([1, "a"], tuple[int, str], (1, "a")),
    ([], tuple[()], ()),
    ([1], Sequence[int], [1]),
    ({"a": [1]}, dict[str, list[int]], {"a": [1]}),
    ({"a": [1, {"b": None}]}, Mapping[str, object], {"a": [1, {"b": None}]}),
    ({"a": 1}, dict, {"a": 1}),
    ([None, True], object, [None, True]),
    (True, int | bool, True),
    (1, int | float, 1),
    (1.5, int | float, 1.5),
    (None, Optional[int], None),  # noqa: UP045 - the old spelling is served too
    ("a", Literal["a"] | int, "a"),
    ("b", Literal["a"] | str, "b"),
    ("red", Color, Color.RED),
    (1, Color, Color.ONE),
    ("warm", Tone, Tone.WARM),
    ("red", Literal[Color.RED], Color.RED),
    ("2026-01-31", date, date(2026, 1, 31)),
    ("2026-01-31T10:00:00Z", datetime, datetime(2026, 1, 31, 10, tzinfo=UTC)),
    (3, Annotated[int, "how many"], 3),
    ({"text": "a", "score": 1}, Claim, Claim("a", 1.0)),
    ({"name": "a", "kids": [{"name": "b"}]}, Tree, Tree("a", [Tree("b")])),
    ({"held": 1, "more": [2]}, Box[int], Box(1, [2])),
    ({"held": 1, "more": [2]}, IntBox, IntBox(1, [2])),
    ({"kind": "dog", "lives": 1}, Cat | Dog, Dog("dog", 1)),
    ({"right": 1}, Left | Right, Right(1)),
    ({"x": 1}, Point, Point(1.0)),
    ({"question": "q"}, Row, {"question": "q"}),
    ({"inners": [{"n": 1}], "theWord": "x"}, Outer, Outer(inners=[Inner(n=1)], theWord="x")),
    ({"n": 1}, Inner | Point, Inner(n=1)),
    ({"n": 4}, Even, Even(4)),
    ({"word": "a"}, Shouting, Shouting("a")),
]

BAD: list[tuple[object, Any, str, str]] = [
    ("abc", list[str], "$", "expected a list, got a string"),
    ("abc", tuple[str, ...], "$", "expected a list"),
    ({"a": 1}, list[str], "$", "expected a list, got an object"),
    ("false", bool, "$", "expected a boolean, got a string"),
    (0, bool, "$", "expected a boolean, got an integer"),
    (None, str, "$", "expected a string, got null"),
    (1, str, "$", "expected a string"),
    ("1", int, "$", "expected an integer, got a string"),
    (1.0, int, "$", "expected an integer, got a number with a fraction"),
    (True, int, "$", "expected an integer, got a boolean"),
    (True, float, "$", "expected a number, got a boolean"),
    ("0.8", float, "$", "expected a number, got a string"),
    (math.nan, float, "$", "finite"),
    (math.inf, float, "$", "finite"),
    (2**53 + 1, float, "$", "no float can hold"),
    (10**400, float, "$", "no float can hold"),
    ([1, "2"], list[int], "$[1]", "expected an integer"),
    ({"a b": "1"}, dict[str, int], '$["a b"]', "expected an integer"),
    ([1], tuple[int, str], "$", "expected a list of 2, got 1"),
    (True, Literal[1], "$", "expected 1, got True"),
    (1.0, Literal[1], "$", "expected 1, got 1.0"),
    ([], Literal[1], "$", "expected 1, got a list"),
    (True, Color, "$", "expected 'red' or 1"),
    ("RED", Color, "$", "expected 'red' or 1"),
    (True, int | str, "$", "expected int | str, got a boolean"),
    ("2026-01-31", datetime, "$", "date and time"),
    ("soon", date, "$", "a date"),
    (5, date, "$", "a date in a string"),
    ([], Claim, "$", "expected an object (Claim), got a list"),
    ({"text": "a", "scor": 1}, Claim, "$.scor", "is not a key of Claim"),
    ({"score": 1}, Claim, "$.text", "is missing"),
    ({"text": "a", "score": 2}, Claim, "$.score", "expected at most 1, got 2.0"),
    ({"text": "a", "tags": ["b", None]}, Claim, "$.tags[1]", "expected a string, got null"),
    ({"name": "a", "kids": [{"name": "b", "kids": [{"name": 1}]}]}, Tree, "$.kids[0].kids[0].name", "a string"),
    ({"held": "1"}, Box[int], "$.held", "expected an integer"),
    ({"held": "1"}, IntBox, "$.held", "expected an integer"),
    ({"kind": "cow", "lives": 1}, Cat | Dog, "$.kind", "expected 'cat' or 'dog', got 'cow'"),
    ({"lives": 1}, Cat | Dog, "$.kind", "is missing"),
    ({"kind": "cat", "lives": "1"}, Cat | Dog, "$.lives", "expected an integer"),
    ({"left": 1, "right": 1}, Left | Right, "$", "keys of more than one"),
    ({"note": ""}, Left | Right, "$", "the keys of none"),
    ({"question": "q", "answer": None}, Row, "$.answer", "expected a string"),
    ({"answer": "a"}, Row, "$.question", "is missing"),
    ({"question": "q", "b": 1}, Row, "$.b", "is not a key"),
    ([["question", "q"]], Row, "$", "expected an object"),
    ({"x": "1"}, Point, "$.x", "expected a number"),
    ({"n": 3}, Even, "$.n", "3 is odd"),
    ({"n": 2, "m": 3}, Even, "$", "m is above n"),
    ({"word": ""}, Shouting, "$.word", "ZeroDivisionError"),
    ({"inners": [{"n": "1"}]}, Outer, "$.inners[0].n", "integer"),
    ({"inners": [{"n": 1, "one": True}]}, Outer, "$.inners[0].one", "got"),
    ({"inners": [{"n": 1, "two": 2}]}, Outer, "$.inners[0].two", "is not a key"),
    ({"inners": [{"n": 1}] * 3}, Outer, "$.inners", "too many"),
    ("1.5", Decimal, "$", "use float or str"),
    ([1], set[int], "$", "use list[T]"),
]


@pytest.mark.parametrize(("value", "form", "expected"), GOOD)
def test_fitting(value: object, form: Any, expected: object) -> None:
    """A value that fits becomes exactly the value that it stands for."""
    found = structure(value, form).unwrap()
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(("value", "form", "path", "why"), BAD)
def test_misfits(value: object, form: Any, path: str, why: str) -> None:
    """A value that does not fit is refused at its place, with a sentence."""
    misfit = structure(value, form).failure()
    assert isinstance(misfit, Misfit)
    assert misfit.path == path
    assert why in misfit.why


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
)


@pytest.mark.parametrize("form", [bool, int, str, list, dict, type(None)])
@given(value=JSON)
def test_exact_types(form: Any, value: object) -> None:
    """A value is read as a type exactly when it already has that JSON type, and then unchanged."""
    result = structure(value, form)
    assert is_successful(result) == (type(value) is form)
    if is_successful(result):
        assert result.unwrap() == value


@given(value=JSON)
def test_floats_come_from_numbers(value: object) -> None:
    """A float is read from a finite number only, and is equal to it."""
    result = structure(value, float)
    if is_successful(result):
        assert type(value) in (int, float)
        assert type(result.unwrap()) is float
        assert result.unwrap() == value


@given(value=JSON)
def test_anything_passes_untouched(value: object) -> None:
    """`object` hands a JSON value on as it is."""
    assert structure(value, object).unwrap() is value


CLAIMS = st.builds(
    Claim,
    text=st.text(),
    score=st.floats(0, 1),
    tags=st.lists(st.text()).map(tuple),
    color=st.sampled_from(Color),
    day=st.none() | st.dates(),
)
TREES = st.recursive(st.builds(Tree, name=st.text()), lambda kids: st.builds(Tree, name=st.text(), kids=st.lists(kids)))
PETS = st.builds(Cat, kind=st.just("cat"), lives=st.integers()) | st.builds(
    Dog, kind=st.just("dog"), lives=st.integers()
)
VALUES = st.one_of(
    st.tuples(st.just(Claim), CLAIMS),
    st.tuples(st.just(Tree), TREES),
    st.tuples(st.just(Box[int]), st.builds(Box, held=st.integers(), more=st.lists(st.integers()))),
    st.tuples(st.just(Cat | Dog), PETS),
    st.tuples(st.just(dict[str, list[Claim]]), st.dictionaries(st.text(), st.lists(CLAIMS, max_size=2), max_size=2)),
    st.tuples(st.just(datetime), st.datetimes(timezones=st.just(UTC))),
    st.tuples(st.just(Point), st.builds(Point, x=st.floats(allow_nan=False, allow_infinity=False))),
    st.tuples(st.just(Inner), st.builds(Inner, n=st.integers(-(2**60), 2**60))),
)


@given(pair=VALUES)
def test_round_trip(pair: tuple[Any, object]) -> None:
    """What was unstructured is structured back to an equal value."""
    form, value = pair
    assert structure(unstructure(value), form).unwrap() == value


@pytest.mark.parametrize("value", [Decimal(1), {1: 2}, object(), {"a": {1}}])
def test_no_json_form(value: object) -> None:
    """What has no JSON form is not written in some other form."""
    with pytest.raises(TypeError):
        unstructure(value)


def test_deep_nesting() -> None:
    """A value nested beyond the stack is a misfit."""
    value: dict[str, object] = {"name": "leaf"}
    for _ in range(5000):
        value = {"name": "a", "kids": [value]}
    assert "nested too deeply" in structure(value, Tree).failure().why


@pytest.mark.parametrize("text", ["2026-W01-12", "2026-01-31", "1700000000", "20260131", "2026-01-31X12:00"])
def test_a_moment_is_a_date_and_a_time(text: str) -> None:
    """In an attrs class, in a pydantic model and in a schema alike; digits are no moment."""

    class Model(pydantic.BaseModel):
        at: datetime

    assert isinstance(structure(text, datetime), Failure)
    assert isinstance(structure({"at": text}, Model), Failure)
    schema = {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}}
    assert isinstance(json_shape(schema).decode(json.dumps({"at": text})), Failure)
    good = "2026-01-31T12:00:00+00:00"
    assert structure(good, datetime).unwrap() == structure({"at": good}, Model).unwrap().at


@dataclasses.dataclass
class Seeded:
    seed: dataclasses.InitVar[int]
    value: int = 0


def test_what_only_init_sees_cannot_be_read_back() -> None:
    """A dataclass with an InitVar is refused."""
    with pytest.raises(DefinitionError, match=r"Seeded\.seed"):
        shape_of(Seeded)
