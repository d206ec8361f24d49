"""Two configurations of a ready scorer never share an id."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import product
from typing import Literal, get_args, get_origin

import pytest

from scorewright import DefinitionError, Judge, Scorer
from scorewright.agents import ToolDefinition
from scorewright.library.catalogue import ROOMS, catalogue
from scorewright.library.examples.safety import Names
from scorewright.library.judged.rubrics import Criterion
from scorewright.library.trajectory import Expectation, Weights, near, partial, pattern, step, together, where

LONG = "a" * 200
TEXTS = (
    "a",
    "A",
    "a ",
    "a', ignore_case=False",
    'a", b',
    "a\n",
    "\\n",
    "1",
    "é",
    "e\u0301",
    "\ud800",
    LONG,
    LONG + "a",
)
LISTS = (["a"], ["b", "a"], ["a", "b"], ["a, b"], ["['a']"], [LONG], [LONG + "a"])
STEPS = (
    *LISTS,
    ["a({})", "b"],
    [step("a", {})],
    [step("a", {"b": 1})],
    [step("a", {"b": "1"})],
    [step("a", {"b": True})],
    [step('a({"b": 1})')],
    [step("a", {"b": pattern("1")})],
    [step("a", {"b": "/1/"})],
    [step("a", {"b": near(1, 0)})],
    [step("a", {"b": near(1, 0.5)})],
    [step("a", {"b": where(bool, name="/1/")})],
    [step("a", partial({"b": 1}))],
    [step("a", kind="tool")],
    [step("a", kind="agent")],
    [step("a", result=1)],
    [step("a", result=None)],
    [step("a", succeeded=True)],
    [step("a", succeeded=False)],
    [step("a", details={"k": 1})],
    [step("a", inside=Expectation(["b"]))],
    [step("a", inside=Expectation(["b"], max_steps=1))],
    [together("a", "b")],
    ["[a, b]"],
    [together("b", "a")],
)
EXPECTED = (
    *(Expectation(steps) for steps in STEPS),
    Expectation([], max_steps=1),
    Expectation(max_steps=1),
    Expectation(max_tokens=1),
    Expectation(max_milliseconds=1),
    Expectation(max_steps=1, redundancy=False),
    Expectation(["a"], mode="strict"),
    Expectation(["a"], allow_repeats=False),
    Expectation(["a"], max_retries=1),
    Expectation(forbidden_tools=["a"]),
    Expectation(forbidden_sequences=[["a"]]),
    Expectation(forbidden_sequences=[["a", "b"]]),
)
# By the name of the option, where its type does not tell what it takes; "" are those of one maker alone.
VALUES: Mapping[str, tuple[object, ...]] = {
    "judge": (Judge("openai/gpt-4o-mini"),),
    "steps": STEPS,
    "calls": STEPS,
    "expected": (None, *STEPS),
    "trajectory_score.expected": EXPECTED,
    "trajectory_score.weights": (Weights(accuracy=1), Weights(failures=1)),
    "order": (None, *LISTS),
    "names": ([], *LISTS),
    "sequences": ([], [["a"]], [["a", "b"]], [["a"], ["b"]]),
    "schema": ({}, {"type": "object"}, {"type": "array"}, {"required": ["a"]}, {"required": ["b"]}, {"const": 1}),
    "arguments": ({}, {"a": 1}, {"a": "1"}, {"a": True}, {"a": None}, {"a": [1]}, {"a": {"b": 1}}, {"a": LONG}),
    "pattern": ("a", "(?i)a", re.compile("a", re.IGNORECASE), re.compile("a", re.DOTALL), "a', flags=2", LONG),
    "code": ("de", "en"),
    "least": (0, 1),
    "stop_words": (None, [], *LISTS),
    "lexicon": (None, {"a": 1.0}, {"a": 2.0}, {"b": 1.0}),
    "reference": (None, *TEXTS),
    "embed": (lambda texts: [[1.0] for _ in texts],),
    "model": ("a", "b", "a', b"),
    "kinds": (["email"], ["phone"], ["email", "phone"]),
    "schemes": (["http"], ["https"], ["http", "https"]),
    "hosts": (None, ["a.org"], ["b.org"], ["a.org", "b.org"]),
    "tools": ([], [ToolDefinition("a", "b")], [ToolDefinition("a", "c")], [ToolDefinition("b", "b")]),
    "criteria": (None, ["a"], ["a", "b"], [Criterion("a", required=False)], "['a', 'b']"),
    "analyzer": (Names(),),
    "no_personal_data_by.name": ("a", "b", "a', b"),
    "no_personal_data_by.kinds": ([], ["PERSON"], ["PHONE"], ["PERSON", "PHONE"]),
    "g_eval.name": ("a", "b", "a('a')"),
    "grades": ((1, 5), (0, 5), (1, 4)),
    "noise_sensitivity.weights": tuple(
        {"none": 1.0, "minimal": 0.85, "moderate": 0.6, "significant": 0.3, "severe": worst} for worst in (0.0, 0.2)
    ),
}
SIMPLE: Mapping[str, tuple[object, ...]] = {
    "bool": (False, True),
    "int": (1, 2),
    "float": (0.25, 0.5, 1.0),
    "str": TEXTS,
}


def options(maker: Callable[..., object], name: str) -> Mapping[str, tuple[object, ...]]:
    """What each parameter of a maker is tried with; its default among it."""
    hints = typing.get_type_hints(maker)
    return {
        each.name: tuple(values(each, hints[each.name], name)) for each in inspect.signature(maker).parameters.values()
    }


def values(option: inspect.Parameter, hint: object, maker: str) -> Iterator[object]:
    if option.default is not inspect.Parameter.empty:
        yield option.default
    known = VALUES.get(f"{maker}.{option.name}", VALUES.get(option.name))
    if known is not None:
        yield from known
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for kind in get_args(hint) or (hint,):
            yield from SIMPLE.get(getattr(kind, "__name__", ""), ())


def made(maker: Callable[..., object], given: Mapping[str, object]) -> Scorer[object, object] | None:
    """The scorer; None where the definition is refused."""
    kinds = inspect.signature(maker).parameters
    positional = [value for name, value in given.items() if kinds[name].kind is not inspect.Parameter.KEYWORD_ONLY]
    named = {name: value for name, value in given.items() if kinds[name].kind is inspect.Parameter.KEYWORD_ONLY}
    try:
        return maker(*positional, **named)  # type: ignore[return-value]  # a maker gives a scorer
    except DefinitionError:
        return None


def configurations(tried: Mapping[str, tuple[object, ...]]) -> Iterator[dict[str, object]]:
    """Every value of every option, the others at their first; and every pair of the first values of two options."""
    usual = {name: given[0] for name, given in tried.items()}
    yield usual
    for name, given in tried.items():
        yield from ({**usual, name: value} for value in given[1:])
    few = {name: given[:2] for name, given in tried.items()}
    for one, other in product(few, few):
        if one < other:
            yield from ({**usual, one: left, other: right} for left in few[one] for right in few[other])


NAMES = [ready.name for ready in catalogue()]


@pytest.mark.parametrize("name", NAMES)
def test_other_options_make_another_id(name: str) -> None:
    """Whatever option differs, the id does, in texts that look like ids, too; ids are one line that can be saved."""
    room, _, bare = name.partition(".")
    maker = getattr(import_module(f"scorewright.library.{room}"), bare)
    by_id: dict[str, dict[str, object]] = {}
    for given in configurations(options(maker, bare)):
        scorer = made(maker, given)
        if scorer is not None:
            before = by_id.setdefault(scorer.id, given)
            assert meant(before) == meant(given), scorer.id
            assert scorer.id.isprintable()
            assert scorer.id.encode()
    assert by_id


UNORDERED = {"stop_words", "names", "schemes", "hosts", "kinds"}


def meant(given: Mapping[str, object]) -> dict[str, object]:
    """What a configuration means: blanks around a text of a judged scorer do not count, nor does the order of a set."""
    return {name: _meant(name, value) for name, value in given.items()}


def _meant(name: str, value: object) -> object:
    if name in {"name", "criterion", "role", "criteria"} and isinstance(value, str):
        return value.strip()
    if isinstance(value, (list, tuple)):
        return frozenset(value) if name in UNORDERED else tuple(value)
    return (type(value), value) if isinstance(value, bool) else value


def test_every_option_is_tried_with_several_values() -> None:
    """But for the judge and a function, which an id cannot tell; of every maker of the library."""
    single = {
        f"{name}.{option}"
        for name in NAMES
        for option, given in options(
            getattr(import_module(f"scorewright.library.{name.partition('.')[0]}"), name.partition(".")[2]),
            name.partition(".")[2],
        ).items()
        if len(given) < 2
    }
    assert {each.rpartition(".")[2] for each in single} <= {"analyzer", "judge"}
    assert {name.partition(".")[0] for name in NAMES} == set(ROOMS)
