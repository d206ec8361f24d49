"""What every combinator makes, read back; and every option of every one, given something of a wrong kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Literal, TypeAlias

import pytest
from algebra.leaves import Answers, Panel, asking, fixed
from returns.pipeline import is_successful

from scorewright import DefinitionError, Run, Scale, Scorer, algebra
from scorewright.algebra import (
    Criterion,
    Pair,
    Policy,
    all_of,
    any_of,
    at_least,
    best_of,
    binary_scorer,
    cascade,
    classifier_scorer,
    describe,
    fingerprint,
    jury,
    maximum,
    mean,
    minimum,
    ordinal_scorer,
    pairwise,
    repeat,
    route,
    rubric,
    self_consistent,
    weighted,
)
from scorewright.core import Scorers

Options: TypeAlias = dict[str, object]
TEXT: Options = {"input": str, "output": str, "judge": Panel("j")}
TONES = Literal["cold", "warm"]
TONED: Options = TEXT | {"labels": TONES}
SCORED: Options = TONED | {"scores": {"cold": 0, "warm": 1}}


def a() -> object:
    return fixed("a", 1)


def b() -> object:
    return fixed("b", 1)


def q() -> object:
    return asking("q")


def asked(step: object) -> str:
    return str(step)


# Every public maker of scorers: its arguments by position, the options that it needs, and for each place and option
# what does not belong there.
Wrong: TypeAlias = dict[str | int, list[object]]
NO_TEXT: list[object] = [5, None]
NO_POLICY: list[object] = ["strict", None, 5]
NO_COUNT: list[object] = [0, "3", 2.0, True, None]
NO_SCORER: list[object] = [5, None, "id"]
NO_TYPE: list[object] = [5, "str"]
NO_JUDGE: list[object] = [5, "openai/gpt-4o-mini"]
NO_FLAG: list[object] = ["yes", 1, None]
COMMON: Wrong = {"policy": NO_POLICY, "id": NO_TEXT}
FORMS: Wrong = {"input": NO_TYPE, "output": NO_TYPE, "judge": NO_JUDGE}
TOLD: Wrong = {"name": [5], "description": NO_TEXT}

MAKERS: dict[Callable[..., object], tuple[Callable[[], list[object]], Options, Wrong]] = {
    weighted: (lambda: [(1, a())], {}, COMMON | {0: [5, (1,), ("x", 1), (True, 1), (None, 1)]}),
    mean: (lambda: [a()], {}, COMMON | {0: NO_SCORER}),
    minimum: (lambda: [a()], {}, COMMON | {0: NO_SCORER}),
    maximum: (lambda: [a()], {}, COMMON | {0: NO_SCORER}),
    all_of: (lambda: [a()], {}, COMMON | {0: NO_SCORER}),
    any_of: (lambda: [a()], {}, COMMON | {0: NO_SCORER}),
    at_least: (lambda: [1, a()], {}, COMMON | {0: [*NO_COUNT, 2], 1: NO_SCORER}),
    repeat: (lambda: [a(), 2], {}, COMMON | {0: NO_SCORER, 1: NO_COUNT, "reduce": [5, None, "middle", ["median"]]}),
    self_consistent: (
        lambda: [a(), 2],
        {},
        COMMON | {0: NO_SCORER, 1: NO_COUNT, "until": [-1, 3, "1", 1.5, True, None]},
    ),
    best_of: (lambda: [a(), 2], {}, COMMON | {0: NO_SCORER, 1: NO_COUNT}),
    jury: (
        lambda: [q(), [Panel("j")]],
        {},
        {
            0: [*NO_SCORER, a()],
            1: [Panel("j"), "gpt", ["gpt"], [], 5, [q()]],
            "quorum": [0, 2, "1", 1.0, True],
            "reduce": [5, None, "middle"],
            "most_apart": [-1, "1", True, float("nan")],
            "id": NO_TEXT,
        },
    ),
    cascade: (
        lambda: [a(), q()],
        {"doubt": (0.2, 0.8)},
        {
            0: NO_SCORER,
            1: NO_SCORER,
            "doubt": [5, None, "ab", (0.2,), ("a", "b"), (True, True), (0.8, 0.2), (0, 0.5, 1), (0, 10**400)],
            "id": NO_TEXT,
        },
    ),
    route: (
        lambda: [asked, {"a": a()}],
        {},
        {0: [5, None], 1: [a(), [a()], {5: a()}, {"a": 5}, {}, None], "id": NO_TEXT},
    ),
    rubric: (
        lambda: ["r", ["Polite"]],
        TEXT,
        {0: [5, " ", None], 1: ["Polite", [], [5], [None], [" "], None], "partial": NO_FLAG} | FORMS | TOLD,
    ),
    pairwise: (lambda: ["p", "The nicer one."], TEXT, {0: [5, " ", None], 1: [5, " ", None]} | FORMS),
    classifier_scorer: (
        lambda: ["c", asked],
        SCORED,
        {
            0: [5, " ", None],
            1: [5, "text", None],
            "labels": [5, str, None],
            "scores": [5, None, "x", {}, {"cold": 0}, {"cold": 0, "warm": 2}, {"cold": 0, "warm": 1, "hot": 1}],
            "distribution": NO_FLAG,
            "scale": [5, (0, 1), None],
        }
        | FORMS
        | TOLD,
    ),
    binary_scorer: (lambda: ["c", asked], TEXT, {0: [5], 1: [5], "distribution": NO_FLAG} | FORMS),
    ordinal_scorer: (
        lambda: ["c", asked],
        TONED,
        {0: [5], 1: [5], "labels": [5, str, Literal["one"]], "distribution": NO_FLAG} | FORMS,
    ),
}
OTHERWISE = (  # mistakes that say whose they are in other words
    "the weight of ",
    "the scores of ",
    "scores= of ",
    "a scorer needs an id",
    "a criterion is a text",
    "Criterion(text)",
    "'a' asks nobody: a jury of it would hear one opinion, its own, once",
    "analyze(",
    "prompt(",
)
MISTAKES = [
    (maker, option, at)
    for maker, (_, _, wrong) in MAKERS.items()
    for option, values in wrong.items()
    for at in range(len(values))
]


@pytest.mark.parametrize(
    ("maker", "option", "at"), MISTAKES, ids=[f"{maker.__name__}-{option}-{at}" for maker, option, at in MISTAKES]
)
def test_what_is_of_a_wrong_kind_is_refused(maker: Callable[..., object], option: str | int, at: int) -> None:
    """Before any run, in words of this library, and never as an error of Python's own."""
    given, needed, wrong = MAKERS[maker]
    places, options = given(), dict(needed)
    maker(*places, **options)
    if isinstance(option, int):
        places[option] = wrong[option][at]
    else:
        options[option] = wrong[option][at]
    with pytest.raises(DefinitionError) as told:
        maker(*places, **options)
    named = (f"{maker.__name__}(", f"{option}=", "route(by, scorers) takes", "classifier_scorer(", *OTHERWISE)
    assert str(told.value).startswith(named)


