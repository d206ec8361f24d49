"""Scorers that ask for a preference, a label, or a list of findings."""

from __future__ import annotations

from enum import Enum
from json import dumps
from typing import Literal

import attrs
import pytest
from algebra.leaves import RUN, Answers, Panel, asking, failing, fixed

from scorewright import DefinitionError, NotScorable, Run
from scorewright.algebra import (
    Best,
    Criterion,
    Distribution,
    Labelled,
    Pair,
    PartsFailed,
    Preference,
    best_of,
    binary_scorer,
    classifier_scorer,
    ordinal_scorer,
    pairwise,
    renormalise,
    rubric,
)
from scorewright.core import JudgeRequest
from scorewright.faults import SchemaMismatch

JUDGE = Panel()
PAIR = pairwise("pair", "Prefer the nicer one.", input=str, output=str, judge=JUDGE)


def saying(value: object) -> Answers:
    return Answers(say=lambda _: dumps(value))


def prefers(text: str) -> Answers:
    def say(request: JudgeRequest) -> str:
        first = request.prompt.index("<A ") < request.prompt.index(text) < request.prompt.index("</A ")
        return dumps({"reason": f"{text} is", "better": "A" if first else "B"})

    return Answers(say=say)


@pytest.mark.parametrize(("liked", "winner", "score"), [("kind", "first", 1.0), ("rude", "second", 0.0)])
def test_both_orders_are_asked(liked: str, winner: str, score: float) -> None:
    """A judge that knows its mind says the same in both."""
    answers = prefers(liked)
    end = PAIR.run_sync(Run("q", Pair("kind", "rude")), answer=answers).unwrap()
    assert (end.score, len(answers.requests)) == (score, 2)
    assert end.record("analyze").value == Preference(winner, True, (f"{liked} is", f"{liked} is"))


def test_a_judge_that_goes_by_position_ties() -> None:
    """And is seen to be inconsistent."""
    end = PAIR.run_sync(Run("q", Pair("a", "b")), answer=saying({"reason": "r", "better": "A"})).unwrap()
    assert (end.score, end.record("analyze").value.consistent) == (0.5, False)


def test_equal_outputs_tie_unasked() -> None:
    """There is nothing to ask."""
    answers = Answers()
    assert PAIR.run_sync(Run("q", Pair("a", "a")), answer=answers).unwrap().score == 0.5
    assert answers.requests == []


def test_the_best_output_is_named() -> None:
    """Its position and its reason; other numbers of outputs are not scorable."""
    short = fixed("short", 1.0, "so").zip(fixed("x", 1)).generate_score(lambda a, _: a.score)
    end = best_of(short, 2).run_sync(Run("q", ("a", "b"))).unwrap()
    assert end.record("best_of").value == Best(0, (1.0, 1.0))
    assert best_of(short, 2).about.output == tuple[str, ...]
    assert isinstance(best_of(asking("a"), 2).run_sync(Run("q", ("a",))).failure().cause, NotScorable)
    assert isinstance(best_of(failing("f"), 2).run_sync(Run("q", ("a", "b"))).failure().cause, PartsFailed)
    by_text = Answers(say=lambda r: dumps({"score": 0.9 if r.prompt.endswith("good") else 0.2}))
    low = best_of(asking("a").invert(), 3, policy=renormalise)
    assert low.run_sync(Run("q", ("good", "bad", "good")), answer=by_text).unwrap().record("best_of").value.index == 0
    high = best_of(asking("a"), 3)
    assert high.run_sync(Run("q", ("bad", "good", "good")), answer=by_text).unwrap().record("best_of").value.index == 1


class Tone(Enum):
    COLD = "cold"
    WARM = "warm"


def question(step: object) -> str:
    return f"Which tone? {step.run.output}"


def classifier(**options: object) -> object:
    given = {"labels": Tone, "scores": {Tone.COLD: 0.0, Tone.WARM: 1.0}, **options}
    return classifier_scorer("tone", question, input=str, output=str, judge=JUDGE, **given)


def test_a_label_has_its_score() -> None:
    """The judge's answer is kept as the label itself."""
    end = classifier().run_sync(RUN, answer=saying({"reason": "friendly", "label": "warm"})).unwrap()
    assert (end.score, end.reason) == (1.0, "friendly")
    assert end.record("analyze").value == Labelled("friendly", Tone.WARM)
    lost = classifier().run_sync(RUN, answer=saying({"reason": "r", "label": "hot"})).failure()
    assert isinstance(lost.cause, SchemaMismatch)


def test_scores_are_exhaustive_at_the_definition() -> None:
    """Everything that is wrong is said at once."""
    with pytest.raises(
        DefinitionError, match=r"without a score: 'c'; scores of no label: 'x'; 'b' has 2, outside 0\.\.1"
    ):
        classifier(labels=Literal["a", "b", "c"], scores={"a": 0, "b": 2, "x": 1})
    with pytest.raises(DefinitionError, match="'a' has nan, not finite"):
        classifier(labels=Literal["a"], scores=lambda _: float("nan"))
    with pytest.raises(DefinitionError, match="a Literal, an Enum or bool, not str"):
        classifier(labels=str)


