"""The catalogue of ready scorers, told by the scorers: what each judges, needs, asks and gives.

It is made of the examples (`library.examples`): one for each maker. All else is read from the maker's signature and
docstring, from the scorer that it makes, and from what that does with its example.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Final, Literal, final

import attrs
from returns.pipeline import is_successful

from scorewright.core.about import About
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.examples.shown import Example, Examples
from scorewright.library.examples.source import Written, written
from scorewright.library.judged.runs import Asked
from scorewright.library.trajectory.path import TOLD, Path
from scorewright.shapes import structure

ROOMS: Final = ("checks", "text", "safety", "tools", "trajectory", "judged")
_MODULES = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)")


@final
@attrs.frozen
class Ready:
    """One ready scorer: what is told of it, whichever options it is made with, and its example."""

    name: str  # as it is imported from `scorewright.library`: "text.levenshtein"
    says: str  # the first sentence of its docstring
    formula: tuple[str, ...]  # the paragraphs below, with the source of the formula where it has one
    signature: str
    module: str
    extra: str  # the extra of the package that it needs, if any
    example: Written
    made: Made  # as it was when the page of them was made, where its extra is not installed
    lacks: bool = False  # whether that is so


@final
@attrs.frozen
class Made:
    """What the scorer of the example says of itself, and what it does with the run of the example."""

    id: str
    input: str
    output: str
    expected: str  # empty where no reference answer is looked at
    needs: tuple[str, ...]  # what the run must hold, or it is not scorable
    asks: int  # questions to the judge for the run of the example
    more: str  # the options by which there may be more
    low: float
    high: float
    better: Literal["higher", "lower"]
    score: float
    reason: str


def catalogue() -> tuple[Ready, ...]:
    """Every ready scorer, room by room and by name. Examples are run; nobody is asked and nothing is sent."""
    return tuple(ready for room in ROOMS for ready in _of_room(room))


def found(name: str, /) -> tuple[Ready, ...]:
    """Those of this name, with or without the room; or all of a room."""
    if name in ROOMS:
        return tuple(_of_room(name))
    rooms = [room for room in ROOMS if name in import_module(f"scorewright.library.examples.{room}").EXAMPLES]
    room, _, bare = name.rpartition(".")
    asked = [room] if room in ROOMS else rooms if not room else []
    return tuple(ready for each in asked for ready in _of_room(each, bare))


def _of_room(room: str, only: str = "") -> Iterator[Ready]:
    makers, shown = import_module(f"scorewright.library.{room}"), import_module(f"scorewright.library.examples.{room}")
    examples: Examples = shown.EXAMPLES
    for name, make in examples.items():
        if only in {"", name}:
            yield _ready(f"{room}.{name}", getattr(makers, name), make, written(shown)[name])


def _ready(name: str, maker: Callable[..., object], make: Callable[[], Example], example: Written) -> Ready:
    made = _made(maker, make, recorded().get(name))
    head, *rest = inspect.cleandoc(maker.__doc__ or "").partition(">>>")[0].strip().split("\n\n")
    return Ready(
        name,
        _one_line(head),
        tuple(map(_one_line, rest)),
        signed(maker),
        maker.__module__,
        example.extra,
        example,
        *made,
    )


@cache
def recorded() -> Mapping[str, Made]:
    """Those that need an extra, as they were when all were installed: `tests/library/page.py` writes them."""
    text = files("scorewright.library").joinpath("examples/made.json").read_text("utf-8")
    return structure(json.loads(text), dict[str, Made]).unwrap()


def _made(maker: Callable[..., object], make: Callable[[], Example], known: Made | None) -> tuple[Made, bool]:
    try:
        example = make()
    except DefinitionError:  # an extra is missing
        if known is None:
            raise
        return known, True
    about, done = example.scorer.about, example.scored().unwrap()
    return Made(
        about.id,
        spoken(about.input),
        spoken(about.output),
        "" if about.expected is object else spoken(about.expected),
        tuple(_needs(about, example)),
        len(done.exchanges),
        ", ".join(option for option in ("batch_size", "samples") if option in inspect.signature(maker).parameters),
        about.scale.low,
        about.scale.high,
        about.better,
        done.score,
        done.reason or "",
    ), False


def _needs(about: About, example: Example) -> Iterator[str]:
    """A reference where the scorer says so; and of what the example holds, all without which it is not scorable."""
    if about.needs_expected:
        yield "reference"
    run = example.run
    for bare, name in (
        *((run.with_input(each), name) for each, name in _without_each(run.input)),
        *((run.with_output(each), name) for each, name in _without_each(run.output)),
    ):
        result = example.scored(bare)
        if not is_successful(result) and isinstance(result.failure().cause, NotScorable):
            yield name


def _without_each(given: object) -> Iterator[tuple[object, str]]:
    """The value with one of its fields empty, for each of them."""
    if isinstance(given, (Asked, Path)):
        for field in attrs.fields(type(given)):
            yield attrs.evolve(given, **{field.name: field.default}), field.name


def signed(maker: Callable[..., object], /) -> str:
    """The signature as it stands in the source, but without what it gives: `(text, /, *, ignore_case=True)`."""
    signature = inspect.signature(maker)
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return str(inspect.Signature(bare))


def spoken(form: object, /) -> str:
    """A type as people write it, without the modules that its names come from."""
    if form == TOLD:
        return "Told"
    return form.__name__ if isinstance(form, type) and not hasattr(form, "__args__") else _MODULES.sub("", str(form))


def _one_line(text: str) -> str:
    return " ".join(text.split())
