"""Which scorer has the word."""

from __future__ import annotations

import pytest
from algebra.leaves import RUN, Answers, Empty, asking, failing, fixed, unscorable

from scorewright import DefinitionError, NotScorable
from scorewright.algebra import cascade, route
from scorewright.faults import StepRaised


@pytest.mark.parametrize(("cheap", "asked"), [(0.2, 0), (0.3, 1), (0.5, 1), (0.7, 1), (0.8, 0)])
def test_the_judge_is_asked_inside_the_band_of_doubt(cheap: float, asked: int) -> None:
    """Its ends are doubtful too."""
    answers = Answers()
    end = cascade(fixed("cheap", cheap), asking("judge"), doubt=(0.3, 0.7)).run_sync(RUN, answer=answers).unwrap()
    assert len(answers.requests) == asked
    assert [step.step for step in end.steps] == ["cheap", "judge"][: asked + 1]


@pytest.mark.parametrize("cheap", [failing("c"), unscorable("c")])
def test_no_score_is_doubt(cheap: object) -> None:
    """The judge has the word, and why the cheap one had none is kept."""
    end = cascade(cheap, fixed("judge", 1.0, "sure"), doubt=(0.3, 0.7)).run_sync(RUN).unwrap()
    assert (end.score, end.reason) == (1.0, "sure")
    assert end.record("c").value.cause in (Empty("empty"), NotScorable("nothing there"))


def test_a_judge_that_fails_fails_the_cascade() -> None:
    """A doubtful score does not pass for a sure one."""
    assert cascade(fixed("c", 0.5), failing("j"), doubt=(0, 1)).run_sync(RUN).failure().cause == Empty("empty")


@pytest.mark.parametrize("doubt", [(0.7, 0.3), (-1, 0.5), (0.5, 2), (float("nan"), 1)])
def test_a_band_is_on_the_scale(doubt: tuple[float, float]) -> None:
    """Found at the definition."""
    with pytest.raises(DefinitionError, match="band"):
        cascade(fixed("c", 1), fixed("j", 1), doubt=doubt)


def test_route_by_the_run() -> None:
    """Only the chosen one runs; the key is in the evidence."""
    answers = Answers()
    routed = route(lambda run: run.input[:2], {"Wh": fixed("what", 0.5), "Ho": asking("how")})
    end = routed.run_sync(RUN, answer=answers).unwrap()
    assert (end.score, next((step.step, step.value) for step in end.steps)) == (0.5, ("route", "Wh"))
    assert answers.requests == []
    lost = route(lambda _: "x", {"a": fixed("a", 1)}).run_sync(RUN).failure()
    assert lost.cause == NotScorable("no scorer for 'x'; there are a")
    assert isinstance(route(lambda _: [], {"a": fixed("a", 1)}).run_sync(RUN).failure().cause, StepRaised)
    assert route(lambda _: "a", {"a": failing("f")}).run_sync(RUN).failure().step == "f"
    with pytest.raises(DefinitionError, match="at least one"):
        route(lambda _: "a", {})