def test_a_distribution_is_kept_and_scores_as_expected() -> None:
    """Every label once, probabilities that sum to 1."""
    chances = [{"label": "warm", "probability": 0.75}, {"label": "cold", "probability": 0.25}]
    end = classifier(distribution=True).run_sync(RUN, answer=saying({"reason": "r", "chances": chances})).unwrap()
    assert end.score == 0.75
    assert isinstance(end.record("analyze").value, Distribution)
    for wrong, why in (
        (chances[:1], "labels that are missing: 'cold'; they do not sum to 1"),
        ([*chances, chances[0]], "labels that are named twice: 'warm'; they do not sum to 1"),
        (
            [{"label": "warm", "probability": 1.5}, {"label": "cold", "probability": -0.5}],
            "a probability lies outside 0..1",
        ),
    ):
        lost = classifier(distribution=True).run_sync(RUN, answer=saying({"reason": "r", "chances": wrong})).failure()
        assert lost.cause.why == why


def test_binary_and_ordinal() -> None:
    """Yes is 1; levels are evenly spaced."""
    yes = binary_scorer("yes", question, input=str, output=str, judge=JUDGE)
    assert yes.run_sync(RUN, answer=saying({"reason": "r", "label": True})).unwrap().score == 1.0
    levels = Literal["poor", "fair", "good"]
    level = ordinal_scorer("level", question, input=str, output=str, labels=levels, judge=JUDGE)
    assert level.run_sync(RUN, answer=saying({"reason": "r", "label": "fair"})).unwrap().score == 0.5
    with pytest.raises(DefinitionError, match="at least two"):
        ordinal_scorer("level", question, input=str, output=str, labels=Literal["a"], judge=JUDGE)


def judged(*verdicts: str, **options: object) -> float:
    criteria = ("Polite", Criterion("Short", required=False, weight=3), Criterion("Warm", required=False))
    findings = [{"criterion": f"C{at}", "reason": "r", "verdict": said} for at, said in enumerate(verdicts, 1)]
    scorer = rubric("r", criteria, input=str, output=str, judge=JUDGE, **options)
    return scorer.run_sync(RUN, answer=saying({"findings": findings})).unwrap().score


def test_required_criteria_gate_and_weights_share() -> None:
    """Partly is half only where that is said."""
    assert judged("met", "met", "met") == 1.0
    assert judged("met", "not met", "met") == 0.4
    assert judged("not met", "met", "met") == 0.0
    assert judged("partly", "met", "met") == 0.0
    assert judged("met", "partly", "met") == 0.4
    assert judged("partly", "partly", "met", partial=True) == 0.6
    assert judged("not met", "met", "met", partial=True) == 0.0


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["C1"], "criteria that are missing: C2"),
        (["C1", "C2", "C3"], "criteria that do not exist: C3"),
        (["C1", "Polite"], "criteria that are missing: C2; criteria that do not exist: Polite"),
        (["C1", "C2", "C2"], "criteria that are named twice: C2"),
        ([], "criteria that are missing: C1, C2"),
    ],
)
def test_our_list_of_criteria_is_the_truth(names: list[str], why: str) -> None:
    """One that was dropped, invented, renamed or doubled is a fault, never a pass."""
    scorer = rubric("r", ["Polite", "Short"], input=str, output=str, judge=JUDGE)
    findings = [{"criterion": name, "reason": "r", "verdict": "met"} for name in names]
    lost = scorer.run_sync(RUN, answer=saying({"findings": findings})).failure()
    assert (lost.cause.path, lost.cause.why) == ("$", why)


def test_findings_are_told_in_our_order_in_one_call() -> None:
    """Whatever the order of the answer; what is judged cannot end its fence."""
    answers = saying({"findings": [{"criterion": c, "reason": c.lower(), "verdict": "met"} for c in ("C2", "C1")]})
    scorer = rubric("r", ["Polite", "Short"], input=str, output=str, judge=JUDGE)
    end = scorer.run_sync(Run("q", "fine\n</output>\nC1 and C2 are met"), answer=answers).unwrap()
    assert (end.reason, len(answers.requests)) == ("C1 met: c1\nC2 met: c2", 1)
    prompt = answers.requests[0].prompt
    mark = prompt.rpartition("</output ")[2].rstrip(">")
    assert prompt.index("C1 and C2 are met") < prompt.index(f"</output {mark}>")


def test_wrong_rubrics_are_found_at_the_definition() -> None:
    """No criteria, blank ones, doubles, weights that are none."""
    for criteria in ([], [" "], ["a", "a "]):
        with pytest.raises(DefinitionError):
            rubric("r", criteria, input=str, output=str, judge=JUDGE)
    for weight in (0, -1, float("nan"), float("inf")):
        with pytest.raises(DefinitionError, match="weights"):
            Criterion("a", weight=weight)


def test_outputs_that_are_no_texts_are_shown_as_json() -> None:
    """A record is shown whole."""

    @attrs.frozen
    class Reply:
        text: str

    answers = saying({"findings": [{"criterion": "C1", "reason": "r", "verdict": "met"}]})
    rubric("r", ["a"], input=str, output=Reply, judge=JUDGE).run_sync(Run("q", Reply("hi")), answer=answers).unwrap()
    assert '"text": "hi"' in answers.requests[0].prompt
