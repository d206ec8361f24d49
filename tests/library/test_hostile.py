"""Whatever a run holds, a ready scorer ends: with a score and a reason that can be saved, or with a fault."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest
from returns.pipeline import is_successful

from scorewright import Run
from scorewright.agents import AgentOutput, answered, assistant, called
from scorewright.faults import StepRaised
from scorewright.library.catalogue import ROOMS
from scorewright.library.examples.shown import Example
from scorewright.library.judged import Asked
from scorewright.library.trajectory import Path, PathStep

LONGEST = 4_000  # characters of a reason; those of judged scorers repeat what the judge said
TEXTS = {
    "nothing": "",
    "a blank": " ",
    "half a pair": "a\ud800b",
    "a control character": "\x00\x1b[31m",
    "right to left": "\u202eabc\u202c مرحبا 123",
    "a family": "👩‍👩‍👧‍👦" * 20,
    "accents": "e\u0301" * 200,
    "one long word": "a" * 6_000,
    "lines": "\r\n" * 2_000,
    "open brackets": "[" * 6_000,
    "deep JSON": '{"a":' * 900 + "1" + "}" * 900,
    "a large number": "[" + "9" * 5_000 + "]",
    "no number": "[NaN, 1e999]",
    "links": "http://" * 800,
    "addresses": "a@" * 2_000,
    "a wide table": "|" * 3_000 + "\n" + "|-" * 3_000,
    "digits": "+1 " * 2_000,
}


def runs(example: Example, text: str) -> Iterator[Run[object, object, object]]:
    """The run of the example with the text wherever it takes one."""
    run = example.run
    if isinstance(run.output, str):
        yield run.with_output(text)
        yield run.with_output(text[::-1]).with_input(text if isinstance(run.input, str) else run.input)
        if run.expected is not None:
            yield run.with_expected(text)
    if isinstance(run.input, Asked):
        yield run.with_input(Asked(text, (text,), text, text))
    if isinstance(run.output, list):
        yield run.with_output([text, math.nan, 10**400, {"a": text}]).with_expected([text, math.nan])
    if isinstance(run.output, AgentOutput):
        yield run.with_output(answered(assistant(called(text or "x", {text: text, "n": math.nan}, result=text)), text))
    if isinstance(run.output, Path):
        steps = (PathStep(text, {text: text, "n": math.nan}, succeeded=False), PathStep(text, text))
        yield run.with_output(Path((*steps, *steps), tokens=1, milliseconds=1))


@cache
def example(name: str) -> Example:
    room, _, bare = name.partition(".")
    return import_module(f"scorewright.library.examples.{room}").EXAMPLES[bare]()


NAMES = [f"{room}.{name}" for room in ROOMS for name in import_module(f"scorewright.library.examples.{room}").EXAMPLES]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_are_scored_or_refused(name: str) -> None:
    """No exception, no step that raised, a finite score; a reason is short and has no half of a pair in it."""
    for told, text in TEXTS.items():
        for run in runs(example(name), text):
            result = example(name).scored(run)
            if not is_successful(result):
                assert not isinstance(result.failure().cause, StepRaised), (told, result.failure().cause)
                continue
            done = result.unwrap()
            assert math.isfinite(done.score), told
            assert (done.reason or "").encode(), told
            assert len(done.reason or "") <= LONGEST or name.startswith("judged."), (told, (done.reason or "")[:200])
