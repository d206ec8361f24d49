"""Which scorer has the word."""

from __future__ import annotations

import pytest
from algebra.leaves import RUN, Answers, Empty, asking, failing, fixed, unscorable

from scorewright import DefinitionError, NotScorable
from scorewright.algebra import cascade, route
from scorewright.faults import Raised, StepRaised


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
    for key, kind in ((None, "NoneType"), (1, "int"), (("a",), "tuple")):
        astray = route(lambda _, key=key: key, {"a": fixed("a", 1)}).run_sync(RUN).failure()
        said = f"the function of route(…) gave {kind}, not a key"
        assert (astray.step, astray.cause) == ("route", StepRaised(Raised("TypeError", said)))
    unhashable = route(lambda _: [], {"a": fixed("a", 1)}).run_sync(RUN).failure()
    assert isinstance(unhashable.cause, StepRaised)
    assert route(lambda _: "a", {"a": failing("f")}).run_sync(RUN).failure().step == "f"
    with pytest.raises(DefinitionError, match="at least one"):
        route(lambda _: "a", {})


def test_what_goes_wrong_on_the_way_is_the_routes() -> None:
    """Not that of a scorer that was never chosen; all keys are told."""

    def lost_way(_: object) -> str:
        raise ValueError("no sign")

    lost = route(lost_way, {"a": fixed("a", 1)}).run_sync(RUN).failure()
    assert (lost.step, lost.cause.raised) == ("route", Raised("ValueError", "no sign", ValueError()))
    astray = route(lambda _: "x", {"a": fixed("a", 1), "b": fixed("b", 1)}).run_sync(RUN).failure()
    assert (astray.step, astray.cause.reason) == ("route", "no scorer for 'x'; there are a, b")


def test_the_place_of_a_routed_ask_begins_with_its_scorer() -> None:
    """So that a transcript tells the routes apart, and a cascade's second word from its first."""
    answers = Answers()
    end = route(lambda _: "how", {"how": asking("how")}).run_sync(RUN, answer=answers).unwrap()
    assert [said.request.place for said in end.exchanges] == ["how[0]/generate_score[0]"]
    end = cascade(fixed("cheap", 0.5), asking("judge"), doubt=(0, 1)).run_sync(RUN, answer=answers).unwrap()
    assert [said.request.place for said in end.exchanges] == ["judge[0]/generate_score[0]"]


def test_a_cascade_that_is_sure_keeps_the_cheap_reason() -> None:
    """And has one step only."""
    end = cascade(fixed("cheap", 0.9, "plain"), asking("judge"), doubt=(0.3, 0.7)).run_sync(RUN).unwrap()
    assert (end.score, end.reason, end.names) == (0.9, "plain", ("cheap",))
    lost = cascade(fixed("cheap", 0.5), failing("judge"), doubt=(0.3, 0.7)).run_sync(RUN).failure()
    assert (lost.step, lost.score, lost.names) == ("judge", None, ("cheap", "judge"))


def test_a_route_needs_a_mapping_of_keys() -> None:
    """Said with an example."""
    with pytest.raises(DefinitionError) as told:
        route(lambda _: "a", [])
    assert str(told.value) == 'route(by, scorers) takes a mapping of at least one key to its scorer, {"faq": a}, not []'
    with pytest.raises(
        DefinitionError, match=r"^route\(by, scorers\) takes a function, such as lambda run: run.input.kind, not 5$"
    ):
        route(5, {"a": fixed("a", 1)})
    with pytest.raises(DefinitionError, match=r"^route\(…\) takes finished scorers"):
        route(lambda _: "a", {"a": 5})
    with pytest.raises(
        DefinitionError, match=r"^doubt=\(0.7, 0.3\) is no band of the scale: \(low, high\), 0 <= low <= high <= 1$"
    ):
        cascade(fixed("c", 1), fixed("j", 1), doubt=(0.7, 0.3))


def test_a_band_may_be_one_score() -> None:
    """Then only that one is doubtful; and a cheap scorer that asks does so in its own place."""
    answers = Answers()
    asked = cascade(fixed("cheap", 0.5), asking("judge"), doubt=(0.5, 0.5))
    assert asked.run_sync(RUN, answer=answers).unwrap().names == ("cheap", "judge")
    sure = cascade(asking("cheap"), fixed("judge", 1), doubt=(0.1, 0.1)).run_sync(RUN, answer=answers).unwrap()
    assert [said.request.place for said in sure.exchanges] == ["cheap[0]/generate_score[0]"]
    assert (sure.names, sure.drawn_id) == (("cheap",), RUN.drawn_id)


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda lost: route(lambda _: "x", {"x": lost}), ("route", "lost")),
        (lambda lost: cascade(fixed("cheap", 0.5), lost, doubt=(0, 1)), ("cheap", "lost")),
        (lambda lost: fixed("first", 1).when(lambda _: False).or_else(lost), ("first", "lost")),
    ],
)
def test_where_the_last_word_is_a_failure_all_that_led_there_is_kept(make, names: tuple[str, ...]) -> None:
    """Of this run, step by step; the last step is the one that failed."""
    lost = make(failing("lost")).run_sync(RUN).failure()
    assert (lost.names, lost.step, lost.drawn_id, lost.score) == (names, "lost", RUN.drawn_id, None)
    assert lost.steps[-1].value.cause == Empty("empty")
