"""Building a scorer: what it says of itself, and which mistakes are told where they are written."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Literal, NewType, Optional, TypeVar

import pytest
from core.canned import CANNED, Canned

from scorewright import (
    UNBOUNDED,
    Bench,
    DefinitionError,
    NotScorable,
    Run,
    Scale,
    Verdict,
    create_scorer,
    ok,
    prompt,
    prompt_json,
    pure,
    pure_async,
    reason_prompt,
    score_from,
    score_prompt,
    verdict_prompt,
)
from scorewright.core import Answerer, StepInfo, Transcript
from scorewright.judges import Judge


def draft(**options: object) -> object:
    return create_scorer("x", input=str, output=str, **options)


@pytest.mark.parametrize("judge", ["gpt-4o", "opnai/gpt-4o", "/gpt-4o"])
def test_a_model_of_an_unknown_provider_is_refused_where_a_stage_binds_it(judge: str) -> None:
    """Whether the scorer or the prompt names it; the message says the providers."""
    told = 'no such provider; write "provider/name" with one of openai, .*, local'
    with pytest.raises(DefinitionError, match=told):
        draft(judge=Judge(judge)).generate_score(score_prompt(lambda _: "q"))
    with pytest.raises(DefinitionError, match=told):
        draft().analyze(prompt(bool, lambda _: "q", judge=Judge(judge)))


def test_a_judge_is_looked_at_when_it_is_filled() -> None:
    """A name of any kind is fine where `base_url` leads to a server, which either judge may say."""
    here = "http://127.0.0.1:1/v1"
    draft(judge=Judge(base_url=here)).generate_score(score_prompt(lambda _: "q", judge=Judge("qwen")))
    draft(judge=Judge("qwen")).generate_score(score_prompt(lambda _: "q", judge=Judge(base_url=here)))
    draft(judge=Judge("openai/gpt-4o")).generate_score(score_prompt(lambda _: "q", judge=Judge(instructions="Be kind")))


class Lookalike:
    async def answer(self, _request: object, _bench: object) -> object:
        raise AssertionError


@pytest.mark.parametrize("judge", [Bench(), Transcript({}), Lookalike(), Canned, "openai/gpt-4o"])
def test_what_answers_but_is_no_judge_is_refused(judge: object) -> None:
    """A bench and a transcript answer too: they are for `answer=`."""
    with pytest.raises(DefinitionError, match="judge= takes a Judge"):
        draft(judge=judge)
    with pytest.raises(DefinitionError, match="judge= takes a Judge"):
        score_prompt(lambda _: "q", judge=judge)


def test_a_judge_of_ones_own_says_its_identity_and_its_answer() -> None:
    """One that lacks either cannot be made."""

    class Half(Answerer):
        @property
        def identity(self) -> str:
            return "half"

    with pytest.raises(TypeError, match="abstract"):
        Half()


def half(_: object) -> object:
    return ok(0.5)


def test_the_name_is_the_id_unless_given() -> None:
    """A scorer is known by its id and read by its name."""
    bare = draft().generate_score(half)
    named = draft(name="Name", description="What it is").generate_score(half)
    assert (bare.id, bare.name, bare.about.description) == ("x", "x", "")
    assert (named.id, named.name, named.about.description) == ("x", "Name", "What it is")


def test_a_scorer_says_its_types_scale_and_good_end() -> None:
    """Zero to one, higher is better, unless said otherwise."""
    bare = draft().generate_score(half)
    assert (bare.scale, bare.better, bare.about.input, bare.about.output) == (Scale(0, 1), "higher", str, str)
    other = draft(scale=UNBOUNDED, better="lower").generate_score(half)
    assert (other.scale, other.better) == (UNBOUNDED, "lower")


def test_a_scorer_says_its_steps() -> None:
    """Name, kind, description and judge of each, in order; what is left out is not there."""
    judge = Canned("x")
    scorer = (
        draft(judge=CANNED)
        .preprocess(pure(len))
        .analyze(prompt(str, lambda _: "q", description="asks", judge=judge))
        .generate_score(half)
        .generate_reason(reason_prompt(lambda _: "q"))
    )
    assert scorer.steps == (
        StepInfo("preprocess", "pure"),
        StepInfo("analyze", "prompt", "asks", judge),
        StepInfo("generate_score", "function"),
        StepInfo("generate_reason", "prompt"),
    )
    verdict = draft(judge=CANNED).generate_verdict(verdict_prompt(lambda _: "q", description="both"))
    assert verdict.steps == (StepInfo("generate_verdict", "prompt", "both"),)


def test_a_draft_branches() -> None:
    """Every stage is a value: two scorers from one draft do not know of each other."""
    begun = draft().preprocess(pure(lambda step: step.run.output))
    left = begun.generate_score(pure(lambda step: step.pre == "b"))
    right = begun.analyze(pure(lambda _: 1)).generate_score(pure(lambda step: step.ana / 4))
    reasoned = left.generate_reason(pure(lambda _: "why"))
    run = Run("a", "b")
    assert [scorer.run_sync(run).unwrap().score for scorer in (left, right, reasoned)] == [1.0, 0.25, 1.0]
    assert left.run_sync(run).unwrap().reason is None
    assert reasoned.run_sync(run).unwrap().reason == "why"
    assert len(left.steps) == 2


def step_method(name: str) -> object:
    begun = draft()
    return begun.generate_score(half).generate_reason if name == "generate_reason" else getattr(begun, name)


METHODS = ["preprocess", "analyze", "generate_score", "generate_verdict", "generate_reason"]


@pytest.mark.parametrize(
    "wrong", [None, {}, {"description": "d"}, "step", 5, [half], ok(1)], ids=lambda given: type(given).__name__
)
@pytest.mark.parametrize("method", METHODS)
def test_what_is_no_step_is_refused(method: str, wrong: object) -> None:
    """The message names method, scorer and type, and shows what to write."""
    with pytest.raises(DefinitionError) as told:
        step_method(method)(wrong)
    for word in (method, "'x'", type(wrong).__name__, "def", "pure(", "prompt("):
        assert word in str(told.value)


PROMPTS = {
    "preprocess": prompt(str, lambda _: "q"),
    "analyze": prompt_json({"type": "object"}, lambda _: "q"),
    "generate_score": score_prompt(lambda _: "q"),
    "generate_verdict": verdict_prompt(lambda _: "q"),
    "generate_reason": reason_prompt(lambda _: "q"),
}


@pytest.mark.parametrize("method", METHODS)
def test_a_prompt_without_a_judge_is_refused(method: str) -> None:
    """Where it can be seen, the missing judge is told at once, and how to give one."""
    with pytest.raises(DefinitionError) as told:
        step_method(method)(PROMPTS[method])
    for word in (method, "'x'", "judge=Judge("):
        assert word in str(told.value)


class Colour(Enum):
    red = "red"


WRONG = [
    (lambda: create_scorer("", input=str, output=str), ["id", "create_scorer("]),
    (lambda: create_scorer("  ", input=str, output=str), ["id"]),
    (lambda: create_scorer(None, input=str, output=str), ["id"]),
    (lambda: create_scorer(5, input=str, output=str), ["id"]),
    (lambda: create_scorer("x", input="str", output=str), ["input", "'str'", "list[str]"]),
    (lambda: create_scorer("x", input=str, output=[str]), ["output"]),
    (lambda: create_scorer("x", input=str, output={"a": str}), ["output"]),
    (lambda: create_scorer("x", input=str, output=str, expected="Paris"), ["expected", "'Paris'"]),
    (lambda: draft(scale=(0, 1)), ["scale", "Scale(1, 5)", "UNBOUNDED"]),
    (lambda: draft(scale=5), ["scale", "Scale(1, 5)"]),
    (lambda: draft(scale=None), ["scale", "Scale(1, 5)"]),
    (lambda: draft(scale=Scale), ["scale", "Scale(1, 5)"]),
    (lambda: draft(better="bigger"), ["better", "higher", "lower", "bigger"]),
    (lambda: draft(better=None), ["better", "higher", "lower"]),
    (lambda: draft(judge="openai/gpt-4o-mini"), ["judge", "Judge("]),
    (lambda: draft(judge=len), ["judge", "Judge("]),
    (lambda: draft(prepare_run="strip"), ["prepare_run", "'strip'", "run"]),
    (lambda: prompt(str, "List"), ["create_prompt", "function", "'List'"]),
    (lambda: prompt(str, None), ["create_prompt", "function"]),
    (lambda: score_prompt("Score it"), ["create_prompt", "function"]),
    (lambda: score_prompt(lambda _: "", judge="openai/gpt-4o-mini"), ["judge", "Judge("]),
    (lambda: reason_prompt("Why"), ["create_prompt", "function"]),
    (lambda: reason_prompt(lambda _: "", judge=5), ["judge", "Judge("]),
    (lambda: verdict_prompt(7), ["create_prompt", "function"]),
    (lambda: score_from(bool, lambda _: "", None), ["calculate_score", "score_prompt"]),
    (lambda: score_from(bool, lambda _: "", 1.0), ["calculate_score", "score_prompt"]),
    (lambda: prompt(set[str], lambda _: ""), ["set"]),
    (lambda: prompt(dict[int, str], lambda _: ""), ["int"]),
    (lambda: prompt_json({"type": "array"}, lambda _: ""), ["object"]),
]


@pytest.mark.parametrize(
    ("define", "words"), WRONG, ids=lambda given: "-".join(given) if isinstance(given, list) else ""
)
def test_a_wrong_definition_raises_where_it_is_written(define: object, words: list[str]) -> None:
    """The message holds what was wrong and what to write."""
    with pytest.raises(DefinitionError) as told:
        define()
    for word in words:
        assert word in str(told.value)


@pytest.mark.parametrize(
    ("expected", "needed"),
    [
        (str, True),
        (list[str], True),
        (list[None], True),
        (dict[str, None], True),
        (int | str, True),
        (Literal["a", "b"], True),
        (Colour, True),
        (Annotated[str, "a note"], True),
        (object, False),
        (str | None, False),
        (Optional[str], False),  # noqa: UP045 - the older spelling means the same
        (None, False),
        (Literal["a", None], False),
        (Annotated[str | None, "a note"], False),
        (Literal["a"] | None, False),
    ],
)
def test_a_reference_is_needed_where_its_type_has_no_none(expected: object, needed: bool) -> None:
    """A run without one is then not scorable, and no step is begun; else the steps see None."""
    scorer = draft(expected=expected).preprocess(pure(lambda step: step.run.expected)).generate_score(half)
    result = scorer.run_sync(Run("a", "b"))
    if needed:
        failure = result.failure()
        assert isinstance(failure.cause, NotScorable)
        assert "reference" in failure.cause.reason
        assert (failure.steps, failure.score) == ((), None)
    else:
        assert result.unwrap().score == 0.5


@pytest.mark.parametrize("reference", ["", 0, False, [], 0.0])
def test_an_empty_reference_is_a_reference(reference: object) -> None:
    """Only None is none."""
    assert draft(expected=type(reference)).generate_score(half).run_sync(Run("a", "b", reference)).unwrap().score == 0.5


@pytest.mark.parametrize("step", [half, pure(lambda _: 0.5), pure_async(lambda _: soon())])
def test_a_score_alone_is_a_scorer(step: object) -> None:
    """Every other step may be left out."""
    done = draft().generate_score(step).run_sync(Run("a", "b")).unwrap()
    assert (done.score, done.reason, len(done.steps)) == (0.5, None, 1)


async def soon() -> float:
    return 0.5


Perhaps = NewType("Perhaps", str | None)
Surely = NewType("Surely", str)
Unfilled = TypeVar("Unfilled")


@pytest.mark.parametrize(
    "given",
    [
        {"name": 5},
        {"name": "  "},
        {"name": "a\nb"},
        {"description": 5},
        {"input": lambda: str},
        {"output": ...},
        {"expected": Unfilled},
        {"id": "a\nb"},
        {"id": "a\x00"},
        {"id": "\x1b[31m"},
    ],
    ids=lambda given: next(iter(given)),
)
def test_what_a_scorer_says_of_itself_is_checked(given: dict[str, object]) -> None:
    """Names are lines of text and types are types."""
    with pytest.raises(DefinitionError):
        create_scorer(**{"id": "x", "input": str, "output": str} | given)


def test_a_reference_answer_is_needed_where_its_type_has_no_none() -> None:
    """New names for types are seen through."""
    assert not create_scorer("x", input=str, output=str, expected=Perhaps).about.needs_expected
    assert create_scorer("x", input=str, output=str, expected=Surely).about.needs_expected


MISPLACED = {
    "generate_score of a text": lambda draft: draft.generate_score(prompt(str, lambda _: "q")),
    "generate_score of a reason": lambda draft: draft.generate_score(reason_prompt(lambda _: "q")),
    "generate_score of a verdict": lambda draft: draft.generate_score(verdict_prompt(lambda _: "q")),
    "generate_verdict of a score": lambda draft: draft.generate_verdict(score_prompt(lambda _: "q")),
    "generate_verdict of a text": lambda draft: draft.generate_verdict(reason_prompt(lambda _: "q")),
    "generate_reason of a score": lambda draft: draft.generate_score(lambda _: ok(1)).generate_reason(
        score_prompt(lambda _: "q")
    ),
    "generate_reason of a verdict": lambda draft: draft.generate_score(lambda _: ok(1)).generate_reason(
        verdict_prompt(lambda _: "q")
    ),
}


@pytest.mark.parametrize("mistake", MISPLACED.values(), ids=MISPLACED)
def test_a_prompt_stands_where_its_answer_is_wanted(mistake: Callable[[object], object]) -> None:
    """What a prompt is known to give is compared with what the method takes."""
    with pytest.raises(DefinitionError, match="takes a prompt"):
        mistake(create_scorer("x", input=str, output=str, judge=CANNED))


FINISHED = {
    "score": lambda d: d.generate_score(pure(lambda s: len(s.run.output) / 9)),
    "verdict": lambda d: d.generate_verdict(pure(lambda s: Verdict(len(s.run.output) / 9, "so"))),
    "reason": lambda d: d.generate_score(pure(lambda s: len(s.run.output) / 9)).generate_reason(pure(lambda _: "so")),
}


BEGUN = {
    "at once": lambda d: d,
    "preprocessed": lambda d: d.preprocess(pure(lambda _: 1)),
    "analyzed": lambda d: d.analyze(pure(lambda _: 1)),
}


@pytest.mark.parametrize("begin", BEGUN.values(), ids=BEGUN)
@pytest.mark.parametrize("finish", FINISHED.values(), ids=FINISHED)
def test_a_scorer_is_what_its_draft_was(finish: Callable[[object], object], begin: Callable[[object], object]) -> None:
    """All that was said at the beginning holds at the end, whatever the last step: preparation, types, scale, judge."""
    options = {"name": "N", "description": "d", "judge": CANNED, "scale": Scale(0, 2), "better": "lower"}
    begun = draft(expected=str, prepare_run=lambda run: run.with_output("three"), **options)
    scorer = finish(begin(begun))
    assert scorer.about == begun.about
    assert (scorer.name, scorer.scale, scorer.better, scorer.about.expected) == ("N", Scale(0, 2), "lower", str)
    assert scorer.run_sync(Run("in", "out", "ref")).unwrap().score == 5 / 9
