"""The laws of the methods that give a scorer another end, another scale or a fallback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, final

import attrs
from returns.pipeline import is_successful

from scorewright.core import Run, Scale, Scorer
from scorewright.laws.pipelines import Came, evidence, run_sync
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides

TextScorer: TypeAlias = Scorer[str, str, object, object]
Number: TypeAlias = Callable[[float], float]
Text: TypeAlias = Callable[[str], str]
TextRun: TypeAlias = Run[str, str, object]


@final
@attrs.frozen
class Toward:
    """The number, moved toward an end of the scale from 0 to 1 by a share of the way."""

    end: float
    share: float

    def __call__(self, score: float, /) -> float:
        """The number, moved; on the scale where it was."""
        return min(1.0, max(0.0, score + self.share * (self.end - score)))


@final
@attrs.frozen
class Reworded:
    """The text in another form."""

    way: Literal["upper", "twice", "short"]

    def __call__(self, text: str, /) -> str:
        """The text, reworded."""
        return {"upper": text.upper(), "twice": text * 2, "short": text[:3]}[self.way]


@final
@attrs.frozen
class Mappings:
    """What the laws of mappings hold to account; the methods of `Scorer` unless given."""

    map_score: Callable[[TextScorer, Number], TextScorer] = lambda scorer, f: scorer.map_score(f)
    map_reason: Callable[[TextScorer, Text], TextScorer] = lambda scorer, f: scorer.map_reason(f)
    map_fault: Callable[[TextScorer, Callable[[object], object]], TextScorer] = lambda scorer, f: scorer.map_fault(f)
    contramap_input: Callable[[TextScorer, Text], TextScorer] = lambda scorer, f: scorer.contramap_input(str, f)
    contramap_output: Callable[[TextScorer, Text], TextScorer] = lambda scorer, f: scorer.contramap_output(str, f)
    contramap_run: Callable[[TextScorer, Callable[[TextRun], TextRun]], TextScorer] = lambda scorer, f: (
        scorer.contramap_run(str, str, f)
    )
    invert: Callable[[TextScorer], TextScorer] = lambda scorer: scorer.invert()
    rescale: Callable[[TextScorer, Scale], TextScorer] = lambda scorer, to: scorer.rescale(to)
    or_else: Callable[[TextScorer, TextScorer], TextScorer] = lambda scorer, other: scorer.or_else(other)


@final
@attrs.frozen
class MappingCase:
    """Three scorers from 0 to 1, functions of numbers and of texts, a scale, a run, and who answers."""

    scorers: tuple[TextScorer, TextScorer, TextScorer]
    f: Toward
    g: Toward
    said: tuple[Reworded, Reworded]
    scale: Scale
    run: Run[str, str, None]
    script: Script


def map_score_keeps_identity(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Mapping the score with the identity changes no result."""
    return _alike(mappings.map_score(case.scorers[0], _unchanged), case.scorers[0], case)


def map_score_keeps_composition(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Mapping the score with f, then with g, is mapping it with g after f."""
    scorer, mapped = case.scorers[0], mappings.map_score
    return _alike(mapped(mapped(scorer, case.f), case.g), mapped(scorer, lambda score: case.g(case.f(score))), case)


def map_reason_keeps_identity(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Mapping the reason with the identity changes no result."""
    return _alike(mappings.map_reason(case.scorers[0], _same_text), case.scorers[0], case)


def map_reason_keeps_composition(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Mapping the reason with f, then with g, is mapping it with g after f."""
    (f, g), scorer, mapped = case.said, case.scorers[0], mappings.map_reason
    return _alike(mapped(mapped(scorer, f), g), mapped(scorer, lambda text: g(f(text))), case)


def map_fault_keeps_identity(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Mapping the fault with the identity changes no result."""
    return _alike(mappings.map_fault(case.scorers[0], _same_fault), case.scorers[0], case)


def contramap_keeps_identity(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Adapting input, output or run with the identity changes no result, nor what is asked where."""
    scorer = case.scorers[0]
    adapted = mappings.contramap_output(mappings.contramap_input(scorer, _same_text), _same_text)
    left, right = came(mappings.contramap_run(adapted, _same_run), case), came(scorer, case)
    return Sides((left, evidence(left).exchanges), (right, evidence(right).exchanges), case)


def contramap_keeps_composition(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Adapting to f, then to g, is adapting to f after g, of the input and of the output."""
    (f, g), scorer = case.said, case.scorers[0]
    of_input, of_output = mappings.contramap_input, mappings.contramap_output
    return _alike(
        of_input(of_input(of_output(of_output(scorer, f), g), f), g),
        of_input(of_output(scorer, lambda text: f(g(text))), lambda text: f(g(text))),
        case,
    )


def contramap_run_is_both(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """Adapting the run in both of its ends is adapting its input and its output."""
    (f, g), scorer = case.said, case.scorers[0]

    def adapted(run: TextRun) -> TextRun:
        return run.with_input(f(run.input)).with_output(g(run.output))

    by_parts = mappings.contramap_input(mappings.contramap_output(scorer, g), f)
    return _alike(mappings.contramap_run(scorer, adapted), by_parts, case)


def inverting_twice_changes_nothing(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """A scale turned round twice is as it was, and once is not."""
    scorer = case.scorers[0]
    once = mappings.invert(scorer)
    left, right = came(mappings.invert(once), case), came(scorer, case)
    return Sides((left, once.better == scorer.better), (right, False), case, 1e-9)


def rescaling_there_and_back_changes_nothing(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """A score on another scale and back is the score that it was."""
    scorer = case.scorers[0]
    return _alike(mappings.rescale(mappings.rescale(scorer, case.scale), scorer.scale), scorer, case, 1e-6)


def or_else_is_associative(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """It does not matter how a row of fallbacks is grouped."""
    (a, b, c), or_else = case.scorers, mappings.or_else
    return _alike(or_else(or_else(a, b), c), or_else(a, or_else(b, c)), case)


def or_else_takes_the_first_that_scores(mappings: Mappings, case: MappingCase) -> Sides[object]:
    """A fallback changes no score that was given, and asks nothing then."""
    a, b, _ = case.scorers
    alone, both = came(a, case), came(mappings.or_else(a, b), case)
    if not _scored(alone):
        return Sides(_scored(both), _scored(came(b, case)), case)
    return Sides((both, len(evidence(both).exchanges)), (alone, len(evidence(alone).exchanges)), case)


def came(scorer: TextScorer, case: MappingCase, /) -> Came:
    """What the scorer comes to on the case's run."""
    return run_sync(scorer, case.run, case.script.answer)


def _alike(left: TextScorer, right: TextScorer, case: MappingCase, tolerance: float = 0.0) -> Sides[object]:
    return Sides(came(left, case), came(right, case), case, tolerance)


def _scored(result: Came) -> bool:
    return is_successful(result)


def _unchanged(score: float) -> float:
    return score


def _same_text(text: str) -> str:
    return text


def _same_fault(fault: object) -> object:
    return fault


def _same_run(run: TextRun) -> TextRun:
    return run


MAPPING_LAWS: tuple[Law[Mappings, MappingCase], ...] = (
    map_score_keeps_identity,
    map_score_keeps_composition,
    map_reason_keeps_identity,
    map_reason_keeps_composition,
    map_fault_keeps_identity,
    contramap_keeps_identity,
    contramap_keeps_composition,
    contramap_run_is_both,
    inverting_twice_changes_nothing,
    rescaling_there_and_back_changes_nothing,
    or_else_is_associative,
    or_else_takes_the_first_that_scores,
)
