"""The laws of the walk through the four steps: what happens to the others when one of them fails, or is not there.

Each compares pipelines that differ in one step, so they are tried on generated ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful

from scorewright.core import Run, Scorer
from scorewright.laws.pipelines import Came, evidence
from scorewright.laws.recipes import PLACES, Kind, Place, Recipe, Seen, built
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides
from scorewright.results import fold

Build: TypeAlias = Callable[[Recipe, Seen], Scorer[str, str, object, object]]


@final
@attrs.frozen
class Builder:
    """What makes a scorer of a recipe; `create_scorer` and its stages unless given."""

    build: Build = built


@final
@attrs.frozen
class PipelineCase:
    """A pipeline, a place in it and a way to stop there, a run, and who answers."""

    recipe: Recipe
    place: Place
    stop: Kind
    run: Run[str, str, None]
    script: Script

    @property
    def stopped(self) -> Recipe:
        """The same pipeline, stopping at the place."""
        return self.recipe.put(self.place, self.stop)


def scored(builder: Builder, recipe: Recipe, case: PipelineCase, /) -> tuple[Came, tuple[str, ...]]:
    """What the pipeline comes to, and the steps whose code began to run."""
    seen: list[str] = []
    came = builder.build(recipe, seen.append).run_sync(case.run, answer=case.script.answer)
    return came, tuple(seen)


def a_failing_step_stops_later_ones(builder: Builder, case: PipelineCase) -> Sides[object]:
    """After a step that fails, raises or finds nothing to judge, no later step runs."""
    _, seen = scored(builder, case.stopped, case)
    later = PLACES[PLACES.index(case.place) + 1 :]
    return Sides([name for name in seen if name in later], [], case)


def a_failing_step_loses_nothing_before_it(builder: Builder, case: PipelineCase) -> Sides[object]:
    """What was finished before a step that fails is kept as it would be if the step had not failed."""
    before = PLACES[: PLACES.index(case.place)]
    whole, stopped = (scored(builder, recipe, case)[0] for recipe in (case.recipe, case.stopped))
    return Sides(
        [record for record in evidence(stopped).steps if record.step in before],
        [record for record in evidence(whole).steps if record.step in before],
        case,
    )


def every_step_that_ran_has_its_record(builder: Builder, case: PipelineCase) -> Sides[object]:
    """The evidence has one record for each step that ran: all of them, or those up to the one that failed."""
    came, _ = scored(builder, case.recipe, case)
    names = [place for place in PLACES if case.recipe.at(place) != "absent"]
    failed = None if is_successful(came) else came.failure().step
    ran = names if failed is None else [name for name in names if PLACES.index(name) <= PLACES.index(_place(failed))]
    return Sides([record.step for record in evidence(came).steps], ran, case)


def a_reason_never_changes_the_score(builder: Builder, case: PipelineCase) -> Sides[object]:
    """With a reason, without one, or with one that fails, the score is the same."""
    bare = case.recipe.put("generate_reason", "absent")
    recipes = (case.recipe, bare.put("generate_reason", case.stop))
    without = _score(scored(builder, bare, case)[0])
    return Sides([_score(scored(builder, recipe, case)[0]) for recipe in recipes], [without, without], case)


def not_scorable_is_no_number(builder: Builder, case: PipelineCase) -> Sides[object]:
    """A run that a step before the reason finds not scorable has no score, whatever the later steps would give."""
    stopped = case.recipe.put(case.place, "not_scorable")
    came, seen = scored(builder, stopped, case)
    return Sides(_score(came), _score(came) if _stands(case.place, seen) else None, case)


def not_scorable_in_the_reason_keeps_the_score(builder: Builder, case: PipelineCase) -> Sides[object]:
    """A reason that finds nothing to say leaves the evaluation of the score alone, without a reason."""
    bare = case.recipe.put("generate_reason", "absent")
    return Sides(
        scored(builder, bare.put("generate_reason", "not_scorable"), case)[0], scored(builder, bare, case)[0], case
    )


def steps_run_in_order(builder: Builder, case: PipelineCase) -> Sides[object]:
    """Steps run in their order, each at most once but for the parts of a fork."""
    _, seen = scored(builder, case.recipe, case)
    once = list(dict.fromkeys(seen))
    ran = [place for place in PLACES if place in once]
    return Sides(once, ran, case)


def _place(name: str) -> Place:
    return next(place for place in PLACES if place == name)


def _score(came: Came) -> float | None:
    return fold(came, lambda evaluation: evaluation.score, lambda failure: failure.score)


def _stands(place: Place, seen: tuple[str, ...]) -> bool:
    return place == "generate_reason" or place not in seen


PIPELINE_LAWS: tuple[Law[Builder, PipelineCase], ...] = (
    a_failing_step_stops_later_ones,
    a_failing_step_loses_nothing_before_it,
    every_step_that_ran_has_its_record,
    a_reason_never_changes_the_score,
    not_scorable_is_no_number,
    not_scorable_in_the_reason_keeps_the_score,
    steps_run_in_order,
)
