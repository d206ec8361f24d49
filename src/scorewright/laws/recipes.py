"""Pipelines as data: what kind of step stands in each of the four places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from typing_extensions import TypeForm, TypeVar

from scorewright.core import Analyzed, Outcome, Preprocessed, ScoredStep, Scorer, Step, create_scorer, gather, then
from scorewright.core import prompt as prompt_
from scorewright.core import pure as pure_
from scorewright.faults import NotScorable
from scorewright.laws.script import Nobody
from scorewright.results import err, ok

E = TypeVar("E")
Pre = TypeVar("Pre")
Ana = TypeVar("Ana")
S = TypeVar("S", bound="Step[str, str, object, object] | ScoredStep[str, str, object, object]")
T = TypeVar("T")

Kind: TypeAlias = Literal["absent", "pure", "function", "async", "prompt", "fork", "fails", "raises", "not_scorable"]
Place: TypeAlias = Literal["preprocess", "analyze", "generate_score", "generate_reason"]
Seen: TypeAlias = Callable[[str], object]

PLACES: tuple[Place, ...] = ("preprocess", "analyze", "generate_score", "generate_reason")
ABSENT: tuple[Kind, ...] = ("absent",)
WORKING: tuple[Kind, ...] = ("pure", "function", "async", "prompt", "fork")
STOPPING: tuple[Kind, ...] = ("fails", "raises", "not_scorable")


@final
@attrs.frozen
class Recipe:
    """What kind of step stands in each place; the score is never absent. `salt` makes the values differ."""

    preprocess: Kind = "absent"
    analyze: Kind = "absent"
    generate_score: Kind = "pure"
    generate_reason: Kind = "absent"
    salt: int = 0

    def at(self, place: Place, /) -> Kind:
        """The kind of step in this place."""
        kinds = (self.preprocess, self.analyze, self.generate_score, self.generate_reason)
        return kinds[PLACES.index(place)]

    def put(self, place: Place, kind: Kind, /) -> Recipe:
        """The same recipe with another kind of step in this place."""
        kinds: list[Kind] = [kind if name == place else self.at(name) for name in PLACES]
        first, second, third, fourth = kinds
        return Recipe(first, second, third, fourth, self.salt)


def built(recipe: Recipe, seen: Seen, /) -> Scorer[str, str, object, object]:
    """The scorer of a recipe; `seen` hears the name of each step whose code begins to run."""
    draft = create_scorer("generated", input=str, output=str, judge=Nobody())
    if recipe.preprocess == "absent":
        return _analyzed(draft, recipe, seen)
    return _analyzed(draft.preprocess(_step("preprocess", recipe, _text, str, seen)), recipe, seen)


def _analyzed(
    stage: Preprocessed[str, str, Pre, object, E], recipe: Recipe, seen: Seen
) -> Scorer[str, str, object, object]:
    if recipe.analyze == "absent":
        return _scored(stage, recipe, seen)
    return _scored(stage.analyze(_step("analyze", recipe, _text, str, seen)), recipe, seen)


def _scored(
    stage: Analyzed[str, str, Pre, Ana, object, E], recipe: Recipe, seen: Seen
) -> Scorer[str, str, object, object]:
    scored = stage.generate_score(_step("generate_score", recipe, _score, float, seen))
    if recipe.generate_reason == "absent":
        return scored
    return scored.generate_reason(_step("generate_reason", recipe, _reason, str, seen))


def _step(
    place: Place, recipe: Recipe, value: Callable[[S, int], T], form: TypeForm[T], seen: Seen
) -> Callable[[S], Outcome[T, object]]:
    def plain(step: S) -> T:
        seen(place)
        return value(step, recipe.salt)

    async def later(step: S) -> Result[T, object]:
        from asyncio import sleep

        await sleep(0)
        return ok(plain(step))

    def asks(part: str) -> Callable[[S], Outcome[T, object]]:
        return prompt_(form, lambda step: f"{place} {part}: {plain(step)}")

    def forks(step: S) -> Outcome[T, object]:
        def last(results: tuple[Result[T, object], ...]) -> Outcome[T, object]:
            good = [result.unwrap() for result in results if is_successful(result)]
            return ok(good[-1]) if good else err("no part answered")

        return then(gather(lambda: asks("one")(step), lambda: asks("two")(step), lambda: later(step)), last)

    def stops(fault: object) -> Callable[[S], Outcome[T, object]]:
        def stop(step: S) -> Outcome[T, object]:
            plain(step)
            return err(fault)

        return stop

    def raises(step: S) -> Outcome[T, object]:
        raise ValueError(f"{place} raised on {plain(step)}")

    made: dict[Kind, Callable[[S], Outcome[T, object]]] = {
        "pure": pure_(plain),
        "function": lambda step: ok(plain(step)),
        "async": later,
        "prompt": asks("alone"),
        "fork": forks,
        "fails": stops(f"{place} failed"),
        "raises": raises,
        "not_scorable": stops(NotScorable(f"{place} found nothing to judge")),
    }
    return made[recipe.at(place)]


def _text(step: Step[str, str, object, object] | ScoredStep[str, str, object, object], salt: int) -> str:
    return f"{step.run.input}/{step.run.output}/{step.pre}/{salt}"


def _score(step: Step[str, str, object, object], salt: int) -> float:
    return (len(f"{step.pre}{step.ana}{step.run.output}") * (salt + 1) % 101) / 100


def _reason(step: ScoredStep[str, str, object, object], salt: int) -> str:
    return f"{step.score} since {_text(step, salt)} and {step.ana}"