def test_no_maker_and_no_option_is_left_out() -> None:
    """One that is new fails here until it is tried with wrong kinds."""
    makers = {
        made
        for made in vars(algebra).values()
        if inspect.isfunction(made) and "Scorer[" in str(inspect.signature(made).return_annotation)
    }
    assert makers == set(MAKERS)
    for maker, (_, _, wrong) in MAKERS.items():
        taken = inspect.signature(maker).parameters.values()
        assert {each.name for each in taken if each.kind is each.KEYWORD_ONLY} <= wrong.keys(), maker.__name__
        assert len([each for each in taken if each.kind is not each.KEYWORD_ONLY]) == len(
            [option for option in wrong if isinstance(option, int)]
        ), maker.__name__


READ: list[tuple[Callable[[], Scorer[str, str]], str, str, str]] = [
    (lambda: weighted((1, a()), (2, q()), (0, b())), "weighted(a, q)", "a: pure, q: prompt, weighted: pure", "a q"),
    (lambda: mean(a(), a()), "mean(a, a #2)", "a: pure, a #2: pure, mean: pure", "a a"),
    (lambda: minimum(a(), b()), "minimum(a, b)", "a: pure, b: pure, minimum: pure", "a b"),
    (lambda: maximum(a(), b()), "maximum(a, b)", "a: pure, b: pure, maximum: pure", "a b"),
    (lambda: all_of(a(), b()), "all_of(a, b)", "a: pure, b: pure, all_of: pure", "a b"),
    (lambda: any_of(a(), b()), "any_of(a, b)", "a: pure, b: pure, any_of: pure", "a b"),
    (lambda: at_least(2, a(), b()), "at_least(2, a, b)", "a: pure, b: pure, at_least: pure", "a b"),
    (lambda: repeat(q(), 2), "repeat(q, 2)", "sample 1: prompt, sample 2: prompt, repeat: pure", "q"),
    (
        lambda: self_consistent(q(), 2),
        "self_consistent(q, 2)",
        "sample 1: prompt, sample 2: prompt, self_consistent: pure",
        "q",
    ),
    (lambda: best_of(q(), 2), "best_of(q, 2)", "output 1: prompt, output 2: prompt, best_of: pure", "q"),
    (
        lambda: jury(q(), [Panel("j"), Panel("k")]),
        "jury(q)",
        "juror 1: prompt j, juror 2: prompt k, jury: pure",
        "q",
    ),
    (lambda: cascade(a(), q(), doubt=(0, 1)), "cascade(a, q)", "a: pure, q: prompt", "a q"),
    (lambda: route(asked, {"x": a(), "y": b()}), "route(a, b)", "route: pure, a: pure, b: pure", "a b"),
    (lambda: a().or_else(b()), "a or else b", "a: pure, b: pure", "a b"),
    (lambda: a().zip(b()).generate_score(max), "zip(a, b)", "a: pure, b: pure, zip: pure", "a b"),
]


