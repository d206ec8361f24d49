"""Mistakes of definitions, word for word: which call, what it takes, what would do, what it got."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Literal

import pytest
from algebra.leaves import fixed
from core.canned import Canned

from scorewright import DefinitionError, Run, Scale, create_scorer, ok, prompt, pure, pure_async, quoted, score_prompt
from scorewright.algebra import mean
from scorewright.core import Scorer, Scorers
from scorewright.core.budget import Budget
from scorewright.core.describing import describe


def a() -> Scorer[str, str]:
    return fixed("a", 0.5)


def draft(**options: object) -> object:
    return create_scorer(**{"id": "x", "input": str, "output": str} | options)


def of(id: str, **options: object) -> Scorer[object, object]:
    """A scorer that differs from the others in what is given."""
    return create_scorer(**{"id": id, "input": str, "output": str} | options).generate_score(pure(lambda _: 0.5))


async def later(_: object) -> int:
    return 1


def forgetful(step: object) -> object:
    return later(step)


async def yielding(_: object) -> object:
    yield 1


class Called:
    async def __call__(self, _: object) -> int:
        return 1


class Broken(Canned):
    """A judge that says of itself that it can never answer."""

    @property
    def mistake(self) -> str | None:
        return "no model is named"


SEE = "what create_scorer(…) and its steps give"
TYPE = "takes a type, such as str or list[str]"
JUDGE = 'judge= takes a Judge, such as Judge("openai/gpt-4o-mini"), not 5'
NO_JUDGE = 'asks a judge and none is given: pass judge=Judge("openai/gpt-4o-mini") to create_scorer or to the prompt'
STEP = "write a def that returns ok(…) or err(…), pure(lambda step: …), or prompt(…)"
MISTAKES: list[tuple[Callable[[], object], str]] = [
    # scorers
    (
        lambda: a().contramap_input(str, 5),
        "contramap_input(type, f) takes a function, such as lambda row: row.question, not 5",
    ),
    (
        lambda: a().contramap_output(str, 5),
        "contramap_output(type, f) takes a function, such as lambda page: page.text, not 5",
    ),
    (
        lambda: a().contramap_run(str, str, 5),
        "contramap_run(input, output, f) takes a function, such as lambda run: Run(run.input, run.output), not 5",
    ),
    (lambda: a().when(5), "when(…) takes a function, such as lambda run: bool(run.output), not 5"),
    (lambda: a().when(bool, why=5), "when(…, why=…) takes a text, not 5"),
    (lambda: a().map_score(5), "map_score(…) takes a function, such as lambda score: score ** 2, not 5"),
    (lambda: a().map_score(abs, scale=5), "map_score(f, scale=…) takes a scale, such as Scale(1, 5), not 5"),
    (lambda: a().rescale(5), "rescale(…) takes a scale, such as Scale(1, 5), not 5"),
    (lambda: a().map_reason(5), "map_reason(…) takes a function, such as str.strip, not 5"),
    (lambda: a().map_fault(5), "map_fault(…) takes a function, such as str, not 5"),
    (lambda: a().zip(5), f"zip(…) takes finished scorers, {SEE}, not 5"),
    (lambda: a().or_else(5), f"or_else(…) takes finished scorers, {SEE}, not 5"),
    (lambda: describe(5), f"describe(…) takes finished scorers, {SEE}, not 5"),
    (lambda: a().or_else("b"), "or_else(…) takes scorers, and the id goes by name: or_else(…, id='b')"),
    (
        lambda: a().or_else(draft()),
        f"or_else(…) takes finished scorers, {SEE}, not Draft('x', str → str): does Draft lack generate_score(…)?",
    ),
    (
        lambda: a().zip(a()).generate_score(5),
        "zip(…).generate_score(…) takes a function, such as lambda first, second: first.score * second.score, not 5",
    ),
    (
        lambda: a().zip(a()).generate_score(max, scale=5),
        "zip(…).generate_score(f, scale=…) takes a scale, such as Scale(1, 5), not 5",
    ),
    (lambda: a().zip(a()).generate_score(max, id=5), "id= takes a text, not 5"),
    (lambda: a().passing("x"), "passing(…) takes a number of the scale, such as 0.5, not 'x'"),
    (lambda: a().passing(2), "passing(2): the threshold lies on the scale, 0..1"),
    (
        lambda: of("n", scale=Scale(0, float("inf"))).rescale(),
        "rescale(…) needs two scales with ends, and 0..inf is not one: write the way with map_score(f, scale)",
    ),
    (lambda: a().map_fault("x" * 99), f"map_fault(…) takes a function, such as str, not '{'x' * 79}"),
    # what a scorer says of itself
    (lambda: draft(id=""), 'a scorer needs an id, a text that is not blank: create_scorer("coverage", …)'),
    (lambda: draft(name=5), "name= takes a text that is not blank, not 5"),
    (lambda: draft(id="a\nb"), "id= is one line without control characters, not 'a\\nb'"),
    (lambda: draft(name="a\nb"), "name= is one line without control characters, not 'a\\nb'"),
    (lambda: draft(description=5), "description= takes a text, not 5"),
    (lambda: draft(input=5), f"input= {TYPE}, not 5"),
    (lambda: draft(output=5), f"output= {TYPE}, not 5"),
    (lambda: draft(expected=5), f"expected= {TYPE}, not 5"),
    (lambda: draft(scale=5), "scale= takes a Scale, such as Scale(1, 5) or UNBOUNDED, not 5"),
    (lambda: draft(better=5), 'better= is "higher" or "lower", not 5'),
    (lambda: draft(judge=5), JUDGE),
    (lambda: score_prompt(lambda _: "q", judge=5), JUDGE),
    (lambda: draft(prepare_run=5), "prepare_run= takes a function from run to run, not 5"),
    # what several scorers have in common
    (
        lambda: mean(of("a"), of("b", scale=Scale(1, 5))),
        "'a' runs from 0 to 1 and 'b' from 1 to 5: bring one onto the other's scale with .rescale(…)",
    ),
    (
        lambda: mean(of("a"), of("b", better="lower")),
        "in 'a' higher is better and in 'b' lower: turn one with .invert()",
    ),
    (
        lambda: mean(of("a"), of("b", input=list[int])),
        "no input fits all of 'a' str, 'b' list[int]: adapt one, for instance with .contramap_input(…)",
    ),
    (
        lambda: mean(of("a"), of("b", output=None)),
        "no output fits all of 'a' str, 'b' None: adapt one, for instance with .contramap_output(…)",
    ),
    (
        lambda: mean(of("a", expected=int | str), of("b", expected=Literal["c"])),
        "no expected fits all of 'a' int | str, 'b' typing.Literal['c']: "
        "adapt one, for instance with .contramap_run(…)",
    ),
    # collections of them
    (lambda: Scorers(a(), a()), "two scorers have the id 'a': give one another with .named(…)"),
    (lambda: Scorers([a()]), "Scorers(…) takes scorers, not list; a list is given as Scorers(*listed)"),
    # steps
    (lambda: draft().preprocess(5), f"preprocess(…) of 'x' takes a function or a prompt step, not int: {STEP}"),
    (lambda: draft().analyze(5), f"analyze(…) of 'x' takes a function or a prompt step, not int: {STEP}"),
    (lambda: draft().generate_score(5), f"generate_score(…) of 'x' takes a function or a prompt step, not int: {STEP}"),
    (
        lambda: draft().generate_verdict(5),
        f"generate_verdict(…) of 'x' takes a function or a prompt step, not int: {STEP}",
    ),
    (
        lambda: draft().generate_score(pure(len)).generate_reason(5),
        f"generate_reason(…) of 'x' takes a function or a prompt step, not int: {STEP}",
    ),
    (lambda: draft().analyze(prompt(bool, lambda _: "q")), f"analyze(…) of 'x' {NO_JUDGE}"),
    (lambda: draft().generate_score(score_prompt(lambda _: "q")), f"generate_score(…) of 'x' {NO_JUDGE}"),
    (
        lambda: draft(judge=Broken()).preprocess(prompt(bool, lambda _: "q")),
        "preprocess(…) of 'x' asks a judge that cannot answer: no model is named",
    ),
    (
        lambda: draft().preprocess(prompt(bool, lambda _: "q", judge=Broken())),
        "preprocess(…) of 'x' asks a judge that cannot answer: no model is named",
    ),
    (lambda: prompt(bool, 5), "create_prompt is a function from the step to a string, not 5"),
    (lambda: pure(5), "pure(…) lifts a function, not int"),
    (lambda: pure_async(5), "pure_async(…) lifts an async function, not int"),
    (lambda: pure(pure(len)), "leave pure(…) away: what it was given is a step already"),
    (lambda: pure_async(pure(len)), "leave pure_async(…) away: what it was given is a step already"),
    (lambda: pure(later), "later is async: lift it with pure_async(…)"),
    (lambda: pure(Called()), "Called is async: lift it with pure_async(…)"),
    (lambda: pure(yielding), "yielding is an async generator, which gives no value: return one"),
    (lambda: pure_async(yielding), "yielding is an async generator, which gives no value: return one"),
    # texts and budgets
    (
        lambda: quoted("text", "a b"),
        "label= of quoted(…) is a word of letters, digits and _, such as answer, not 'a b'",
    ),
    (lambda: Budget(calls=-1), "calls= of a budget is a number, 0 or more, not -1"),
    (lambda: Budget(calls=1.0), "calls= of a budget is a whole number, not 1.0"),
]


@pytest.mark.parametrize(("define", "told"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_reads(define: Callable[[], object], told: str) -> None:
    """As it is written here."""
    with pytest.raises(DefinitionError) as mistake:
        define()
    assert str(mistake.value) == told


RUN = Run("in", "out")
RAISED: list[tuple[Callable[[object], object], str]] = [
    (ok, "leave pure(…) away: the function gives a program already, such as ok(…), err(…) or what a judge says"),
    (
        forgetful,
        "pure(…) lifts a plain function, and this one gave a coroutine: lift it with pure_async(…)",
    ),
]


@pytest.mark.parametrize(("program", "told"), RAISED)
def test_a_mistake_that_only_a_run_shows_reads(program: Callable[[object], object], told: str) -> None:
    """As it is written here; it is the cause of that run's failure."""
    lost = draft().generate_score(pure(program)).run_sync(RUN).failure()
    assert (lost.cause.raised.kind, lost.cause.raised.message) == ("TypeError", told)


