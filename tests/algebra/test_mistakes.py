"""Mistakes in a definition are said at once, with a word on how to mend them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from algebra.leaves import RUN, Answers, asking, failing, fixed, unscorable

from scorewright import DefinitionError, create_scorer
from scorewright.algebra import all_of, at_least, cascade, maximum, mean, repeat, route, weighted
from scorewright.core import quoted

A, B = fixed("a", 0.5), fixed("b", 0.5)
DRAFT = create_scorer("draft", input=str, output=str)

MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: A.map_score(5), r"map_score\(…\) takes a function, such as lambda score: score \*\* 2, not 5"),
    (lambda: A.map_score(abs, scale=5), r"takes a scale, such as Scale\(1, 5\), not 5"),
    (lambda: A.map_reason(None), r"map_reason\(…\) takes a function, such as str.strip, not None"),
    (lambda: A.map_fault(None), r"map_fault\(…\) takes a function, such as str, not None"),
    (lambda: A.when(True), r"when\(…\) takes a function, such as lambda run: bool\(run.output\), not True"),
    (lambda: A.contramap_input(str, 5), r"contramap_input\(type, f\) takes a function, such as .*, not 5"),
    (lambda: A.contramap_output(str, 5), r"contramap_output\(type, f\) takes a function, such as .*, not 5"),
    (lambda: A.contramap_run(str, str, None), r"contramap_run\(input, output, f\) takes a function, .*, not None"),
    (lambda: A.zip(5), r"zip\(…\) takes finished scorers, what create_scorer\(…\) and its steps give, not 5"),
    (lambda: A.zip(B).generate_score(5), r"zip\(…\).generate_score\(…\) takes a function, such as .*, not 5"),
    (lambda: A.zip(B).generate_score(max, scale=5), r"takes a scale, such as Scale\(1, 5\), not 5"),
    (lambda: A.rescale(5), r"rescale\(…\) takes a scale, such as Scale\(1, 5\), not 5"),
    (lambda: A.or_else(5), r"or_else\(…\) takes finished scorers, .*, not 5"),
    (lambda: A.or_else(DRAFT), r"does Draft lack generate_score\(…\)\?"),
    (lambda: A.passing("x"), r"passing\(…\) takes a number of the scale, such as 0.5, not 'x'"),
    (lambda: A.passing(True), r"passing\(…\) takes a number of the scale, such as 0.5, not True"),
    (lambda: mean("m", A, B), r"the id goes by name: mean\(…, id='m'\)"),
    (lambda: maximum(A, B, "m"), r"the id goes by name: maximum\(…, id='m'\)"),
    (lambda: all_of("m", A), r"the id goes by name: all_of\(…, id='m'\)"),
    (lambda: weighted("m", (1, A)), r"the id goes by name: weighted\(…, id='m'\)"),
    (lambda: weighted(A, B), r"weighted\(…\) takes pairs of a weight and a scorer, such as \(0.7, a\)"),
    (lambda: weighted((A, 1)), r"the weight of .* is|takes finished scorers"),
    (lambda: weighted(("x", A)), r"the weight of 'a' is 'x'"),
    (lambda: at_least(A, B), r"k runs from 1 to their number"),
    (lambda: cascade(A, 5, doubt=(0.2, 0.8)), r"cascade\(…\) takes finished scorers"),
    (lambda: route(5, {"a": A}), r"route\(by, scorers\) takes a function"),
    (lambda: repeat(DRAFT, 3), r"does Draft lack generate_score\(…\)\?"),
]


@pytest.mark.parametrize(("define", "told"), MISTAKES)
def test_a_mistake_is_said_when_it_is_made(define: Callable[[], object], told: str) -> None:
    """No run is needed to find it."""
    with pytest.raises(DefinitionError, match=told):
        define()


@pytest.mark.parametrize("given", [(3, "x"), ("x", 3), (None, "x")])
def test_only_a_text_is_quoted(given: tuple[object, object]) -> None:
    """Anything else is a mistake of the one who calls."""
    with pytest.raises(TypeError, match=r"quoted\(…\) takes two texts, not \w+: quoted\(str\(value\), label\)"):
        quoted(*given)


@pytest.mark.parametrize("lost", [failing("lost"), unscorable("lost")])
def test_a_pair_that_has_no_score_asks_nobody(lost) -> None:
    """Neither order: what asks nothing is known before the judge is paid."""
    for pair in (lost.zip(asking("judge")), asking("judge").zip(lost)):
        answers = Answers()
        failure = pair.generate_score(lambda one, two: one.score * two.score).run_sync(RUN, answer=answers).failure()
        assert (answers.requests, [step.step for step in failure.steps]) == ([], ["lost"])
    answers = Answers()
    A.zip(asking("judge")).generate_score(lambda one, two: one.score * two.score).run_sync(RUN, answer=answers)
    assert len(answers.requests) == 1