@pytest.mark.parametrize(("define", "id", "steps", "parts"), READ, ids=[told for _, told, _, _ in READ])
def test_what_is_made_can_be_read(define: Callable[[], Scorer[str, str]], id: str, steps: str, parts: str) -> None:
    """Id, steps with their kinds and other judges, parts; it has no judge of its own, and takes another name."""
    made = define()
    judges = [step.judge and step.judge.identity for step in made.steps]
    told = [
        f"{step.name}: {step.kind}{f' {judge}' if judge and judge != 'panel' else ''}"
        for step, judge in zip(made.steps, judges, strict=True)
    ]
    assert (made.id, made.name, ", ".join(told), [part.id for part in made.parts]) == (id, id, steps, parts.split())
    assert (made.about.judge, made.about.input, made.scale, made.better) == (None, str, Scale(), "higher")
    run = Run("x", "y" if "best_of" not in id else ("y", "z"))
    end = made.run_sync(run, answer=Answers(seed=1))
    assert (end.unwrap() if is_successful(end) else end.failure()).drawn_id == run.drawn_id


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_something_else_than_a_run_is_told(maker: Callable[..., object]) -> None:
    """As of any scorer, before anything is begun."""
    given, needed, _ = MAKERS[maker]
    with pytest.raises(TypeError, match=r"^a Run is due, not int: Run\(input, output\)$"):
        maker(*given(), **needed).run_sync(5)


def test_an_id_can_be_given() -> None:
    """To everything that makes one up, and it is the name too."""
    for maker, (given, needed, wrong) in MAKERS.items():
        if "id" in wrong:
            made = maker(*given(), **needed, id="given")
            assert (made.id, made.name) == ("given", "given")


def test_what_asks_one_judge_says_so() -> None:
    """Name and description are kept; a rubric counts its criteria."""
    made = rubric("r", ["Polite", "Short"], **TEXT, name="R", description="d")
    assert (made.name, made.about.description, made.about.judge) == ("R", "d", Panel("j"))
    assert [(step.name, step.kind, step.description) for step in made.steps] == [
        ("analyze", "prompt", "2 criteria"),
        ("generate_score", "pure", ""),
        ("generate_reason", "pure", ""),
    ]
    assert rubric("r", ["Polite"], **TEXT).steps[0].description == "1 criterion"
    tone = classifier_scorer("c", asked, **SCORED, name="C", description="d", scale=Scale(-1, 1))
    assert (tone.id, tone.name, tone.about.description, tone.scale) == ("c", "C", "d", Scale(-1, 1))
    assert (binary_scorer("c", asked, **TEXT).id, ordinal_scorer("c", asked, **TONED).id) == ("c", "c")
    assert (pairwise("p", "r", **TEXT).id, pairwise("p", "r", **TEXT).about.output) == ("p", Pair[str])


