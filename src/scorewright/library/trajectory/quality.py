"""`trajectory_quality`: a judge on every step of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

import attrs
from returns.result import Result

from scorewright.agents import AgentInput, system_prompt, user_text
from scorewright.core import Answerer, Outcome, ScoredStep, Scorer, Step, create_scorer, pure, then
from scorewright.faults import InvalidRun, JudgeFault, NotScorable
from scorewright.library.defining import counted, expect_whole, named, spelled
from scorewright.library.judged.batches import misnumbered
from scorewright.library.judged.options import described, rounded
from scorewright.library.judged.reading import asking
from scorewright.library.judged.template import numbered, template
from scorewright.library.trajectory.expected import Expected, Steps, flat, listed
from scorewright.library.trajectory.path import TOLD, Path, Told, read_path
from scorewright.library.trajectory.telling import told_step
from scorewright.results import err, ok

NECESSARY, IN_ORDER, WHOLE = 0.6, 0.3, 0.1


@final
@attrs.frozen
class StepVerdict:
    """What the judge says of one step; `index` is its number, from 1."""

    reason: str
    was_necessary: bool
    was_in_order: bool
    index: int | None = None


@final
@attrs.frozen
class StepVerdicts:
    """What the judge says of all steps, and of those that are missing."""

    step_evaluations: tuple[StepVerdict, ...]
    missing_steps: tuple[str, ...] = ()
    extra_steps: tuple[str, ...] = ()
    overall_assessment: str = ""


Faults: TypeAlias = JudgeFault | NotScorable | InvalidRun
_Read: TypeAlias = Step[AgentInput, Told, Path, None, object]


def trajectory_quality(
    judge: Answerer, /, *, expected: Sequence[Expected] | None = None, max_steps: int = 100
) -> Scorer[AgentInput, Told, object, Faults]:
    """A judge's verdict on every step: was it necessary, did it come in order, and is a step missing?

    score = 0.6 · necessary/(n + extra) + 0.3 · in order/n + 0.1 · n/(n + missing) of n steps, at two decimals, where
    `extra` counts the steps that the judge calls extra beyond those that it found unnecessary. A run without steps
    scores 1, or 0 where a step is missing. Each step gets one verdict, or the answer is a fault. One question; none
    where the run has no steps and `expected` says whether it should. More than `max_steps` are `InvalidRun`.
    """
    expect_whole(max_steps, "trajectory_quality(max_steps=…)", least=1)
    wanted = None if expected is None else listed(expected)
    text = template("trajectory_quality")

    def fields(s: _Read) -> dict[str, str | int]:
        given = s.run.input
        lines = [told_step(step) for step in s.pre.steps]
        return {
            "instructions": system_prompt(given) or "(none)",
            "request": user_text(given) or "(none)",
            "expected": "(not stated)" if wanted is None else numbered([repr(step) for step in flat(wanted)]),
            "steps": numbered(lines) if lines else "(the agent took no steps)",
        }

    def objection(s: _Read, said: StepVerdicts) -> str:
        given = [each.index for each in said.step_evaluations]
        return misnumbered(given, range(1, len(s.pre.steps) + 1))

    ask = asking(text, StepVerdicts, fields, objection=objection)

    def analysed(s: _Read) -> Outcome[StepVerdicts, Faults]:
        taken = len(s.pre.steps)
        if taken > max_steps:
            return err(InvalidRun("$.output", f"{taken} steps are more than the {max_steps} that are judged at once"))
        if not taken and wanted is not None:
            return ok(_unasked(wanted))
        return then(ask(s), in_turn)

    id = spelled(
        "trajectory_quality", expected=(None if wanted is None else list(wanted), None), max_steps=(max_steps, 100)
    )
    return (
        create_scorer(id, input=AgentInput, output=TOLD, judge=judge, description=described("Each step, judged.", text))
        .preprocess(read_path)
        .analyze(analysed)
        .generate_score(pure(lambda s: quality(s.ana)))
        .generate_reason(pure(_reason))
    )


def quality(said: StepVerdicts, /) -> float:
    """The score of the verdicts; see `trajectory_quality`."""
    steps, missing = len(said.step_evaluations), len(said.missing_steps)
    if not steps:
        return 0.0 if missing else 1.0
    necessary = sum(each.was_necessary for each in said.step_evaluations)
    ordered = sum(each.was_in_order for each in said.step_evaluations)
    extra = max(0, len(said.extra_steps) - (steps - necessary))
    score = NECESSARY * necessary / (steps + extra) + IN_ORDER * ordered / steps + WHOLE * steps / (steps + missing)
    return rounded(score, 1.0)


def in_turn(said: StepVerdicts, /) -> Result[StepVerdicts, JudgeFault]:
    """The verdicts in the order of the steps, each with its number."""
    found = said.step_evaluations
    if all(each.index is None for each in found):
        found = tuple(attrs.evolve(each, index=at) for at, each in enumerate(found, 1))
    return ok(attrs.evolve(said, step_evaluations=tuple(sorted(found, key=lambda each: each.index or 0))))


def _unasked(wanted: Steps) -> StepVerdicts:
    return StepVerdicts((), tuple(map(repr, flat(wanted))))


def _reason(s: ScoredStep[AgentInput, Told, Path, StepVerdicts, object]) -> str:
    lines = [
        f"step {at}, {named(step.name)}: {_words(each)} ({each.reason})"
        for at, (step, each) in enumerate(zip(s.pre.steps, s.ana.step_evaluations, strict=True), 1)
    ]
    lines = lines or ["the run took no steps"]
    if s.ana.missing_steps:
        lines.append(f"{counted(len(s.ana.missing_steps), 'step')} missing: {'; '.join(s.ana.missing_steps)}")
    if s.ana.extra_steps:
        lines.append(f"extra: {'; '.join(s.ana.extra_steps)}")
    return "\n".join([*lines, *filter(None, [s.ana.overall_assessment])])


def _words(verdict: StepVerdict) -> str:
    order = "in order" if verdict.was_in_order else "out of order"
    return f"{'necessary' if verdict.was_necessary else 'not necessary'}, {order}"
