"""Does the answer do what the prompt asked for?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, final

import attrs
from returns.result import Result

from scorewright.core import (
    Answerer,
    Calculated,
    Outcome,
    Scale,
    ScoredStep,
    Scorer,
    Step,
    both,
    create_scorer,
    pure,
    then,
)
from scorewright.library.defining import expect_flag, expect_one_of, spelled
from scorewright.library.judged.guards import First, lacking, needing, no_answer
from scorewright.library.judged.options import able, described, rounded, share, top
from scorewright.library.judged.reading import asking
from scorewright.library.judged.runs import Asked, Faults
from scorewright.library.judged.template import template
from scorewright.library.judged.verdicts import calculated
from scorewright.results import ok

Mode: TypeAlias = Literal["user", "system", "both"]
Weights: TypeAlias = tuple[float, float, float, float]  # intent, requirements, completeness, appropriateness

USER: Weights = (0.4, 0.3, 0.2, 0.1)
SYSTEM: Weights = (0.35, 0.35, 0.15, 0.15)


@final
@attrs.frozen
class Rated:
    """One side of the answer, from 0 to 1."""

    reason: str
    score: float = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(1)])


@final
@attrs.frozen
class Requirement:
    """One thing that the prompt asks for."""

    requirement: str
    reason: str
    is_fulfilled: bool


@final
@attrs.frozen
class Requirements:
    """All of them, and how far they are met, from 0 to 1."""

    requirements: tuple[Requirement, ...]
    overall_score: float = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(1)])


@final
@attrs.frozen
class Alignment:
    """What the judge says of one prompt."""

    intent_alignment: Rated
    requirements_fulfillment: Requirements
    completeness: Rated
    response_appropriateness: Rated
    overall_assessment: str = ""

    def weighted(self, weights: Weights, /) -> float:
        """Its four numbers as one."""
        numbers = (
            self.intent_alignment.score,
            self.requirements_fulfillment.overall_score,
            self.completeness.score,
            self.response_appropriateness.score,
        )
        return sum(weight * number for weight, number in zip(weights, numbers, strict=True))


@final
@attrs.frozen
class Alignments:
    """What the judge says of the user's prompt and of the system's, as far as each was judged."""

    user: Alignment | None
    system: Alignment | None


def prompt_alignment(
    judge: Answerer,
    /,
    *,
    mode: Mode = "both",
    user_share: float = 0.7,
    with_history: bool = False,
    scale: float = 1.0,
) -> Scorer[Asked, str, object, Faults]:
    """How far the answer does what the user's prompt, the system's, or both ask for.

    One prompt: scale · (.4 intent + .3 requirements + .2 completeness + .1 appropriateness) for the user's, with
    .35, .35, .15, .15 for the system's, at two decimals. Both: each is judged by itself, side by side, and they count
    `user_share` to the rest; where only one is there, it counts alone. With `with_history` the turns before are shown.
    """
    expect_one_of(mode, ("user", "system", "both"), "prompt_alignment(mode=…)")
    expect_flag(with_history, "prompt_alignment(with_history=…)")
    part, best = share("user_share", user_share), top(scale)
    for_user, for_system = template("prompt_alignment-user"), template("prompt_alignment-system")

    def shown(given: Asked, answer: str) -> dict[str, str | int]:
        return {"history": given.history if with_history else "", "user_prompt": given.question, "answer": answer}

    def of_system(step: First) -> Mapping[str, str | int]:
        given = step.run.input
        return {**shown(given, step.run.output), "system_prompt": given.system}

    def of_user(step: First) -> Mapping[str, str | int]:
        return shown(step.run.input, step.run.output)

    ask_user = asking(for_user, Alignment, of_user)
    ask_system = asking(for_system, Alignment, of_system)

    def aligned(step: First) -> Outcome[Alignments, Faults]:
        given = step.run.input
        user, system = (mode != "system" and given.question.strip(), mode != "user" and given.system.strip())
        if user and system:
            return then(both(lambda: ask_user(step), lambda: ask_system(step)), _both)
        return then(ask_user(step), _only_user) if user else then(ask_system(step), _only_system)

    def score(step: Step[Asked, str, None, Alignments, object]) -> Calculated:
        said = step.ana
        user = said.user.weighted(USER) if said.user else None
        system = said.system.weighted(SYSTEM) if said.system else None
        counts = {name: number for name, number in (("user", user), ("system", system)) if number is not None}
        parts = {"user": part, "system": 1 - part} if len(counts) > 1 else dict.fromkeys(counts, 1.0)
        left = sum(parts[name] * number for name, number in counts.items())
        return calculated(rounded(best * left, best), counts, for_user, for_system)

    return (
        create_scorer(
            spelled(
                "prompt_alignment",
                mode=(mode, "both"),
                user_share=(part, 0.7),
                with_history=(with_history, False),
                scale=(best, 1.0),
            ),
            input=Asked,
            output=str,
            judge=able(judge),
            scale=Scale(0, best),
            description=described("How far the answer does what its prompts ask for.", for_user, for_system),
        )
        .analyze(needing(lacking(no_answer, _no_prompt(mode)), aligned))
        .generate_score(pure(score))
        .generate_reason(pure(_told))
    )


def _no_prompt(mode: Mode) -> Callable[[First], str]:
    def lack(step: First) -> str:
        given = step.run.input
        there = {"user": given.question, "system": given.system, "both": given.question + given.system}[mode]
        return "" if there.strip() else f"there is no prompt of the {'user or the system' if mode == 'both' else mode}"

    return lack


def _both(said: tuple[Alignment, Alignment]) -> Result[Alignments, Faults]:
    return ok(Alignments(*said))


def _only_user(said: Alignment) -> Result[Alignments, Faults]:
    return ok(Alignments(said, None))


def _only_system(said: Alignment) -> Result[Alignments, Faults]:
    return ok(Alignments(None, said))


def _told(step: ScoredStep[Asked, str, None, Alignments, object]) -> str:
    said = step.ana
    return "\n".join(
        line for name, each in (("user", said.user), ("system", said.system)) if each for line in _lines(name, each)
    )


def _lines(name: str, said: Alignment) -> list[str]:
    rated = {
        "intent": said.intent_alignment,
        "completeness": said.completeness,
        "appropriateness": said.response_appropriateness,
    }
    lines = [f"- {name}, {side} {each.score:g}: {each.reason}" for side, each in rated.items()]
    lines.insert(1, f"- {name}, requirements {said.requirements_fulfillment.overall_score:g}")
    lines += [
        f"- {name}, {'met' if each.is_fulfilled else 'not met'}: {each.requirement} ({each.reason})"
        for each in said.requirements_fulfillment.requirements
    ]
    return [*lines, said.overall_assessment] if said.overall_assessment else lines
