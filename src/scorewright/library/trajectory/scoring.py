"""`trajectory_score`: a whole run against an expectation, its dimensions weighed, called agents included."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Final, TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.agents import AgentInput
from scorewright.algebra import mean, minimum, route, weighted
from scorewright.core import Evaluation, Judged, Run, Scorer
from scorewright.core.definition import is_number, shown
from scorewright.core.mapping import unbegun
from scorewright.core.scorer import assembled
from scorewright.faults import DefinitionError, InvalidRun
from scorewright.library.defining import spelled
from scorewright.library.trajectory.calls import failures, tool_failures
from scorewright.library.trajectory.efficiency import efficiency
from scorewright.library.trajectory.expected import Expectation
from scorewright.library.trajectory.forbidden import forbidden_tools
from scorewright.library.trajectory.limits import rounding
from scorewright.library.trajectory.match import trajectory_match
from scorewright.library.trajectory.nested import agents_in, in_agent
from scorewright.library.trajectory.path import PathScorer, Told, path
from scorewright.results import err

OWN: Final = 0.7  # of a run that calls agents of which something is expected; the rest is the mean of theirs
ExpectationScorer: TypeAlias = Scorer[AgentInput, Told, Expectation | None]


@final
@attrs.frozen
class Weights:
    """What the dimensions weigh, by their proportion."""

    accuracy: float = 0.4
    efficiency: float = 0.3
    failures: float = 0.2
    forbidden: float = 0.1

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(Weights):
            weight: object = getattr(self, field.name)
            if not (is_number(weight) and isinstance(weight, (int, float)) and isfinite(weight) and weight >= 0):
                raise DefinitionError(f"the weight {field.name}= is finite and at least 0, not {shown(weight)}")


@final
@attrs.frozen
class Plan:
    """How expectations become scorers: the weights, and the rounding of each dimension and each level."""

    weights: Weights
    places: int | None

    def whole(self, expected: Expectation, /) -> PathScorer:
        """The scorer of a run, or of a called agent; 0 where something forbidden was called, at whatever level."""
        rounded = rounding(self.places)
        scored = minimum(*self.gates(expected), self._with_agents(expected), id="trajectory")
        return scored if self.places is None else scored.map_score(rounded)

    def gates(self, expected: Expectation, /) -> Iterator[PathScorer]:
        """What is forbidden, here and in the agents that are expected to be called."""
        if expected.forbidden_tools or expected.forbidden_sequences:
            yield _forbidden(expected)
        for at, step in agents_in(expected):
            for gate in self.gates(step.inside or Expectation()):
                yield in_agent(expected, at, gate, missing=1.0)

    def _with_agents(self, expected: Expectation) -> PathScorer:
        level = self._level(expected)
        agents = [
            in_agent(expected, at, self.whole(step.inside or Expectation()), missing=0.0)
            for at, step in agents_in(expected)
        ]
        return weighted((OWN, level), (1 - OWN, mean(*agents, id="agents"))) if agents else level

    def _level(self, expected: Expectation) -> PathScorer:
        """One run without the agents that it calls. Failures never raise the score of a run that missed its steps."""
        weight = self.weights.failures
        retries = 2 if expected.max_retries is None else expected.max_retries
        retried = tool_failures(max_retries=retries, places=self.places)
        parts = tuple(self._dimensions(expected))
        if not parts:
            return retried
        rest = weighted(*parts, id="dimensions")
        if not weight:
            return rest
        others = sum(each for each, _ in parts)

        def lower(first: Evaluation, second: Evaluation) -> float:
            return min(first.score, (others * first.score + weight * second.score) / (others + weight))

        failed = (
            weighted((others, rest), (weight, retried), id="with failures")
            if expected.steps is None
            else rest.zip(retried).generate_score(lower, id="with failures")
        )
        return route(_failed, {"failed": failed, "nothing failed": rest}, id="level")

    def _dimensions(self, expected: Expectation) -> Iterator[tuple[float, PathScorer]]:
        if expected.steps is not None:
            mode, repeats = expected.mode or "in_order", expected.allow_repeats is not False
            match = trajectory_match(expected.steps, mode=mode, allow_repeats=repeats, places=self.places)
            yield self.weights.accuracy, match
        budgets = (expected.max_steps, expected.max_tokens, expected.max_milliseconds)
        if expected.redundancy or any(budget is not None for budget in budgets):
            steps, tokens, milliseconds = budgets
            yield (
                self.weights.efficiency,
                efficiency(
                    max_steps=steps,
                    max_tokens=tokens,
                    max_milliseconds=milliseconds,
                    repeats=expected.redundancy is not False,
                    places=self.places,
                ),
            )
        if expected.forbidden_tools or expected.forbidden_sequences:
            yield self.weights.forbidden, _forbidden(expected)


def trajectory_score(
    expected: Expectation | None = None, /, *, weights: Weights | None = None, places: int | None = None
) -> ExpectationScorer:
    """A run against an expectation: the weighted mean of the dimensions that the expectation speaks of.

    They are `trajectory_match` (accuracy), `efficiency`, and `forbidden_tools`; a run that calls what is forbidden
    scores 0. `tool_failures` joins them when a tool was tried again after a failure, or its failure was final; where
    steps are expected it never raises the score. Where a step says what is expected inside the agent that it calls, the
    run itself weighs 0.7 and the mean of these agents 0.3; an agent that was not called scores 0.

    A run's own reference, an `Expectation` too, is followed in all that it states. `places` rounds every dimension and
    every level, halves up. Weights that leave nothing to weigh are a `DefinitionError`, or of a run's own `InvalidRun`.
    """
    usual = Expectation() if expected is None else _expectation(expected)
    plan = Plan(Weights() if weights is None else _weights(weights), places)
    rounding(places)
    built = plan.whole(usual)

    def begin(run: Run[AgentInput, Told, Expectation | None], /) -> Judged[object]:
        own: object = run.expected
        if own is None:
            return built.program(run)
        if not _is_expectation(own):
            return err(unbegun("expected", run, InvalidRun("$.expected", "expected an Expectation")))
        try:
            scorer = plan.whole(own.over(usual))
        except DefinitionError as mistake:
            return err(unbegun("expected", run, InvalidRun("$.expected", str(mistake))))
        return scorer.program(run)

    id = spelled("trajectory_score", usual, weights=(plan.weights, Weights()), places=(places, None))
    about = attrs.evolve(
        built.about, id=id, name=id, description="A run against an expectation.", expected=Expectation | None
    )
    return assembled(about, built.steps, begin, (built,))


def _failed(run: Run[AgentInput, Told, object]) -> str:
    return "failed" if any(each.counts for each in failures(path(run.output))) else "nothing failed"


def _forbidden(expected: Expectation) -> PathScorer:
    return forbidden_tools(expected.forbidden_tools or (), sequences=expected.forbidden_sequences or ())


def _weights(given: object) -> Weights:
    if not isinstance(given, Weights):
        raise DefinitionError(f"weights= takes Weights(…), not {shown(given)}: Weights(accuracy=0.4)")
    return given


def _expectation(given: object) -> Expectation:
    if not _is_expectation(given):
        raise DefinitionError(f"trajectory_score(…) takes an Expectation, not {shown(given)}: Expectation(steps=[…])")
    return given


def _is_expectation(given: object) -> TypeIs[Expectation]:
    return isinstance(given, Expectation)
