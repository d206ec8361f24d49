"""Scorers for suites: found by name, so that worker processes find them too."""

from __future__ import annotations

import os
import re
from pathlib import Path
from threading import Event

from scorewright import Judge, NotScorable, Scorer, create_scorer, err, ok, pure, score_prompt
from scorewright.core import Step
from scorewright.faults import Fault
from scorewright.suites import Suite


def _number(step: Step[str, str, None, None]) -> object:
    said = step.run.output
    if said == "none":
        return err(NotScorable("it says none"))
    if said == "fail":
        raise ValueError("it says fail")
    return ok(float(said))


# the score is the output; "none" is not scorable, "fail" raises
number: Scorer[str, str, object, Fault] = create_scorer("number", input=str, output=str).generate_score(
    _number  # type: ignore[arg-type]  # several kinds of outcome
)
words = (
    create_scorer("words", input=str, output=str)
    .preprocess(pure(lambda s: re.findall(r"\w+", s.run.output)))
    .analyze(pure(lambda s: len(s.pre)))
    .generate_score(pure(lambda s: 1.0 if s.ana < 3 else 0.5))
    .generate_reason(pure(lambda s: f"{s.ana} words"))
)
same = create_scorer("same", input=str, output=str, expected=str).generate_score(
    pure(lambda s: s.run.output == s.run.expected)
)
judged = create_scorer("judged", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
    score_prompt(lambda step: f"How good is {step.run.output!r}?")
)
plain = Suite(number, words, name="plain")


def echo(given: str) -> str:
    """A target that says what it was given, and raises on "boom"."""
    if given == "boom":
        raise RuntimeError("the target broke")
    return given


def asked(given: str) -> str:
    """A target that notes every call in the file that ASKED names, and raises once on "fragile"."""
    there = Path(os.environ["ASKED"])
    before = there.read_text() if there.exists() else ""
    with there.open("a") as file:
        file.write(f"{given}\n")
    if given == "fragile" and given not in before:
        raise RuntimeError("the target broke")
    return given.partition(" ")[0]


class Unwritten:
    """What a pickle cannot be made of."""

    def __reduce__(self) -> tuple[object, ...]:
        """Raise what no pickler expects."""
        raise ValueError("it is not written")


class Unread:
    """What is written, and cannot be read again."""

    def __reduce__(self) -> tuple[object, ...]:
        """Of no class that can be made so."""
        return int, ("x",)


def _deep() -> list[object]:
    inner: list[object] = []
    for _ in range(5000):
        inner = [inner]
    return inner


_STRANGE = {"unwritten": Unwritten(), "unread": Unread(), "deep": _deep(), "lambda": lambda: 0, "set": {1}}


def strange(given: str) -> object:
    """A target whose answers are hard to carry from one process to another."""
    return _STRANGE.get(given, given)


def hanging(given: str) -> str:
    """A target that never comes back from "hang"."""
    if given == "hang":
        Event().wait()
    return given


def _full(step: Step[object, object, None, None]) -> object:
    return err(_Odd(Unread())) if step.run.output == "odd" else ok(1.0)


class _Odd:
    def __init__(self, held: object) -> None:
        self.held = held


anything = Suite(
    create_scorer("full", input=object, output=object).generate_score(_full),  # type: ignore[arg-type]  # a cause of its own
    name="anything",
)


def _die(step: Step[str, str, None, None]) -> float:
    os._exit(3)


holding = Suite(
    create_scorer("holding", input=str, output=str)
    .preprocess(pure(lambda s: lambda: s))
    .generate_score(pure(lambda _: 1.0)),
    name="holding",
)
dying = Suite(create_scorer("dying", input=str, output=str).generate_score(pure(_die)), name="dying")
