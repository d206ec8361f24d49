"""Users hold their own scorers to the laws."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from enum import Enum
from json import dumps
from math import isfinite
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from scorewright import Run, Verdict, create_scorer, ok, prompt, pure, reason_prompt, score_from
from scorewright.core import JudgeRequest, interpret
from scorewright.faults import JudgeFault, NotScorable, StepRaised
from scorewright.laws import LawBroken, Script, check_scorer, same, strategies
from scorewright.laws.fitting import fitting
from scorewright.laws.script import Nobody
from scorewright.laws.trees import grown
from scorewright.results import err
from scorewright.shapes import shape_of


class Tone(Enum):
    WARM = "warm"
    COLD = "cold"


@attrs.frozen
class Odd:
    """A value with something of everything."""

    tone: Tone
    count: int
    shares: tuple[float, float]
    inner: Odd | None = None


def test_a_scorer_with_prompts_keeps_the_laws_and_asks_nobody() -> None:
    """A script answers every prompt in the shape that it asks for."""
    scorer = (
        create_scorer("claims", input=str, output=str, expected=list[str], judge=Nobody())
        .preprocess(pure(lambda step: step.run.output.split()))
        .analyze(prompt(list[str], lambda step: f"List the claims of {step.pre}"))
        .generate_score(score_from(float, lambda step: f"Rate {step.ana}", lambda _, rated: min(1, abs(rated))))
        .generate_reason(reason_prompt(lambda step: f"Why {step.score}?"))
    )
    expected = st.lists(st.text(max_size=3), max_size=2)
    check_scorer(scorer, runs=strategies.runs(st.text(max_size=9), st.text(max_size=9), expected))


def test_a_scorer_that_remembers_breaks_a_law() -> None:
    """A step that is no function of what it sees is found out."""
    seen: list[str] = []

    def novelty(output: str) -> float:
        seen.append(output)
        return 1 / len(seen)

    scorer = create_scorer("novelty", input=str, output=str).generate_score(pure(lambda step: novelty(step.run.output)))
    with pytest.raises(LawBroken, match="sync_is_async"):
        check_scorer(scorer, runs=strategies.text_runs())


def test_a_broken_law_says_which_on_what_and_how() -> None:
    """The message holds the law, the case and both sides."""
    scorer = create_scorer("length", input=str, output=str).generate_score(pure(lambda step: len(calls_of(step))))
    with pytest.raises(LawBroken) as caught:
        check_scorer(scorer, runs=st.just(Run("in", "out")))
    told = str(caught.value)
    assert "`run_sync` and `await run` give the same result" in told
    assert all(word in told for word in ("given Trial(", "\n  left  ", "\n  right "))


def calls_of(step: object, calls: list[object] = []) -> list[object]:  # noqa: B006  # remembers on purpose
    calls.append(step)
    return calls[:1] if len(calls) % 2 else []


@given(st.integers(0, 2**16), st.integers(0, 9))
def test_a_script_answers_in_the_shape_asked_for(seed: int, pace: int) -> None:
    """Without trouble, what it says is read by the shape; how long it takes changes nothing."""
    for output in (Verdict, Odd, dict[str, list[int] | None], list[Odd], int | str | None):
        shape = shape_of(output)
        assert is_successful(shape.decode(dumps(fitting(shape.schema, Random(seed)))))
        request = JudgeRequest("?", dumps(shape.schema))
        said, later = (Script(seed, each, trouble=0).said(request).unwrap() for each in (0, pace))
        assert said == later
        assert is_successful(shape.decode(said))


@given(strategies.replies(st.text()), strategies.scales(), strategies.trees())
def test_what_is_generated_is_well_formed(reply, scale, tree) -> None:
    """A reply is a text or a fault, both ends of a scale are on it, and a tree comes to a number or a fault."""
    said = reply.answer.unwrap() if is_successful(reply.answer) else reply.answer.failure()
    assert isinstance(said, str if is_successful(reply.answer) else JudgeFault)
    for end in (scale.low, scale.high):
        assert scale.check(end) == end or not isfinite(end)
    came = asyncio.run(interpret(grown(tree, 1), Script(trouble=0).answer))
    assert isinstance(came.unwrap(), int) if is_successful(came) else came.failure()[0] in {"", "why", "how", "which"}


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        (0.1 + 0.2, 0.3, False),
        (float("nan"), float("nan"), True),
        (1, True, False),
        (1, 1.0, False),
        ([1, 2], [1, 2, 3], False),
        ({"a": 0.5}, {"a": 0.5}, True),
        ({"a": 0.5}, {"b": 0.5}, False),
        (ok(1), err(1), False),
        (ok(1), ok(1), True),
    ],
)
def test_sameness(left: object, right: object, alike: bool) -> None:
    """Numbers are compared as numbers of one type, containers part by part, results by side."""
    assert same(left, right) is alike
    assert same((0.1 + 0.2, left), (0.3, right), 1e-9) is (alike or isinstance(left, float))


def test_evaluations_are_the_same_by_score_reason_and_cause() -> None:
    """Values of steps, times and ids are not looked at."""
    scorer = create_scorer("s", input=str, output=str).preprocess(lambda step: ok(step.run.input))
    half, third = (scorer.generate_score(pure(lambda _, score=score: score)) for score in (0.5, 1 / 3))
    lost = scorer.generate_score(lambda _: err(NotScorable("no")))
    a, b = Run("a", "b"), Run("b", "b")
    assert same(half.run_sync(a), half.run_sync(b))
    assert not same(half.run_sync(a), third.run_sync(a))
    assert same(
        third.run_sync(a),
        create_scorer("t", input=str, output=str).generate_score(pure(lambda _: 0.333)).run_sync(a),
        0.001,
    )
    assert same(lost.run_sync(a), lost.run_sync(b))
    assert not same(lost.run_sync(a), half.run_sync(b))
    assert not same(ok(StepRaised), ok(NotScorable))


def test_hypothesis_is_loaded_only_when_laws_are_tried() -> None:
    """The statements do without the extra."""
    code = "import sys, scorewright.laws; print('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