@pytest.mark.parametrize(("given", "told"), [((3, "x"), "int"), (("x", 3), "int"), ((None, b"x"), "NoneType")])
def test_only_a_text_is_quoted(given: tuple[object, object], told: str) -> None:
    """The first that is none is named."""
    with pytest.raises(TypeError) as mistake:
        quoted(*given)
    assert str(mistake.value) == f"quoted(…) takes two texts, not {told}: quoted(str(value), label)"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"run_id": 5}, "run_id= takes a text, not int; leave it out and one is drawn"),
        ({"run_id": None}, "run_id= takes a text, not NoneType; leave it out and one is drawn"),
        ({"metadata": 5}, 'metadata= takes a mapping, such as {"tenant": "acme"}, not int'),
        ({"request_context": []}, 'request_context= takes a mapping, such as {"tenant": "acme"}, not list'),
    ],
)
def test_a_mistake_in_a_run_reads(given: dict[str, object], told: str) -> None:
    """As it is written here."""
    with pytest.raises(TypeError) as mistake:
        Run("in", "out", **given)
    assert str(mistake.value) == told


HALVES: dict[str, Callable[[], object]] = {
    "x": draft,
    "preprocessed": lambda: draft(id="preprocessed").preprocess(pure(len)),
    "analyzed": lambda: draft(id="analyzed").analyze(pure(len)),
    "a and a": lambda: a().zip(a()),
}


@pytest.mark.parametrize("id", HALVES)
@pytest.mark.parametrize("name", ["run", "run_sync", "passing", "named", "or_else"])
def test_a_half_built_scorer_says_what_it_lacks(id: str, name: str) -> None:
    """Where it is used as a whole one; of anything else Python's own words do, and copies and pickles go on."""
    half = HALVES[id]()
    with pytest.raises(AttributeError) as told:
        getattr(half, name)
    assert str(told.value) == f"{id!r} is half-built and has no {name}: its score is missing, as from generate_score(…)"
    with pytest.raises(AttributeError, match=f"^'{type(half).__name__}' object has no attribute 'runs'$"):
        getattr(half, "runs")  # noqa: B009 - it is not there
    assert copy(half) == half
    assert not hasattr(type(half).__new__(type(half)), "run_sync")