A: Scorer[str, str] = fixed("a", 1)
OTHERS: list[tuple[Callable[[], object], str]] = [
    (lambda: Criterion(5), r"Criterion\(text\) takes a text, not 5"),
    (lambda: Criterion(" "), r"a criterion is a text that is not blank"),
    (lambda: Criterion("a", required="no"), r"Criterion\(text, required=…\) takes True or False, not 'no'"),
    (lambda: Criterion("a", weight="1"), r"the weight of 'a' is '1': weights are finite and above 0"),
    (lambda: Criterion("a", weight=True), r"the weight of 'a' is True: weights are finite and above 0"),
    (lambda: Policy(5, True, True), r"Policy\(name, …\) takes a text, not 5"),
    (lambda: Policy("p", 1, True), r"Policy\(…, without_failed=…\) takes True or False, not 1"),
    (lambda: Policy("p", True, 1), r"Policy\(…, without_not_scorable=…\) takes True or False, not 1"),
    (lambda: describe(5), r"describe\(…\) takes finished scorers, .*, not 5"),
    (lambda: fingerprint(5), r"fingerprint\(…\) takes finished scorers, .*, not 5"),
    (lambda: A.when(bool, why=5), r"when\(…, why=…\) takes a text, not 5"),
    (lambda: A.named(5), r"a scorer needs an id"),
    (lambda: A.named("a", name=5), r"name= takes a text"),
    (lambda: A.named("a", description=5), r"description= takes a text, not 5"),
    (lambda: A.contramap_input(5, str), r"input= takes a type, .*, not 5"),
    (lambda: A.contramap_output(5, str), r"output= takes a type, .*, not 5"),
    (lambda: A.contramap_run(str, str, str, expected=5), r"expected= takes a type, .*, not 5"),
    (lambda: A.zip(A).generate_score(max, id=5), r"id= takes a text, not 5"),
    (lambda: A.zip(A).generate_score(max, better="best"), r"better= is \"higher\" or \"lower\", not 'best'"),
    (
        lambda: mean(A, policy="strict"),
        r"^mean\(…, policy=…\) takes strict, renormalise, scorable_only or a Policy, the values of "
        r"scorewright.algebra and not their names: not 'strict'$",
    ),
    (lambda: repeat(A, 0), r"^repeat\(scorer, n\) takes a whole number of at least 1, not 0$"),
    (
        lambda: self_consistent(A, 3, until=4),
        r"^self_consistent\(…, until=…\) takes a whole number from 0 to 3, not 4$",
    ),
    (lambda: best_of(A, 0), r"^best_of\(scorer, n\) takes a whole number of at least 1, not 0$"),
    (
        lambda: jury(asking("q"), [Panel("j")], quorum=2),
        r"^jury\(…, quorum=…\) of 1 takes a whole number from 1 to 1, not 2$",
    ),
]


@pytest.mark.parametrize(("define", "told"), OTHERS)
def test_a_mistake_says_how_to_mend_it(define: Callable[[], object], told: str) -> None:
    """Which call, what it takes, what it got."""
    with pytest.raises(DefinitionError, match=told):
        define()


SEVERAL: dict[str, Callable[[object], object]] = {
    "all_of(*listed)": all_of,
    "any_of(*listed)": any_of,
    "at_least(k, *listed)": lambda listed: at_least(2, listed),
    "mean(*listed)": lambda listed: mean(listed, id="m"),
    "minimum(*listed)": lambda listed: minimum(a(), listed),
    "maximum(*listed)": maximum,
}


@pytest.mark.parametrize("right", SEVERAL)
@pytest.mark.parametrize("kind", [list, tuple, iter, lambda parts: Scorers(*parts), lambda _: []])
def test_a_list_of_parts_says_how_it_is_given(right: str, kind: Callable[[list[object]], object]) -> None:
    """Whatever holds several; the parts stand one by one."""
    with pytest.raises(DefinitionError) as told:
        SEVERAL[right](kind([a(), b()]))
    call = right.replace("*listed", "…")
    assert str(told.value) == f"{call} takes its parts one by one: a list is given as {right}"


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_pairs_says_how_it_is_given(kind: Callable[[list[object]], object]) -> None:
    """As of parts without weights."""
    with pytest.raises(DefinitionError, match=r"^weighted\(…\) takes its parts one by one: .* weighted\(\*listed\)$"):
        weighted(kind([(0.5, a()), (0.5, b())]))  # type: ignore[arg-type]  # wrong on purpose
